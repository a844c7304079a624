"""TCP Atlas: from scenarios to points, runs, predictions, and claims about published numbers."""

__version__ = "0.1.0"
