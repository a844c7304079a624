"""Numbers as people write them: `1.26 ± 0.02 Mbit/s`, `+49 %`, `20 users`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tcpatlas.everyday import unit as unit_of
from tcpatlas.points.types import Point

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"))
_DIGITS = 3
# A spread of less than this share of the value is not worth a word.
_NEGLIGIBLE = 0.0005


@dataclass(frozen=True)
class Unit:
    """A unit that people write, and what it is in a metric's own."""

    name: str
    size: float

    @classmethod
    def of(cls, metric: str, value: float) -> Unit:
        """Return the unit in which people write such a value of a metric."""
        return cls.like(unit_of(metric), value, plain=metric == "fairness_index")

    @classmethod
    def like(cls, unit: str, value: float, *, plain: bool = False) -> Unit:
        """Return the unit in which people write such a value, with a prefix where it takes one."""
        if unit == "1":
            return cls("", 1) if plain else cls("%", 0.01)
        if unit not in {"bit/s", "s"} or value == 0:
            return cls(unit, 1)
        size, prefix = next((prefix for prefix in _PREFIXES if abs(value) >= prefix[0]), _PREFIXES[-1])
        return cls(unit, 1) if unit == "s" and size > 1 else cls(f"{prefix}{unit}", size)

    def number(self, value: float, half_width: float = 0.0, digits: int = _DIGITS) -> str:
        """Return a value with the spread around it, as precise as the spread tells, or of so many digits."""
        number, spread = value / self.size, half_width / self.size
        if spread <= _NEGLIGIBLE * abs(number):
            rounded = float(f"{number:.{digits}g}")
            return _fixed(rounded, digits - 1 - math.floor(math.log10(abs(rounded))) if rounded else 0)
        decimals = -_magnitude(spread)
        return f"{_fixed(number, max(decimals, -_magnitude(number)))} ± {_fixed(spread, decimals)}"

    def text(self, value: float, half_width: float = 0.0, digits: int = _DIGITS) -> str:
        """Return a value with its unit."""
        return f"{self.number(value, half_width, digits)} {self.name}".rstrip()


def text(metric: str, value: float, half_width: float = 0.0, digits: int = _DIGITS) -> str:
    """Return a metric's value as people write it, with its unit: `12.4 ± 0.3 ms`."""
    return Unit.of(metric, value).text(value, half_width, digits)


def _magnitude(number: float) -> int:
    """Return the power of ten of a number's first digit, once it is rounded to that digit."""
    return math.floor(math.log10(float(f"{abs(number):.1g}"))) if number else 0


def _fixed(number: float, decimals: int) -> str:
    rounded = round(number, decimals)
    return f"{rounded:.{max(decimals, 0)}f}"


def percent(error: float) -> str:
    """Return a relative error, with its sign."""
    rounded = round(100 * error)
    return f"{rounded:+} %".replace("-", "\N{MINUS SIGN}") if rounded else "0 %"


def percents(low: float, high: float) -> str:
    """Return a span of relative errors."""
    return f"{percent(low).removesuffix(' %')} … {percent(high)}"


def label(point: Point) -> str:
    """Return what tells a point from the others of its set: `20 users`, `buffer 25 packets`."""
    parts = []
    written_parts = point.name.split("_")
    if len(written_parts) != len(point.parameters):
        return point.name
    for part, (path, value) in zip(written_parts, point.parameters.items(), strict=True):
        name = path.rpartition(".")[2]
        if path == "sources.count":
            parts.append(f"{value} user{'' if value == 1 else 's'}")
        elif name == "rate" and isinstance(value, int | float):
            parts.append(f"{Unit.like('bit/s', value).text(value)}")
        else:
            written = part.removeprefix(f"{name}-").replace("-", " ").replace("percent", "%")
            parts.append(f"{name.replace('_', ' ')} {written}")
    return ", ".join(parts)
