"""From scenario files to parameter points."""
