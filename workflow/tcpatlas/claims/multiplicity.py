"""Holm's correction: of many cases that a sentence covers, one may seem to fail by chance.

S. Holm: "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979), 65-70.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tcpatlas.base.statistics import t_quantile


@dataclass(frozen=True)
class Test:
    """A case that depends on chance: whether it `fails` with its interval so many times as wide.

    The interval is Student's, of so many `runs` at that `confidence`.
    """

    runs: int
    confidence: float
    fails: Callable[[Decimal], bool]

    def fails_among(self, others: int) -> bool:
        """Say whether it fails where all of so many tests together may err as often as one by itself."""
        each = 1 - (1 - self.confidence) / others
        return self.fails(Decimal(t_quantile(self.runs, each) / t_quantile(self.runs, self.confidence)))


def failing_together(tests: Sequence[Test]) -> set[int]:
    """Return the places of the tests that fail together: the chance that any does wrongly is that of one.

    Holm's procedure in steps: what fails by the strictest measure no longer counts among the others.
    """
    failing: set[int] = set()
    while len(failing) < len(tests):
        others = len(tests) - len(failing)
        more = {at for at, test in enumerate(tests) if at not in failing and test.fails_among(others)}
        if not more:
            break
        failing |= more
    return failing
