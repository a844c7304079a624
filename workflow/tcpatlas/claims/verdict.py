"""Does our number agree with the printed one, does a sentence hold? Pure functions on exact decimals.

A verdict is about the point estimate against a tolerance that was set beforehand; the interval only informs.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Verdict = Literal["reproduced", "deviates", "inconsistent", "unavailable", "smoke"]
Predicate = Literal["at most", "at least", "about", "increasing", "decreasing"]


@dataclass(frozen=True)
class Tolerance:
    """How far a number may be from the printed one: the largest of what is given.

    `relative` is a share of the printed number, `absolute` is in its unit, `printed_digits` is half a unit of
    its last digit.
    """

    reason: str
    relative: Decimal | None = None
    absolute: Decimal | None = None
    printed_digits: bool = False

    def width(self, published: Decimal) -> Decimal:
        """Return the tolerance in the unit of the printed number, whose digits are as printed."""
        widths = []
        if self.relative is not None:
            widths.append(self.relative * abs(published))
        if self.absolute is not None:
            widths.append(self.absolute)
        if self.printed_digits:
            widths.append(half_last_digit(published))
        return max(widths)


def half_last_digit(published: Decimal) -> Decimal:
    """Return half a unit of the last printed digit: 0.05 for 547.8, 0.5 for 155."""
    exponent = published.as_tuple().exponent
    assert isinstance(exponent, int), "a printed number is finite"
    return Decimal(5).scaleb(exponent - 1)


def judge(
    value: Decimal | None,
    published: Decimal | None,
    width: Decimal | None,
    *,
    inconsistent: bool = False,
    too_short: bool = False,
) -> Verdict:
    """Return the verdict on a value (None if we have none) beside a printed number (None if there is none).

    `inconsistent`: the paper contradicts itself here. `too_short`: the runs are at a scale that can judge
    nothing.
    """
    if inconsistent:
        return "inconsistent"
    if published is None:
        return "unavailable"
    if too_short:
        return "smoke"
    if value is None or width is None:
        return "deviates"
    return "reproduced" if abs(value - published) <= width else "deviates"


def holds(
    value: Decimal,
    bound: Decimal,
    tolerance: Decimal,
    predicate: Predicate,
    max_reversal: Decimal = Decimal(0),
) -> bool:
    """Say whether a statement holds of a value.

    Of a trend the value is the whole change: it must exceed the bound (0: only the direction is stated)
    whatever the tolerance, which is for `max_reversal`, the largest step against the stated direction.
    """
    match predicate:
        case "about":
            return abs(value - bound) <= tolerance
        case "at most":
            return value <= bound + tolerance
        case "at least":
            return value >= bound - tolerance
        case "increasing":
            return value > bound and max_reversal <= tolerance
        case "decreasing":
            return value < bound and max_reversal <= tolerance
