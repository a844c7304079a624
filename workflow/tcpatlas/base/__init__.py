"""Tools that know nothing of TCP: errors, files, units, schemas, statistics."""
