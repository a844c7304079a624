"""Workloads of sources: on-off file transfers, web users, and bulk transfers without end."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Ge, Gt, Le, Lt
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.quantities import Delay, Duration, Packets

FileSizes = Literal["fixed", "exponential", "exponential-pareto", "exponential-exponential", "lognormal"]
OffTimes = Literal["fixed", "exponential", "lognormal"]
FirstThink = Literal["equilibrium", "whole"]
EndsAt = Literal["source", "destination"]
_LONGEST_SPREAD = Decimal(3600)


class FileSize(Model):
    """A distribution of file sizes; tail_* and standard_deviation are of those that have them."""

    distribution: FileSizes
    mean: Annotated[Decimal, Quantity("packet", "12 packets", ge=1, le=1e9)]
    minimum: Packets = Decimal(1)
    tail_share: Annotated[Decimal, Quantity("1", "10 %", gt=0, lt=1)] = Decimal("0.1")
    tail_index: Annotated[Number, Gt(1), Le(100)] = 1.5
    tail_mean_ratio: Annotated[Number, Gt(0), Le(1000000)] = 7
    standard_deviation: Annotated[Decimal, Quantity("packet", "50 packets", ge=0, le=1e9)] | None = None


class OffTime(Model):
    """The time between the end of a file and the start of the next."""

    distribution: OffTimes
    mean: Duration
    standard_deviation: Annotated[Decimal, Quantity("s", "30 s", ge=0, le=1e6)] | None = None


class Workload(Model):
    """on-off and http need file_size and off_time; bulk is one transfer without end.

    With http all files of a source go over one connection that lives on. The first off time is what is left
    of one (`equilibrium`) or whole; a file's time ends when its last packet is at the destination, or when
    the acknowledgement is back at the source.

    Each of several bulk sources begins at a time of its own, drawn from the first `start_spread` of the run;
    by default, from the first round trip of its empty path. Begun together they would give the same run for
    every seed.
    """

    kind: Literal["on-off", "http", "bulk"]
    file_size: FileSize | None = None
    off_time: OffTime | None = None
    first_think: FirstThink = "equilibrium"
    ends_at: EndsAt = "source"
    start_spread: Delay | None = None


@with_config(CLOSED)
class PointFileSize(TypedDict):
    """A distribution of file sizes in a point, with the parameters that it uses."""

    distribution: FileSizes
    mean_packets: Annotated[Number, Ge(1), Le(1e9)]
    minimum_packets: NotRequired[Annotated[int, Ge(1), Le(10**9)]]
    tail_share: NotRequired[Annotated[Number, Gt(0), Lt(1)]]
    tail_index: NotRequired[Annotated[Number, Gt(1), Le(100)]]
    tail_mean_ratio: NotRequired[Annotated[Number, Gt(0), Le(1000000)]]
    standard_deviation_packets: NotRequired[Annotated[Number, Ge(0), Le(1e9)]]


@with_config(CLOSED)
class PointOffTime(TypedDict):
    """A distribution of OFF times in a point."""

    distribution: OffTimes
    mean_s: Annotated[Number, Gt(0), Le(86400)]
    standard_deviation_s: NotRequired[Annotated[Number, Ge(0), Le(1e6)]]


@with_config(CLOSED)
class PointWorkload(TypedDict):
    """A workload in a point; without `start_spread_s` a bulk source begins with the run."""

    kind: Literal["on-off", "http", "bulk"]
    file_size: NotRequired[PointFileSize]
    off_time: NotRequired[PointOffTime]
    first_think: NotRequired[FirstThink]
    ends_at: NotRequired[EndsAt]
    start_spread_s: NotRequired[Annotated[Number, Gt(0), Le(3600)]]


def point_workload(workload: Workload, folder: str, round_trip: Decimal | None) -> dict[str, Any]:
    """Return the fields of a point; raises PointError, for keys in `folder`, if it cannot be.

    `round_trip` is that of the empty path, in seconds; None where the source is alone.
    """
    if workload.start_spread is not None and (workload.kind != "bulk" or round_trip is None):
        problem = "is for bulk sources that are not alone; leave it out"
        raise PointError((f"{folder}.start_spread", f"{folder}.kind", "sources.count"), problem)
    if workload.kind == "bulk":
        spread = round_trip if workload.start_spread is None else workload.start_spread
        return {"kind": "bulk", **({"start_spread_s": plain(min(spread, _LONGEST_SPREAD))} if spread else {})}
    for key in ("file_size", "off_time"):
        if getattr(workload, key) is None:
            raise PointError((f"{folder}.{key}", f"{folder}.kind"), f"{workload.kind} sources need {key}")
    assert workload.file_size is not None
    assert workload.off_time is not None
    return {
        "kind": workload.kind,
        "file_size": _file_size(workload.file_size, f"{folder}.file_size"),
        "off_time": _off_time(workload.off_time, f"{folder}.off_time"),
        **(
            {"first_think": workload.first_think, "ends_at": workload.ends_at}
            if workload.kind == "http"
            else {}
        ),
    }


def workload_is_random(workload: Mapping[str, Any]) -> bool:
    """Say whether sources of a point with this workload draw file sizes or off times."""
    if workload["kind"] == "bulk":
        return False
    return {workload[key]["distribution"] for key in ("file_size", "off_time")} != {"fixed"}


def _off_time(time: OffTime, folder: str) -> dict[str, Any]:
    fields = {"distribution": time.distribution, "mean_s": plain(time.mean)}
    if time.distribution == "lognormal":
        fields["standard_deviation_s"] = plain(_deviation(time, folder))
    return fields


def _deviation(distribution: FileSize | OffTime, folder: str) -> Decimal:
    if distribution.standard_deviation is None:
        paths = (f"{folder}.standard_deviation", f"{folder}.distribution")
        raise PointError(paths, "is missing; a lognormal distribution has one")
    return distribution.standard_deviation


def _file_size(size: FileSize, folder: str) -> dict[str, Any]:
    """Return the distribution with the parameters that it uses (Zaragoza 2014, section 3.2).

    Minimum A, mean X, the tail's share H and its index or mean must leave the body a positive mean.
    """
    mean, lowest, share = size.mean, size.minimum, size.tail_share
    index, ratio = (Decimal(str(value)) for value in (size.tail_index, size.tail_mean_ratio))
    fields: dict[str, Any] = {
        "distribution": size.distribution,
        "mean_packets": plain(mean),
        "minimum_packets": plain(size.minimum),
    }
    if size.distribution == "lognormal":
        del fields["minimum_packets"]
        return fields | {"standard_deviation_packets": plain(_deviation(size, folder))}
    paths: tuple[str, ...] = (f"{folder}.mean", f"{folder}.minimum", f"{folder}.distribution")
    if mean < lowest:
        problem = f"the mean, {mean} packets, is below the minimum size; at least {lowest} packets"
        raise PointError(paths, problem)
    if size.distribution == "fixed":
        if mean != int(mean):
            problem = f"a fixed size of {mean} packets is not whole; a whole number of packets"
            raise PointError(paths, problem)
        return fields
    if size.distribution == "exponential-pareto":
        lowest *= 1 + share / (index - 1)
        paths += (f"{folder}.tail_share", f"{folder}.tail_index")
        fields |= {"tail_share": plain(share), "tail_index": plain(index)}
    elif size.distribution == "exponential-exponential":
        fields |= {"tail_share": plain(share), "tail_mean_ratio": plain(ratio)}
        highest_ratio = (mean - lowest) / (share * mean)
        if ratio >= highest_ratio:
            raise PointError(
                (f"{folder}.tail_mean_ratio", *paths, f"{folder}.tail_share"),
                f"the tail mean ratio {ratio} leaves the body no positive mean; "
                f"less than {float(highest_ratio):.6g} (mean less minimum, over tail share times mean)",
            )
    if mean <= lowest:
        problem = f"the mean, {mean} packets, leaves the body no positive mean; more than {float(lowest):.6g}"
        raise PointError(paths, problem)
    return fields
