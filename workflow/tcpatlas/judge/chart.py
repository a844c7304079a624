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
_ROOM = _WIDTH - _LEFT - _RIGHT
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


@dataclass(frozen=True)
class Curve:
    """A controller's places in a plane, joined by a line; `dotted`: each is measured, and has a dot, too."""

    label: str
    places: Sequence[Place]
    dotted: bool = False


def chart(
    x_label: str, places: Sequence[str], lines: Sequence[Line], threshold: float, label: str
) -> Picture:
    """Return a picture; `places` are evenly spaced, `threshold` is dashed, `label` is what is shown."""
    known = [end for line in lines for each in line.intervals if each for end in (each.low, each.high)]
    drawn, y = _frame(x_label, [*known, threshold, 0.0], label)

    def x(place: int, shift: float = 0) -> float:
        return round(_LEFT + _ROOM * (place + 0.5) / len(places) + shift, 1)

    drawn.texts += [((x(number), _HEIGHT - 19), "middle", place) for number, place in enumerate(places)]
    drawn.paths.append((_across(y(threshold)), BOUND))
    for number, line in enumerate(lines):
        # Lines stand a little apart, so that no interval hides another.
        shift, colour = 4 * (number - (len(lines) - 1) / 2), COLOURS[number % len(COLOURS)]
        at = [(x(place, shift), each) for place, each in enumerate(line.intervals) if each]
        drawn.paths.append(([(place, y(each.mean)) for place, each in at], colour))
        drawn.paths += [([(place, y(each.low)), (place, y(each.high))], colour) for place, each in at]
        drawn.dots += [((place, y(each.mean)), colour) for place, each in at]
    return drawn


def curves(x_label: str, lines: Sequence[Curve], threshold: float, label: str) -> Picture:
    """Return a picture over numbers, from 0 but for the height of dots; `threshold` is dashed."""
    zero = [] if any(line.dotted for line in lines) else [0.0]
    known = [threshold, *zero, *(place[1] for line in lines for place in line.places)]
    drawn, y = _frame(x_label, known, label)
    last = max([place[0] for line in lines for place in line.places], default=0.0)
    step = _step(last / _TICKS)
    end = math.ceil(last / step) * step or step

    def x(value: float) -> float:
        return round(_LEFT + _ROOM * value / end, 1)

    ticks = [number * step for number in range(round(end / step) + 1)]
    drawn.texts += [((x(tick), _HEIGHT - 19), "middle", f"{tick:.4g}") for tick in ticks]
    drawn.paths.append((_across(y(threshold)), BOUND))
    for number, line in enumerate(lines):
        at = [(x(one), y(other)) for one, other in line.places]
        drawn.paths.append((at, COLOURS[number % len(COLOURS)]))
        drawn.dots += [(place, COLOURS[number % len(COLOURS)]) for place in at if line.dotted]
    return drawn


def _frame(x_label: str, known: Sequence[float], label: str) -> tuple[Picture, Callable[[float], float]]:
    """Return a picture with its grid over what is known, and where a value stands."""
    low, high = min(known), max(known)
    step = _step((high - low) / _TICKS)
    low = math.floor(low / step) * step
    high = max(math.ceil(high / step) * step, low + step)

    def y(value: float) -> float:
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low), 1)

    drawn = Picture(label)
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        drawn.paths.append((_across(y(value)), GRID))
        drawn.texts.append(((_LEFT - 6, y(value) + 4), "end", f"{value:.4g}"))
    drawn.texts.append((((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 4), "middle", x_label))
    return drawn, y


def _across(height: float) -> Sequence[Place]:
    return ((_LEFT, height), (_WIDTH - _RIGHT, height))


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
