"""What a model says of the points of a set."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tcpatlas import schema
from tcpatlas.errors import AtlasError, ConfigError
from tcpatlas.files import read_json, to_json, write_atomically
from tcpatlas.scenario import known_models


def predict(model: str, point_files: Sequence[Path], out: Path) -> None:
    """Write the model's predictions (`predictions.schema.json`) for the points of one set.

    Raises ConfigError if the model is unknown, the points are of several sets, or an answer is not what the
    schema says (a number that is not finite, say). A model raises ConfigError or
    ValueError, one line, for a point that it cannot answer; ValueError becomes AtlasError.
    """
    if model not in known_models():
        raise ConfigError("--model", model, "is unknown", f"one of: {', '.join(known_models())}")
    points = [read_json(file) for file in point_files]
    for file, point in zip(point_files, points, strict=True):
        schema.validate(point, schema.load("point"), file)
    sets = {(point["study"], point["set"]) for point in points}
    if len(sets) != 1:
        raise ConfigError("--points", "", f"are of {len(sets)} sets", "one or more points, all of one set")
    ((study, set_name),) = sets
    module = importlib.import_module(f"tcpatlas.models.{model}")
    if not hasattr(module, "predict"):
        raise ConfigError(
            module.__name__, "predict", "is missing, so this is no model", "see docs/formats.md"
        )
    try:
        answers = module.predict(points)
    except ValueError as error:
        raise AtlasError(f"model {model}: {error}") from error
    if len(answers) != len(points):
        raise ConfigError(
            f"model {model}", "", f"gives {len(answers)} answers to {len(points)} points", "one each"
        )
    predictions = {
        "schema": "tcp-atlas/predictions/1",
        "model": model,
        "study": study,
        "set": set_name,
        "points": {
            point["point"]: {
                key: _plain(answer[key]) for key in ("metrics", "distributions", "traces") if key in answer
            }
            for point, answer in zip(points, answers, strict=True)
        },
    }
    schema.validate(predictions, schema.load("predictions"), f"model {model}")
    try:
        text = to_json(predictions)
    except ValueError:
        raise ConfigError(
            f"model {model}", _not_finite(predictions), "is not finite", "a finite number"
        ) from None
    write_atomically(out, text)


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
    return next(filter(None, (_not_finite(item, schema.join(path, key)) for key, item in items)), "")
