"""How far two engines are apart on the same points, judged by the rules of `equivalence.yaml`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tcpatlas.base.files import read_yaml
from tcpatlas.base.validation import read
from tcpatlas.claims.answers import Answer
from tcpatlas.claims.derived import Metric, mean
from tcpatlas.claims.documents import Equivalence, EquivalenceNote, EquivalenceRule
from tcpatlas.claims.rules import point_matcher
from tcpatlas.claims.selection import sets_like
from tcpatlas.claims.tables import Row
from tcpatlas.points.types import SAMPLED_SET, Point, Study

EQUIVALENCE_COLUMNS = (
    *("set", "point", "sampled_set", "engine", "reference", "metric", "unit", "value", "ci_low", "ci_high"),
    *("statistic", "tolerance", "verdict", "reason", "tolerance_reason"),
)
_PERCENT = 100


@dataclass(frozen=True)
class EquivalenceRules:
    """The rules of a study; the first that fits a point judges it."""

    file: str
    rules: tuple[EquivalenceRule, ...]

    def rule_of(self, point: Point) -> EquivalenceRule | None:
        """Return the rule for a point; None if none is for its set and its number of sources."""
        for rule in self.rules:
            of_set = any(fnmatchcase(point.set, pattern) for pattern in rule.sets)
            if of_set and rule.isolated in (None, is_isolated(point)):
                return rule
        return None

    def judged_points(self, study: Study) -> set[tuple[str, str]]:
        """Return the names of the sets and points that a rule is for."""
        return {
            (one.name, point.name)
            for one in study.sets
            for point in one.points
            if self.rule_of(point) is not None
        }


def is_isolated(point: Point) -> bool:
    """Whether the point has one source only."""
    sources = point.document["sources"]
    groups = sources if isinstance(sources, list) else [sources]
    return sum(int(group["count"]) for group in groups) == 1


def load_equivalence(study: Study, root: Path) -> EquivalenceRules:
    """Return the rules of a study, none without an `equivalence.yaml`; ConfigError if it is wrong."""
    file = f"{study.folder}/equivalence.yaml"
    if not study.folder or not (root / file).exists():
        return EquivalenceRules(file, ())
    rules = read(Equivalence, read_yaml(root / file, file), file).rules
    for index, rule in enumerate(rules):
        for place, pattern in enumerate(rule.sets):
            sets_like(pattern, study, file, f"rules[{index}].sets[{place}]")
    return EquivalenceRules(file, tuple(rules))


def equivalence_rows(rules: EquivalenceRules, answers: Iterable[Answer], *, too_short: bool) -> Iterator[Row]:
    """Yield a row for each metric of each difference, with a verdict where a rule judges it.

    Of the points that were sampled from one set a rule may judge the mean, in a row of its own.
    """
    sampled: dict[tuple[str, str, str], list[Answer]] = {}
    for answer in answers:
        if answer.source.relation != "difference":
            continue
        rule = rules.rule_of(answer.point)
        source = str(answer.point.parameters.get(SAMPLED_SET, ""))
        common = _common(answer) | {"point": answer.point.name, "sampled_set": source}
        of_mean = rule is not None and rule.statistic == "mean"
        if of_mean:
            sampled.setdefault((answer.set.name, source, answer.source.name), []).append(answer)
        for name, metric in answer.metrics.items():
            yield common | _judged(rules, None if of_mean else rule, [answer], name, metric, too_short)
    for (_, source, _), group in sampled.items():
        rule = rules.rule_of(group[0].point)
        assert rule is not None, "only points of a rule are collected"
        for name in dict.fromkeys(name for answer in group for name in answer.metrics):
            giving = [answer for answer in group if name in answer.metrics]
            found = mean([answer.metrics[name] for answer in giving])
            row = _judged(rules, rule, giving, name, found, too_short)
            if row["verdict"] is not None:
                yield _common(group[0]) | {"sampled_set": source} | row


def _common(answer: Answer) -> dict[str, Any]:
    source = answer.source
    return {"set": answer.set.full_name, "engine": source.engine, "reference": source.against}


def _judged(
    rules: EquivalenceRules,
    rule: EquivalenceRule | None,
    answers: Sequence[Answer],
    name: str,
    metric: Metric,
    too_short: bool,
) -> dict[str, Any]:
    """Return the cells of a metric of one answer, or of the mean of several.

    Those of the verdict are empty if no tolerance is for the metric, or it is too small to be judged.
    """
    point = answers[0].point
    scaled = {key: metric[key] * _PERCENT for key in ("value", "ci_low", "ci_high") if key in metric}
    row: dict[str, Any] = {"metric": name, "unit": "%", "verdict": None} | scaled
    if rule is None or (rule.statistic == "bound" and "ci_low" not in metric):
        return row
    for tolerance in rule.tolerances:
        matches = point_matcher(tolerance.where, rules.file, "rules")
        if name not in tolerance.metrics or not matches(point):
            continue
        if tolerance.at_least is not None and _reference(answers, name) < float(tolerance.at_least):
            continue
        ends = ("ci_low", "ci_high") if rule.statistic == "bound" else ("value",)
        reach = max(abs(Decimal(repr(metric[end]))) for end in ends) * _PERCENT
        width = tolerance.within * _PERCENT
        verdict = "smoke" if too_short else "agrees" if reach <= width else "differs"
        notes = _notes(rules, rule.notes, name, point) if verdict == "differs" else ""
        return row | {
            "statistic": rule.statistic,
            "tolerance": float(width),
            "verdict": verdict,
            "reason": notes,
            "tolerance_reason": tolerance.reason,
        }
    return row


def _reference(answers: Sequence[Answer], name: str) -> float:
    """Return the mean of a metric by the engine that is compared with; 0 where it does not give it."""
    values = [answer.of[1].metrics.get(name, {"value": 0.0})["value"] for answer in answers if answer.of]
    return math.fsum(values) / len(values)


def _notes(rules: EquivalenceRules, notes: Sequence[EquivalenceNote], name: str, point: Point) -> str:
    """Return why two engines differ in a metric at a point, as far as is known."""
    return "; ".join(
        note.note
        for note in notes
        if name in (note.metrics or [name]) and point_matcher(note.where, rules.file, "rules")(point)
    )
