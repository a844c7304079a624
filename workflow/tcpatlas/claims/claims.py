"""Each printed number beside ours, with a verdict: the rows of results/claims.csv."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.derived import Metric, change, mean, ratio
from tcpatlas.claims.observations import Answer
from tcpatlas.claims.published import ALL, EQUIVALENCE, Item, Place, PublishedNumber
from tcpatlas.claims.verdict import TRENDS, Verdict, judge
from tcpatlas.project import Project

Answers = dict[str, dict[tuple[str, str], Answer]]  # set, then point and engine

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
    known: Answers = {}
    for answer in answers:
        known.setdefault(answer.set.full_name, {})[answer.point.name, answer.engine] = answer
    return [
        row
        for item in project.all_items
        for number in item.numbers
        for row in _number_rows(item, number, known, too_short=project.scale == "smoke")
    ]


def _number_rows(
    item: Item, number: PublishedNumber, known: Answers, *, too_short: bool
) -> Iterator[dict[str, Any]]:
    """Yield a printed number beside each answer of its kind: models for a model's, engines for the others.

    What is about the difference of two engines has no row on a machine that cannot build one of them.
    """
    if number.kind == EQUIVALENCE and number.set.left_out:
        return
    kind = "model" if number.kind == "model" else "simulation"
    eligible = [
        answer
        for answer in known[number.set.full_name].values()
        if answer.kind == kind and answer.between_engines == (number.kind == EQUIVALENCE)
    ]
    giving = {answer.engine for answer in eligible if any(map(answer.find, _names(number, answer)))}
    if number.over:
        giving &= {answer.engine for answer in eligible if answer.find(number.over)}
    if not giving and too_short and kind == "simulation":
        # What is rare may not have happened yet.
        giving = {answer.engine for answer in eligible if answer.of is None}
    if not giving:
        names = sorted({metric for answer in eligible for metric in answer.metrics})
        asked = " and ".join(filter(None, (number.metric, number.over)))
        problem = f"nobody gives {asked} in {number.set.full_name}"
        raise ConfigError(item.file, f"row {number.row}.metric", problem, f"one of: {', '.join(names)}")
    for answer in eligible:
        if answer.point.name == number.point.name and answer.engine in giving:
            metric = _metric(number, known, answer.engine)
            yield _row(item, number, answer, metric or {}, too_short=too_short and kind == "simulation")


def _names(number: PublishedNumber, answer: Answer) -> list[str]:
    """Return the metrics of an answer that a printed number speaks of: one, or all of `name[*]`."""
    return answer.each(number.metric) if number.of_each else [number.metric]


def _metric(number: PublishedNumber, known: Answers, engine: str) -> Metric | None:
    """Return what an engine says of a printed number; None where it lacks something.

    That is one metric, or of several the mean, or of a trend the change. What is against something is over
    it: at each place of a trend, else as a whole.
    """
    pairs = [pair for place in number.places for pair in _at(number, place, known, engine)]
    if number.along == ALL:
        # A model need not have a value in each corner; a mean and what it is against are of the same points.
        pairs = [pair for pair in pairs if None not in pair] or pairs
    metrics, others = ([pair[part] for pair in pairs] for part in (0, 1))
    if number.relation in TRENDS:
        series = [ratio(*pair) for pair in pairs] if number.against else metrics
        whole = _all_there(series)
        return change(whole, number.relation) if len(whole) > 1 else None
    found = _mean(metrics)
    return ratio(found, _mean(others)) if number.against else found


def _at(
    number: PublishedNumber, place: Place, known: Answers, engine: str
) -> Iterator[tuple[Metric | None, Metric | None]]:
    """Yield the metrics of a printed number at one place, each with what it is against there."""
    answer = known[place.set.full_name].get((place.point.name, engine))
    if answer is None:
        yield None, None
        return
    at = place.against or place
    other = known[at.set.full_name].get((at.point.name, engine))
    for name in _names(number, answer):
        yield answer.find(name), other.find(number.over or name) if other else None


def _all_there(series: Sequence[Metric | None]) -> list[Metric]:
    """Return the metrics if none of them is missing, else nothing."""
    found = [metric for metric in series if metric is not None]
    return found if len(found) == len(series) else []


def _mean(series: Sequence[Metric | None]) -> Metric | None:
    found = _all_there(series)
    return found[0] if len(found) == 1 else mean(found) if found else None


def _row(
    item: Item, number: PublishedNumber, answer: Answer, metric: Metric, *, too_short: bool
) -> dict[str, Any]:
    value, low, high, setback = (
        _in_printed_unit(item, number, metric, key) for key in ("value", "ci_low", "ci_high", "setback")
    )
    published = number.published
    width = None if number.tolerance is None or published is None else number.tolerance.width(published)
    verdict = judge(
        value,
        published,
        width,
        number.relation,
        setback=setback or Decimal(0),
        inconsistent=bool(number.inconsistent),
        too_short=too_short,
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
        "note": _note(number, verdict, value, low, high, setback),
    }


def _in_printed_unit(item: Item, number: PublishedNumber, metric: Metric, key: str) -> Decimal | None:
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
    setback: Decimal | None,
) -> str:
    """Join the row's own note, what the paper contradicts, the interval's word, and why we deviate."""
    notes = [number.note, number.inconsistent]
    if number.relation in TRENDS:
        notes.append(f"the paper says {number.relation}")
        if setback:
            notes.append(f"the largest step the other way is {setback:.3g} {number.unit}")
    elif number.relation != "=" and number.kind != EQUIVALENCE:
        notes.append(f"the paper gives a bound, {number.relation}")
    if value is None:
        notes.append("not given at this point")
    published = number.published
    if published is not None and low is not None and high is not None and low <= published <= high:
        said = "no difference" if number.kind == EQUIVALENCE else "the printed number"
        notes.append(f"{said} lies inside our interval")
    if verdict == "deviates":
        notes.append(number.deviation)
    return "; ".join(note for note in notes if note)


def _float(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
