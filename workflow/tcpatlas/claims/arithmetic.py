"""Recomputes printed numbers that follow from other printed numbers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tcpatlas.base import units
from tcpatlas.claims.selection import SelectionError
from tcpatlas.claims.verdict import half_last_digit

_ONE = r"((?:(?:model|simulation|measurement) )?\S+)"
_FORM = re.compile(f"{_ONE} over {_ONE}")


@dataclass(frozen=True)
class Arithmetic:
    """A printed number computed from others, and how far rounding may move it."""

    value: Decimal
    width: Decimal
    text: str


def arithmetic_of(cells: Mapping[str, str], table: Sequence[Mapping[str, str]]) -> Arithmetic | None:
    """Return the value of a row computed `from` others of its case: `A over B` is A / B - 1.

    A and B are metrics; a kind before one (`model goodput`) distinguishes two printed numbers of one metric.
    None for a row that is not computed. SelectionError for another form, and where a case has no such
    metric.
    """
    text = cells.get("from", "")
    if not text:
        return None
    parts = _FORM.fullmatch(text)
    if parts is None:
        raise SelectionError("from", f"{text!r} is no arithmetic", "<metric> over <metric>, of one case")
    above, below = (_printed(name, cells, table) for name in parts.groups())
    scale = units.factor("1", cells["unit"])
    slack = (above / below) * (half_last_digit(above) / above + half_last_digit(below) / below)
    width = scale * slack + half_last_digit(Decimal(cells["published"]))
    return Arithmetic(scale * (above / below - 1), width, f"{text}: {above} over {below}")


def _printed(name: str, cells: Mapping[str, str], table: Sequence[Mapping[str, str]]) -> Decimal:
    kind, _, metric = name.rpartition(" ")
    for row in table:
        if row["metric"] == metric and kind in ("", row.get("kind")) and row.get("case") == cells.get("case"):
            return Decimal(row["published"])
    names = sorted({row["metric"] for row in table if row.get("case") == cells.get("case")})
    raise SelectionError("from", f"the case has no {name}", f"one of: {', '.join(names)}")
