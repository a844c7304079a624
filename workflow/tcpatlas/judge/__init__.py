"""The judge: a congestion control asked the questions of a suite, each with a verdict by interval."""
