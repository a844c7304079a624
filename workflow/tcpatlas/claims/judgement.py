"""One claim held against one reply: a case of a sentence, or a printed number within its tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal, get_args

from tcpatlas.answers.derived import in_unit, interval
from tcpatlas.claims.multiplicity import Test, failing_together
from tcpatlas.claims.replies import Reply
from tcpatlas.claims.subject import Subject
from tcpatlas.claims.tables import Row, float_or_none
from tcpatlas.claims.verdict import Estimate, Predicate, Truth, hides, holds

Excluded = Literal["inconsistent", "not-reproducible", "unavailable"]
Verdict = Truth | Excluded | Literal["smoke"]


@dataclass(frozen=True)
class Judgement:
    """Whether our number of a subject, in `unit`, satisfies a predicate with a bound and a tolerance.

    A `printed` number is the bound of a number that is `about` it; either is None if there is none.
    `excluded` is the reason for which no number is judged; `before` is the verdict with the
    paper's own TCP, for a claim that is re-evaluated. `chance`: the number of cases among which one that
    fails by itself is undecided.
    """

    subject: Subject
    reply: Reply
    unit: str
    predicate: Predicate
    bound: Decimal | None
    tolerance: Decimal | None
    too_short: bool
    excluded: Excluded | None = None
    printed: bool = False
    before: str = ""
    chance: int = 0

    @cached_property
    def ours(self) -> Estimate | None:
        """Our number; None if the reply has none. UnitError if it has another unit."""
        value, low, high = self.reply.numbers(self.unit)
        return None if value is None else Estimate.of(value, low, high)

    @cached_property
    def reversal(self) -> Estimate | None:
        """The largest step of our number against a trend."""
        value, low, high = (
            in_unit(self.reply.metric, f"max_reversal{end}", self.unit) for end in ("", "_low", "_high")
        )
        return None if value is None else Estimate.of(value, low, high)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict; that of a printed number is in the words of `NUMBERS`."""
        if self.excluded:
            return self.excluded
        if self.too_short:
            return "smoke"
        if self.ours is None:
            return "unavailable"
        return "undecided" if self.reply.refused or self.chance else self.truth()

    def truth(self, factor: Decimal = Decimal(1)) -> Truth:
        """Say whether the claim holds for our number, with its interval widened by a factor."""
        if self.ours is None or self.bound is None or self.tolerance is None:
            raise ValueError(f"{self.bound} has no tolerance, so that nothing can be said of {self.ours}")
        against = self.reversal and self.reversal.widened(factor)
        truth = holds(self.ours.widened(factor), self.bound, self.tolerance, self.predicate, against)
        hidden = self.printed and hides(self.tolerance, self.bound)
        return "undecided" if truth == "holds" and hidden else truth

    @property
    def test(self) -> Test | None:
        """The case as a statistical test; None if it is exact or not judged."""
        metric = self.reply.metric
        if self.reply.refused or self.verdict not in get_args(Truth) or metric.get("runs", 1) < 2:
            return None
        return Test(metric["runs"], metric["confidence"], lambda factor: self.truth(factor) == "fails")

    @property
    def cells(self) -> Row:
        """The cells of our number, its interval, and what it is judged by."""
        numbers = (*self.reply.numbers(self.unit), self.bound, self.tolerance)
        names = ("value", "ci_low", "ci_high", "bound", "tolerance")
        return dict(zip(names, map(float_or_none, numbers), strict=True)) | {
            "interval": interval(self.reply.metric).get("interval")
        }


def together(cases: Sequence[Judgement]) -> list[Judgement]:
    """Return the cases of a sentence judged together: a case that fails only by itself is undecided.

    A sentence fails if any of its cases does, so with many cases one would fail by chance.
    """
    tests = {at: test for at, one in enumerate(cases) if (test := one.test)}
    places = list(tests)
    failing = {places[at] for at in failing_together(list(tests.values()))}
    return [
        replace(one, chance=len(tests))
        if at in tests and at not in failing and one.verdict == "fails"
        else one
        for at, one in enumerate(cases)
    ]
