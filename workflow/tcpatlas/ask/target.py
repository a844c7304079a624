"""The value of one parameter from which on a metric meets a target: the most users, the least buffer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tcpatlas.ask import metrics
from tcpatlas.ask.answer import NOT_CONVERGED, predicted_by
from tcpatlas.ask.question import COMMAND_LINE, Question
from tcpatlas.ask.simulation import MINIMUM, Simulated
from tcpatlas.base import units
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.statistics import Interval
from tcpatlas.models import engine_of
from tcpatlas.points import kinds

METRICS = {
    "speed": "goodput_per_connection",
    "guarantee": "guaranteed_goodput[95]",
    "time": "on_time",
    "goodput": "goodput",
    "loss": "loss_ratio",
    "utilisation": "utilisation",
    "delay": "queueing_delay_mean",
    "delay-95": "queueing_delay_95",
}
# A value is decided when its interval excludes the target, or after so many replications by its mean.
REPLICATIONS = 12
# Neighbouring values are this near; nearer ones would differ by less than their simulations do.
RESOLUTION = 1.02
_FORM = re.compile(r"\s*([a-z0-9-]+)\s*(<=|>=)\s*(.+?)\s*")


@dataclass(frozen=True)
class Parameter:
    """What may be searched: path in a base, unit and its size in SI, range of whole values."""

    path: str
    unit: str
    size: int
    least: int
    most: int

    def written(self, value: int) -> str | int:
        """Return a value as a scenario has it."""
        return value if self.unit == "users" else f"{value} {self.unit}"


# Of each parameter its unit, the unit's size in SI and the range, in units.
RANGES = {
    "users": ("users", 1, 1, 20_000),
    "buffer": ("packets", 1, 1, 1_000_000),
    "rate": ("kbit/s", 1000, 1, 1_000_000_000),
}


def parameter_of(question: Question, name: str) -> Parameter:
    """Return a parameter of the question's kind of points; raises ConfigError if it has none of that name."""
    paths = kinds.KINDS[question.kind].SEARCHED
    if name not in paths:
        problem = f"the {name} of a {question.kind} is not searched for"
        raise ConfigError(COMMAND_LINE, "--find", problem, f"one of: {', '.join(paths)}")
    return Parameter(paths[name], *RANGES[name])


@dataclass(frozen=True)
class Target:
    """A metric and the bound that it must keep."""

    metric: str
    at_most: bool
    bound: float
    text: str

    @classmethod
    def of(cls, text: str) -> Target:
        """Read `loss <= 1 %` or `speed >= 1 Mbit/s`; raises ConfigError if it is nothing like that."""
        match = _FORM.fullmatch(text)
        if match is None or match[1] not in METRICS:
            allowed = f"one of {', '.join(METRICS)}, then <= or >=, then a value: 'loss <= 1 %'"
            raise ConfigError(COMMAND_LINE, "--such-that", f"{text!r} is no target", allowed)
        metric = METRICS[match[1]]
        unit = metrics.unit(metric)
        try:
            bound = float(units.parse(match[3], unit))
        except units.UnitError as error:
            raise ConfigError(COMMAND_LINE, "--such-that", str(error), f"a value in {unit}") from None
        return cls(metric, match[2] == "<=", bound, text)

    def met_by(self, value: float) -> bool:
        """Say whether a value keeps the bound."""
        return value <= self.bound if self.at_most else value >= self.bound

    def decided(self, interval: Interval) -> bool:
        """Say whether the whole interval lies on one side of the bound."""
        return self.met_by(interval.low) == self.met_by(interval.high)


@dataclass(frozen=True)
class Found:
    """Neighbouring values, one of which meets the target; the metric at both, by simulation or a model."""

    meets: int
    fails: int
    at_meets: float
    at_fails: float


Metric = Callable[[int], float]


