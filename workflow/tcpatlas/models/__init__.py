"""Analytic models: a module or package each, with `predict(points)` as docs/formats.md describes it."""

import pkgutil


def known_models() -> list[str]:
    """Return the names of the models here (a helper's name starts with an underscore)."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
