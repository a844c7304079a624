"""What the file of a set's points holds: typed dictionaries, in SI units."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Len, Lt
from pydantic import Discriminator, Tag, with_config
from typing_extensions import TypedDict

from tcpatlas.base.files import read_json
from tcpatlas.base.validation import CLOSED, MetricName, Number, check
from tcpatlas.points.kinds import dumbbell, local_loop


@with_config(CLOSED)
class PointTarget(TypedDict):
    """The half-width of a metric's interval: relative to the mean or absolute, whichever is larger."""

    relative: NotRequired[Annotated[Number, Gt(0)]]
    absolute: NotRequired[Annotated[Number, Gt(0)]]


@with_config(CLOSED)
class PointReplications(TypedDict):
    """How many replications, how exact, and the point of the set whose seeds they have (default: its own).

    `variants`: the replications after the first are of the point with other values at these dotted paths.
    """

    minimum: Annotated[int, Ge(2)]
    maximum: Annotated[int, Ge(2)]
    targets: dict[MetricName, PointTarget]
    seeds_of: NotRequired[str]
    variants: NotRequired[list[dict[str, str | int | float]]]


class _Common(TypedDict):
    """What every point holds: one parameter combination, the input of engines and models.

    `parameters` are the values in which the points differ, by dotted path of the scenario's base.
    """

    schema: Literal["tcp-atlas/point/3"]
    study: str
    set: str
    point: str
    parameters: dict[str, str | int | float]
    replications: PointReplications
    seed: Annotated[int, Ge(0), Lt(2**53)]


@with_config(CLOSED)
class DumbbellPoint(dumbbell.PointFields, _Common):
    """A dumbbell with its parameters."""


@with_config(CLOSED)
class LocalLoopPoint(local_loop.PointFields, _Common):
    """A local loop with its parameters."""


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return "?local-loop" if kind == "local-loop" else "?dumbbell"


PointDocument = Annotated[
    Annotated[DumbbellPoint, Tag("?dumbbell")] | Annotated[LocalLoopPoint, Tag("?local-loop")],
    Discriminator(_kind),
]


@with_config(CLOSED)
class PointSet(TypedDict):
    """All points of a set."""

    schema: Literal["tcp-atlas/points/1"]
    study: str
    set: str
    points: Annotated[list[PointDocument], Len(1)]


def read_points(file: Path, *, trusted: bool = False) -> PointSet:
    """Return the points of a set; ConfigError if the file is no such thing. Trusted ones are not checked."""
    points: PointSet = read_json(file)
    return points if trusted else check(PointSet, points, file)
