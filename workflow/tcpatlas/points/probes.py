"""Probes: what a scenario asks an engine to measure beyond what every run measures.

People write `[loss-recovery, {size-intervals: [3-6, 7-14, ">4096"]}]`; a point holds
`[{"kind": "loss-recovery"}, {"kind": "size-intervals", "intervals": [[3, 6], [7, 14], [4097, null]]}]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_INTERVAL = re.compile(r"(\d+)-(\d+)|>(\d+)")
_HOW = "low-high or >low in packets, e.g. 3-6 or >4096"

Probe = dict[str, Any]


class ProbeError(ValueError):
    """A probe that cannot be; `where` is its place in the list, `str()` what is wrong and allowed."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(problem)
        self.where = where


def point_probes(asked: Sequence[Any], workload: Mapping[str, Any], variant: str) -> list[Probe]:
    """Return the probes of a point with `workload` (as in the point) and `variant`, in the order asked for.

    Raises ProbeError for one that does not exist, comes twice, lacks what it needs, or does not apply.
    """
    probes: list[Probe] = []
    for index, entry in enumerate(asked):
        where = f"[{index}]"
        kind, setting = _split(entry, where)
        if any(probe["kind"] == kind for probe in probes):
            raise ProbeError(where, f"the probe {kind} comes twice; each once")
        fitting = [name for name in _SETTINGS if _fits(name, workload["kind"], variant)]
        if kind not in fitting:
            sources = f"{workload['kind']} sources of {variant}"
            problem = f"the probe {kind} does not go with {sources}; one of: {', '.join(fitting)}"
            raise ProbeError(where, problem)
        file_size = workload.get("file_size", {})
        probes.append({"kind": kind} | _SETTINGS[kind](setting, f"{where}.{kind}", file_size))
    return probes


def interval_label(low: int, high: int | None) -> str:
    """Return what the metrics of an interval of sizes carry in brackets: `3-6`, or `>4096`."""
    return f">{low - 1}" if high is None else f"{low}-{high}"


def _split(entry: Any, where: str) -> tuple[str, Any]:
    """Return the kind of a probe and its setting, None where only the kind is written."""
    if isinstance(entry, Mapping) and len(entry) != 1:
        raise ProbeError(where, f"has {len(entry)} keys; one probe with its setting, or its name alone")
    kind, setting = next(iter(entry.items())) if isinstance(entry, Mapping) else (entry, None)
    if kind not in _SETTINGS:
        raise ProbeError(where, f"the probe {kind!r} is unknown; one of: {', '.join(_SETTINGS)}")
    return kind, setting


def _fits(kind: str, workload_kind: str, variant: str) -> bool:
    """Return whether the probe `kind` says anything of such sources."""
    return (kind in _OF_BULK) == (workload_kind == "bulk") and (kind not in _OF_TAHOE or variant == "tahoe")


def _nothing(setting: Any, where: str, file_size: Mapping[str, Any]) -> Probe:
    if setting is not None:
        raise ProbeError(where, "takes no setting; its name alone")
    return {}


def _intervals(setting: Any, where: str, file_size: Mapping[str, Any]) -> Probe:
    if not isinstance(setting, list) or not setting:
        raise ProbeError(where, f"needs its intervals; a list of {_HOW}")
    intervals: list[list[int | None]] = []
    highest: int | None = 0
    for index, text in enumerate(setting):
        place = f"{where}[{index}]"
        low, high = _interval(text, place)
        if highest is None or low <= highest:
            before = setting[index - 1]
            raise ProbeError(place, f"{text} overlaps {before} before it; disjoint and in increasing order")
        if not _can_hold(low, high, file_size):
            raise ProbeError(
                place, f"no file is of {text} packets; intervals of sizes that {_sizes(file_size)}"
            )
        intervals.append([low, high])
        highest = high
    return {"intervals": intervals}


def _interval(text: Any, where: str) -> tuple[int, int | None]:
    match = _INTERVAL.fullmatch(str(text).replace(" ", ""))
    if match is None:
        raise ProbeError(where, f"{text!r} is not an interval; {_HOW}")
    if match[3]:
        return int(match[3]) + 1, None
    low, high = int(match[1]), int(match[2])
    if not 1 <= low <= high:
        raise ProbeError(where, f"{text} is empty; {_HOW}")
    return low, high


def _can_hold(low: int, high: int | None, file_size: Mapping[str, Any]) -> bool:
    if file_size["distribution"] == "fixed":
        return low <= file_size["mean_packets"] and (high is None or high >= file_size["mean_packets"])
    return high is None or high >= file_size["minimum_packets"]


def _sizes(file_size: Mapping[str, Any]) -> str:
    if file_size["distribution"] == "fixed":
        return f"hold {file_size['mean_packets']}, the fixed size"
    return f"reach {file_size['minimum_packets']}, the smallest size"


_SETTINGS: Mapping[str, Callable[[Any, str, Mapping[str, Any]], Probe]] = {
    "capacity-sharing": _nothing,
    "drop-positions": _nothing,
    "loss-cycles": _nothing,
    "loss-recovery": _nothing,
    "size-intervals": _intervals,
    "window-trace": _nothing,
}
_OF_BULK = ("loss-cycles", "window-trace")
# Its cycles are those of a window that starts from one after each loss.
_OF_TAHOE = ("loss-cycles",)
