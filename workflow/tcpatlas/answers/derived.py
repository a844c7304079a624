"""Metrics that follow from several others, each `{unit, value[, ci_low, ci_high]}`.

Their intervals are independent, unless all come from replications with the same seeds (`values`, `seeds`,
`confidence`): common variation then cancels, replication by replication. A metric derived from `exact` ones
alone is exact; one derived from a metric with a `band` has a band, the sum of the bands in quadrature; one
derived from several with `runs` has the smallest of these numbers.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.statistics import (
    NORMAL_95,
    PREDICTABLE_95,
    prediction_interval,
    ratio_interval,
    t_interval,
)

Metric = Mapping[str, Any]
ENDS = ("ci_low", "ci_high")


def ratio(metric: Metric | None, other: Metric | None) -> dict[str, Any] | None:
    """Return one metric over another minus one, with an interval to first order; None if it cannot be."""
    if metric is None or other is None or other["value"] == 0:
        return None
    quotient = metric["value"] / other["value"]
    result = {"unit": "1", "value": quotient - 1}
    if _paired((metric, other)):
        pairs = zip(metric["values"], other["values"], strict=True)
        values = [quotient - 1 + (one - quotient * beside) / other["value"] for one, beside in pairs]
        result |= _by_replication(values, result["value"], metric)
    elif "ci_low" in metric and "ci_low" in other:
        if metric["value"] == 0:
            half = _half_width(metric) / abs(other["value"])
        else:
            half = abs(quotient) * math.hypot(
                *(_half_width(part) / part["value"] for part in (metric, other))
            )
        result |= {"ci_low": quotient - 1 - half, "ci_high": quotient - 1 + half}
    return result | _kind((metric, other))


def mean(series: Sequence[Metric]) -> dict[str, Any]:
    """Return the mean of metrics in the same unit."""
    value = math.fsum(metric["value"] for metric in series) / len(series)
    if _paired(series):
        values = [math.fsum(each) / len(series) for each in _columns(series)]
        metric = {"unit": series[0]["unit"], "value": value}
        return metric | _by_replication(values, value, series[0]) | _kind(series)
    return _with_interval(series[0]["unit"], value, series, len(series))


def change(series: Sequence[Metric], direction: str) -> dict[str, Any]:
    """Return the last of at least two metrics minus the first.

    `max_reversal` is the largest step from one to the next against the stated direction (`increasing` or
    `decreasing`), 0 if there is none; `max_reversal_low` and `_high` are the largest ends of the steps'
    intervals, where all have one.
    """
    sign = 1 if direction == "decreasing" else -1
    steps = [sign * (after["value"] - before["value"]) for before, after in pairwise(series)]
    ends = (series[0], series[-1])
    value = ends[1]["value"] - ends[0]["value"]
    result = _with_interval(series[0]["unit"], value, ends, 1) | _kind(series)
    result["max_reversal"] = max(0, *steps)
    if _paired(series):
        result |= _by_replication([each[-1] - each[0] for each in _columns(series)], value, series[0])
    if all("ci_low" in metric for metric in series):
        halves = [_step_half_width(*pair) for pair in pairwise(series)]
        for end, side in (("low", -1), ("high", 1)):
            shifted = (step + side * half for step, half in zip(steps, halves, strict=True))
            result[f"max_reversal_{end}"] = max(0, *shifted)
    return result


def of_distribution(distribution: Mapping[str, Any], x: int, *, above: bool) -> Metric:
    """Return the probability of x, or of all values above x, with its interval where there is one.

    What no replication has seen has probability 0 in all of them.
    """
    probability = distribution["probability"]
    value = math.fsum(probability[x + 1 :]) if above else probability[x] if x < len(probability) else 0.0
    places = {end: f"above_{end}" if above else end for end in ENDS}
    ends = {
        end: distribution[place][x] if x < len(probability) else 0.0
        for end, place in places.items()
        if place in distribution
    }
    return {"unit": "1", "value": value, **ends} | _kind((distribution,))


def model_error(predicted: Metric, simulated: Metric) -> Metric:
    """Return model over simulation, which is not 0, minus one, with the interval of the simulation."""
    error: dict[str, Any] = {"unit": "1", "value": predicted["value"] / simulated["value"] - 1}
    if 0 not in (values := simulated.get("values", [])):
        error["values"] = [predicted["value"] / value - 1 for value in values]
    if simulated.get("ci_low", 0) > 0:
        low, high = sorted(predicted["value"] / simulated[end] - 1 for end in ("ci_low", "ci_high"))
        error |= {"ci_low": low, "ci_high": high}
    return error | _kind((simulated,))


def magnitude(metric: Metric) -> Metric:
    """Return the magnitude of a metric, with that of its interval where there is one."""
    result = {"unit": metric["unit"], "value": abs(metric["value"])}
    if "ci_low" in metric:
        low, high = metric["ci_low"], metric["ci_high"]
        result |= {"ci_low": max(low, -high, 0), "ci_high": max(-low, high)}
    return result | _kind((metric,))


def difference(metric: Metric, other: Metric, pairs: int, confidence: float) -> Metric | None:
    """Return one engine's metric over another's minus one; None where either is 0 or has no interval.

    If `pairs` is more than one and all replications give both, the interval is paired, otherwise that of two
    independent means, to first order.
    """
    result = ratio(metric, other)
    if result is None or "ci_low" not in result or metric["value"] == 0:
        return None
    values, others = (each.get("values", ()) for each in (metric, other))
    if len(values) == len(others) == pairs > 1:
        half_width = ratio_interval(values, others, confidence).half_width
        result |= {"ci_low": result["value"] - half_width, "ci_high": result["value"] + half_width}
    return result


def largest_difference(one: Mapping[str, Metric], other: Mapping[str, Metric]) -> float:
    """Return the largest difference in any metric, over the larger value; 1 if only one gives it."""
    differences = [0.0]
    for name in {**one, **other}:
        values = [each[name]["value"] for each in (one, other) if name in each]
        largest = max(map(abs, values))
        if len(values) < 2:
            differences.append(1.0)
        elif largest > 0:
            differences.append(abs(values[0] - values[1]) / largest)
    return max(differences)


def interval(metric: Metric) -> dict[str, Any]:
    """Return the kind of a metric's interval and its ends, as cells of a table of results.

    `confidence`: a confidence interval. `band`: the lowest and the highest value at a point whose parameters
    may be slightly off. `exact`: no interval, the number is the same for every seed. `alike`: no interval,
    because all replications happen to give the same number. Empty: a model or a single replication.
    """
    if "exact" in metric:
        return {"interval": "exact"}
    if metric.get("ci_low") is None:
        return {}
    if metric["ci_low"] == metric["ci_high"]:
        return {"interval": "alike"}
    kind = "band" if "band" in metric else "confidence"
    return {"interval": kind, "ci_low": metric["ci_low"], "ci_high": metric["ci_high"]}


def in_unit(metric: Metric, key: str, unit: str) -> Decimal | None:
    """Return one of a metric's numbers in a unit; None if it has none, UnitError if the unit does not fit."""
    if metric.get(key) is None:
        return None
    return Decimal(repr(metric[key])) * units.factor(metric["unit"], unit)


