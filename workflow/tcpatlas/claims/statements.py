"""The sentences of a paper (`statements.yaml`): what they claim, about which points, and whether it holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any, cast, get_args

from tcpatlas.answers.quantity import EACH
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import (
    Agreement,
    Comparison,
    Judged,
    NoteSpec,
    StatementSpec,
    TrendStatement,
    Unmeasured,
)
from tcpatlas.claims.notes import Reason
from tcpatlas.claims.printed_numbers import check_unit, subject_of
from tcpatlas.claims.selection import Reference, SelectionError, Where, series_from, set_named
from tcpatlas.claims.subject import PrintedKind, Subject, Trend
from tcpatlas.points.types import Point, ScenarioSet


@dataclass(frozen=True)
class Case:
    """One setting that a sentence is about.

    `inconsistent` says how the paper contradicts itself here, `deviation` why the sentence fails, if it does.
    """

    subject: Subject
    inconsistent: str
    deviation: tuple[Reason, ...]


@dataclass(frozen=True)
class Statement:
    """One sentence, counted from 1 within its item; `bound` and `tolerance` are in `unit`."""

    number: int
    spec: Unmeasured | Comparison | TrendStatement
    cases: tuple[Case, ...] = ()
    bound: Decimal = Decimal(0)
    tolerance: Decimal = Decimal(0)
    unit: str = ""


def load_statements(
    entries: Sequence[StatementSpec], sets: Sequence[ScenarioSet], file: str, where: str
) -> tuple[Statement, ...]:
    """Return the sentences of one item, ConfigError for what does not fit the sets."""
    result = []
    for index, entry in enumerate(entries):
        if isinstance(entry, Agreement):  # judged in module `equivalence`
            continue
        place = f"{where}[{index}]"
        try:
            result.append(_statement(index + 1, entry, sets))
        except SelectionError as error:
            raise ConfigError(file, f"{place}.{error.key}".rstrip("."), str(error), error.allowed) from None
    return tuple(result)


def _statement(
    number: int, entry: Unmeasured | Comparison | TrendStatement, sets: Sequence[ScenarioSet]
) -> Statement:
    if isinstance(entry, Unmeasured):
        return Statement(number, entry)
    tolerance, unit = _quantity(entry.tolerance, "tolerance")
    if tolerance < 0:
        raise SelectionError("tolerance", f"{entry.tolerance} is out of range", "at least 0")
    bound, unit = (Decimal(0), unit) if entry.bound is None else _quantity(entry.bound, "bound")
    try:
        tolerance = units.parse(entry.tolerance, unit)
    except units.UnitError as error:
        raise SelectionError("tolerance", str(error), f"a quantity that converts to {unit}") from None
    trend: Trend = entry.predicate if isinstance(entry, TrendStatement) else ""
    along, against = (entry.along if isinstance(entry, TrendStatement) else None) or "", entry.against or ""
    inconsistent, notes = (_notes(texts) for texts in (entry.inconsistent, entry.note))
    cases = []
    for kind, metric, curves in _selected(entry, along, sets):
        if trend and not (along or metric.endswith(EACH)):
            raise SelectionError("along", f"is missing, but {trend} is a trend", "a parameter that grows")
        averaged = bool(trend and entry.mean)
        subject = subject_of(kind, metric, against, curves, sets, trend, averaged=averaged)
        excluded = "; ".join(note.note for note in inconsistent if note.where.fits(subject.point))
        deviation = tuple(Reason(note.note, note.engines) for note in notes if note.where.fits(subject.point))
        cases.append(Case(subject, excluded, deviation))
    return Statement(number, entry, tuple(cases), bound, tolerance, unit)


def _quantity(text: Any, key: str) -> tuple[Decimal, str]:
    try:
        number, unit = units.split(text)
    except units.UnitError as error:
        raise SelectionError(key, str(error), "a number with its unit, e.g. 1 %") from None
    check_unit(unit, key)
    return number, unit


def _notes(notes: str | list[NoteSpec]) -> list[NoteSpec]:
    return [NoteSpec(note=notes)] if isinstance(notes, str) else notes


def _selected(
    entry: Judged, along: str, sets: Sequence[ScenarioSet]
) -> Iterator[tuple[PrintedKind, str, tuple[tuple[Reference, ...], ...]]]:
    """Yield who is asked, the metric and the points of each case: a curve for a trend, all for a mean."""
    for where in _combinations(entry):
        metric, scenario_set = where.pop("metric"), set_named(where.pop("set", ""), sets)
        kind = _kind(where.pop("kind", entry.kind))
        points = Where.read(where).choose(scenario_set)
        if along:
            curves = tuple(
                tuple(Reference(*each) for each in series_from(point, along, scenario_set, tuple(sets)))
                for point in _starts(points, along)
            )
            if entry.mean:
                yield kind, metric, tuple((curve[0], curve[-1]) for curve in curves)
            else:
                yield from ((kind, metric, (curve,)) for curve in curves)
        elif entry.mean:
            yield kind, metric, (tuple(Reference(scenario_set, point) for point in points),)
        else:
            yield from ((kind, metric, ((Reference(scenario_set, point),),)) for point in points)


def _combinations(entry: Judged) -> Iterator[dict[str, str]]:
    """Yield each combination of the values, the metric among them, that each `where` lists."""
    for written in entry.where if isinstance(entry.where, list) else [entry.where]:
        selected = written if entry.metric is None else {"metric": entry.metric, **written}
        listed = (values if isinstance(values, list) else [values] for values in selected.values())
        for combination in product(*listed):
            yield dict(zip(selected, map(str, combination), strict=True))


def _kind(name: str) -> PrintedKind:
    for kind in get_args(PrintedKind):
        if kind == name:
            return cast(PrintedKind, kind)
    raise SelectionError("where.kind", f"{name!r} is unknown", f"one of: {', '.join(get_args(PrintedKind))}")


def _starts(points: Sequence[Point], along: str) -> list[Point]:
    """Return the first point of each curve: the lowest of the points that differ only in the parameter."""
    curves: dict[tuple[Any, ...], Point] = {}
    for point in points:
        key = tuple(value for path, value in point.parameters.items() if path != along)
        first = curves.setdefault(key, point)
        if along in point.parameters and point.parameters[along] < first.parameters[along]:  # type: ignore[operator]
            curves[key] = point
    return list(curves.values())
