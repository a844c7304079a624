"""Reads the files of runs and predictions as the answers at each point of a study."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.comparisons import by_measurement, difference_of, error
from tcpatlas.answers.derived import Metric
from tcpatlas.answers.source import Source
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.statistics import last_look
from tcpatlas.points.types import Point, ScenarioSet, Study
from tcpatlas.runs.documents import Predictions, Replications
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.store import Runs, predictions_file, read_predictions, read_runs, run_of


def read_answers(study: Study, results: Path, confidence: float) -> list[Answer]:
    """Return every answer, point by point, engines first; ConfigError if a file is missing or wrong."""
    runs = read_runs(job.file(results) for job in jobs(study))
    models = dict.fromkeys(model for scenario_set in study.sets for model in scenario_set.models)
    predicted = {model: read_predictions(predictions_file(results, study.name, model)) for model in models}
    by_verdict = {one.name for one in study.sets if one.by_verdict}
    return [
        answer
        for scenario_set in study.sets
        for answer in set_answers(
            scenario_set,
            runs,
            predicted,
            lambda run: last_look(confidence) if run["set"] in by_verdict else confidence,
        )
    ]


def set_answers(
    scenario_set: ScenarioSet,
    made: Runs,
    predicted: Mapping[str, Mapping[str, Predictions]],
    confidence: Callable[[Replications], float],
) -> Iterator[Answer]:
    """Yield every answer at the points of a set.

    `predicted` is by model, then by set; `confidence` is that of the intervals of replications.
    """
    runs = {
        engine: [_run(scenario_set, point, engine, made, confidence) for point in scenario_set.points]
        for engine in scenario_set.engines
    }
    predictions = {
        model: _predictions(scenario_set, model, predicted[model]) for model in scenario_set.models
    }
    for index in range(len(scenario_set.points)):
        simulated = [answers[index] for answers in runs.values()]
        yield from simulated
        for other in simulated[1:]:
            yield difference_of(other, simulated[0])
        for model, answers in predictions.items():
            yield answers[index]
            for answer in simulated:
                yield error(answers[index], answer)
                measured = predicted[model][scenario_set.name].get("measured", {})
                yield from by_measurement(answers[index], answer, measured)


def _run(
    scenario_set: ScenarioSet,
    point: Point,
    engine: str,
    runs: Runs,
    confidence: Callable[[Replications], float],
) -> Answer:
    run = run_of(runs, point.set, point.name, engine)
    kind: Metric = {key: True for key in ("exact", "band") if key in run}
    return Answer(
        Source("simulation", engine),
        scenario_set,
        point,
        {name: {**metric, **kind} for name, metric in run["metrics"].items()},
        len(run["seeds"]),
        {name: {**distribution, **kind} for name, distribution in run["distributions"].items()},
        run.get("traces", {}),
        seeds=tuple(run["seeds"]),
        confidence=confidence(run),
    )


def _predictions(scenario_set: ScenarioSet, model: str, by_set: Mapping[str, Predictions]) -> list[Answer]:
    predicted = by_set[scenario_set.name]["points"] if scenario_set.name in by_set else {}
    answers = []
    for point in scenario_set.points:
        if point.name not in predicted:
            where = f"points.{scenario_set.name}.{point.name}"
            raise ConfigError(f"model {model}", where, "is missing", "predict again")
        prediction = predicted[point.name]
        answers.append(
            Answer(
                Source("model", model=model),
                scenario_set,
                point,
                prediction["metrics"],
                distributions=prediction["distributions"],
                traces=prediction.get("traces", {}),
            )
        )
    return answers
