"""File formats of engines, of the driver of replications and of models, as typed dictionaries."""

from typing import Annotated, Literal, NotRequired

from annotated_types import Ge, Le, Len
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.validation import CLOSED, MetricName, Number, Text

Count = Annotated[int, Ge(0)]
Shares = list[Annotated[Number, Ge(0), Le(1)]]


@with_config(CLOSED)
class Value(TypedDict):
    """A metric's value."""

    unit: str
    value: Number


@with_config(CLOSED)
class Distribution(TypedDict):
    """The probability of 0, 1, 2, ... of the unit."""

    unit: str
    probability: Shares


@with_config(CLOSED)
class Trace(TypedDict):
    """A quantity against time, as many values as times; times never fall."""

    unit: str
    time_s: list[Number]
    value: list[Number]


@with_config(CLOSED)
class Counters(TypedDict):
    """Over the whole run; sent = delivered + dropped (by the queue) + lost (at random) + in flight."""

    connections_completed: Count
    packets_sent: Count
    packets_delivered: Count
    packets_dropped: Count
    packets_lost: Count
    packets_in_flight: Count
    events: Count


@with_config(CLOSED)
class Run(TypedDict):
    """The file of an engine for one point and one seed."""

    schema: Literal["tcp-atlas/run/1"]
    engine: Text
    engine_version: Text
    study: str
    set: str
    point: str
    seed: Count
    simulated_s: Annotated[Number, Ge(0)]
    counters: Counters
    metrics: dict[MetricName, Value]
    distributions: dict[MetricName, Distribution]
    traces: NotRequired[dict[MetricName, Trace]]


@with_config(CLOSED)
class Summary(TypedDict):
    """A metric over the replications that give it, one of `values` each. One alone has no interval."""

    unit: str
    value: Number
    ci_low: NotRequired[Number]
    ci_high: NotRequired[Number]
    values: Annotated[list[Number], Len(1)]


@with_config(CLOSED)
class MeanDistribution(TypedDict):
    """A distribution over the replications, with pointwise intervals: of each value, and of all above it."""

    unit: str
    probability: Shares
    ci_low: Shares
    ci_high: Shares
    above_ci_low: Shares
    above_ci_high: Shares


@with_config(CLOSED)
class Replications(TypedDict):
    """The averaged runs of one point by one engine, with intervals; the traces are the first run's.

    `exact`: runs are not random, and all gave the same numbers from different starts. `band`: the values are
    those of the first run, the ends the lowest and the highest of all, whose points differ.
    """

    made_of: NotRequired[str]
    schema: Literal["tcp-atlas/replications/1"]
    engine: Text
    engine_version: Text
    study: str
    set: str
    point: str
    seeds: Annotated[list[Count], Len(2)]
    exact: NotRequired[Literal[True]]
    band: NotRequired[Literal[True]]
    metrics: dict[MetricName, Summary]
    distributions: dict[MetricName, MeanDistribution]
    traces: NotRequired[dict[MetricName, Trace]]


@with_config(CLOSED)
class Prediction(TypedDict):
    """The answer of a model at one point."""

    metrics: dict[MetricName, Value]
    distributions: dict[MetricName, Distribution]
    traces: NotRequired[dict[MetricName, Trace]]


@with_config(CLOSED)
class OverRuns(TypedDict):
    """A metric of a model fed with each run; runs that give none are left out."""

    unit: str
    values: Annotated[list[Number], Len(1)]


@with_config(CLOSED)
class Measured(TypedDict):
    """A model's answer at a point from an engine's runs: run by run (`fed`), and from their mean."""

    fed: dict[MetricName, OverRuns]
    inferred: dict[MetricName, Value]


@with_config(CLOSED)
class Predictions(TypedDict):
    """A model's answers at each point of a set: its own, and by engine those from what was `measured`."""

    made_of: NotRequired[str]
    schema: Literal["tcp-atlas/predictions/2"]
    model: str
    study: str
    set: str
    points: dict[str, Prediction]
    measured: NotRequired[dict[str, dict[str, Measured]]]
