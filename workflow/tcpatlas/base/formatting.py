"""Numbers with the units in which people write them: `1.26 ± 0.02 Mbit/s`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"))
DIGITS = 3
# A spread below this share of the value is not shown.
_NEGLIGIBLE = 0.0005


@dataclass(frozen=True)
class Unit:
    """A unit that people write, and its size in the metric's own unit."""

    name: str
    size: float

    @classmethod
    def like(cls, unit: str, value: float, *, plain: bool = False) -> Unit:
        """Return the unit in which people write such a value, with a prefix if it takes one."""
        if unit == "1":
            return cls("", 1) if plain else cls("%", 0.01)
        if unit not in {"bit/s", "s"} or value == 0:
            return cls(unit, 1)
        rounded = abs(float(f"{value:.{DIGITS}g}"))
        size, prefix = next((prefix for prefix in _PREFIXES if rounded >= prefix[0]), _PREFIXES[-1])
        return cls(unit, 1) if unit == "s" and size > 1 else cls(f"{prefix}{unit}", size)

    def number(self, value: float, half_width: float = 0.0, digits: int = DIGITS) -> str:
        """Return a value with its spread, to the precision of the spread or a number of digits."""
        number, spread = value / self.size, half_width / self.size
        if spread <= _NEGLIGIBLE * abs(number):
            rounded = float(f"{number:.{digits}g}")
            return _fixed(rounded, digits - 1 - math.floor(math.log10(abs(rounded))) if rounded else 0)
        decimals = -_magnitude(spread)
        return f"{_fixed(number, max(decimals, -_magnitude(number)))} ± {_fixed(spread, decimals)}"

    def text(self, value: float, half_width: float = 0.0, digits: int = DIGITS) -> str:
        """Return a value with its unit."""
        return f"{self.number(value, half_width, digits)} {self.name}".rstrip()


def duration(seconds: Decimal | float) -> str:
    """Return a time as people write it, in full: `12.3446 ms`."""
    unit = Unit.like("s", float(seconds))
    return f"{float(seconds) / unit.size:.6g} {unit.name}"


def _magnitude(number: float) -> int:
    """Return the power of ten of a number's first digit, once it is rounded to that digit."""
    return math.floor(math.log10(float(f"{abs(number):.1g}"))) if number else 0


def _fixed(number: float, decimals: int) -> str:
    rounded = round(number, decimals)
    return f"{rounded:.{max(decimals, 0)}f}"