def search(parameter: Parameter, target: Target, metric: Metric, start: int) -> Found:
    """Return the last value that meets the target, and the first beyond it, as far as the metric is monotone.

    From `start` values are doubled and halved until the target is met on one side; then they are bisected.
    Raises AtlasError if no value in the parameter's range is met, or all are, with the metric at the ends.
    """
    known: dict[int, float] = {}

    def at(value: int) -> float:
        if value not in known:
            known[value] = metric(value)
        return known[value]

    first = min(max(start, parameter.least), parameter.most)
    high, low = first, first
    while target.met_by(at(high)) == target.met_by(at(low)) == target.met_by(at(first)):
        if high == parameter.most and low == parameter.least:
            raise AtlasError(_hopeless(parameter, target, known))
        high, low = min(2 * high, parameter.most), max(low // 2, parameter.least)
    other = high if target.met_by(at(high)) != target.met_by(at(first)) else low
    meets, fails = (first, other) if target.met_by(at(first)) else (other, first)
    while abs(meets - fails) > 1 and max(meets, fails) > RESOLUTION * min(meets, fails):
        middle = (meets + fails) // 2
        if target.met_by(at(middle)):
            meets = middle
        else:
            fails = middle
    return Found(meets, fails, at(meets), at(fails))


def _hopeless(parameter: Parameter, target: Target, known: dict[int, float]) -> str:
    best = (min if target.at_most else max)(known, key=lambda value: known[value])
    what = (
        f"every value meets {target.text!r}"
        if target.met_by(known[best])
        else f"no value meets {target.text!r}"
    )
    return (
        f"{what} from {parameter.least} to {parameter.most} {parameter.unit}; "
        f"the best is {known[best]:.4g} {metrics.unit(target.metric)} at {best} {parameter.unit}"
    )


def by_simulation(
    question: Question,
    parameter: Parameter,
    target: Target,
    program: Path,
    folder: Path,
) -> Metric:
    """Return the metric at a value by simulation: replicated until it is clear on which side it lies."""

    def metric(value: int) -> float:
        point = question.point({parameter.path: parameter.written(value)})
        simulated = Simulated(point.document, program, folder)
        interval = None
        while simulated.replications < REPLICATIONS:
            simulated.replicate()
            interval = simulated.interval(target.metric)
            if simulated.replications >= MINIMUM and interval is not None and target.decided(interval):
                break
        if interval is None:
            allowed = f"one of: {', '.join(name for name, one in METRICS.items() if one in simulated.values)}"
            raise ConfigError(COMMAND_LINE, "--such-that", f"this point has no {target.metric}", allowed)
        return interval.mean

    return metric


def by_model(question: Question, parameter: Parameter, target: Target, model: str) -> Metric:
    """Return the metric at a value by a model, which raises ValueError where it cannot answer.

    Where a formula answers without the metric, it sets no bound: so does formula (3) up to its threshold of
    users.
    """
    unbounded = -math.inf if target.at_most else math.inf

    def metric(value: int) -> float:
        point = question.point({parameter.path: parameter.written(value)}).document
        said = predicted_by(model, point)
        if target.metric not in said and engine_of(model):
            raise ValueError(f"{NOT_CONVERGED}, at {value} {parameter.unit}")
        return said.get(target.metric, unbounded)

    return metric


def start_of(question: Question, parameter: Parameter) -> int:
    """Return the value of a parameter at the question's first point, as a place to start."""
    value = question.sets[0].points[0].setting(parameter.path)
    return parameter.least if value is None else int(value / parameter.size)


COLUMNS = ("find", "unit", "such_that", "source", "meets", "fails", "metric", "at_meets", "at_fails")


def rows(name: str, parameter: Parameter, target: Target, found: Mapping[str, Found]) -> list[dict[str, Any]]:
    """Return a row for the simulation and each model."""
    about = {"find": name, "unit": parameter.unit, "such_that": target.text}
    return [
        {**about, "source": source, "metric": target.metric, **asdict(one)} for source, one in found.items()
    ]
