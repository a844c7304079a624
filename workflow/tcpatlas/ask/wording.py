"""Numbers as people write them, and points: `1.26 ± 0.02 Mbit/s`, `+49 %`, `20 users`."""

import re

from tcpatlas.answers.headline_metrics import unit as unit_of
from tcpatlas.base.formatting import DIGITS, Unit
from tcpatlas.points.types import Point


def unit_for(metric: str, value: float) -> Unit:
    """Return the unit in which people write such a value of a metric."""
    return Unit.like(unit_of(metric), value, plain=metric == "fairness_index")


def text(metric: str, value: float, half_width: float = 0.0, digits: int = DIGITS) -> str:
    """Return a metric's value as people write it, with its unit: `12.4 ± 0.3 ms`."""
    return unit_for(metric, value).text(value, half_width, digits)


def percent(error: float) -> str:
    """Return a relative error, with its sign."""
    rounded = round(100 * error)
    return f"{rounded:+} %".replace("-", "\N{MINUS SIGN}") if rounded else "0 %"


def percents(low: float, high: float) -> str:
    """Return a span of relative errors."""
    return f"{percent(low).removesuffix(' %')} … {percent(high)}"


def label(point: Point) -> str:
    """Return what tells a point from the others of its set: `20 users`, `buffer 25 packets`."""
    names = [path.rpartition(".")[2] for path in point.parameters]
    match = re.fullmatch("_".join(f"({re.escape(name)}-.*|.*)" for name in names), point.name)
    if match is None:
        return point.name
    parts = []
    for name, part, (path, value) in zip(names, match.groups(), point.parameters.items(), strict=True):
        if path == "sources.count":
            parts.append(f"{value} user{'' if value == 1 else 's'}")
        elif name == "rate" and isinstance(value, int | float):
            parts.append(f"{Unit.like('bit/s', value).text(value)}")
        else:
            written = part.removeprefix(f"{name}-").replace("-", " ").replace("percent", "%")
            parts.append(f"{name.replace('_', ' ')} {written}")
    return ", ".join(parts)
