"""What a model says of the points of sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.validation import check, join
from tcpatlas.models import known_models, load, predicts
from tcpatlas.points.documents import PointSet
from tcpatlas.runs.documents import Predictions
from tcpatlas.runs.store import to_line


def predict(model: str, point_sets: Sequence[PointSet]) -> str:
    """Return the model's predictions for sets of points, a line each.

    Raises ConfigError if the model is unknown or an answer is not what the type says (a number that is not
    finite, say). A model raises ValueError, one line, for a point that it cannot answer, which becomes
    AtlasError.
    """
    if model not in known_models():
        raise ConfigError("--model", model, "is unknown", f"one of: {', '.join(known_models())}")
    module = load(model)
    if not predicts(model):
        raise ConfigError(
            module.__name__, "predict", "is missing, so this is no model", "see docs/formats.md"
        )
    return "".join(_predictions(model, module.predict, one) for one in point_sets)


def _predictions(model: str, ask: Callable[[Any], Any], asked: PointSet) -> str:
    """Return the line of the predictions for the points of one set."""
    points = asked["points"]
    try:
        answers = ask(points)
    except ValueError as error:
        raise AtlasError(f"model {model}: {error}") from error
    if len(answers) != len(points):
        raise ConfigError(
            f"model {model}", "", f"gives {len(answers)} answers to {len(points)} points", "one each"
        )
    predictions = {
        "schema": "tcp-atlas/predictions/1",
        "model": model,
        "study": asked["study"],
        "set": asked["set"],
        "points": {
            point["point"]: {
                key: _plain(answer[key]) for key in ("metrics", "distributions", "traces") if key in answer
            }
            for point, answer in zip(points, answers, strict=True)
        },
    }
    check(Predictions, predictions, f"model {model}")
    try:
        return to_line(predictions)
    except ValueError:
        raise ConfigError(
            f"model {model}", _not_finite(predictions), "is not finite", "a finite number"
        ) from None


def _plain(value: Any) -> Any:
    """Return numpy's numbers and arrays as Python's."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value


def _not_finite(value: Any, path: str = "") -> str:
    """Return the path of the first number that is not finite, or an empty string."""
    items: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    elif isinstance(value, float) and not np.isfinite(value):
        return path
    return next(filter(None, (_not_finite(item, join(path, key)) for key, item in items)), "")
