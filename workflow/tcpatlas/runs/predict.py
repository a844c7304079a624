"""What a model says of the points of sets."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tcpatlas.base import schema
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import digest_line, read_json, read_text, to_json, write_if_changed
from tcpatlas.models import known_models
from tcpatlas.points.types import prediction_path


def predict(model: str, point_lists: Sequence[Path], results: Path) -> list[str]:
    """Write the model's predictions (`predictions.schema.json`) for sets of points.

    A list names the points of a set, as `expand` prints them. The predictions of each set are a file,
    written where its content changed; returned is a line for each, as `sha256sum` writes it. Raises
    ConfigError if the model is unknown, a list has points of several sets, or an answer is not what the
    schema says (a number that is not finite, say). A model raises ConfigError or ValueError, one line, for
    a point that it cannot answer; ValueError becomes AtlasError.
    """
    if model not in known_models():
        raise ConfigError("--model", model, "is unknown", f"one of: {', '.join(known_models())}")
    module = importlib.import_module(f"tcpatlas.models.{model}")
    if not hasattr(module, "predict"):
        raise ConfigError(
            module.__name__, "predict", "is missing, so this is no model", "see docs/formats.md"
        )
    lines = []
    for point_list in point_lists:
        points = _read_points(point_list)
        first = points[0]
        out = prediction_path(results, first["study"], first["set"], model)
        text = _predictions(model, module.predict, points)
        write_if_changed(out, text)
        lines.append(digest_line(text, out))
    return lines


def _read_points(point_list: Path) -> list[Mapping[str, Any]]:
    files = [Path(line.partition("  ")[2]) for line in read_text(point_list, point_list).splitlines()]
    points = [read_json(file) for file in files]
    for file, point in zip(files, points, strict=True):
        schema.validate(point, schema.load("point"), file)
    sets = {(point["study"], point["set"]) for point in points}
    if len(sets) != 1:
        raise ConfigError(
            point_list, "", f"has points of {len(sets)} sets", "one or more points, all of one set"
        )
    return points


def _predictions(model: str, ask: Callable[[Any], Any], points: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the predictions for the points of one set."""
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
        "study": points[0]["study"],
        "set": points[0]["set"],
        "points": {
            point["point"]: {
                key: _plain(answer[key]) for key in ("metrics", "distributions", "traces") if key in answer
            }
            for point, answer in zip(points, answers, strict=True)
        },
    }
    schema.validate(predictions, schema.load("predictions"), f"model {model}")
    try:
        return to_json(predictions)
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
    return next(filter(None, (_not_finite(item, schema.join(path, key)) for key, item in items)), "")
