"""Probes: what a scenario asks an engine to measure beyond what every run measures.

People write `[loss-recovery, {size-intervals: [3-6, 7-14, ">4096"]}]`; a point holds
`[{"kind": "loss-recovery"}, {"kind": "size-intervals", "intervals": [[3, 6], [7, 14], [4097, null]]}]`.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Len
from pydantic import BeforeValidator, model_validator
from pydantic.functional_validators import AfterValidator

from tcpatlas.base.validation import problem, short
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.tagged import Of, Tagged
from tcpatlas.points.parts.tcp import one_offered
from tcpatlas.points.parts.workload import FileSize, Workload

_INTERVAL = re.compile(r"(\d+)-(\d+)|>(\d+)")
_HOW = "low-high or >low in packets, e.g. 3-6 or >4096"


def _interval(value: Any) -> Any:
    """Return the first and the last size of an interval as written; None if it has no end."""
    if isinstance(value, list):
        return value
    match = _INTERVAL.fullmatch(str(value).replace(" ", ""))
    if match is None:
        raise problem(f"{short(value)} is not an interval; {_HOW}")
    if match[3]:
        return [int(match[3]) + 1, None]
    low, high = int(match[1]), int(match[2])
    if not 1 <= low <= high:
        raise problem(f"{value} is empty; {_HOW}")
    return [low, high]


def _in_order(intervals: list[list[int | None]]) -> list[list[int | None]]:
    for before, after in itertools.pairwise(intervals):
        if before[1] is None or (after[0] or 0) <= before[1]:
            shown = " overlaps ".join(
                interval_label(interval[0] or 0, interval[1]) for interval in (after, before)
            )
            raise problem(f"{shown} before it; disjoint and in increasing order")
    return intervals


Interval = Annotated[list[Annotated[int, Ge(1)] | None], Len(2, 2), BeforeValidator(_interval)]


class Probe(Tagged):
    """A probe, written by its name, or as a mapping from its name to its setting."""

    TAG: ClassVar[str] = "kind"

    kind: Annotated[str, one_offered("probes.kind")]
    intervals: Annotated[
        Annotated[list[Interval], Len(1), AfterValidator(_in_order)] | None, Of(("size-intervals",))
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        if isinstance(value, str):
            value = {value: None}
        if not isinstance(value, dict) or "kind" in value:
            return value
        if len(value) != 1:
            raise problem(f"has {len(value)} keys; one probe with its setting, or its name alone")
        ((kind, setting),) = value.items()
        names = [name for name, mark in cls.own().items() if kind in mark.values]
        if setting is not None and not names:
            raise problem(f"{kind} takes no setting; its name alone")
        if names and not setting:
            raise problem(f"{kind} needs its {names[0]}; a list of {_HOW}")
        return {"kind": kind, **dict.fromkeys(names, setting)}


def check_probes(probes: Sequence[Probe], workloads: Sequence[Workload]) -> None:
    """Raise PointError for a duplicate probe, or for intervals of sizes that no source has."""
    sizes = [workload.file_size for workload in workloads if workload.file_size is not None]
    for index, probe in enumerate(probes):
        where = f"probes[{index}]"
        if any(other.kind == probe.kind for other in probes[:index]):
            raise PointError((where,), f"the probe {probe.kind} comes twice; each once")
        for low, high in probe.intervals or ():
            if sizes and not any(_can_hold(high, low or 0, size) for size in sizes):
                label = interval_label(low or 0, high)
                says = f"no file is of {label} packets; intervals of sizes that {_sizes(sizes[0])}"
                raise PointError((where,), says)


def interval_label(low: int, high: int | None) -> str:
    """Return the label of an interval of sizes, in the brackets of its metrics: `3-6`, or `>4096`."""
    return f">{low - 1}" if high is None else f"{low}-{high}"


def _can_hold(high: int | None, low: int, size: FileSize) -> bool:
    if size.distribution == "fixed":
        return low <= size.mean and (high is None or high >= size.mean)
    return high is None or "minimum" in size.left_aside() or high >= size.minimum


def _sizes(size: FileSize) -> str:
    if size.distribution == "fixed":
        return f"hold {size.mean}, the fixed size"
    return f"reach {size.minimum}, the smallest size"