def one_run(metric: Metric, length: float) -> dict[str, Any] | None:
    """Return how far `below` and `above` the mean 95 of 100 runs end; None if too few replications have it.

    `length` is that of the replications over that of the run. With enough replications the quantiles are
    empirical; otherwise they follow from the standard deviation of a normal distribution.
    """
    values = metric.get("values", ())
    if len(values) < 2:
        return None
    if len(values) >= PREDICTABLE_95:
        low, high = prediction_interval(values, 0.95)
        below, above = max(0.0, metric["value"] - low), max(0.0, high - metric["value"])
    else:
        below = above = NORMAL_95 * statistics.stdev(values)
    shorter = math.sqrt(length)
    return {"unit": metric["unit"], "below": below * shorter, "above": above * shorter}


def one_ratio(metric: Metric, other: Metric, length: float) -> dict[str, Any] | None:
    """Return the same of a ratio of two runs with seeds of their own, to first order."""
    one, beside = one_run(metric, length), one_run(other, length)
    if one is None or beside is None or other["value"] == 0:
        return None
    quotient = metric["value"] / other["value"]
    ends = {"below": "above", "above": "below"}
    return {"unit": "1"} | {
        end: math.hypot(one[end], quotient * beside[ends[end]]) / abs(other["value"]) for end in ends
    }


def _kind(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if all("exact" in part for part in parts):
        return {"exact": True}
    if any("band" in part for part in parts):
        return {"band": True}
    counted = [part for part in parts if "runs" in part]
    fewest = min(counted, key=lambda part: part["runs"], default={})
    return {key: fewest[key] for key in ("runs", "confidence") if key in fewest}


def _paired(parts: Sequence[Metric]) -> bool:
    return all("seeds" in part and part["seeds"] == parts[0]["seeds"] for part in parts)


def _columns(series: Sequence[Metric]) -> Iterator[tuple[float, ...]]:
    """Yield the values of each replication."""
    return zip(*(metric["values"] for metric in series), strict=True)


def _by_replication(values: Sequence[float], value: float, like: Metric) -> dict[str, Any]:
    half = t_interval(values, like["confidence"]).half_width
    interval_of_runs = {"ci_low": value - half, "ci_high": value + half, "values": values}
    return interval_of_runs | {key: like[key] for key in ("seeds", "confidence")}


def _step_half_width(before: Metric, after: Metric) -> float:
    if _paired((before, after)):
        steps = [two - one for one, two in _columns((before, after))]
        return t_interval(steps, before["confidence"]).half_width
    return math.hypot(_half_width(before), _half_width(after))


def _with_interval(unit: str, value: float, parts: Sequence[Metric], count: int) -> dict[str, Any]:
    """Return a metric with the interval of the sum of the parts over their count, if all have one."""
    result = {"unit": unit, "value": value}
    if all("ci_low" in part for part in parts):
        half = math.hypot(*(_half_width(part) for part in parts)) / count
        result |= {"ci_low": value - half, "ci_high": value + half}
    return result | _kind(parts)


def _half_width(metric: Metric) -> float:
    if "band" in metric:  # it is not symmetric
        return max(float(metric["ci_high"] - metric["value"]), float(metric["value"] - metric["ci_low"]))
    return (float(metric["ci_high"]) - float(metric["ci_low"])) / 2
