"""Web pages that need no server: the laboratory, and what they share."""
