"""Which points a model can answer."""

from collections.abc import Mapping
from typing import Any


def name_of(point: Mapping[str, Any]) -> str:
    """Return how errors name a point: study, set and point."""
    return f"{point['study']}/{point['set']}/{point['point']}"


def require(model: str, point: Mapping[str, Any], only: Mapping[str, object]) -> None:
    """Raise ValueError, one line with point, key path and what is allowed, if a value is another.

    `only` maps key paths of a point (`tcp.variant`) to the values that the model knows. They are looked at in
    their order: a later one may be a key that only points with the earlier values have.
    """
    for path, allowed in only.items():
        value: Any = point
        for key in path.split("."):
            value = value[key]
        if value != allowed:
            problem = f"the {model} model cannot answer {value}"
            raise ValueError(f"{name_of(point)}: {path}: {problem}; allowed: {allowed}")
