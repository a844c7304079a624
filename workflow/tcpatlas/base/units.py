"""Quantities as people write them (`10 Mbit/s`, `50 ms`, `0.1 %`) to SI numbers and back.

Numbers are decimal all the way, so 21.34 ms is 0.02134 s and not 0.021339999999999998 s.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pint

READS = ("workflow/tcpatlas/base/units.txt",)
_QUANTITY = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
_UNIT = re.compile(r"[A-Za-zµμ%]+(/[A-Za-zµμ]+)?|1")

_LARGEST_EXPONENT = 100

Number = int | float


@cache
def _registry() -> pint.UnitRegistry[Decimal]:
    # Imported here because pint loads slower than many a job without units runs.
    import pint

    return pint.UnitRegistry(Path(__file__).with_name("units.txt"), non_int_type=Decimal)


class UnitError(ValueError):
    """A text that is not a quantity of the wanted dimension; `str()` says why."""


@lru_cache(maxsize=1024)
def factor(unit: str, target: str) -> Decimal:
    """Return what one `unit` is in `target` units.

    Raises UnitError if a unit is unknown or the dimensions differ.
    """
    import pint

    one = _registry().Quantity(Decimal(1), _parse_unit(unit))
    try:
        converted: Decimal = one.to(_parse_unit(target)).magnitude
    except pint.DimensionalityError:
        raise UnitError(f"the unit {unit!r} does not convert to {target!r}") from None
    return converted


def split(text: str | float) -> tuple[Decimal, str]:
    """Split `10 Mbit/s` into its number and its unit; the unit of a bare number is `1`.

    Raises UnitError if there is no number, if it is too large or too small, or if the unit is unknown.
    """
    if isinstance(text, bool):
        raise UnitError(f"{text!r} is not a quantity")
    match = _QUANTITY.fullmatch(str(text))
    if match is None:
        raise UnitError(f"{text!r} is not a number with a unit")
    unit = match[2] or "1"
    _parse_unit(unit)
    try:
        number = Decimal(match[1])
    except InvalidOperation:  # an exponent that no Decimal has
        number = Decimal("Infinity")
    # Products of several such numbers still fit in a Decimal and in a float.
    if number and not (number.is_finite() and abs(number.adjusted()) <= _LARGEST_EXPONENT):
        raise UnitError(f"{text!r} is too large or too small for a number")
    return number, unit


def parse(text: str | float, unit: str) -> Decimal:
    """Return the quantity `text` as a number of `unit` (bit/s, s, byte, packet, 1, ...), exactly.

    Raises UnitError on a missing or unknown unit and on a wrong dimension.
    """
    number, written_unit = split(text)
    if unit == "bit/s" and written_unit[:2] in ("mb", "mB"):
        raise UnitError(f"{str(text)!r} is of thousandths of a bit: m is milli, M is mega")
    if written_unit == "1" and _parse_unit(unit) != _parse_unit("1"):
        raise UnitError(f"{str(text)!r} has no unit")
    return number * factor(written_unit, unit)


def plain(number: Decimal | Number) -> Number:
    """Return the shortest JSON number: an int where the value is whole, a float elsewhere."""
    return int(number) if number == int(number) else float(number)


@lru_cache(maxsize=1024)
def _parse_unit(text: str) -> pint.Unit:
    if _UNIT.fullmatch(text) is None:
        raise UnitError(f"the unit {text!r} is unknown")
    import pint

    try:
        return _registry().parse_units("" if text == "1" else text)
    except pint.UndefinedUnitError:
        raise UnitError(f"the unit {text!r} is unknown") from None
