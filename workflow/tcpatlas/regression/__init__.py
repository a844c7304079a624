"""Comparison with the accepted numbers."""
