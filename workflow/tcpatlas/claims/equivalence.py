"""Differences between two engines at the same points, judged by the agreements that a study states."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.derived import Metric, mean
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import Agreement
from tcpatlas.claims.folder import STATEMENTS_FILE, Folder
from tcpatlas.claims.replies import Scale
from tcpatlas.claims.selection import sets_like
from tcpatlas.claims.tables import Row
from tcpatlas.points.types import SAMPLED_SET, Point, ScenarioSet, Study

EQUIVALENCE_COLUMNS = (
    *("set", "point", "sampled_set", "engine", "reference", "metric", "unit", "value", "ci_low", "ci_high"),
    *("statistic", "tolerance", "verdict", "reason", "tolerance_reason"),
)
_PERCENT = 100


@dataclass(frozen=True)
class Agreements:
    """The agreements of engines that a study states; the first that covers both and a point judges it."""

    stated: tuple[Agreement, ...]

    def of(self, point: Point, engine: str | None = None) -> Agreement | None:
        """Return the agreement for a point and the engine compared there (default: any).

        None if none covers the engine, the point's set and its number of sources.
        """
        for agreement in self.stated:
            of_set = any(fnmatchcase(point.set, pattern) for pattern in agreement.sets)
            of_engine = engine is None or agreement.engine in (None, engine)
            if of_set and of_engine and agreement.isolated in (None, is_isolated(point)):
                return agreement
        return None

    def judged_points(self, study: Study) -> set[tuple[str, str]]:
        """Return the names of the sets and points that an agreement covers."""
        return {
            (scenario_set.name, point.name)
            for scenario_set in study.sets
            for point in scenario_set.points
            if self.of(point) is not None
        }


def is_isolated(point: Point) -> bool:
    """Say whether the point has one source only."""
    return sum(int(group["count"]) for group in point.document["sources"]) == 1


def load_agreements(study: Study, folder: Folder) -> Agreements:
    """Return the agreements among a study's statements; ConfigError for an unknown set or engine."""
    stated = []
    for item, entries in folder.statements.items():
        for index, entry in enumerate(entries):
            if isinstance(entry, Agreement):
                stated.append(entry)
                for place, pattern in enumerate(entry.sets):
                    where = f"{item}[{index}].sets[{place}]"
                    sets = sets_like(pattern, study, folder.file(STATEMENTS_FILE), where)
                    _check_engine(entry.engine, sets, folder, f"{item}[{index}].engine")
    return Agreements(tuple(stated))


def _check_engine(engine: str | None, sets: Sequence[ScenarioSet], folder: Folder, where: str) -> None:
    for scenario_set in sets:
        asked = (*scenario_set.engines, *scenario_set.left_out)
        if engine is not None and engine not in asked:
            problem = f"{scenario_set.full_name} asks no engine {engine!r}"
            raise ConfigError(folder.file(STATEMENTS_FILE), where, problem, f"one of: {', '.join(asked)}")


def equivalence_rows(agreements: Agreements, answers: Iterable[Answer], scale: Scale) -> Iterator[Row]:
    """Yield a row for each metric of each difference, with a verdict where an agreement judges it.

    The mean over points sampled from one set may be judged in a row of its own.
    """
    sampled: dict[tuple[str, str, str], list[Answer]] = {}
    for answer in answers:
        if answer.source.relation != "difference":
            continue
        rule = agreements.of(answer.point, answer.source.engine)
        source = str(answer.point.parameters.get(SAMPLED_SET, ""))
        common = _common(answer) | {"point": answer.point.name, "sampled_set": source}
        of_mean = rule is not None and rule.statistic == "mean"
        if of_mean:
            sampled.setdefault((answer.set.name, source, answer.source.name), []).append(answer)
        for name, metric in answer.metrics.items():
            yield common | _judged(None if of_mean else rule, [answer], name, metric, scale)
    for (_, source, _), group in sampled.items():
        rule = agreements.of(group[0].point, group[0].source.engine)
        assert rule is not None, "only points of an agreement are collected"
        for name in dict.fromkeys(name for answer in group for name in answer.metrics):
            giving = [answer for answer in group if name in answer.metrics]
            pooled = mean([answer.metrics[name] for answer in giving])
            row = _judged(rule, giving, name, pooled, scale)
            if row["verdict"] is not None:
                yield _common(group[0]) | {"sampled_set": source} | row


def _common(answer: Answer) -> dict[str, Any]:
    source = answer.source
    return {"set": answer.set.full_name, "engine": source.engine, "reference": source.against}


def _judged(
    rule: Agreement | None, answers: Sequence[Answer], name: str, metric: Metric, scale: Scale
) -> dict[str, Any]:
    """Return the cells of a metric of one answer, or of the mean of several.

    The verdict is empty if no tolerance covers the metric, or the metric is too small to be judged.
    """
    point = answers[0].point
    scaled = {key: metric[key] * _PERCENT for key in ("value", "ci_low", "ci_high") if key in metric}
    row: dict[str, Any] = {"metric": name, "unit": "%", "verdict": None} | scaled
    if rule is None or (rule.statistic == "bound" and "ci_low" not in metric):
        return row
    for tolerance in rule.tolerances:
        if not tolerance.fits(name, point):
            continue
        if tolerance.at_least is not None and _reference(answers, name) < float(tolerance.at_least):
            continue
        ends = ("ci_low", "ci_high") if rule.statistic == "bound" else ("value",)
        reach = max(abs(Decimal(repr(metric[end]))) for end in ends) * _PERCENT
        width = tolerance.within * _PERCENT
        verdict = "smoke" if scale.too_short else "agrees" if reach <= width else "differs"
        differs = [note.note for note in rule.notes if verdict == "differs" and note.fits(name, point)]
        return row | {
            "statistic": rule.statistic,
            "tolerance": float(width),
            "verdict": verdict,
            "reason": "; ".join(differs),
            "tolerance_reason": tolerance.reason,
        }
    return row


def _reference(answers: Sequence[Answer], name: str) -> float:
    """Return the mean of a metric by the engine that is compared with; 0 where it does not give it."""
    values = [answer.of[1].metrics.get(name, {"value": 0.0})["value"] for answer in answers if answer.of]
    return math.fsum(values) / len(values)
