"""Each sentence of a paper beside ours, with a verdict: the rows of statements.csv."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.answers import Answers
from tcpatlas.claims.derived import in_unit, interval
from tcpatlas.claims.documents import Comparison, TrendStatement, Unmeasured
from tcpatlas.claims.notes import Note, NoteError, reason_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.source import SOURCE_COLUMNS
from tcpatlas.claims.statements import Case, Statement
from tcpatlas.claims.tables import Row, float_or_none, yes_or_no
from tcpatlas.claims.unavailable import NOT_GIVEN
from tcpatlas.claims.verdict import Estimate, holds

STATEMENT_COLUMNS = (
    *("statement", "paper", "item", "text", "section", "set", "point", "predicate", "metric", "statistic"),
    *("reference", "along", "unit", "kind", "engine", "value", "ci_low", "ci_high", "bound", "tolerance"),
    *("verdict", "reason", "tolerance_reason", "max_reversal"),
    *("max_reversal_low", "max_reversal_high", "counted", "interval"),
    *SOURCE_COLUMNS,
    "by_construction",
)


def statement_rows(items: Iterable[Item], all_answers: Answers, scale: Scale) -> Iterator[Row]:
    """Yield a row for each case of each statement of each item and each engine or model that answers it.

    ConfigError where nobody gives the metric at any point of the set, or its unit cannot be the bound's.
    """
    for item in items:
        for statement in item.statements:
            where = f"{item.name}[{statement.number - 1}]"
            try:
                yield from _statement_rows(item, statement, all_answers, scale)
            except NobodyAnswersError as error:
                allowed = f"one of: {', '.join(error.metrics)}"
                raise ConfigError(item.statements_file, f"{where}.metric", str(error), allowed) from None
            except NoteError as error:
                allowed = "a metric at a point of the study"
                raise ConfigError(item.statements_file, f"{where}.note", str(error), allowed) from None
            except units.UnitError as error:
                allowed = "a unit of the metric in bound and tolerance"
                raise ConfigError(item.statements_file, f"{where}.metric", str(error), allowed) from None


def _statement_rows(item: Item, statement: Statement, all_answers: Answers, scale: Scale) -> Iterator[Row]:
    spec = statement.spec
    common: Row = {
        "statement": f"{item.paper}/{item.name}/{statement.number}",
        "paper": item.paper,
        "item": item.name,
        "text": spec.text,
        "section": str(spec.section),
    }
    if isinstance(spec, Unmeasured):
        yield common | {"verdict": "unavailable", "reason": spec.unavailable, "counted": "true"}
        return
    for case in statement.cases:
        subject = case.subject
        of_case = common | {
            "set": subject.set.full_name,
            "point": subject.point.name,
            "predicate": spec.predicate,
            "metric": subject.quantity.name,
            "statistic": subject.quantity.statistic,
            "unit": statement.unit,
            "kind": subject.kind,
            "by_construction": spec.by_construction or "",
        }
        for reply in replies_to(subject, all_answers, scale):
            cells = {"verdict": "unavailable", "reason": reply.lacks}
            if not reply.lacks:
                cells = _judged(statement, spec, case, reply, all_answers, scale)
            yield of_case | reply.source.cells | cells | {"counted": yes_or_no(reply.counts)}


def _judged(
    statement: Statement,
    spec: Comparison | TrendStatement,
    case: Case,
    reply: Reply,
    all_answers: Answers,
    scale: Scale,
) -> Row:
    """Return the cells of a reply to a case: its numbers, and whether the sentence holds of them."""
    subject, unit, metric = case.subject, statement.unit, reply.metric
    value, low, high = reply.numbers(unit)
    reversal, least, most = (in_unit(metric, f"max_reversal{end}", unit) for end in ("", "_low", "_high"))
    if case.inconsistent:
        verdict = "inconsistent"
    elif scale.too_short and (subject.kind != "model" or reply.source.relation == "fed"):
        verdict = "smoke"
    elif value is None:
        verdict = "unavailable"
    else:
        verdict = holds(
            Estimate.of(value, low, high),
            statement.bound,
            statement.tolerance,
            spec.predicate,
            None if reversal is None else Estimate.of(reversal, least, most),
        )
    note, known_reason = Note(subject, unit, reply.source), reason_of(case.deviation, reply.source)
    inconsistent = note.render(case.inconsistent, all_answers, lenient=scale.too_short)
    deviation = note.render(known_reason, all_answers, lenient=scale.too_short or verdict != "fails")
    along = spec.along if isinstance(spec, TrendStatement) else None
    return {
        "reference": (spec.against or "") if subject.reference is None else subject.reference.name,
        "along": " ".join(part for part in ("mean" if spec.mean else "", along) if part),
        "value": float_or_none(value),
        "ci_low": float_or_none(low),
        "ci_high": float_or_none(high),
        "bound": float_or_none(statement.bound),
        "tolerance": float_or_none(statement.tolerance),
        "verdict": verdict,
        "reason": {"fails": deviation, "unavailable": NOT_GIVEN}.get(verdict, inconsistent),
        "tolerance_reason": spec.reason,
        "max_reversal": float_or_none(reversal),
        "max_reversal_low": float_or_none(least),
        "max_reversal_high": float_or_none(most),
        "interval": interval(metric).get("interval"),
    }
