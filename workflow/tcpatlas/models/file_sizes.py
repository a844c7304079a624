"""Shares of the files of each size distribution in intervals of sizes (Zaragoza 2014, section 3.2, table 1).

A continuous size X with G(x) = P(X > x) is rounded to the nearest packet, as the engines do it, so a file has
more than x packets with probability G(x + 1/2).
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models._points import only_group, require
from tcpatlas.points.parts.probes import interval_label

# It is of files alone, not of connections.
BY_NAME_ONLY = True
# The distribution is given up to this size; what lies beyond counts to it.
LONGEST = 4096
# H of a distribution without a tail of its own.
_TAIL_SHARE = 0.1
# The mean of an open interval is summed packet by packet up to here, and integrated beyond.
_SUMMED = 100_000


@dataclass(frozen=True)
class Tail:
    """G(x) = P(X > x) of a size before rounding, and the integral of G from any x >= start on.

    The share H of sizes is above `start`, k_H of section 3.2.
    """

    at: Callable[[float], float]
    integral: Callable[[float], float]
    start: float


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the distribution `file_size_by_count` of each point.

    `file_size_mean` is of all files; of every interval that its probe `size-intervals` asks for there are
    `file_share` and `file_size_mean` too; of the share H of largest sizes, before rounding, the least
    (`tail_start`) and the mean (`tail_mean`).
    """
    return [_predict(point) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    workload = only_group("file_sizes", point)["workload"]
    require("file_sizes", {"sources.workload.kind": (workload["kind"], "on-off")})


def _predict(point: Mapping[str, Any]) -> dict[str, Any]:
    size = only_group("file_sizes", point)["workload"]["file_size"]
    tail = tail_of(size)
    metrics: Metrics = {"file_size_mean": ("packets", interval_of(tail, 1, None)[1])}
    if size["distribution"] != "fixed":
        metrics["tail_start"] = ("packets", tail.start)
        metrics["tail_mean"] = ("packets", tail.start + tail.integral(tail.start) / tail.at(tail.start))
    for probe in point["probes"]:
        for low, high in probe.get("intervals", []):
            share, mean = interval_of(tail, low, high)
            of = f"[{interval_label(low, high)}]"
            metrics["file_share" + of] = ("1", share)
            if share > 0:
                metrics["file_size_mean" + of] = ("packets", mean)
    more = np.array([tail.at(x + 0.5) for x in range(LONGEST)])
    probability = -np.diff(more, prepend=1.0, append=0.0)
    return answer(metrics, {"file_size_by_count": ("packets", probability)})


def tail_of(size: Mapping[str, Any]) -> Tail:
    """Return the tail of a size distribution as a point holds it (section 3.2)."""
    kind, mean = size["distribution"], size["mean_packets"]
    if kind == "fixed":
        return Tail(lambda x: float(x < mean), lambda x: 0.0, mean)
    least = size["minimum_packets"]
    if kind == "exponential":
        body = _exponential(least, mean - least, 1.0)
        return replace(body, start=least - (mean - least) * math.log(_TAIL_SHARE))
    share = size["tail_share"]
    if kind == "exponential-pareto":
        odds = share / (size["tail_index"] - 1)
        body_mean = (mean - least * (1 + odds)) / (1 - share - odds * math.log(share))
    else:
        tail_mean = size["tail_mean_ratio"] * mean
        body_mean = (mean - least - tail_mean * share) / (1 - share)
    body = _exponential(least, body_mean, 1.0)
    start = least - body_mean * math.log(share)
    if kind == "exponential-pareto":
        end = _pareto(start, size["tail_index"], share)
    else:
        end = _exponential(start, tail_mean, share)
    return Tail(lambda x: body.at(x) if x < start else end.at(x), end.integral, start)


def _exponential(start: float, mean: float, share: float) -> Tail:
    def at(x: float) -> float:
        return share if x < start else share * math.exp(-(x - start) / mean)

    return Tail(at, lambda x: mean * at(x), start)


def _pareto(start: float, index: float, share: float) -> Tail:
    def at(x: float) -> float:
        return share * math.pow(start / x, index)

    return Tail(at, lambda x: x * at(x) / (index - 1), start)


def interval_of(tail: Tail, low: int, high: int | None) -> tuple[float, float]:
    """Return the share of files of `low` to `high` packets (None: no end) and their mean size in packets.

    The mean is NaN where there are none.
    """
    beyond = 0.0 if high is None else tail.at(high + 0.5)
    share = tail.at(low - 0.5) - beyond
    if share == 0:
        return 0.0, math.nan
    last = _SUMMED if high is None else high
    longer = math.fsum(tail.at(k + 0.5) - beyond for k in range(low, last))
    if high is None:
        longer += tail.integral(_SUMMED)
    return share, low + longer / share
