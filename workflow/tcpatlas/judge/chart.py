"""Charts of a report: a question's number over what is swept, a line a controller, as SVG or for TeX."""

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tcpatlas.base.statistics import Interval

# Okabe and Ito's colours, which people with any colour vision tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#7f7f7f", "#cc79a7")
GRID, BOUND = "grid", "bound"
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 340, 210, 46, 10, 12, 34
_TICKS = 4
_ANCHORS = {"middle": "base", "end": "base east"}
Place = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A controller's intervals, one for each place on the axis; None where there is none."""

    label: str
    intervals: Sequence[Interval | None]


@dataclass
class Picture:
    """What is drawn, y downwards: paths with a colour or a style (GRID, BOUND), dots, and texts by anchor."""

    label: str
    paths: list[tuple[Sequence[Place], str]] = field(default_factory=list)
    dots: list[tuple[Place, str]] = field(default_factory=list)
    texts: list[tuple[Place, str, str]] = field(default_factory=list)


def chart(
    x_label: str, places: Sequence[str], lines: Sequence[Line], threshold: float, label: str
) -> Picture:
    """Return a picture; `places` are evenly spaced, `threshold` is dashed, `label` is what is shown."""
    known = [end for line in lines for each in line.intervals if each for end in (each.low, each.high)]
    low, high = min([*known, threshold, 0.0]), max([*known, threshold])
    step = _step((high - low) / _TICKS)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step

    def x(place: int, shift: float = 0) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + room * (place + 0.5) / len(places) + shift, 1)

    def y(value: float) -> float:
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low), 1)

    def across(value: float) -> Sequence[Place]:
        return ((_LEFT, y(value)), (_WIDTH - _RIGHT, y(value)))

    drawn = Picture(label)
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        drawn.paths.append((across(value), GRID))
        drawn.texts.append(((_LEFT - 6, y(value) + 4), "end", f"{value:.4g}"))
    drawn.texts += [((x(number), _HEIGHT - 19), "middle", place) for number, place in enumerate(places)]
    drawn.texts.append((((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 4), "middle", x_label))
    drawn.paths.append((across(threshold), BOUND))
    for number, line in enumerate(lines):
        # Lines stand a little apart, so that no interval hides another.
        shift, colour = 4 * (number - (len(lines) - 1) / 2), COLOURS[number % len(COLOURS)]
        at = [(x(place, shift), each) for place, each in enumerate(line.intervals) if each]
        drawn.paths.append(([(place, y(each.mean)) for place, each in at], colour))
        drawn.paths += [([(place, y(each.low)), (place, y(each.high))], colour) for place, each in at]
        drawn.dots += [((place, y(each.mean)), colour) for place, each in at]
    return drawn


def svg(picture: Picture) -> str:
    """Return an SVG element."""
    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(picture.label)}">']
    for points, style in picture.paths:
        look = f'stroke="{style}"' if style in COLOURS else f'class="{style}"'
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" {look}/>')
    parts += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for (x, y), colour in picture.dots]
    parts += [
        f'<text x="{x}" y="{y}" text-anchor="{anchor}">{html.escape(text)}</text>'
        for (x, y), anchor, text in picture.texts
    ]
    return "".join([*parts, "</svg>"])


def tikz(picture: Picture, escape: Callable[[str], str]) -> str:
    """Return a tikzpicture, with styles and colours of paper/judge.tex."""

    def style(name: str) -> str:
        return f"color=c{COLOURS.index(name)}" if name in COLOURS else name

    def at(place: Place) -> str:
        return f"({place[0]:g},{-place[1]:g})"

    parts = [rf"\path (0,0) ({_WIDTH},{-_HEIGHT});"]
    parts += [
        rf"\draw[{style(name)}] {' -- '.join(at(place) for place in points)};"
        for points, name in picture.paths
        if points
    ]
    parts += [rf"\fill[{style(name)}] {at(place)} circle[radius=2.5];" for place, name in picture.dots]
    parts += [
        rf"\node[anchor={_ANCHORS[anchor]}] at {at(place)} {{{escape(text)}}};"
        for place, anchor, text in picture.texts
    ]
    return "\n".join([r"\begin{tikzpicture}", *parts, r"\end{tikzpicture}"])


def _step(least: float) -> float:
    """Return the distance of two ticks: 1, 2 or 5 times a power of ten."""
    if least <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)
