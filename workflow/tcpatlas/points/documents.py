"""The file of a set's points, in SI units."""

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Len, Lt
from pydantic import Discriminator, Field, create_model

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json
from tcpatlas.base.validation import MetricName, Model, Number, join, json_schema
from tcpatlas.points.kinds import KINDS

PointDocument = Mapping[str, Any]
PointSet = Mapping[str, Any]


class Target(Model):
    """The half-width of a metric's interval: relative to the mean or absolute, whichever is larger."""

    relative: Annotated[Number, Gt(0)] | None = None
    absolute: Annotated[Number, Gt(0)] | None = None


class Replications(Model):
    """Number and precision of replications, and the point whose seeds they use (default: its own).

    `variants`: the replications after the first are of the point with other values at these dotted paths.
    """

    minimum: Annotated[int, Ge(2)]
    maximum: Annotated[int, Ge(2)]
    targets: dict[MetricName, Target]
    seeds_of: str | None = None
    variants: list[dict[str, str | int | float]] | None = None


class _Member(Model):
    """A point of a set: one parameter combination, the input of engines and models.

    `parameters` are the values in which the points differ, by dotted path of the scenario's base.
    """

    form: Annotated[Literal["tcp-atlas/point/3"], Field(serialization_alias="schema")]
    study: str
    set: str
    point: str
    parameters: dict[str, str | int | float]
    replications: Replications
    seed: Annotated[int, Ge(0), Lt(2**53)]


# A point, of any kind.
POINT: Any = Annotated[
    reduce(
        or_, (create_model(f"Point_{name}", __base__=(_Member, kind.Point)) for name, kind in KINDS.items())
    ),
    Discriminator("kind"),
]


class Points(Model):
    """All points of a set."""

    form: Annotated[Literal["tcp-atlas/points/1"], Field(serialization_alias="schema")]
    study: str
    set: str
    points: Annotated[list[POINT], Len(1)]


@cache
def point_schema() -> dict[str, Any]:
    """Return the JSON Schema of a point."""
    return json_schema(POINT, "serialization")


def check_point(point: Any, file: str | Path, where: str = "") -> None:
    """Raise ConfigError unless the data at a path of a file is a point."""
    # Loaded only for points written by hand.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

    schema = point_schema()
    kind = point.get("kind") if isinstance(point, dict) else None
    if kind not in KINDS:
        raise ConfigError(file, join(where, "kind"), f"{kind!r} is unknown", f"one of: {', '.join(KINDS)}")
    schema_of_kind = {"$ref": schema["discriminator"]["mapping"][kind], "$defs": schema["$defs"]}
    wrong = best_match(Draft202012Validator(schema_of_kind).iter_errors(point))
    if wrong is not None:
        raise ConfigError(file, join(where, *wrong.absolute_path), wrong.message)


def read_points(file: Path, *, trusted: bool = False) -> PointSet:
    """Return the points of a set; ConfigError if the file is not one. Trusted files are not checked."""
    points: PointSet = read_json(file)
    if not trusted:
        if not isinstance(points, dict) or not isinstance(points.get("points"), list):
            raise ConfigError(file, "points", "is missing", "a list of points")
        for index, point in enumerate(points["points"]):
            check_point(point, file, f"points[{index}]")
    return points
