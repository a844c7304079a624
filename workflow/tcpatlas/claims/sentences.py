"""Verdicts on the sentences of a paper: the rows of statements.csv."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, get_args

from tcpatlas.answers.answer import Answers
from tcpatlas.answers.derived import in_unit, interval
from tcpatlas.answers.source import SOURCE_COLUMNS
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import Comparison, TrendStatement, Unmeasured
from tcpatlas.claims.multiplicity import Test, failing_together
from tcpatlas.claims.notes import Note, NoteError, reason_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
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
    """Whether a sentence holds for a reply to one of its cases.

    `ours` is the reply's number, `reversal` its largest step against a trend; None where there is none.
    `chance`: the number of cases among which one that fails by itself is undecided.
    """

    statement: Statement
    spec: Comparison | TrendStatement
    case: Case
    reply: Reply
    ours: Estimate | None
    reversal: Estimate | None
    verdict: Verdict
    chance: int = 0

    def truth(self, factor: Decimal = Decimal(1)) -> Truth:
        """Say whether the sentence holds for our number, with its interval widened by a factor."""
        assert self.ours is not None, "there is a number to judge"
        against = self.reversal and self.reversal.widened(factor)
        bound, tolerance = self.statement.bound, self.statement.tolerance
        return holds(self.ours.widened(factor), bound, tolerance, self.spec.predicate, against)

    @property
    def test(self) -> Test | None:
        """The case as a statistical test; None if it is exact or not judged."""
        metric = self.reply.metric
        if self.reply.refused or self.verdict not in get_args(Truth) or metric.get("runs", 1) < 2:
            return None
        return Test(metric["runs"], metric["confidence"], lambda factor: self.truth(factor) == "fails")


def together(cases: Sequence[Judgement]) -> list[Judgement]:
    """Return the cases of a sentence judged together: a case that fails only by itself is undecided.

    A sentence fails if any of its cases does, so with many cases one would fail by chance.
    """
    tests = {at: test for at, one in enumerate(cases) if (test := one.test)}
    places = list(tests)
    failing = {places[at] for at in failing_together(list(tests.values()))}
    return [
        replace(one, verdict="undecided", chance=len(tests))
        if one.verdict == "fails" and at in tests and at not in failing
        else one
        for at, one in enumerate(cases)
    ]


def statement_rows(items: Iterable[Item], all_answers: Answers, scale: Scale) -> Iterator[Row]:
    """Yield a row for each case of each statement of each item and each engine or model that answers it.

    ConfigError if no source gives the metric at any point of the set, or its unit does not fit the bound's.
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
    judgements = [
        judged(statement, spec, case, reply, scale)
        for case in statement.cases
        for reply in replies_to(case.subject, all_answers, scale)
    ]
    common |= {
        "predicate": spec.predicate,
        "unit": statement.unit,
        "by_construction": spec.by_construction or "",
    }
    for one in _together_by_source(judgements):
        cells: Row = {"verdict": "unavailable", "reason": one.reply.lacks}
        if not one.reply.lacks:
            cells = _cells(one, all_answers, lenient=scale.may_lack)
        of_case = {"kind": one.case.subject.kind, "counted": yes_or_no(one.reply.counts)}
        yield common | case_cells(spec, one.case) | one.reply.source.cells | of_case | cells


def _together_by_source(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Return the cases judged together: the replies that count, and the other replies by source."""
    families = [
        [at for at, one in enumerate(judgements) if one.reply.counts],
        *(
            [at for at, one in enumerate(judgements) if one.reply.source == source]
            for source in dict.fromkeys(one.reply.source for one in judgements)
        ),
    ]
    result: dict[int, Judgement] = {}
    for family in families:
        for at, one in zip(family, together([judgements[at] for at in family]), strict=True):
            result.setdefault(at, one)
    return [result[at] for at in range(len(judgements))]


def case_cells(spec: Comparison | TrendStatement, case: Case) -> Row:
    """Return the cells that identify a case of a sentence."""
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
    """Return whether a sentence holds for a reply to a case; UnitError if its number has another unit.

    The scale's length is that of our runs, before the engine's factor in the case's set.
    """
    if spec.of_whole_run and (engine := reply.source.measured_by):
        length = Decimal(repr(scale.length * case.subject.set.engines.get(engine, 1)))
        statement = replace(statement, tolerance=statement.tolerance / length)
    numbers = reply.numbers(statement.unit)
    ours = None if numbers[0] is None else Estimate.of(numbers[0], *numbers[1:])
    reply = replace(reply, refused=reply.refusal(case.subject, scale))
    reversal, *ends = (
        in_unit(reply.metric, f"max_reversal{end}", statement.unit) for end in ("", "_low", "_high")
    )
    against = None if reversal is None else Estimate.of(reversal, *ends)
    one = Judgement(statement, spec, case, reply, ours, against, "unavailable")
    if case.inconsistent:
        return replace(one, verdict="inconsistent")
    if scale.too_short and (case.subject.kind != "model" or reply.source.relation == "fed"):
        return replace(one, verdict="smoke")
    if ours is None:
        return one
    return replace(one, verdict="undecided" if reply.refused else one.truth())


def _cells(judgement: Judgement, all_answers: Answers, *, lenient: bool) -> Row:
    """Return the cells of our number, the bound and the verdict."""
    statement, case, reply, verdict = judgement.statement, judgement.case, judgement.reply, judgement.verdict
    value, low, high = reply.numbers(statement.unit)
    note = Note(case.subject, statement.unit, reply.source)
    known_reason = reason_of(case.deviation, reply.source)
    inconsistent = note.render(case.inconsistent, all_answers, lenient=lenient)
    deviation = note.render(known_reason, all_answers, lenient=lenient or verdict != "fails")
    reasons = {"fails": deviation, "unavailable": NOT_GIVEN, "undecided": reply.refused}
    if judgement.chance:
        reasons["undecided"] = f"fails by itself, as one of {judgement.chance} cases may by chance"
    return {
        "value": float_or_none(value),
        "ci_low": float_or_none(low),
        "ci_high": float_or_none(high),
        "bound": float_or_none(statement.bound),
        "tolerance": float_or_none(statement.tolerance),
        "verdict": verdict,
        "reason": reasons.get(verdict, inconsistent),
        "tolerance_reason": judgement.spec.reason,
        **{
            f"max_reversal{end}": float_or_none(in_unit(reply.metric, f"max_reversal{end}", statement.unit))
            for end in ("", "_low", "_high")
        },
        "interval": interval(reply.metric).get("interval"),
    }
