"""Answers of engines and models at a point: metrics with their sources, and metrics derived from several."""
