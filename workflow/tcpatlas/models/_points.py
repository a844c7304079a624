"""The points that a model can answer."""

from collections.abc import Mapping
from typing import Any

from tcpatlas.points.errors import PointError


def only_group(model: str, point: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the one group of sources of a dumbbell; raises PointError for any other point."""
    if point["kind"] != "dumbbell":
        problem = f"the {model} model cannot answer {point['kind']}"
        raise PointError(("kind",), f"{problem}; allowed: dumbbell")
    for key in ("rate_steps", "token_bucket"):
        if key in point["links"]["bottleneck"]:
            problem = f"the {model} model cannot answer a rate that varies"
            raise PointError((f"links.bottleneck.{key}",), f"{problem}; leave it out")
    groups = point["sources"]
    if len(groups) > 1 or groups[0]["extra_delay_s"]:
        problem = f"the {model} model cannot answer {len(groups)} groups of sources"
        raise PointError(("groups",), f"{problem}; allowed: one, without an extra delay")
    group: Mapping[str, Any] = groups[0]
    return group


def links_of(point: Mapping[str, Any], group: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the links of a group's way there: access, bottleneck, egress."""
    return group["access"], point["links"]["bottleneck"], point["links"]["egress"]


def require(model: str, values: Mapping[str, tuple[object, object]]) -> None:
    """Raise PointError if a value is another than the one that the model knows.

    `values` maps a path of the scenario's base (`tcp.variant`) to the point's own value and the allowed one.
    """
    for path, (value, allowed) in values.items():
        if value != allowed:
            problem = f"the {model} model cannot answer {value}"
            raise PointError((path,), f"{problem}; allowed: {allowed}")


def name_of(point: Mapping[str, Any]) -> str:
    """Return how messages name a point: study, set and point."""
    return f"{point['study']}/{point['set']}/{point['point']}"
