"""Charts of a report: a question's number over what is swept, a line for each controller, as SVG."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tcpatlas.base.statistics import Interval

# Okabe and Ito's colours, which people with any colour vision tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#7f7f7f", "#cc79a7")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 340, 210, 46, 10, 12, 34
_TICKS = 4


@dataclass(frozen=True)
class Line:
    """A controller's intervals, one for each place on the axis; None where there is none."""

    label: str
    intervals: Sequence[Interval | None]


def chart(x_label: str, places: Sequence[str], lines: Sequence[Line], threshold: float, label: str) -> str:
    """Return an SVG picture; `places` are evenly spaced, `threshold` is dashed, `label` is what is shown."""
    known = [end for line in lines for each in line.intervals if each for end in (each.low, each.high)]
    low, high = min([*known, threshold, 0.0]), max([*known, threshold])
    step = _step((high - low) / _TICKS)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step

    def x(place: int, shift: float = 0) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + room * (place + 0.5) / len(places) + shift, 1)

    def y(value: float) -> float:
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low), 1)

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(label)}">']
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value)}" y2="{y(value)}" class="grid"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{value:.4g}</text>'
        )
    for number, place in enumerate(places):
        parts.append(
            f'<text x="{x(number)}" y="{_HEIGHT - 19}" text-anchor="middle">{html.escape(place)}</text>'
        )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 4}" text-anchor="middle">{html.escape(x_label)}</text>')
    parts.append(
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(threshold)}" y2="{y(threshold)}" class="bound"/>'
    )
    for number, line in enumerate(lines):
        # Lines stand a little apart, so that no interval hides another.
        shift = 4 * (number - (len(lines) - 1) / 2)
        at = [(x(place, shift), each) for place, each in enumerate(line.intervals) if each]
        path = " ".join(f"{place},{y(each.mean)}" for place, each in at)
        parts.append(f'<g stroke="{COLOURS[number % len(COLOURS)]}" fill="none"><polyline points="{path}"/>')
        for across, each in at:
            parts.append(
                f'<line x1="{across}" x2="{across}" y1="{y(each.low)}" y2="{y(each.high)}"/>'
                f'<circle cx="{across}" cy="{y(each.mean)}" r="2.5"/>'
            )
        parts.append("</g>")
    return "".join([*parts, "</svg>"])


def _step(least: float) -> float:
    """Return the distance of two ticks: 1, 2 or 5 times a power of ten."""
    if least <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)
