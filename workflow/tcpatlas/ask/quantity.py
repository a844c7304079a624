"""Quantities that people type: a missing, misspelt or wrong unit is answered with the likely one."""

from __future__ import annotations

import difflib
from decimal import Decimal

from tcpatlas.base import units
from tcpatlas.base.errors import AtlasError

# By unit: what a quantity is called, the units that people write, the likeliest first.
_KINDS = {
    "bit/s": ("a rate", ("Mbit/s", "kbit/s", "Gbit/s", "bit/s")),
    "s": ("a time", ("ms", "s", "us")),
    "byte": ("a size", ("kB", "packets", "MB", "GB", "B", "byte")),
    "1": ("a share", ("%",)),
}
_CLOSE = 0.6


def checked(option: str, text: str, unit: str) -> str:
    """Return a quantity as it was typed; raises AtlasError unless its unit is one of `unit`'s dimension."""
    parsed(option, text, unit)
    return text


def parsed(option: str, text: str, unit: str) -> Decimal:
    """Return a quantity as a number of `unit`; raises AtlasError, with the likely unit, if it is none."""
    number, written = _split(option, text, unit)
    if written == "1":
        raise AtlasError(f"{option} {text}: which unit? e.g. {_example(number, unit)!r}")
    if unit == "bit/s" and written.startswith("m"):
        # A thousandth of a bit.
        raise AtlasError(_wrong_unit(option, number, written, unit))
    try:
        return number * units.factor(written, unit)
    except units.UnitError:
        raise AtlasError(_wrong_unit(option, number, written, unit)) from None


def size_in_bytes(option: str, text: str, packet: Decimal) -> Decimal:
    """Return a size in bytes; packets count with `packet` bytes each."""
    number, written = _split(option, text, "byte")
    return number * packet if written in ("packet", "packets") else parsed(option, text, "byte")


def _split(option: str, text: str, unit: str) -> tuple[Decimal, str]:
    try:
        return units.split(text)
    except units.UnitError as error:
        number, written = _loosely_split(text)
        if number is None:
            kind, _ = _KINDS[unit]
            raise AtlasError(f"{option}: {error}; {kind}, e.g. {_example(None, unit)!r}") from None
        raise AtlasError(_wrong_unit(option, number, written, unit)) from None


def _loosely_split(text: str) -> tuple[Decimal | None, str]:
    """Return the number of a quantity whose unit is unknown, and that unit; None if the number is wrong."""
    number = text.rstrip().rstrip("/%" + "".join(map(chr, range(65, 91))) + "".join(map(chr, range(97, 123))))
    try:
        return units.split(number)[0], text[len(number) :].strip()
    except units.UnitError:
        return None, ""


def _wrong_unit(option: str, number: Decimal, written: str, unit: str) -> str:
    kind, offered = _KINDS[unit]
    by_case = {name.lower(): name for name in reversed(offered)}
    close = difflib.get_close_matches(written.lower(), by_case, n=1, cutoff=_CLOSE)
    problem = f"{option}: {written!r} is not {kind}"
    if close:
        return f"{problem}. Did you mean '{number} {by_case[close[0]]}'?"
    return f"{problem}; e.g. {_example(number, unit)!r}"


def _example(number: Decimal | None, unit: str) -> str:
    usual = {"bit/s": 50, "s": 20, "byte": 300, "1": 1}[unit]
    return f"{usual if number is None else number} {_KINDS[unit][1][0]}"
