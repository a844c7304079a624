"""Analytic models: one module a model, each with `predict(points)` as docs/formats.md describes it."""
