"""Each printed number beside ours, with a verdict: the rows of claims.csv."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.derived import ENDS, Metric, interval
from tcpatlas.claims.notes import Note, NoteError, reason_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.rows import PublishedNumber
from tcpatlas.claims.source import SOURCE_COLUMNS, Source
from tcpatlas.claims.subject import (
    Answers,
    NobodyAnswersError,
    Reply,
    Scale,
    float_or_none,
    in_unit,
    yes_or_no,
)
from tcpatlas.claims.tables import Row
from tcpatlas.claims.unavailable import why_missing
from tcpatlas.claims.verdict import Estimate, judge

CLAIM_COLUMNS = (
    *(
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
    ),
    *("relative_error", "tolerance", "verdict", "note"),
    *(
        "set",
        "row",
        "case",
        "reference",
        "row_note",
        "reason",
        "tolerance_reason",
        "quantity",
        "statistic",
        "counted",
        "interval",
    ),
    *SOURCE_COLUMNS,
)


def claim_rows(items: Iterable[Item], known: Answers, scale: Scale) -> Iterator[Row]:
    """Yield a row for each printed number and each engine or model that answers it, or is left out here.

    Raises ConfigError where nobody gives the metric at any point of the set, or its unit cannot be the
    printed one.
    """
    for item in items:
        for number in item.numbers:
            try:
                replies = number.subject.replies(known, scale)
            except NobodyAnswersError as error:
                allowed = f"one of: {', '.join(error.known)}"
                raise ConfigError(item.file, f"row {number.row}.metric", str(error), allowed) from None
            for reply in replies:
                row = _row(item, number, reply, known, scale)
                if reply.lacks:
                    row |= {"verdict": "unavailable", "note": reply.lacks, "reason": reply.lacks}
                yield row | {"counted": yes_or_no(reply.counts and not number.repeats)}


def _row(item: Item, number: PublishedNumber, reply: Reply, known: Answers, scale: Scale) -> Row:
    source, metric, too_short = reply.source, reply.metric, scale.too_short or bool(reply.lacks)
    published, tolerance, subject = number.published, number.tolerance, number.subject
    ends = interval(metric)
    value = _in_printed_unit(item, number, metric, "value")
    low, high = (_in_printed_unit(item, number, metric, end) if end in ends else None for end in ENDS)
    width = None
    if tolerance is not None and published is not None:
        scatter = _one_run(number, source, value, known, scale.length) if tolerance.one_run else Decimal(0)
        width = tolerance.width(published, scatter)
    ours = None if value is None else Estimate.of(value, low, high)
    verdict = judge(
        ours,
        published,
        width,
        inconsistent=bool(number.inconsistent),
        not_reproducible=bool(number.not_reproducible),
        too_short=too_short and (subject.kind != "model" or (tolerance is not None and tolerance.one_run)),
    )
    try:
        note = Note(subject, number.unit, source)
        known_reason = reason_of(number.deviation, source)
        deviation = note.render(known_reason, known, lenient=too_short or verdict != "deviates")
        excluded = note.render(number.inconsistent or number.not_reproducible, known, lenient=too_short)
    except NoteError as error:
        where = f"{item.rules.where}.deviations"
        raise ConfigError(item.rules.file, where, str(error), "a metric at a point of the study") from None
    answer = known[subject.set.full_name].get((subject.point.name, source))
    missing = "" if value is not None else why_missing(answer)
    reason = {"deviates": deviation, "unavailable": missing}.get(verdict, excluded)
    inside = published is not None and low is not None and high is not None and low <= published <= high
    remark = "; ".join(filter(None, (number.case, number.note)))
    notes = (
        remark,
        excluded,
        missing,
        "the printed number lies inside our interval" if inside else "",
        deviation if verdict == "deviates" else "",
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
        "row_note": remark,
        "reason": reason,
        "tolerance_reason": "" if tolerance is None else tolerance.reason,
        "quantity": subject.quantity.name,
        "statistic": subject.quantity.statistic,
        "interval": ends.get("interval"),
    }


def _one_run(
    number: PublishedNumber, source: Source, value: Decimal | None, known: Answers, length: float
) -> Decimal:
    """Return how far one run of the authors' may be from our mean, on the side of the printed number."""
    spread = number.subject.one_run(source, known, length)
    if spread is None or value is None or number.published is None:
        return Decimal(0)
    side = "above" if number.published > value else "below"
    return in_unit(spread, side, number.unit) or Decimal(0)


def _in_printed_unit(item: Item, number: PublishedNumber, metric: Metric, key: str) -> Decimal | None:
    try:
        return in_unit(metric, key, number.unit)
    except units.UnitError as error:
        allowed = f"{number.subject.quantity.full_name} is in {metric['unit']}"
        raise ConfigError(item.file, f"row {number.row}.unit", str(error), allowed) from None
