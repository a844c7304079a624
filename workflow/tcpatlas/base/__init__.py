"""What knows nothing of TCP: errors, files, units, schemas, statistics."""
