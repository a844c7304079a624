"""Does our number agree with the printed one, does a sentence hold? Pure functions on exact decimals.

A verdict compares our whole 95 % confidence interval with a tolerance set beforehand: the interval lies
inside the tolerance, outside of it, or across its edge, which leaves the question undecided. Exact numbers
(a model's, or a run's without an interval) are judged by their value. The tolerance includes the printed
number's own sampling error: a narrower one could not be decided by any number of our runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tcpatlas.base.statistics import NORMAL_95

Verdict = Literal[
    "reproduced", "deviates", "undecided", "inconsistent", "not-reproducible", "unavailable", "smoke"
]
Truth = Literal["holds", "fails", "undecided"]
Predicate = Literal["at most", "at least", "about", "increasing", "decreasing"]
# The verdict on a printed number whose claim, that ours is about it, holds or fails.
OF_NUMBERS: Mapping[str, Verdict] = {"holds": "reproduced", "fails": "deviates", "undecided": "undecided"}


@dataclass(frozen=True)
class Estimate:
    """One of our numbers with the ends of its interval, which equal the value if it is exact."""

    value: Decimal
    low: Decimal
    high: Decimal

    @classmethod
    def of(cls, value: Decimal, low: Decimal | None = None, high: Decimal | None = None) -> Estimate:
        """Return the estimate of a value whose interval may be missing."""
        return cls(value, value if low is None else low, value if high is None else high)

    def times(self, factor: Decimal) -> Estimate:
        """Return the number and its interval, scaled by a factor."""
        return Estimate(*(factor * number for number in (self.value, self.low, self.high)))

    def widened(self, factor: Decimal) -> Estimate:
        """Return the number with its interval widened by a factor on either side."""
        if factor == 1:
            return self  # exact, to the last digit
        return Estimate(
            self.value,
            self.value - factor * (self.value - self.low),
            self.value + factor * (self.high - self.value),
        )

    def at_most(self, limit: Decimal) -> Truth:
        """Say whether the number is at most the limit: its whole interval, none of it, or a part."""
        return "holds" if self.high <= limit else "fails" if self.low > limit else "undecided"

    def at_least(self, limit: Decimal) -> Truth:
        """Say whether the number is at least the limit: its whole interval, none of it, or a part."""
        return "holds" if self.low >= limit else "fails" if self.high < limit else "undecided"

    def about(self, centre: Decimal, width: Decimal) -> Truth:
        """Say whether the number is within the width of the centre."""
        return both(self.at_least(centre - width), self.at_most(centre + width))


def both(one: Truth, other: Truth) -> Truth:
    """Return the conjunction: it fails if either does, and holds if both do."""
    return "fails" if "fails" in (one, other) else "undecided" if "undecided" in (one, other) else "holds"


@dataclass(frozen=True)
class Tolerance:
    """The distance that a number may have from the printed one: the largest of those given.

    `relative` is a share of the printed number, `absolute` is in its unit, `printed_digits` is half a unit of
    its last digit. `trials`: the printed number is a share of that many independent events in the author's
    run; the tolerance is its 95 % sampling error and, for a share of 0, the largest share that gives a count
    of none with a probability of 5 %. `whole` is 1 in the number's unit. `one_run`: the printed number comes
    from one run of the author's, or is the mean of that many; the tolerance is the distance from our mean
    within which 95 of 100 runs, or means, lie.
    """

    reason: str
    relative: Decimal | None = None
    absolute: Decimal | None = None
    printed_digits: bool = False
    trials: int | None = None
    whole: Decimal = Decimal(1)
    one_run: int = 0

    def width(self, published: Decimal, scatter: Decimal = Decimal(0)) -> Decimal:
        """Return the tolerance in the unit of the printed number, whose digits are as printed.

        `scatter`: how far one of the author's runs may lie from the mean, in the same unit.
        """
        widths = [scatter / Decimal(self.one_run).sqrt()] if self.one_run else []
        if self.relative is not None:
            widths.append(self.relative * abs(published))
        if self.absolute is not None:
            widths.append(self.absolute)
        if self.printed_digits:
            widths.append(half_last_digit(published))
        if self.trials is not None:
            widths.append(self.whole * binomial_error(published / self.whole, self.trials))
        return max(widths)


# Factors by which a number is shifted to see whether its verdict would change.
OFF = (Decimal("0.8"), Decimal("1.2"))


def binomial_error(share: Decimal, trials: int) -> Decimal:
    """Return the 95 % sampling error of a share of independent trials; of none counted, 3 / trials."""
    return Decimal(str(NORMAL_95)) * (share * (1 - share) / trials).sqrt() if share else Decimal(3) / trials


def half_last_digit(published: Decimal) -> Decimal:
    """Return half a unit of the last printed digit: 0.05 for 547.8, 0.5 for 155."""
    exponent = published.as_tuple().exponent
    assert isinstance(exponent, int), "a printed number is finite"
    return Decimal(5).scaleb(exponent - 1)


def judge(
    ours: Estimate | None,
    published: Decimal | None,
    width: Decimal | None,
    *,
    inconsistent: bool = False,
    not_reproducible: bool = False,
    too_short: bool = False,
) -> Verdict:
    """Return the verdict on one of our numbers against a printed one; either is None if there is none.

    `inconsistent`: the paper contradicts itself here. `not_reproducible`: the paper does not say enough to
    compute the number. `too_short`: the runs are too short for a verdict. ValueError for a number
    to judge without a tolerance.
    """
    if inconsistent:
        return "inconsistent"
    if published is None:
        return "unavailable"
    if not_reproducible:
        return "not-reproducible"
    if too_short:
        return "smoke"
    if ours is None:
        return "unavailable"
    if width is None:
        raise ValueError(f"{published} has no tolerance, so that nothing can be said of {ours.value}")
    verdict = OF_NUMBERS[ours.about(published, width)]
    return "undecided" if verdict == "reproduced" and hides(width, published) else verdict


def power_of(ours: Estimate, published: Decimal, width: Decimal) -> str:
    """Return the smallest error that would have been noticed in a reproduced number.

    `20 %`: ours a fifth larger, and a fifth smaller. `one`: of a count, one more and one less. `zero`: any
    event at all. `none`: neither.
    """
    if published == 0:
        return "zero"
    if all(judge(ours.times(factor), published, width) != "reproduced" for factor in OFF):
        return "20 %"
    counted = ours.value == ours.value.to_integral_value() and published == published.to_integral_value()
    return "one" if counted and width < 1 else "none"


def hides(width: Decimal, published: Decimal) -> bool:
    """Say whether a tolerance is as large as its number, so that the verdict shows nothing; never for 0."""
    return published != 0 and width >= abs(published)


def holds(
    ours: Estimate,
    bound: Decimal,
    tolerance: Decimal,
    predicate: Predicate,
    max_reversal: Estimate | None = None,
) -> Truth:
    """Say whether a statement holds for one of our numbers.

    For a trend the number is the whole change, which must exceed the bound (0: only the direction is stated).
    The tolerance then applies to `max_reversal` alone, the largest step against the stated direction.
    """
    reversal = (max_reversal or Estimate.of(Decimal(0))).at_most(tolerance)
    match predicate:
        case "about":
            return ours.about(bound, tolerance)
        case "at most":
            return ours.at_most(bound + tolerance)
        case "at least":
            return ours.at_least(bound - tolerance)
        case "increasing":
            return both(_not(ours.at_most(bound)), reversal)
        case "decreasing":
            return both(_not(ours.at_least(bound)), reversal)


def _not(truth: Truth) -> Truth:
    opposites: dict[Truth, Truth] = {"holds": "fails", "fails": "holds", "undecided": "undecided"}
    return opposites[truth]
