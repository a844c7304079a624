"""Probes: what a scenario asks an engine to measure beyond what every run measures.

People write `[loss-recovery, {size-intervals: [3-6, 7-14, ">4096"]}]`; a point holds
`[{"kind": "loss-recovery"}, {"kind": "size-intervals", "intervals": [[3, 6], [7, 14], [4097, null]]}]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NotRequired

from annotated_types import Ge, Len
from pydantic import with_config
from pydantic.functional_validators import AfterValidator
from typing_extensions import TypedDict

from tcpatlas.base.validation import CLOSED, problem, short
from tcpatlas.points.engines import offered
from tcpatlas.points.errors import PointError

_INTERVAL = re.compile(r"(\d+)-(\d+)|>(\d+)")
_HOW = "low-high or >low in packets, e.g. 3-6 or >4096"


def _text_or_mapping(value: Any) -> Any:
    if not isinstance(value, str | dict):
        raise problem(f"{short(value)} is not a text or a mapping")
    return value


Probe = Annotated[Any, AfterValidator(_text_or_mapping)]
Size = Annotated[int, Ge(1)] | None


@with_config(CLOSED)
class PointProbe(TypedDict):
    """A probe in a point; intervals hold the first and the last size in packets, null for no end."""

    kind: str
    intervals: NotRequired[Annotated[list[Annotated[list[Size], Len(2, 2)]], Len(1)]]


def point_probes(asked: Sequence[Any], workloads: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the probes of a point whose sources have these workloads, in the order asked for.

    Raises PointError for one that does not exist, comes twice, or lacks what it needs.
    """
    sizes = [workload["file_size"] for workload in workloads if "file_size" in workload]
    probes: list[dict[str, Any]] = []
    for index, entry in enumerate(asked):
        where = f"probes[{index}]"
        kind, setting = _split(entry, where)
        if any(probe["kind"] == kind for probe in probes):
            raise _wrong(where, f"the probe {kind} comes twice; each once")
        read = _SETTINGS.get(kind, _nothing)
        probes.append({"kind": kind} | read(setting, f"{where}.{kind}", sizes))
    return probes


def interval_label(low: int, high: int | None) -> str:
    """Return what the metrics of an interval of sizes carry in brackets: `3-6`, or `>4096`."""
    return f">{low - 1}" if high is None else f"{low}-{high}"


def _split(entry: Any, where: str) -> tuple[str, Any]:
    """Return the kind of a probe and its setting, None where only the kind is written."""
    if isinstance(entry, Mapping) and len(entry) != 1:
        raise _wrong(where, f"has {len(entry)} keys; one probe with its setting, or its name alone")
    kind, setting = next(iter(entry.items())) if isinstance(entry, Mapping) else (entry, None)
    if kind not in offered("probes.kind"):
        raise _wrong(where, f"the probe {kind!r} is unknown; one of: {', '.join(offered('probes.kind'))}")
    return kind, setting


def _wrong(where: str, text: str) -> PointError:
    return PointError((where,), text)


def _nothing(setting: Any, where: str, sizes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if setting is not None:
        raise _wrong(where, "takes no setting; its name alone")
    return {}


def _intervals(setting: Any, where: str, sizes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if not isinstance(setting, list) or not setting:
        raise _wrong(where, f"needs its intervals; a list of {_HOW}")
    intervals: list[list[int | None]] = []
    highest: int | None = 0
    for index, text in enumerate(setting):
        place = f"{where}[{index}]"
        low, high = _interval(text, place)
        if highest is None or low <= highest:
            before = setting[index - 1]
            raise _wrong(place, f"{text} overlaps {before} before it; disjoint and in increasing order")
        if sizes and not any(_can_hold(low, high, one) for one in sizes):
            raise _wrong(place, f"no file is of {text} packets; intervals of sizes that {_sizes(sizes[0])}")
        intervals.append([low, high])
        highest = high
    return {"intervals": intervals}


def _interval(text: Any, where: str) -> tuple[int, int | None]:
    match = _INTERVAL.fullmatch(str(text).replace(" ", ""))
    if match is None:
        raise _wrong(where, f"{text!r} is not an interval; {_HOW}")
    if match[3]:
        return int(match[3]) + 1, None
    low, high = int(match[1]), int(match[2])
    if not 1 <= low <= high:
        raise _wrong(where, f"{text} is empty; {_HOW}")
    return low, high


def _can_hold(low: int, high: int | None, file_size: Mapping[str, Any]) -> bool:
    if file_size["distribution"] == "fixed":
        return low <= file_size["mean_packets"] and (high is None or high >= file_size["mean_packets"])
    return high is None or high >= file_size["minimum_packets"]


def _sizes(file_size: Mapping[str, Any]) -> str:
    if file_size["distribution"] == "fixed":
        return f"hold {file_size['mean_packets']}, the fixed size"
    return f"reach {file_size['minimum_packets']}, the smallest size"


# The probes that take a setting, and how it is read.
_SETTINGS: Mapping[str, Callable[[Any, str, Sequence[Mapping[str, Any]]], dict[str, Any]]] = {
    "size-intervals": _intervals
}
