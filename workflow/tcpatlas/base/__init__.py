"""General tools, independent of TCP: errors, files, units, schemas, statistics."""
