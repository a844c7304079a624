"""Names of quantities: a metric, its class or value in brackets, and a statistic."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Statistic = Literal["value", "error", "error_size"]

EACH = "[*]"
_NAME = re.compile(
    r"(?P<metric>[A-Za-z]\w*?)(?P<error>_error(?P<size>_size)?)?(?P<of>\[(\*|>?\d+(-\d+)?|[A-Za-z][\w-]*)\])?"
)
_FIRST_NUMBER = re.compile(r"\[(>?)(\d+)")


@dataclass(frozen=True)
class Quantity:
    """A metric, or an error or part of it.

    `of` is empty or in brackets: a class of sizes (`[3-6]`), a value of a distribution (`[2]`), its tail
    (`[>100]`), a group of sources (`[near]`), or all of them (`[*]`). An `error` is model over simulation
    minus one, `error_size` its magnitude.
    """

    metric: str
    of: str = ""
    statistic: Statistic = "value"

    @classmethod
    def parse(cls, name: str) -> Quantity:
        """Return the quantity with a name such as `on_time_error[3-6]`; ValueError for other names."""
        match = _NAME.fullmatch(name)
        if match is None:
            raise ValueError(f"{name!r} is not a metric")
        statistic: Statistic = "error_size" if match["size"] else "error" if match["error"] else "value"
        return cls(match["metric"], match["of"] or "", statistic)

    @property
    def name(self) -> str:
        """The metric with its brackets, as answers have it."""
        return f"{self.metric}{self.of}"

    @property
    def full_name(self) -> str:
        """The name that `parse` understands."""
        return (
            self.metric
            + {"value": "", "error": "_error", "error_size": "_error_size"}[self.statistic]
            + self.of
        )

    @property
    def is_each(self) -> bool:
        """Say whether it stands for all names that differ in their brackets."""
        return self.of == EACH

    @property
    def is_error(self) -> bool:
        """Say whether it compares a model with a simulation."""
        return self.statistic != "value"

    def each(self, names: Iterable[str]) -> list[Quantity]:
        """Return the quantities that this stands for among the named metrics, by their brackets."""
        if not self.is_each:
            return [self]
        brackets = [name.removeprefix(self.metric) for name in names if name.startswith(f"{self.metric}[")]
        return [replace(self, of=of) for of in sorted(brackets, key=_order)]


def _order(of: str) -> tuple[int, str]:
    """Return the sort key of brackets: numbers by size, then names."""
    match = _FIRST_NUMBER.match(of)
    return (int(match[2]) + bool(match[1]), "") if match else (sys.maxsize, of)
