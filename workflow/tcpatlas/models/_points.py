"""The points that a model can answer."""

from collections.abc import Mapping
from typing import Any

from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.delays import DELAY_KEYS


def refuse_variation(model: str, bottleneck: Mapping[str, Any]) -> None:
    """Raise PointError for a link whose rate or delay varies."""
    for key in ("rate_steps", "token_bucket", *DELAY_KEYS):
        if key in bottleneck:
            what = "delay" if key in DELAY_KEYS else "rate"
            problem = f"the {model} model cannot answer a {what} that varies"
            raise PointError((f"links.bottleneck.{key}",), f"{problem}; leave it out")


def only_group(model: str, point: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the one group of sources of a dumbbell; raises PointError for any other point."""
    if point["kind"] != "dumbbell":
        raise refusal(model, "kind", point["kind"], "dumbbell")
    refuse_variation(model, point["links"]["bottleneck"])
    for key, what in (("return", "a way back that queues"), ("hops", "links in a row")):
        if key in point["links"]:
            raise PointError((f"links.{key}",), f"the {model} model cannot answer {what}; leave it out")
    groups = point["sources"]
    if len(groups) > 1 or groups[0]["extra_delay_s"]:
        raise refusal(model, "groups", f"{len(groups)} groups of sources", "one, without an extra delay")
    group: Mapping[str, Any] = groups[0]
    if "packet_bytes" in group:
        problem = f"the {model} model cannot answer packets of a size of their own; leave it out"
        raise PointError((f"groups.{group['name']}.packet_size",), problem)
    for key in ("start", "stop", "transfer"):
        if any(name in group["workload"] for name in (f"{key}_s", f"{key}_packets")):
            problem = f"the {model} model cannot answer sources that come and go"
            raise PointError((f"sources.workload.{key}",), f"{problem}; leave it out")
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
            raise refusal(model, path, value, allowed)


def refusal(model: str, path: str, value: object, allowed: object) -> PointError:
    """Return the error of a point whose value at a path of the scenario's base the model cannot answer."""
    return PointError((path,), f"the {model} model cannot answer {value}; allowed: {allowed}")


def name_of(point: Mapping[str, Any]) -> str:
    """Return how messages name a point: study, set and point."""
    return f"{point['study']}/{point['set']}/{point['point']}"
