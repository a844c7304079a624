"""From points to runs and predictions."""
