"""What follows from several metrics, each `{unit, value[, ci_low, ci_high]}`, of independent intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Metric = Mapping[str, Any]


def ratio(metric: Metric | None, other: Metric | None) -> dict[str, Any] | None:
    """Return one metric over another minus one; None if it cannot be. Relative widths add in quadrature."""
    if metric is None or other is None or other["value"] == 0:
        return None
    quotient = metric["value"] / other["value"]
    result = {"unit": "1", "value": quotient - 1}
    if metric["value"] != 0 and "ci_low" in metric and "ci_low" in other:
        half = abs(quotient) * math.hypot(*(_half_width(part) / part["value"] for part in (metric, other)))
        result |= {"ci_low": quotient - 1 - half, "ci_high": quotient - 1 + half}
    return result


def mean(series: Sequence[Metric]) -> dict[str, Any]:
    """Return the mean of the metrics, all of one unit."""
    value = math.fsum(metric["value"] for metric in series) / len(series)
    return _with_interval(series[0]["unit"], value, series, len(series))


def change(series: Sequence[Metric], direction: str) -> dict[str, Any]:
    """Return the last of at least two metrics minus the first.

    `setback` is the largest step from one to the next against the direction (`increasing` or `decreasing`),
    0 if there is none.
    """
    steps = [after["value"] - before["value"] for before, after in pairwise(series)]
    ends = (series[0], series[-1])
    value = ends[1]["value"] - ends[0]["value"]
    against = max(steps) if direction == "decreasing" else -min(steps)
    return _with_interval(series[0]["unit"], value, ends, 1) | {"setback": max(against, 0)}


def _with_interval(unit: str, value: float, parts: Sequence[Metric], count: int) -> dict[str, Any]:
    """Return a metric with the interval of the sum of the parts over their count, if all have one."""
    result = {"unit": unit, "value": value}
    if all("ci_low" in part for part in parts):
        half = math.hypot(*(_half_width(part) for part in parts)) / count
        result |= {"ci_low": value - half, "ci_high": value + half}
    return result


def _half_width(metric: Metric) -> float:
    return (float(metric["ci_high"]) - float(metric["ci_low"])) / 2
