"""The files of runs and predictions: a JSON document per line."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tcpatlas.answers.metrics import check_known
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text
from tcpatlas.base.validation import check
from tcpatlas.runs.documents import Predictions, Replications

# By set, point and engine.
Runs = Mapping[tuple[str, str, str], Replications]


def runs_file(results: Path, study: str, engine: str, job: int) -> Path:
    """Return the one output of a simulation job: the replications of its points."""
    return results / "runs" / study / f"{engine}-{job}.jsonl"


def predictions_file(results: Path, study: str, model: str) -> Path:
    """Return the file of a model's predictions for every set of the study that it answers."""
    return results / "predictions" / study / f"{model}.jsonl"


def digest(points: Iterable[Mapping[str, Any]]) -> str:
    """Return one digest of several points."""
    return hashlib.sha256("".join(map(to_line, points)).encode()).hexdigest()


def read_runs(files: Iterable[Path]) -> dict[tuple[str, str, str], Replications]:
    """Return the outputs of jobs by set, point and engine; ConfigError on a wrong line."""
    runs = {}
    for file in files:
        for line, data in _lines(file):
            run = check(Replications, data, file, line)
            _check_names(file, line, run)
            runs[run["set"], run["point"], run["engine"]] = run
    return runs


def read_predictions(file: Path) -> dict[str, Predictions]:
    """Return a model's predictions of a study's sets, by set; ConfigError on a wrong line."""
    by_set = {}
    for line, data in _lines(file):
        predictions = check(Predictions, data, file, line)
        for point, prediction in predictions["points"].items():
            _check_names(file, f"{line}.points.{point}", prediction)
        for engine, points in predictions.get("measured", {}).items():
            for point, measured in points.items():
                metrics = {**measured["fed"], **measured["inferred"]}
                check_known(file, f"{line}.measured.{engine}.{point}", metrics, "metric")
        by_set[predictions["set"]] = predictions
    return by_set


def _check_names(file: Path, where: str, document: Mapping[str, Any]) -> None:
    for kind in ("metric", "distribution", "trace"):
        check_known(file, f"{where}.{kind}s", document.get(f"{kind}s", {}), kind)


def run_of(runs: Runs, set_name: str, point: str, engine: str) -> Replications:
    """Return one of the runs; raises ConfigError if it is not there."""
    try:
        return runs[set_name, point, engine]
    except KeyError:
        raise ConfigError(
            f"runs by {engine}", f"{set_name}.{point}", "is missing", "simulate again"
        ) from None


def to_line(document: Mapping[str, Any]) -> str:
    """Return a document as one line of JSON (ValueError on a number that is not finite)."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def _lines(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield each document of a file, with the name of its line."""
    for number, text in enumerate(read_text(file, file).splitlines(), start=1):
        try:
            yield f"line {number}", json.loads(text)
        except json.JSONDecodeError as error:
            raise ConfigError(file, f"line {number}", f"not JSON: {error.msg}") from None
