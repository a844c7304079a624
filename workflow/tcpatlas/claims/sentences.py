"""Each sentence of a paper beside ours, with a verdict: the rows of statements.csv."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

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
from tcpatlas.claims.verdict import Estimate, Truth, holds

Verdict = Truth | Literal["inconsistent", "unavailable", "smoke"]

STATEMENT_COLUMNS = (
    *("statement", "paper", "item", "text", "section", "set", "point", "predicate", "metric", "statistic"),
    *("reference", "along", "unit", "kind", "engine", "value", "ci_low", "ci_high", "bound", "tolerance"),
    *("verdict", "reason", "tolerance_reason", "max_reversal"),
    *("max_reversal_low", "max_reversal_high", "counted", "interval"),
    *SOURCE_COLUMNS,
    "by_construction",
)


@dataclass(frozen=True)
class Judgement:
    """Whether a sentence holds of a reply to one of its cases.

    `ours` is the reply's number, `reversal` its largest step against a trend; None where there is none.
    """

    statement: Statement
    spec: Comparison | TrendStatement
    case: Case
    reply: Reply
    ours: Estimate | None
    reversal: Estimate | None
    verdict: Verdict


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
        of_case = common | {"predicate": spec.predicate, "unit": statement.unit} | case_cells(spec, case)
        of_case |= {"kind": case.subject.kind, "by_construction": spec.by_construction or ""}
        for reply in replies_to(case.subject, all_answers, scale):
            judgement = judged(statement, spec, case, reply, scale)
            cells: Row = {"verdict": "unavailable", "reason": reply.lacks}
            if not reply.lacks:
                cells = _cells(judgement, all_answers, lenient=scale.too_short)
            yield of_case | reply.source.cells | cells | {"counted": yes_or_no(reply.counts)}


def case_cells(spec: Comparison | TrendStatement, case: Case) -> Row:
    """Return the cells that tell a case of a sentence."""
    subject = case.subject
    along = spec.along if isinstance(spec, TrendStatement) else None
    return {
        "set": subject.set.full_name,
        "point": subject.point.name,
        "metric": subject.quantity.name,
        "statistic": subject.quantity.statistic,
        "reference": (spec.against or "") if subject.reference is None else subject.reference.name,
        "along": " ".join(part for part in ("mean" if spec.mean else "", along) if part),
    }


def judged(
    statement: Statement, spec: Comparison | TrendStatement, case: Case, reply: Reply, scale: Scale
) -> Judgement:
    """Return whether a sentence holds of a reply to a case; UnitError if its number has another unit."""
    numbers = reply.numbers(statement.unit)
    ours = None if numbers[0] is None else Estimate.of(numbers[0], *numbers[1:])
    reversal, *ends = (
        in_unit(reply.metric, f"max_reversal{end}", statement.unit) for end in ("", "_low", "_high")
    )
    against = None if reversal is None else Estimate.of(reversal, *ends)
    verdict: Verdict
    if case.inconsistent:
        verdict = "inconsistent"
    elif scale.too_short and (case.subject.kind != "model" or reply.source.relation == "fed"):
        verdict = "smoke"
    elif ours is None:
        verdict = "unavailable"
    else:
        verdict = holds(ours, statement.bound, statement.tolerance, spec.predicate, against)
    return Judgement(statement, spec, case, reply, ours, against, verdict)


def _cells(judgement: Judgement, all_answers: Answers, *, lenient: bool) -> Row:
    """Return the cells of our number beside the bound, and of what came of it."""
    statement, case, reply, verdict = judgement.statement, judgement.case, judgement.reply, judgement.verdict
    value, low, high = reply.numbers(statement.unit)
    note = Note(case.subject, statement.unit, reply.source)
    known_reason = reason_of(case.deviation, reply.source)
    inconsistent = note.render(case.inconsistent, all_answers, lenient=lenient)
    deviation = note.render(known_reason, all_answers, lenient=lenient or verdict != "fails")
    return {
        "value": float_or_none(value),
        "ci_low": float_or_none(low),
        "ci_high": float_or_none(high),
        "bound": float_or_none(statement.bound),
        "tolerance": float_or_none(statement.tolerance),
        "verdict": verdict,
        "reason": {"fails": deviation, "unavailable": NOT_GIVEN}.get(verdict, inconsistent),
        "tolerance_reason": judgement.spec.reason,
        **{
            f"max_reversal{end}": float_or_none(in_unit(reply.metric, f"max_reversal{end}", statement.unit))
            for end in ("", "_low", "_high")
        },
        "interval": interval(reply.metric).get("interval"),
    }
