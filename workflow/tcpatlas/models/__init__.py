"""Analytic models: a module or package each, with `predict(points)` as docs/formats.md describes it."""
