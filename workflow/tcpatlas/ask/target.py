"""Searches the value of a parameter at which a metric meets a target: the most users, the least buffer."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from tcpatlas.answers.headline_metrics import HEADLINES, NAMES, unit
from tcpatlas.ask.answer import NOT_CONVERGED, predicted_by
from tcpatlas.ask.progress import Progress
from tcpatlas.ask.quantity import bound as bound_of
from tcpatlas.ask.question import Question, from_options
from tcpatlas.ask.simulation import simulated_until
from tcpatlas.ask.wording import text
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.formatting import Unit
from tcpatlas.base.statistics import Interval
from tcpatlas.models import engine_of
from tcpatlas.points import kinds
from tcpatlas.points.errors import PointError
from tcpatlas.points.types import Point

# What people say for a metric.
_SYNONYMS = {
    "latency": ("delay", "delay-95"),
    "throughput": ("speed", "goodput"),
    "bandwidth": ("speed", "goodput"),
    "duration": ("time",),
    "drops": ("loss",),
    "load": ("utilisation",),
}
# A value is decided when its interval excludes the target, or after the most replications by its mean.
LEAST = 3
MOST = 12
# Neighbouring values are this near; nearer ones would differ by less than their simulations do.
RESOLUTION = 1.02
# An office's, beside the default of a second
_LONGER_PAUSE = "10 s"
_FORM = re.compile(r"\s*([a-z0-9-]+)\s*([<>=]+)\s*(.+?)\s*")


@dataclass(frozen=True)
class Parameter:
    """A parameter to search: name, path in a base, unit and its size in SI, range of whole values."""

    name: str
    path: str
    unit: str
    size: int
    least: int
    most: int

    def at(self, question: Question, value: int) -> Point:
        """Return the point of a question with a value."""
        return question.at(self.name, self.path, value if self.unit == "users" else f"{value} {self.unit}")

    def text(self, value: int) -> str:
        """Return a value as people read it: `1 user`, `64 packets`, `12.3 Mbit/s`."""
        if self.unit == "kbit/s":
            return Unit.like("bit/s", value * self.size).text(value * self.size)
        return f"{value} {self.unit.removesuffix('s') if value == 1 else self.unit}"


# Of each parameter its unit, the unit's size in SI and the range, in units.
RANGES = {
    "users": ("users", 1, 1, 20_000),
    "buffer": ("packets", 1, 1, 1_000_000),
    "rate": ("kbit/s", 1000, 1, 1_000_000_000),
}


def parameter_of(point: Point, name: str) -> Parameter:
    """Return a parameter of a point's kind; raises AtlasError if it has none of that name."""
    paths = kinds.of(point.document).SEARCHED
    if name not in paths:
        kind = point.document["kind"]
        raise AtlasError(f"--find: the {name} of a {kind} is not searched for; one of: {', '.join(paths)}")
    return Parameter(name, paths[name], *RANGES[name])


@dataclass(frozen=True)
class Target:
    """A metric and the bound that it must keep."""

    metric: str
    at_most: bool
    bound: float
    text: str

    @classmethod
    def of(cls, text: str, point: Mapping[str, Any], given: Collection[str]) -> Target:
        """Read `loss <= 1 %` or `speed >= 1 Mbit/s` for a point; raises AtlasError if it is no such thing.

        A target is one of the metrics that are `given` by runs of the point. Packets per second are those of
        the point's size.
        """
        match = _FORM.fullmatch(text)
        if match is None:
            raise AtlasError(f"--such-that: {text!r} is no target; e.g. 'speed >= 1 Mbit/s'")
        name, relation, value = match.groups()
        offered = {row.name: row.metric for row in HEADLINES if row.metric in given}
        if name not in offered:
            raise AtlasError(_unknown(name, offered))
        if relation not in ("<=", ">="):
            raise AtlasError(f"--such-that: {text!r}: use >= or <=, not {relation}")
        metric = offered[name]
        packet_bits = Decimal(8 * point["packet_bytes"])
        bound = bound_of(f"--such-that: {name}", value, unit(metric), packet_bits, plain=name == "fairness")
        if abs(bound) > 1e18:
            raise AtlasError(f"--such-that: {value!r} is out of range; at most 1e18")
        return cls(metric, relation == "<=", float(bound), text)

    def met_by(self, value: float) -> bool:
        """Say whether a value keeps the bound."""
        return value <= self.bound if self.at_most else value >= self.bound

    def decided(self, interval: Interval) -> bool:
        """Say whether the whole interval lies on one side of the bound."""
        return self.met_by(interval.low) == self.met_by(interval.high)


