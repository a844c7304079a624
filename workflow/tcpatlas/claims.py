"""Each printed number beside ours, with a verdict: the rows of results/claims.csv."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from tcpatlas import units
from tcpatlas.errors import ConfigError
from tcpatlas.observations import Answer
from tcpatlas.project import Project
from tcpatlas.published import Item, PublishedNumber
from tcpatlas.verdict import Verdict, judge

CLAIM_COLUMNS = (
    "claim",
    "paper",
    "item",
    "point",
    "metric",
    "unit",
    "published",
    "kind",
    "engine",
    "value",
    "ci_low",
    "ci_high",
    "relative_error",
    "tolerance",
    "verdict",
    "note",
)


def claim_rows(project: Project, answers: list[Answer]) -> list[dict[str, Any]]:
    """Return a row for each printed number and each engine or model that answers it.

    Raises ConfigError where nobody gives the metric at any point of the set, or its unit cannot be the
    printed one.
    """
    by_set: dict[str, list[Answer]] = {}
    for answer in answers:
        by_set.setdefault(answer.set.full_name, []).append(answer)
    return [
        row
        for item in project.items
        for number in item.numbers
        for row in _number_rows(
            item, number, by_set[number.set.full_name], too_short=project.scale == "smoke"
        )
    ]


def _number_rows(
    item: Item, number: PublishedNumber, answers: list[Answer], *, too_short: bool
) -> Iterator[dict[str, Any]]:
    """Yield a printed number beside each answer of its kind: models for a model's, engines for the others."""
    kind = "model" if number.kind == "model" else "simulation"
    eligible = [answer for answer in answers if answer.kind == kind]
    engines = {answer.engine for answer in eligible if answer.find(number.metric)}
    if not engines and too_short and kind == "simulation":
        # What is rare may not have happened yet.
        engines = set(number.set.engines)
    if not engines:
        known = sorted({metric for answer in eligible for metric in answer.metrics})
        problem = f"nobody gives {number.metric} in {number.set.full_name}"
        raise ConfigError(item.file, f"row {number.row}.metric", problem, f"one of: {', '.join(known)}")
    beside = {answer.engine: answer for answer in eligible if answer.point is number.against}
    for answer in eligible:
        if answer.point is number.point and answer.engine in engines:
            metric = answer.find(number.metric)
            if number.against is not None:
                metric = _ratio(metric, beside[answer.engine].find(number.metric))
            yield _row(item, number, answer, metric or {}, too_short=too_short and kind == "simulation")


def _ratio(metric: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return one metric over another minus one; the intervals of both, independent, add up in quadrature."""
    if metric is None or other is None or other["value"] == 0:
        return None
    ratio = metric["value"] / other["value"]
    result = {"unit": "1", "value": ratio - 1}
    if metric["value"] != 0 and "ci_low" in metric and "ci_low" in other:
        widths = [(part["ci_high"] - part["ci_low"]) / 2 / part["value"] for part in (metric, other)]
        half = abs(ratio) * math.hypot(*widths)
        result |= {"ci_low": ratio - 1 - half, "ci_high": ratio - 1 + half}
    return result


def _row(
    item: Item, number: PublishedNumber, answer: Answer, metric: Mapping[str, Any], *, too_short: bool
) -> dict[str, Any]:
    value, low, high = (_in_printed_unit(item, number, metric, key) for key in ("value", "ci_low", "ci_high"))
    published = number.published
    width = None if number.tolerance is None or published is None else number.tolerance.width(published)
    verdict = judge(
        value, published, width, number.relation, inconsistent=bool(number.inconsistent), too_short=too_short
    )
    return {
        "claim": f"{item.paper}/{item.name}/{number.row}/{answer.engine}",
        "paper": item.paper,
        "item": item.name,
        "point": number.point.name,
        "metric": number.metric,
        "unit": number.unit,
        "published": None if published is None else f"{published:f}",
        "kind": number.kind,
        "engine": answer.engine,
        "value": _float(value),
        "ci_low": _float(low),
        "ci_high": _float(high),
        "relative_error": float((value - published) / published) if value is not None and published else None,
        "tolerance": _float(width),
        "verdict": verdict,
        "note": _note(number, verdict, value, low, high),
    }


def _in_printed_unit(
    item: Item, number: PublishedNumber, metric: Mapping[str, Any], key: str
) -> Decimal | None:
    if metric.get(key) is None:
        return None
    try:
        return Decimal(repr(metric[key])) * units.factor(metric["unit"], number.unit)
    except units.UnitError as error:
        raise ConfigError(
            item.file, f"row {number.row}.unit", str(error), f"{number.metric} is in {metric['unit']}"
        ) from None


def _note(
    number: PublishedNumber,
    verdict: Verdict,
    value: Decimal | None,
    low: Decimal | None,
    high: Decimal | None,
) -> str:
    """Join the row's own note, what the paper contradicts, the interval's word, and why we deviate."""
    notes = [number.note, number.inconsistent]
    if number.relation != "=":
        notes.append(f"the paper gives a bound, {number.relation}")
    if value is None:
        notes.append("not given at this point")
    published = number.published
    if published is not None and low is not None and high is not None and low <= published <= high:
        notes.append("the printed number lies inside our interval")
    if verdict == "deviates":
        notes.append(number.deviation)
    return "; ".join(note for note in notes if note)


def _float(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
