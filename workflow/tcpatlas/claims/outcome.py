"""Verdicts on a claim that is re-evaluated with another TCP, compared with the paper's own case by case.

docs/decisions/then-and-now.md defines the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tcpatlas.claims.judgement import Judgement, together
from tcpatlas.claims.numbers import REPLICATION
from tcpatlas.claims.verdict import Predicate, holds

Verdict = Literal[
    "still holds", "no longer", "reversed", "engines differ", "undecided", "does not apply", "smoke"
]

_OPPOSITES: Mapping[str, Predicate] = {
    "at most": "at least",
    "at least": "at most",
    "increasing": "decreasing",
    "decreasing": "increasing",
}
# Cells of statements.csv that identify a case of a sentence.
CASE = ("set", "point", "metric", "statistic", "reference", "along")


@dataclass(frozen=True)
class OriginalVerdicts:
    """Verdicts with the paper's own TCP, on each case of a sentence and each counted number."""

    cases: Mapping[tuple[str, ...], str]
    numbers: Mapping[tuple[str, str], str]

    @classmethod
    def read(
        cls, statements: Iterable[Mapping[str, str]], claims: Iterable[Mapping[str, str]]
    ) -> OriginalVerdicts:
        """Return the verdicts of a paper's statements.csv and claims.csv."""
        return cls(
            {
                (row["statement"], *(row[key] for key in CASE)): row["verdict"]
                for row in statements
                if row["counted"] == "true"
            },
            {
                (row["item"], row["row"]): row["verdict"]
                for row in claims
                if row["counted"] == "true" and row["class"] == REPLICATION and row["kind"] != "model"
            },
        )


@dataclass(frozen=True)
class Outcome:
    """An engine's verdicts on the cases of a claim, each with the verdict with the paper's own TCP."""

    cases: Sequence[Judgement]

    @property
    def judged(self) -> list[Judgement]:
        """The cases that the other TCP could lose and for which the runs give a number."""
        return [one for one in self.cases if can_be_lost(one) and one.ours is not None]

    @property
    def lost(self) -> list[Judgement]:
        """The cases that held with the paper's TCP and fail with the other."""
        return [one for one in self.judged if _is_lost(one)]

    @property
    def undecided(self) -> list[Judgement]:
        """The cases that are neither lost nor kept."""
        return [one for one in self.judged if one.verdict != "holds" and not _is_lost(one)]

    @property
    def decisive(self) -> Judgement | None:
        """The first decisive case; None if there is none, or the runs are too short to judge."""
        if self.verdict == "smoke":
            return None
        return next(iter([*self.lost, *self.undecided, *self.judged]), None)

    @property
    def verdict(self) -> Verdict:
        """The verdict on all cases."""
        if not self.judged:
            return "does not apply"
        if any(one.verdict == "smoke" for one in self.judged):
            return "smoke"
        if self.lost:
            all_lost = len(self.lost) == len(self.judged)
            return "reversed" if all_lost and all(map(is_reversed, self.lost)) else "no longer"
        return "undecided" if self.undecided else "still holds"

    @property
    def reason(self) -> str:
        """Why the sentence does not apply, or on how many of its cases the verdict rests."""
        judged = self.judged
        if not judged:
            fell_before = any(not can_be_lost(one) for one in self.cases)
            return "fails with the paper's own TCP" if fell_before else "its runs give no such number"
        if self.verdict not in ("no longer", "undecided"):
            return ""
        if self.decisive and self.decisive.reply.refused:
            return self.decisive.reply.refused
        if len(judged) == 1:
            return ""
        return f"in {len(self.lost) or len(self.undecided)} of {len(judged)} cases"


def held_together(cases: Sequence[Judgement]) -> list[Judgement]:
    """Return the cases; those that held, and may be lost, are judged together."""
    held = [at for at, one in enumerate(cases) if one.before == "holds" and not one.excluded]
    result = list(cases)
    for at, one in zip(held, together([cases[at] for at in held]), strict=True):
        result[at] = one
    return result


def can_be_lost(one: Judgement) -> bool:
    """Say whether a case did not fail with the paper's own TCP, and the paper does not contradict itself."""
    return one.before != "fails" and not one.excluded


def _is_lost(one: Judgement) -> bool:
    return one.verdict == "fails" and one.before == "holds"


def is_reversed(one: Judgement) -> bool:
    """Say whether the opposite of a sentence that fails holds: the other sign, or the other trend.

    For a trend our number is the whole change, which must exceed the bound in the other direction.
    """
    opposite = _OPPOSITES.get(one.predicate)
    if opposite is None or one.ours is None or one.bound is None or one.tolerance is None:
        return False
    if one.subject.trend:
        return holds(one.ours, -one.bound, one.tolerance, opposite) == "holds"
    # Comparisons of two values: a ratio, or the error of a model against a measurement.
    signed = one.bound == 0 and (one.subject.is_ratio or one.subject.quantity.is_error)
    return signed and holds(one.ours, Decimal(0), -one.tolerance, opposite) == "holds"
