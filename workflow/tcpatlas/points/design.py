"""Designs: points that cover a space evenly, for studies of what depends on many parameters at once."""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, Len
from pydantic import Discriminator, Field, Tag

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import Model, Name, Quantity, Scalar, plain_types
from tcpatlas.points.paths import DottedPath

# Significant digits of values, as people would write them.
DIGITS = 3


class Range(Model):
    """Values between two ends, evenly spread in their logarithm, or with the scale linear in themselves."""

    first: Scalar = Field(alias="from")
    to: Scalar
    scale: Literal["log", "linear"] = "log"


def _form(value: Any) -> str:
    return "?list" if isinstance(value, list) else "?mapping"


Extent = Annotated[
    Annotated[list[Scalar], Len(1), Tag("?list")] | Annotated[Range, Tag("?mapping")], Discriminator(_form)
]


class Design(Model):
    """So many points of a low-discrepancy sequence (Halton 1960, Sobol' 1967) over a space.

    `over` gives each parameter its ends, or a list of values that are taken equally often. The sequence is
    scrambled (Owen 2017; Owen 1995) by `seed`: another seed gives other points. The points of a design that
    `tests` another set are held out from the error map of that set, to test whether its bands hold.
    """

    method: Literal["halton", "sobol"] = "halton"
    points: Annotated[int, Ge(1), Le(100000)]
    seed: Annotated[int, Ge(0)] = 1
    tests: Name | None = None
    over: Annotated[dict[DottedPath, Extent], Len(1)]


def columns(design: Design, kinds: Mapping[str, Any], where: str, file: str) -> dict[str, list[Any]]:
    """Return the values of every point by path, as one would write them in a scenario.

    `kinds` are the types of the parameters by path; `where` in `file` the design is written. Raises
    ConfigError for ends whose units differ, that are in the wrong order or, on a logarithmic scale, not
    positive.
    """
    parts = zip(*_sequence(design), strict=True)
    return {
        path: _values(extent, part, kinds[path], f"{where}.{path}", file)
        for (path, extent), part in zip(design.over.items(), parts, strict=True)
    }


def _values(
    extent: Sequence[Any] | Range, parts: Iterable[float], kind: Any, where: str, file: str
) -> list[Any]:
    """Return a parameter's values at places of the unit interval."""
    if isinstance(extent, Range):
        scale = _Scale(extent, kind, where, file)
        return [scale.at(part) for part in parts]
    return [extent[int(part * len(extent))] for part in parts]


def _sequence(design: Design) -> list[list[float]]:
    """Return the points of the sequence in the unit cube, `(points, dimensions)`."""
    # Imported here because it loads slowly and most scenarios have no design.
    from scipy.stats import qmc

    if design.method == "halton":
        sequence = qmc.Halton(len(design.over), rng=design.seed).random(design.points)
    else:
        exponent = math.ceil(math.log2(design.points))
        sequence = qmc.Sobol(len(design.over), rng=design.seed).random_base2(exponent)[: design.points]
    return sequence.tolist()


class _Scale:
    """Maps the unit interval to the values of a range, in the unit of its first end."""

    def __init__(self, extent: Range, kind: Any, where: str, file: str) -> None:
        try:
            first, self.unit = units.split(extent.first)
            last = units.parse(extent.to, self.unit)
        except units.UnitError as error:
            raise ConfigError(file, where, str(error), "from and to in one dimension") from None
        if last <= first or (extent.scale == "log" and first <= 0):
            problem = f"{extent.first} to {extent.to} is no range of the scale {extent.scale}"
            allowed = "from less than to" + (", and more than 0" if extent.scale == "log" else "")
            raise ConfigError(file, where, problem, allowed)
        self.log = extent.scale == "log"
        self.ends = tuple(math.log(end) if self.log else float(end) for end in (first, last))
        self.kinds = tuple(plain_types(kind))

    def at(self, part: float) -> str | int | float:
        """Return the value at a place of the unit interval."""
        first, last = self.ends
        value = first + part * (last - first)
        return self._written(math.exp(value) if self.log else value)

    def _written(self, value: float) -> str | int | float:
        if int in self.kinds and float not in self.kinds:
            return round(value)
        rounded = Decimal(f"{value:.{DIGITS}g}")
        whole = any(isinstance(kind, Quantity) and kind.whole for kind in self.kinds)
        if whole:
            rounded = Decimal(round(value))
        if not any(isinstance(kind, Quantity) for kind in self.kinds):
            return float(rounded)
        return f"{rounded:f}" if self.unit == "1" else f"{rounded:f} {self.unit}"
