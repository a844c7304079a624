"""Compares each printed number with ours: the rows of claims.csv."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from tcpatlas.answers.answer import Answers
from tcpatlas.answers.derived import ENDS, Metric, in_unit
from tcpatlas.answers.source import SOURCE_COLUMNS, Source
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.arithmetic import Arithmetic
from tcpatlas.claims.judgement import Excluded, Judgement
from tcpatlas.claims.notes import Note, NoteError, reason_of, why_missing
from tcpatlas.claims.printed_numbers import PublishedNumber
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.selection import Reference
from tcpatlas.claims.tables import Row, yes_or_no
from tcpatlas.claims.verdict import OF_NUMBERS, Estimate, judge, power_of

CLAIM_COLUMNS = (
    *("claim", "paper", "item", "point", "metric", "unit", "published", "kind"),
    *("engine", "value", "ci_low", "ci_high"),
    *("relative_error", "tolerance", "verdict", "note"),
    *("set", "row", "case", "reference", "row_note", "reason", "tolerance_reason"),
    *("quantity", "statistic", "counted", "interval"),
    *SOURCE_COLUMNS,
    *("class", "power", "rivals"),
)


REPLICATION, ARITHMETIC, FORMULA = "replication", "arithmetic", "formula"
# Rows that would count were the number not arithmetic; engines' answers to a model's number.
BESIDE, SIMULATED = "beside", "simulated"
VARIANT = "tcp.variant"


def claim_rows(items: Iterable[Item], answers: Answers, scale: Scale) -> Iterator[Row]:
    """Yield a row for each printed number and each engine or model that answers it, or is left out here.

    Raises ConfigError if no source gives the metric at any point of the set, or if its unit does not fit
    the printed one.
    """
    known_items = list(items)
    arithmetic = {item.name for item in known_items if item.arithmetic}
    for item in known_items:
        for number in item.numbers:
            computed = number.arithmetic
            if computed is not None:
                row = _row(item, number, _by_arithmetic(number, computed), answers, scale)
                yield row | {"counted": yes_or_no(not number.repeats), "class": ARITHMETIC}
            elsewhere = computed is not None or number.repeats.partition(",")[0] in arithmetic
            for reply, row in _replies(item, number, answers, scale):
                if reply.counts and elsewhere:
                    row["counted"] = BESIDE
                else:
                    row["counted"] = yes_or_no(reply.counts and not (number.repeats or elsewhere))
                yield row | {"class": _class(item)}
        for number in item.simulated:
            for reply, row in _replies(item, number, answers, scale):
                counted = SIMULATED if reply.counts else yes_or_no(False)
                yield row | {"kind": "model", "counted": counted, "class": _class(item)}


def _class(item: Item) -> str:
    return ARITHMETIC if item.arithmetic else FORMULA if item.formula else REPLICATION


def _replies(
    item: Item, number: PublishedNumber, answers: Answers, scale: Scale
) -> Iterator[tuple[Reply, Row]]:
    """Yield each reply to a number, with its row."""
    try:
        replies = replies_to(number.subject, answers, scale)
    except NobodyAnswersError as error:
        allowed = f"one of: {', '.join(error.metrics)}"
        raise ConfigError(item.file, f"row {number.row}.metric", str(error), allowed) from None
    for reply in replies:
        row = _row(item, number, reply, answers, scale)
        if reply.lacks:
            row |= {"verdict": "unavailable", "note": reply.lacks, "reason": reply.lacks}
        yield reply, row


def _by_arithmetic(number: PublishedNumber, arithmetic: Arithmetic) -> Reply:
    metric: Metric = {"unit": number.unit, "value": float(arithmetic.value), "exact": True}
    return Reply(Source("printed"), metric, counts=True)


def _row(item: Item, number: PublishedNumber, reply: Reply, answers: Answers, scale: Scale) -> Row:
    source, subject, published = reply.source, number.subject, number.published
    too_short = scale.too_short or bool(reply.lacks)
    may_lack = too_short or scale.may_lack
    try:
        one = judged_number(number, answers, reply, replace(scale, too_short=too_short))
        cells, verdict = one.cells, OF_NUMBERS.get(one.verdict, one.verdict)
    except units.UnitError as error:
        allowed = f"{subject.quantity.full_name} is in {reply.metric['unit']}"
        raise ConfigError(item.file, f"row {number.row}.unit", str(error), allowed) from None
    could_fail: Row = {}
    if verdict == "reproduced" and one.ours and published is not None and one.tolerance is not None:
        could_fail = {
            "power": power_of(one.ours, published, one.tolerance),
            "rivals": _rivals(item, number, source, answers, one.tolerance),
        }
    try:
        note = Note(subject, number.unit, source)
        known_reason = reason_of(number.deviation, source)
        deviation = note.render(known_reason, answers, lenient=may_lack or verdict != "deviates")
        excluded = note.render(number.inconsistent or number.not_reproducible, answers, lenient=may_lack)
    except NoteError as error:
        where = f"{item.rules.where}.deviations"
        raise ConfigError(item.rules.file, where, str(error), "a metric at a point of the study") from None
    missing = "" if one.ours else why_missing(answers.at(subject, source))
    reasons = {"deviates": deviation, "unavailable": missing, "undecided": one.reply.refused}
    value, low, high = reply.numbers(number.unit)
    inside = published is not None and low is not None and high is not None and low <= published <= high
    notes = (
        *(number.case, number.note, excluded, missing),
        "the printed number lies inside our interval" if inside else "",
        reasons[verdict] if verdict in ("deviates", "undecided") else "",
    )
    return {
        "claim": f"{item.paper}/{item.name}/{number.row}/{source.name}",
        "paper": item.paper,
        "item": item.name,
        "point": subject.point.name,
        "metric": subject.quantity.full_name,
        "unit": number.unit,
        "published": None if published is None else f"{published:f}",
        "kind": subject.kind,
        **source.cells,
        **{column: cells[column] for column in ("value", "ci_low", "ci_high", "tolerance", "interval")},
        "relative_error": float((value - published) / published) if value is not None and published else None,
        "verdict": verdict,
        "note": "; ".join(filter(None, notes)),
        "set": subject.set.full_name,
        "row": number.row,
        "reference": number.against if subject.reference is None else subject.reference.name,
        "case": number.case,
        "row_note": number.note,
        "reason": reasons.get(verdict, excluded),
        "tolerance_reason": _why(number, source),
        "quantity": subject.quantity.name,
        "statistic": subject.quantity.statistic,
        **could_fail,
    }


def judged_number(
    number: PublishedNumber, answers: Answers, reply: Reply, scale: Scale, wider: int = 1
) -> Judgement:
    """Return whether a reply's number agrees with the printed one, within `wider` times its tolerance."""
    published, tolerance, source, subject = number.published, number.tolerance, reply.source, number.subject
    width = number.arithmetic.width if number.arithmetic and source.relation == "printed" else None
    if width is None and tolerance is not None and published is not None:
        scatter = Decimal(0)
        if tolerance.one_run:
            scatter = _author_scatter(number, reply, answers, scale.length)
        width = wider * tolerance.width(published, scatter)
    scatters = subject.kind != "model" or (tolerance is not None and tolerance.one_run)
    excluded: Excluded | None = "not-reproducible" if number.not_reproducible else None
    if published is None:
        excluded = "unavailable"
    if number.inconsistent:
        excluded = "inconsistent"
    return Judgement(
        subject,
        replace(reply, refused=reply.refusal(subject, scale)),
        number.unit,
        "about",
        published,
        width,
        too_short=bool(scale.too_short and scatters and source.relation != "printed"),
        excluded=excluded,
        printed=True,
    )


