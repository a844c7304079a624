"""The sentences of a paper (`statements.yaml`): what they claim, of which points, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.derived import ENDS, interval
from tcpatlas.claims.documents import (
    Agreement,
    Comparison,
    Judged,
    NoteSpec,
    StatementSpec,
    TrendStatement,
    Unmeasured,
)
from tcpatlas.claims.notes import Note, NoteError, Reason, reason_of
from tcpatlas.claims.quantity import EACH
from tcpatlas.claims.rows import check_unit, subject_of
from tcpatlas.claims.selection import Reference, SelectionError, Where, series_from, set_named
from tcpatlas.claims.source import SOURCE_COLUMNS, Source
from tcpatlas.claims.subject import (
    Answers,
    NobodyAnswersError,
    Subject,
    Trend,
    best_placed,
    float_or_none,
    in_unit,
    yes_or_no,
)
from tcpatlas.claims.tables import Row
from tcpatlas.claims.verdict import Estimate, Predicate, holds
from tcpatlas.points import engines
from tcpatlas.points.types import Point, ScenarioSet

STATEMENT_COLUMNS = (
    *("statement", "paper", "item", "text", "section", "set", "point", "predicate", "metric", "statistic"),
    *("reference", "along", "unit", "kind", "engine", "value", "ci_low", "ci_high", "bound", "tolerance"),
    *("verdict", "reason", "tolerance_reason", "max_reversal"),
    *("max_reversal_low", "max_reversal_high", "counted", "interval"),
    *SOURCE_COLUMNS,
)


@dataclass(frozen=True)
class Case:
    """One setting that a sentence speaks of.

    `inconsistent` says how the paper contradicts itself here, `deviation` why the sentence fails, if it does.
    """

    subject: Subject
    inconsistent: str
    deviation: tuple[Reason, ...]


@dataclass(frozen=True)
class Statement:
    """One sentence, counted from 1 within its item; `bound` and `tolerance` are in `unit`.

    Without a predicate the paper gives no measure, and `unavailable` says so.
    """

    number: int
    text: str
    section: str
    predicate: Predicate | None = None
    cases: tuple[Case, ...] = ()
    against: str = ""
    along: str = ""
    mean: bool = False
    bound: Decimal = Decimal(0)
    tolerance: Decimal = Decimal(0)
    unit: str = ""
    reason: str = ""
    unavailable: str = ""


def load_statements(
    entries: Sequence[StatementSpec], sets: Sequence[ScenarioSet], file: str, where: str
) -> tuple[Statement, ...]:
    """Return the sentences of one item, ConfigError for what does not fit the sets."""
    result = []
    for index, entry in enumerate(entries):
        if isinstance(entry, Agreement):  # judged by itself (module `equivalence`)
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
    text, section = entry.text, str(entry.section)
    if isinstance(entry, Unmeasured):
        return Statement(number, text, section, unavailable=entry.unavailable)
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
    inconsistent, notes = (_notes(given) for given in (entry.inconsistent, entry.note))
    cases = []
    for metric, curves in _selected(entry, along, sets):
        if trend and not (along or metric.endswith(EACH)):
            raise SelectionError("along", f"is missing, but {trend} is a trend", "a parameter that grows")
        averaged = bool(trend and entry.mean)
        subject = subject_of(entry.kind, metric, against, curves, sets, trend, averaged=averaged)
        excluded = "; ".join(note.note for note in inconsistent if note.where.fits(subject.point))
        deviation = tuple(Reason(note.note, note.engines) for note in notes if note.where.fits(subject.point))
        cases.append(Case(subject, excluded, deviation))
    return Statement(
        number=number,
        text=text,
        section=section,
        predicate=entry.predicate,
        cases=tuple(cases),
        against=against,
        along=along,
        mean=bool(entry.mean),
        bound=bound,
        tolerance=tolerance,
        unit=unit,
        reason=entry.reason,
    )


def _quantity(text: Any, key: str) -> tuple[Decimal, str]:
    try:
        number, unit = units.split(text)
    except units.UnitError as error:
        raise SelectionError(key, str(error), "a number with its unit, e.g. 1 %") from None
    check_unit(unit, key)
    return number, unit


def _notes(given: str | list[NoteSpec]) -> list[NoteSpec]:
    return [NoteSpec(note=given)] if isinstance(given, str) else given


def _selected(
    entry: Judged, along: str, sets: Sequence[ScenarioSet]
) -> Iterator[tuple[str, tuple[tuple[Reference, ...], ...]]]:
    """Yield the metric and the points of each case: of a mean all that are selected, of a trend a curve."""
    for where in _combinations(entry):
        metric, scenario_set = where.pop("metric"), set_named(where.pop("set", ""), sets)
        points = Where.read(where).choose(scenario_set)
        if along:
            curves = tuple(
                tuple(Reference(*each) for each in series_from(point, along, scenario_set, tuple(sets)))
                for point in _starts(points, along)
            )
            if entry.mean:
                yield metric, tuple((curve[0], curve[-1]) for curve in curves)
            else:
                yield from ((metric, (curve,)) for curve in curves)
        elif entry.mean:
            yield metric, (tuple(Reference(scenario_set, point) for point in points),)
        else:
            yield from ((metric, ((Reference(scenario_set, point),),)) for point in points)


def _combinations(entry: Judged) -> Iterator[dict[str, str]]:
    """Yield each combination of the values, the metric among them, that each `where` lists."""
    for written in entry.where if isinstance(entry.where, list) else [entry.where]:
        selected = written if entry.metric is None else {"metric": entry.metric, **written}
        listed = (values if isinstance(values, list) else [values] for values in selected.values())
        for combination in product(*listed):
            yield dict(zip(selected, map(str, combination), strict=True))


def _starts(points: Sequence[Point], along: str) -> list[Point]:
    """Return the first point of each curve: of the points that differ only in the parameter, the lowest."""
    curves: dict[tuple[Any, ...], Point] = {}
    for point in points:
        key = tuple(value for path, value in point.parameters.items() if path != along)
        first = curves.setdefault(key, point)
        if along in point.parameters and point.parameters[along] < first.parameters[along]:  # type: ignore[operator]
            curves[key] = point
    return list(curves.values())


def statement_rows(
    paper: str, item: str, statements: Sequence[Statement], known: Answers, file: str, *, too_short: bool
) -> Iterator[Row]:
    """Yield a row for each case of each statement and each engine or model that answers it.

    ConfigError where nobody gives the metric at any point of the set, or its unit cannot be the bound's.
    """
    for statement in statements:
        common = {
            "statement": f"{paper}/{item}/{statement.number}",
            "paper": paper,
            "item": item,
            "text": statement.text,
            "section": statement.section,
        }
        if statement.predicate is None:
            yield common | {"verdict": "unavailable", "reason": statement.unavailable, "counted": "true"}
            continue
        for case in statement.cases:
            where = f"{item}[{statement.number - 1}].metric"
            try:
                for row in _case_rows(statement, case, known, too_short=too_short):
                    yield common | row
            except NobodyAnswersError as error:
                raise ConfigError(file, where, str(error), f"one of: {', '.join(error.known)}") from None
            except NoteError as error:
                where = f"{item}[{statement.number - 1}].note"
                raise ConfigError(file, where, str(error), "a metric at a point of the study") from None
            except units.UnitError as error:
                raise ConfigError(
                    file, where, str(error), "a unit of the metric in bound and tolerance"
                ) from None


def _case_rows(statement: Statement, case: Case, known: Answers, *, too_short: bool) -> Iterator[Row]:
    subject, unit = case.subject, statement.unit
    answers = subject.eligible(known, too_short=too_short)
    said = {answer.source: subject.said_by(answer.source, known) or {} for answer in answers}
    best = best_placed([answer for answer in answers if said[answer.source]] or answers)
    common = {
        "set": subject.set.full_name,
        "point": subject.point.name,
        "predicate": statement.predicate,
        "metric": subject.quantity.name,
        "statistic": subject.quantity.statistic,
        "unit": unit,
        "kind": subject.kind,
    }
    for answer in answers:
        metric = said[answer.source]
        value, ends = in_unit(metric, "value", unit), interval(metric)
        low, high = (in_unit(metric, end, unit) if end in ends else None for end in ENDS)
        reversal, least, most = (in_unit(metric, f"max_reversal{end}", unit) for end in ("", "_low", "_high"))
        assert statement.predicate is not None, "a sentence with cases has a predicate"
        note = Note(subject, unit, answer.source)
        if case.inconsistent:
            verdict = "inconsistent"
        elif too_short and (subject.kind != "model" or answer.source.relation == "fed"):
            verdict = "smoke"
        elif value is None:
            verdict = "unavailable"
        else:
            verdict = holds(
                Estimate.of(value, low, high),
                statement.bound,
                statement.tolerance,
                statement.predicate,
                None if reversal is None else Estimate.of(reversal, least, most),
            )
        inconsistent = note.render(case.inconsistent, known, lenient=too_short)
        known_reason = reason_of(case.deviation, answer.source)
        deviation = note.render(known_reason, known, lenient=too_short or verdict != "fails")
        yield common | {
            "reference": statement.against if subject.reference is None else subject.reference.name,
            "along": " ".join(part for part in ("mean" if statement.mean else "", statement.along) if part),
            **answer.source.cells,
            "value": float_or_none(value),
            "ci_low": float_or_none(low),
            "ci_high": float_or_none(high),
            "bound": float_or_none(statement.bound),
            "tolerance": float_or_none(statement.tolerance),
            "verdict": verdict,
            "reason": {"fails": deviation, "unavailable": "not given at this point"}.get(
                verdict, inconsistent
            ),
            "tolerance_reason": statement.reason,
            "max_reversal": float_or_none(reversal),
            "max_reversal_low": float_or_none(least),
            "max_reversal_high": float_or_none(most),
            "counted": yes_or_no(answer is best),
            "interval": ends.get("interval"),
        }
    for place, engine in enumerate(subject.left_out):
        yield common | {
            **Source("simulation", engine).cells,
            "verdict": "unavailable",
            "reason": engines.missing(engine),
            "counted": yes_or_no(not answers and place == 0),
        }
