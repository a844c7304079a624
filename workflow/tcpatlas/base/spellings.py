"""Reads quantities as people, tools and vendors spell them, in the units of scenarios.

`100mbit` of tc, `1gig`, `Mb/s`, `64 KiB`, `20 msec`, `1.5 pct`. Case tells bits from bytes only in b and B; a
spelling that may mean two quantities has no meaning.
"""

import re
from decimal import Decimal, InvalidOperation

# Letters and words for powers of ten; with an i after them, of 1024.
_PREFIXES = {
    "": 0,
    "k": 1,
    "kilo": 1,
    "m": 2,
    "meg": 2,
    "mega": 2,
    "g": 3,
    "gig": 3,
    "giga": 3,
    "t": 4,
    "tera": 4,
}
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
_COMMA = re.compile(r"\s*[+-]?\d+(,\d+)+(\.\d+)?\s*(.*?)\s*")
_INFORMATION = re.compile(
    r"(?P<prefix>(?i:kilo|mega|meg|giga|gig|tera|[kmgt])?)(?P<binary>i?)\s*"
    r"(?P<unit>(?i:bits?|bytes?|octets?)|[bB]?)"
    r"\s*(?P<rate>(?i:/\s*s(?:ec(?:onds?)?)?|ps(?:ec)?|per\s+s(?:ec(?:onds?)?)?)?)"
)
_TIMES = {
    **dict.fromkeys(("us", "usec", "usecs", "µs", "μs", "microsecond", "microseconds"), Decimal("1e-6")),
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds", "millis"), Decimal("1e-3")),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), Decimal(60)),
    **dict.fromkeys(("h", "hour", "hours"), Decimal(3600)),
}
_SHARES = dict.fromkeys(("%", "percent", "pct", "per cent"), Decimal("0.01"))
_PACKETS = {"packet", "packets", "pkt", "pkts"}
# The spellings of each unit, largest first.
_WRITTEN = {
    "bit/s": (
        ("Gbit/s", Decimal("1e9")),
        ("Mbit/s", Decimal("1e6")),
        ("kbit/s", Decimal("1e3")),
        ("bit/s", Decimal(1)),
    ),
    "byte": (("GB", Decimal("1e9")), ("MB", Decimal("1e6")), ("kB", Decimal("1e3")), ("B", Decimal(1))),
    "s": (("s", Decimal(1)), ("ms", Decimal("1e-3")), ("us", Decimal("1e-6"))),
    "1": (("%", Decimal("0.01")),),
}


def number_of(text: str) -> tuple[Decimal, str] | None:
    """Return the number that a text begins with, and the rest; None if there is none."""
    match = _NUMBER.fullmatch(text)
    try:
        return (Decimal(match[1]), match[2]) if match else None
    except InvalidOperation:
        return None


def has_comma(text: str) -> bool:
    """Say whether the number of a text has a comma, which marks thousands here and decimals there."""
    return _COMMA.fullmatch(text) is not None


def factor(spelled: str, unit: str) -> Decimal | None:
    """Return what one `spelled` is in `unit` (bit/s, byte, s, 1, packet); None if it means none, or two."""
    if unit == "s":
        return _TIMES.get(spelled if spelled[1:] == "s" and spelled[0] in "µμ" else spelled.lower())
    if unit == "1":
        return _SHARES.get(spelled.lower())
    if unit == "packet":
        return Decimal(1) if spelled.lower() in _PACKETS else None
    match = _INFORMATION.fullmatch(spelled)
    if match is None or not spelled:
        return None
    prefix, written, per_second = match["prefix"].lower(), match["unit"], bool(match["rate"])
    if match["binary"] and not (prefix and written):
        return None
    base = Decimal(1024) if match["binary"] else Decimal(1000)
    size = base ** _PREFIXES[prefix]
    in_bytes = written == "B" or written.lower().startswith(("byte", "octet"))
    if unit == "bit/s":
        # A lone B may shout of bits, as MBPS does; of a prefix alone a rate in bits is meant, as by tc.
        if (in_bytes and not per_second) or (written == "B" and spelled.isupper() and len(spelled) > 1):
            return None
        if not written and (per_second or not prefix):
            return None
        return size * (8 if in_bytes else 1)
    if per_second or not written:
        return None
    return size if in_bytes else size / 8


def written(number: Decimal, unit: str) -> str:
    """Return a number of a unit as a scenario has it, exactly: `400 Mbit/s`."""
    if unit == "packet":
        return f"{number.normalize():f} packets"
    name, size = next((each for each in _WRITTEN[unit] if abs(number) >= each[1]), _WRITTEN[unit][-1])
    return f"{(number / size).normalize():f} {name}"


def meant(text: str, unit: str) -> str | None:
    """Return what a text means, as a scenario has it; None if it means no quantity of the unit, or two."""
    split = number_of(text)
    if split is None or (one := factor(split[1], unit)) is None:
        return None
    return written(split[0] * one, unit)