def _rivals(item: Item, number: PublishedNumber, source: Source, answers: Answers, width: Decimal) -> str:
    """Return the verdicts with other TCP variants in place of the paper's: "reno deviates"."""
    verdicts = []
    for rival in item.rivals:
        for point in rival.points:
            variant = point.parameters[VARIANT]
            others = {path: value for path, value in point.parameters.items() if path != VARIANT}
            answer = answers.at(Reference(rival, point), source)
            if answer is None or others != number.subject.point.parameters or number.published is None:
                continue
            metric = answer.find(number.subject.quantity)
            if metric is None or number.subject.is_ratio:
                continue
            value, low, high = (in_unit(metric, key, number.unit) for key in ("value", *ENDS))
            if value is not None:
                verdict = judge(Estimate.of(value, low, high), number.published, width)
                verdicts.append(f"{variant} {verdict}")
    return "; ".join(verdicts)


def _author_scatter(number: PublishedNumber, reply: Reply, answers: Answers, length: float) -> Decimal:
    """Return how far one of the authors' runs may lie from our mean, on the side of the printed number."""
    spread, value = number.subject.one_run(reply.source, answers, length), reply.numbers(number.unit)[0]
    if spread is None or value is None or number.published is None:
        return Decimal(0)
    side = "above" if number.published > value else "below"
    return in_unit(spread, side, number.unit) or Decimal(0)


def _why(number: PublishedNumber, source: Source) -> str:
    """Return the reason of the tolerance."""
    if number.arithmetic and source.relation == "printed":
        return f"half of the last digit, and the rounding of what it follows from: {number.arithmetic.text}"
    return "" if number.tolerance is None else number.tolerance.reason
