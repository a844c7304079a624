"""Quantities that people type: reads everyday spellings, and suggests meanings for others."""

import difflib
from decimal import Decimal

from tcpatlas.base import spellings, units
from tcpatlas.base.errors import AtlasError

# By unit: what a quantity is called, an example, and the units that people write.
_KINDS = {
    "bit/s": (
        "a rate",
        "50 Mbit/s",
        ("Mbit/s", "kbit/s", "Gbit/s", "Tbit/s", "bit/s", "MB/s", "kB/s", "GB/s"),
    ),
    "s": ("a time", "20 ms", ("ms", "s", "us", "min", "h")),
    "byte": ("a size", "300 kB", ("kB", "packets", "MB", "GB", "B", "KiB", "MiB")),
    "1": ("a share", "1 %", ("%", "percent")),
}
_CLOSE = 0.6
_MANY = 100_000


def checked(option: str, text: str, unit: str) -> str:
    """Return a quantity as a scenario has it, as typed where that is the same; AtlasError if it is none."""
    number, spelled = _split(option, text, unit)
    value = parsed(option, text, unit)
    try:
        if spelled.endswith("bit/s") == (unit == "bit/s") and number * units.factor(spelled, unit) == value:
            return f"{text[: text.rindex(spelled)].strip()} {spelled}"
    except units.UnitError:
        pass
    return spellings.written(value, unit)


def parsed(option: str, text: str, unit: str) -> Decimal:
    """Return a quantity as a number of `unit`; raises AtlasError, with what it may mean, if it is none."""
    number, spelled = _split(option, text, unit)
    if spelled in ("", "1"):
        raise AtlasError(f"{option} {text}: which unit? {_of_no_unit(option, number, unit)}")
    one = spellings.factor(spelled, unit)
    if one is None:
        raise AtlasError(_wrong_unit(option, text, number, spelled, unit))
    return number * one


def size_in_bytes(option: str, text: str, packet: Decimal) -> Decimal:
    """Return a size in bytes; packets count with `packet` bytes each."""
    number, spelled = _split(option, text, "byte")
    if spellings.factor(spelled, "packet") is not None:
        return number * packet
    return parsed(option, text, "byte")


def buffer_in_bytes(text: str, packet: Decimal, rate: Decimal) -> Decimal:
    """Return a buffer in bytes, as vendors write it: a size, or the time that `rate` bit/s take for it."""
    number, spelled = _split("--buffer", text, "byte")
    seconds = spellings.factor(spelled, "s")
    return size_in_bytes("--buffer", text, packet) if seconds is None else number * seconds * rate / 8


def bound(option: str, text: str, unit: str, packet_bits: Decimal, *, plain: bool) -> Decimal:
    """Return the bound of a target as a number of `unit`; a rate may be in packets/s, an index is `plain`."""
    number, spelled = _split(option, text, unit)
    if plain and spelled == "1":
        return number
    if unit == "bit/s" and spelled.lower() in ("packets/s", "packet/s", "pkt/s", "pkts/s", "pps"):
        return number * packet_bits
    return parsed(option, text, unit)


def whole(option: str, text: str, what: str) -> int:
    """Return a whole number from 1: `1000`, `1,000` or `1e3`; raises AtlasError for anything else."""
    split = spellings.number_of(text.replace(",", "").replace("_", "") if spellings.has_comma(text) else text)
    number = None if split is None or split[1] else split[0]
    if number is None or number != number.to_integral_value() or not 1 <= number < 10**18:
        raise AtlasError(f"{option}: {text[:18]!r} is no number of {what}; a whole number, at least 1")
    return int(number)


def _split(option: str, text: str, unit: str) -> tuple[Decimal, str]:
    kind, example, _ = _KINDS[unit]
    if spellings.has_comma(text):
        point, none = (text.replace(",", with_) for with_ in (".", ""))
        thousands = len(text.partition(",")[2].split()[0].rstrip("abcdefghijklmnopqrstuvwxyzGMKTB/%")) == 3
        either = f"{point!r} or {none!r}" if thousands else repr(point)
        raise AtlasError(f"{option}: {text!r} has a comma; write {either}")
    if spellings.number_of(text) is None:
        raise AtlasError(f"{option}: {text!r} is not a number with a unit; {kind}, e.g. {example!r}")
    try:
        return units.split(text)
    except units.UnitError as error:
        if "unknown" not in str(error):
            raise AtlasError(f"{option}: {error}; {kind}, e.g. {example!r}") from None
        number, spelled = spellings.number_of(text) or (Decimal(0), "")
        return number, spelled


def _of_no_unit(option: str, number: Decimal, unit: str) -> str:
    """Return how a number without a unit would be written."""
    if unit == "1":
        # A share is a share.
        return (
            f"as a share it is {spellings.written(number, '1')!r}"
            if abs(number) < 1
            else f"e.g. '{number} %'"
        )
    likely = {"bit/s": "Mbit/s", "s": "ms" if number >= 1 else "s", "byte": "packets"}[unit]
    if unit != "s" and number >= _MANY:
        likely = "bit/s" if unit == "bit/s" else "B"
    if option in ("--packet", "--file", "--window"):
        likely = {"--packet": "B", "--file": "kB"}.get(option, likely) if number < _MANY else "B"
    return f"e.g. '{number} {likely}'"


def _wrong_unit(option: str, text: str, number: Decimal, spelled: str, unit: str) -> str:
    kind, example, offered = _KINDS[unit]
    problem = f"{option}: {spelled!r} is not {kind}"
    if unit == "bit/s" and spellings.factor(f"{spelled}/s", unit) is not None:
        return f"{problem}. Did you mean '{number} {spelled}/s'?"
    if unit == "bit/s" and spellings.factor(spelled.lower(), unit) is not None:
        return f"{problem} of bits or of bytes for sure; write '{number} Mbit/s' or '{number} MB/s', say"
    # A typing error, as long as neither the power of ten nor bits or bytes hang on it.
    close = [
        name
        for name in difflib.get_close_matches(spelled, offered, n=3, cutoff=_CLOSE)
        if name[0].lower() == spelled[0].lower() and ("B" in name) == ("B" in spelled)
    ]
    if close:
        return f"{problem}. Did you mean '{number} {close[0]}'?"
    return f"{problem}; e.g. {example!r}"
