"""Compares each printed number with ours: the rows of claims.csv."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from tcpatlas.answers.answer import Answers
from tcpatlas.answers.derived import ENDS, Metric, in_unit, interval
from tcpatlas.answers.source import SOURCE_COLUMNS, Source
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.arithmetic import Arithmetic
from tcpatlas.claims.notes import Note, NoteError, reason_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.rows import PublishedNumber
from tcpatlas.claims.tables import Row, float_or_none, yes_or_no
from tcpatlas.claims.unavailable import why_missing
from tcpatlas.claims.verdict import Estimate, Verdict, judge, power_of

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


def claim_rows(items: Iterable[Item], all_answers: Answers, scale: Scale) -> Iterator[Row]:
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
                row = _row(item, number, _by_arithmetic(number, computed), all_answers, scale)
                yield row | {"counted": yes_or_no(not number.repeats), "class": ARITHMETIC}
            elsewhere = computed is not None or number.repeats.partition(",")[0] in arithmetic
            for reply, row in _replies(item, number, all_answers, scale):
                if reply.counts and elsewhere:
                    row["counted"] = BESIDE
                else:
                    row["counted"] = yes_or_no(reply.counts and not (number.repeats or elsewhere))
                yield row | {"class": _class(item)}
        for number in item.simulated:
            for reply, row in _replies(item, number, all_answers, scale):
                counted = SIMULATED if reply.counts else yes_or_no(False)
                yield row | {"kind": "model", "counted": counted, "class": _class(item)}


def _class(item: Item) -> str:
    return ARITHMETIC if item.arithmetic else FORMULA if item.formula else REPLICATION


def _replies(
    item: Item, number: PublishedNumber, all_answers: Answers, scale: Scale
) -> Iterator[tuple[Reply, Row]]:
    """Yield each reply to a number, with its row."""
    try:
        replies = replies_to(number.subject, all_answers, scale)
    except NobodyAnswersError as error:
        allowed = f"one of: {', '.join(error.metrics)}"
        raise ConfigError(item.file, f"row {number.row}.metric", str(error), allowed) from None
    for reply in replies:
        row = _row(item, number, reply, all_answers, scale)
        if reply.lacks:
            row |= {"verdict": "unavailable", "note": reply.lacks, "reason": reply.lacks}
        yield reply, row


def _by_arithmetic(number: PublishedNumber, arithmetic: Arithmetic) -> Reply:
    metric: Metric = {"unit": number.unit, "value": float(arithmetic.value), "exact": True}
    return Reply(Source("printed"), metric, counts=True)


def _row(item: Item, number: PublishedNumber, reply: Reply, all_answers: Answers, scale: Scale) -> Row:
    source, metric, too_short = reply.source, reply.metric, scale.too_short or bool(reply.lacks)
    published, subject, may_lack = number.published, number.subject, too_short or scale.may_lack
    try:
        value, low, high = reply.numbers(number.unit)
        ours, width, verdict = judged(number, reply, all_answers, replace(scale, too_short=too_short))
    except units.UnitError as error:
        allowed = f"{subject.quantity.full_name} is in {metric['unit']}"
        raise ConfigError(item.file, f"row {number.row}.unit", str(error), allowed) from None
    could_fail: Row = {}
    if verdict == "reproduced" and ours and published is not None and width is not None:
        could_fail = {
            "power": power_of(ours, published, width),
            "rivals": _rivals(item, number, source, all_answers, width),
        }
    try:
        note = Note(subject, number.unit, source)
        known_reason = reason_of(number.deviation, source)
        deviation = note.render(known_reason, all_answers, lenient=may_lack or verdict != "deviates")
        excluded = note.render(number.inconsistent or number.not_reproducible, all_answers, lenient=may_lack)
    except NoteError as error:
        where = f"{item.rules.where}.deviations"
        raise ConfigError(item.rules.file, where, str(error), "a metric at a point of the study") from None
    answer = all_answers[subject.set.full_name].get((subject.point.name, source))
    missing = "" if value is not None else why_missing(answer)
    refused = reply.refusal(subject, scale)
    reasons = {"deviates": deviation, "unavailable": missing, "undecided": refused}
    reason = reasons.get(verdict, excluded)
    inside = published is not None and low is not None and high is not None and low <= published <= high
    remark = "; ".join(filter(None, (number.case, number.note)))
    notes = (
        remark,
        excluded,
        missing,
        "the printed number lies inside our interval" if inside else "",
        deviation if verdict == "deviates" else "",
        refused if verdict == "undecided" else "",
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
        "value": float_or_none(value),
        "ci_low": float_or_none(low),
        "ci_high": float_or_none(high),
        "relative_error": float((value - published) / published) if value is not None and published else None,
        "tolerance": float_or_none(width),
        "verdict": verdict,
        "note": "; ".join(note for note in notes if note),
        "set": subject.set.full_name,
        "row": number.row,
        "reference": number.against if subject.reference is None else subject.reference.name,
        "case": number.case,
        "row_note": number.note,
        "reason": reason,
        "tolerance_reason": _why(number, source),
        "quantity": subject.quantity.name,
        "statistic": subject.quantity.statistic,
        "interval": interval(metric).get("interval"),
        **could_fail,
    }


def judged(
    number: PublishedNumber, reply: Reply, all_answers: Answers, scale: Scale, wider: int = 1
) -> tuple[Estimate | None, Decimal | None, Verdict]:
    """Return a reply's number, its tolerance times `wider`, and the verdict against the printed number.

    UnitError if the number has another unit.
    """
    published, tolerance, source = number.published, number.tolerance, reply.source
    value, low, high = reply.numbers(number.unit)
    width = number.arithmetic.width if number.arithmetic and source.relation == "printed" else None
    if width is None and tolerance is not None and published is not None:
        scatter = Decimal(0)
        if tolerance.one_run:
            scatter = _author_scatter(number, source, value, all_answers, scale.length)
        width = wider * tolerance.width(published, scatter)
    scatters = number.subject.kind != "model" or (tolerance is not None and tolerance.one_run)
    ours = None if value is None else Estimate.of(value, low, high)
    verdict = judge(
        ours,
        published,
        width,
        inconsistent=bool(number.inconsistent),
        not_reproducible=bool(number.not_reproducible),
        too_short=bool(scale.too_short and scatters and source.relation != "printed"),
    )
    if reply.refusal(number.subject, scale) and verdict in ("reproduced", "deviates"):
        verdict = "undecided"
    return ours, width, verdict


def _rivals(item: Item, number: PublishedNumber, source: Source, all_answers: Answers, width: Decimal) -> str:
    """Return the verdicts with other TCP variants in place of the paper's: "reno deviates"."""
    verdicts = []
    for rival in item.rivals:
        for point in rival.points:
            variant = point.parameters[VARIANT]
            others = {path: value for path, value in point.parameters.items() if path != VARIANT}
            answer = all_answers.get(rival.full_name, {}).get((point.name, source))
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


def _author_scatter(
    number: PublishedNumber, source: Source, value: Decimal | None, all_answers: Answers, length: float
) -> Decimal:
    """Return how far one of the authors' runs may lie from our mean, on the side of the printed number."""
    spread = number.subject.one_run(source, all_answers, length)
    if spread is None or value is None or number.published is None:
        return Decimal(0)
    side = "above" if number.published > value else "below"
    return in_unit(spread, side, number.unit) or Decimal(0)


def _why(number: PublishedNumber, source: Source) -> str:
    """Return the reason of the tolerance."""
    if number.arithmetic and source.relation == "printed":
        return f"half of the last digit, and the rounding of what it follows from: {number.arithmetic.text}"
    return "" if number.tolerance is None else number.tolerance.reason
