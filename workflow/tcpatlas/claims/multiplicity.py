"""Holm's correction: among the many cases of a sentence, one may fail by chance.

S. Holm: "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979), 65-70.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tcpatlas.base.statistics import t_quantile


@dataclass(frozen=True)
class Test:
    """A random case: `fails` says whether it fails with its interval widened by a factor.

    The interval is Student's, from `runs` replications at that `confidence`.
    """

    runs: int
    confidence: float
    fails: Callable[[Decimal], bool]

    def fails_among(self, others: int) -> bool:
        """Say whether it fails at the level that gives that many tests together the error rate of one."""
        each = 1 - (1 - self.confidence) / others
        return self.fails(Decimal(t_quantile(self.runs, each) / t_quantile(self.runs, self.confidence)))


def failing_together(tests: Sequence[Test]) -> set[int]:
    """Return the indices of the tests that fail with the family-wise error rate of a single test.

    Holm's steps: a test that fails at the strictest level no longer counts among the rest.
    """
    failing: set[int] = set()
    while len(failing) < len(tests):
        others = len(tests) - len(failing)
        more = {at for at, test in enumerate(tests) if at not in failing and test.fails_among(others)}
        if not more:
            break
        failing |= more
    return failing