def _unknown(name: str, here: Mapping[str, str]) -> str:
    problem = f"--such-that: {name!r} is no target"
    likely = [other for other in _SYNONYMS.get(name, ()) if other in here] or difflib.get_close_matches(
        name, here
    )
    if name in NAMES:
        problem = f"--such-that: this network has no {name}"
        likely = []
        if name in ("time", "delay-95") and "time" not in here:
            problem = f"--such-that: endless transfers have no {name}, files do (--file '300 kB')"
    if likely:
        return f"{problem}. Did you mean {' or '.join(likely)}?"
    return f"{problem}; one of: {', '.join(here)}"


@dataclass(frozen=True)
class Found:
    """Neighbouring values, one of which meets the target, with the metric at all values that were tried."""

    meets: int
    fails: int
    tried: Mapping[int, float] = field(default_factory=dict)

    @property
    def at_meets(self) -> float:
        """The metric where the target is met."""
        return self.tried[self.meets]

    @property
    def at_fails(self) -> float:
        """The metric where it is not."""
        return self.tried[self.fails]


Metric = Callable[[int], float]


def search(parameter: Parameter, target: Target, metric: Metric, start: int) -> Found:
    """Return the last value that meets the target, and the first beyond it, as far as the metric is monotone.

    From `start` values are doubled and halved until the target is met on one side; then they are bisected.
    Raises AtlasError if no value in the parameter's range is met, or all are, with the metric at the ends.
    """
    tried: dict[int, float] = {}

    def at(value: int) -> float:
        if value not in tried:
            tried[value] = metric(value)
        return tried[value]

    first = min(max(start, parameter.least), parameter.most)
    high, low = first, first
    while target.met_by(at(high)) == target.met_by(at(low)) == target.met_by(at(first)):
        if high == parameter.most and low == parameter.least:
            raise AtlasError(_hopeless(parameter, target, tried))
        high, low = min(2 * high, parameter.most), max(low // 2, parameter.least)
    other = high if target.met_by(at(high)) != target.met_by(at(first)) else low
    meets, fails = (first, other) if target.met_by(at(first)) else (other, first)
    while abs(meets - fails) > 1 and max(meets, fails) > RESOLUTION * min(meets, fails):
        middle = (meets + fails) // 2
        if target.met_by(at(middle)):
            meets = middle
        else:
            fails = middle
    return Found(meets, fails, dict(sorted(tried.items())))


def search_models(
    parameter: Parameter, target: Target, metrics: Mapping[str, Metric], start: int
) -> tuple[dict[str, Found], dict[str, str]]:
    """Return what each model finds, and why others failed; what cannot answer all values is left aside."""
    found, failed = {}, {}
    for model, metric in metrics.items():
        try:
            found[model] = search(parameter, target, metric, start)
        except (AtlasError, PointError):
            continue
        except Exception as error:  # anybody's model may be among them
            failed[model] = f"{type(error).__name__}: {error}"
    return found, failed


def _hopeless(parameter: Parameter, target: Target, tried: Mapping[int, float]) -> str:
    best = (min if target.at_most else max)(tried, key=lambda value: tried[value])
    what = "every value meets" if target.met_by(tried[best]) else "no value meets"
    return (
        f"{what} {target.text!r} from {parameter.text(parameter.least)} to {parameter.text(parameter.most)}; "
        f"the best is {text(target.metric, tried[best])} at {parameter.text(best)}"
    )


def by_simulation(
    question: Question,
    parameter: Parameter,
    target: Target,
    folder: Path,
    limits: dict[int, int | None],
    line: Progress,
) -> Metric:
    """Return the metric at a value by simulation: replicated until it is clear on which side it lies.

    `limits` has, of each value, the receiver's window that limits there; `line` tells which one is tried.
    """

    def metric(value: int) -> float:
        line.text = f"searching the {parameter.name}: {parameter.text(value)}, value {len(limits) + 1}"
        point = parameter.at(question, value)
        untold = AtlasError(f"--such-that: {target.text!r}: runs of {parameter.text(value)} do not tell it")
        try:
            simulated = simulated_until(
                question.engine, point, folder, target.metric, target.decided, LEAST, MOST
            )
        except ConfigError:
            raise untold from None
        if (interval := simulated.interval(target.metric)) is None:
            raise untold
        limits[value] = simulated.limited()
        return interval.mean

    return metric


def by_model(question: Question, parameter: Parameter, target: Target, model: str) -> Metric:
    """Return the metric at a value by a model; raises PointError where it cannot answer.

    Where a formula answers without the metric, it sets no bound: so does formula (3) up to its threshold of
    users.
    """
    unbounded = -math.inf if target.at_most else math.inf

    def metric(value: int) -> float:
        point = parameter.at(question, value).document
        values = predicted_by(model, point)
        if target.metric not in values and engine_of(model):
            raise AtlasError(f"{NOT_CONVERGED}, at {parameter.text(value)}")
        return values.get(target.metric, unbounded)

    return metric


def with_longer_pauses(
    question: Question, parameter: Parameter, target: Target, found: Mapping[str, Found]
) -> str:
    """Return how many users models allow who pause longer; nothing where a pause was given."""
    options = question.options or {}
    if parameter.name != "users" or options.get("file") is None or options.get("pause") is not None:
        return ""
    other = from_options({**options, "pause": _LONGER_PAUSE}, parameter.name)
    metrics = {model: by_model(other, parameter, target, model) for model in found}
    longer, _ = search_models(
        parameter, target, metrics, max((one.meets for one in found.values()), default=1)
    )
    told = ", ".join(f"{parameter.text(one.meets)} ({model} model)" for model, one in longer.items())
    return f"With {_LONGER_PAUSE} between files (--pause '{_LONGER_PAUSE}'): {told}." if told else ""


def start_of(point: Point, parameter: Parameter) -> int:
    """Return the value of a parameter at a point, as a place to start."""
    value = point.setting(parameter.path)
    return parameter.least if value is None else int(value / parameter.size)


COLUMNS = ("find", "unit", "such_that", "source", "meets", "fails", "metric", "at_meets", "at_fails")


def rows(parameter: Parameter, target: Target, results: Mapping[str, Found]) -> Iterator[dict[str, Any]]:
    """Yield a row for the simulation and each model."""
    for source, result in results.items():
        yield {
            "find": parameter.name,
            "unit": parameter.unit,
            "such_that": target.text,
            "source": source,
            "meets": result.meets,
            "fails": result.fails,
            "metric": target.metric,
            "at_meets": result.at_meets,
            "at_fails": result.at_fails,
        }


# Values of a search that are shown.
_SHOWN = 5


def lines(parameter: Parameter, target: Target, results: Mapping[str, Found]) -> Iterator[str]:
    """Yield the answer of a search: the last value that meets the target, and its neighbours."""
    (_, simulated), *models = results.items()
    up_to = simulated.meets < simulated.fails
    others = ", ".join(f"{model} model: {parameter.text(result.meets)}" for model, result in models)
    what = {"buffer": " of buffer"}.get(parameter.name, "")
    answer = f"{'Up to' if up_to else 'At least'} {parameter.text(simulated.meets)}{what}"
    yield f"[bold]{answer}[/bold]{f' ({others})' if others else ''}."
    yield ""
    near = sorted(simulated.tried, key=lambda value: abs(math.log(value / simulated.meets)))[:_SHOWN]
    width = max(len(parameter.text(value)) for value in near)
    for value in sorted(near):
        mark = "✓" if target.met_by(simulated.tried[value]) else "✗"
        best = f"   <- {'most' if up_to else 'least'}" if value == simulated.meets else ""
        metric = text(target.metric, simulated.tried[value])
        yield f"{parameter.text(value):>{width}}   {metric:>12}  {mark}{best}"
