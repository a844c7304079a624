"""Asks models about each point, by themselves and from engines' measurements there."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.validation import check, join
from tcpatlas.models import infers, is_fed, known_models, load, predicts
from tcpatlas.points.documents import PointSet
from tcpatlas.points.types import Study
from tcpatlas.runs.documents import Predictions, Replications
from tcpatlas.runs.store import Runs, to_line

Documents = Sequence[Mapping[str, Any]]
# The metrics of one run, or their means, by name.
RunValues = Mapping[str, float]


def predict(model: str, point_sets: Iterable[PointSet], runs: Runs) -> str:
    """Return the model's predictions for sets of points, a line each, also from the runs' measurements.

    Raises ConfigError if the model is unknown or an answer is not what the type says (a number that is not
    finite, say). A model raises ValueError, one line, for a point that it cannot answer, which becomes
    AtlasError.
    """
    if model not in known_models():
        raise ConfigError("--model", model, "is unknown", f"one of: {', '.join(known_models())}")
    if not predicts(model):
        name = load(model).__name__
        raise ConfigError(name, "predict", "is missing, so this is no model", "see docs/formats.md")
    return "".join(_line(model, point_set, runs) for point_set in point_sets)


def predictions_of(study: Study, source: Study, runs: Runs) -> dict[str, dict[str, Predictions]]:
    """Return models' answers for a study with another TCP than its source's, by model and set."""
    predicted: dict[str, dict[str, Predictions]] = {}
    for one in study.sets:
        for model in one.models:
            asked = next(of for of in source.sets if of.name == one.name) if model in one.of_source else one
            point_set = {"study": asked.study, "set": one.name, "points": [p.document for p in asked.points]}
            line = predict(model, [cast(PointSet, point_set)], runs)
            predicted.setdefault(model, {})[one.name] = json.loads(line)
    return predicted


def answers_of(model: str, points: Documents, runs: Sequence[RunValues] | None = None) -> list[Any]:
    """Return a model's answers, `{metrics, distributions[, traces]}` each, to points or to a run of each."""
    module = load(model)
    return _asked(model, points, lambda: module.predict(points, **({} if runs is None else {"runs": runs})))


def _asked(model: str, points: Documents, ask: Callable[[], list[Any]]) -> list[Any]:
    try:
        answers = ask()
    except ValueError as error:
        raise AtlasError(f"model {model}: {error}") from error
    if len(answers) != len(points):
        problem = f"gives {len(answers)} answers to {len(points)} points"
        raise ConfigError(f"model {model}", "", problem, "one each")
    return answers


def _line(model: str, point_set: PointSet, runs: Runs) -> str:
    """Return the line of the predictions for the points of one set."""
    points = cast(Documents, point_set["points"])
    predictions: dict[str, Any] = {
        "schema": "tcp-atlas/predictions/2",
        "model": model,
        "study": point_set["study"],
        "set": point_set["set"],
        "points": {
            point["point"]: {
                key: _plain(answer[key]) for key in ("metrics", "distributions", "traces") if key in answer
            }
            for point, answer in zip(points, answers_of(model, points), strict=True)
        },
    }
    if measured := _measured(model, point_set["set"], points, runs):
        predictions["measured"] = measured
    check(Predictions, predictions, f"model {model}")
    try:
        return to_line(predictions)
    except ValueError:
        raise ConfigError(
            f"model {model}", _not_finite(predictions), "is not finite", "a finite number"
        ) from None


def _measured(model: str, name: str, points: Documents, runs: Runs) -> dict[str, dict[str, Any]]:
    """Return the model's answers from the runs of each engine that simulated points of the set."""
    engines = dict.fromkeys(engine for set_name, _, engine in runs if set_name == name)
    return {engine: _by_engine(model, points, engine, runs) for engine in engines}


def _by_engine(model: str, points: Documents, engine: str, runs: Runs) -> dict[str, Any]:
    simulated = [
        (point, made) for point in points if (made := runs.get((point["set"], point["point"], engine)))
    ]
    documents = [point for point, _ in simulated]
    fed: list[dict[str, Any]] = [{} for _ in simulated]
    if is_fed(model):
        each = [(row, values) for row, (_, made) in enumerate(simulated) for values in _runs(made)]
        answers = answers_of(model, [documents[row] for row, _ in each], [values for _, values in each])
        for (row, _), answer in zip(each, answers, strict=True):
            for name, metric in answer["metrics"].items():
                over_runs = fed[row].setdefault(name, {"unit": metric["unit"], "values": []})
                over_runs["values"].append(_plain(metric["value"]))
    inferred: list[Any] = [{} for _ in simulated]
    if infers(model):
        means = [{name: metric["value"] for name, metric in made["metrics"].items()} for _, made in simulated]
        by_model = _asked(model, documents, lambda: load(model).infer(documents, means))
        inferred = [_plain(answer["metrics"]) for answer in by_model]
    return {
        point["point"]: {"fed": of_runs, "inferred": of_mean}
        for point, of_runs, of_mean in zip(documents, fed, inferred, strict=True)
    }


def _runs(made: Replications) -> list[RunValues]:
    """Return the metrics of each replication; a metric missing from some is the mean of the others."""
    count = len(made["seeds"])
    return [
        {
            name: metric["values"][run] if len(metric["values"]) == count else metric["value"]
            for name, metric in made["metrics"].items()
        }
        for run in range(count)
    ]


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
