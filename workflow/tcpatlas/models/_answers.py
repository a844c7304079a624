"""The form in which models answer."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

Metrics = dict[str, tuple[str, float]]
"""Of each name the unit and the value."""


def answer(
    metrics: Metrics, distributions: Mapping[str, tuple[str, NDArray[Any]]] | None = None
) -> dict[str, Any]:
    """Return an answer to a point in the form of docs/formats.md.

    Of each distribution there are the unit, and the probabilities of 0, 1, 2, ... of it.
    """
    return {
        "metrics": {name: {"unit": unit, "value": value} for name, (unit, value) in metrics.items()},
        "distributions": {
            name: {"unit": unit, "probability": probability.tolist()}
            for name, (unit, probability) in (distributions or {}).items()
        },
    }
