"""Verdicts on the sentences of a paper: the rows of statements.csv."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from tcpatlas.answers.answer import Answers
from tcpatlas.answers.derived import in_unit
from tcpatlas.answers.source import SOURCE_COLUMNS
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import Comparison, TrendStatement, Unmeasured
from tcpatlas.claims.judgement import Judgement, together
from tcpatlas.claims.notes import NOT_GIVEN, Note, NoteError, reason_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.statements import Case, Statement
from tcpatlas.claims.tables import Row, float_or_none, yes_or_no

STATEMENT_COLUMNS = (
    *("statement", "paper", "item", "text", "section", "set", "point", "predicate", "metric", "statistic"),
    *("reference", "along", "unit", "kind", "engine", "value", "ci_low", "ci_high", "bound", "tolerance"),
    *("verdict", "reason", "tolerance_reason", "max_reversal"),
    *("max_reversal_low", "max_reversal_high", "counted", "interval"),
    *SOURCE_COLUMNS,
    "by_construction",
)


def statement_rows(items: Iterable[Item], answers: Answers, scale: Scale) -> Iterator[Row]:
    """Yield a row for each case of each statement of each item and each engine or model that answers it.

    ConfigError if no source gives the metric at any point of the set, or its unit does not fit the bound's.
    """
    for item in items:
        for statement in item.statements:
            where = f"{item.name}[{statement.number - 1}]"
            try:
                yield from _statement_rows(item, statement, answers, scale)
            except NobodyAnswersError as error:
                allowed = f"one of: {', '.join(error.metrics)}"
                raise ConfigError(item.statements_file, f"{where}.metric", str(error), allowed) from None
            except NoteError as error:
                allowed = "a metric at a point of the study"
                raise ConfigError(item.statements_file, f"{where}.note", str(error), allowed) from None
            except units.UnitError as error:
                allowed = "a unit of the metric in bound and tolerance"
                raise ConfigError(item.statements_file, f"{where}.metric", str(error), allowed) from None


def _statement_rows(item: Item, statement: Statement, answers: Answers, scale: Scale) -> Iterator[Row]:
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
    replies = [
        (case, reply) for case in statement.cases for reply in replies_to(case.subject, answers, scale)
    ]
    judgements = [judged_case(statement, spec, case, reply, scale) for case, reply in replies]
    common |= {
        "predicate": spec.predicate,
        "unit": statement.unit,
        "by_construction": spec.by_construction or "",
    }
    for (case, reply), one in zip(replies, _together_by_source(judgements), strict=True):
        cells: Row = {"verdict": "unavailable", "reason": reply.lacks}
        if not reply.lacks:
            cells = _cells(case, one, answers, lenient=scale.may_lack) | {"tolerance_reason": spec.reason}
        of_case = {"kind": case.subject.kind, "counted": yes_or_no(reply.counts)}
        yield common | case_cells(spec, case) | reply.source.cells | of_case | cells


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


def judged_case(
    statement: Statement, spec: Comparison | TrendStatement, case: Case, reply: Reply, scale: Scale
) -> Judgement:
    """Return whether a sentence holds for a reply to a case; UnitError if its number has another unit.

    The scale's length is that of our runs, before the engine's factor in the case's set.
    """
    subject, tolerance = case.subject, statement.tolerance
    if spec.of_whole_run and (engine := reply.source.measured_by):
        tolerance /= Decimal(repr(scale.length * subject.set.engines.get(engine, 1)))
    return Judgement(
        subject,
        replace(reply, refused=reply.refusal(subject, scale)),
        statement.unit,
        spec.predicate,
        statement.bound,
        tolerance,
        too_short=scale.too_short and (subject.kind != "model" or reply.source.relation == "fed"),
        excluded="inconsistent" if case.inconsistent else None,
    )


def _cells(case: Case, one: Judgement, answers: Answers, *, lenient: bool) -> Row:
    """Return the cells of our number, the bound and the verdict."""
    note, verdict = Note(case.subject, one.unit, one.reply.source), one.verdict
    known_reason = reason_of(case.deviation, one.reply.source)
    inconsistent = note.render(case.inconsistent, answers, lenient=lenient)
    deviation = note.render(known_reason, answers, lenient=lenient or verdict != "fails")
    reasons = {"fails": deviation, "unavailable": NOT_GIVEN, "undecided": one.reply.refused}
    if one.chance:
        reasons["undecided"] = f"fails by itself, as one of {one.chance} cases may by chance"
    return {
        **one.cells,
        "verdict": verdict,
        "reason": reasons.get(verdict, inconsistent),
        **{
            f"max_reversal{end}": float_or_none(in_unit(one.reply.metric, f"max_reversal{end}", one.unit))
            for end in ("", "_low", "_high")
        },
    }
