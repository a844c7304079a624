"""What people ask of a link or a loop: a few metrics of runs and models, by the names of metrics.yaml."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import Any

from tcpatlas.claims.metrics import catalogue, entry_name, estimate_of

_BITS = 8
ON_OFF = ("goodput_per_connection", "on_time", "loss_ratio", "utilisation")
BULK = ("goodput", "fairness_index", "loss_ratio", "utilisation")
LOCAL_LOOP = (
    "goodput_per_connection",
    "guaranteed_goodput[95]",
    "loss_ratio",
    "rtt_path_mean",
    "utilisation",
)
QUEUEING_DELAY = "queueing_delay_mean"
QUEUEING_DELAY_95 = "queueing_delay_95"
QUEUE = "queue_mean"
_QUANTILE = 0.95


def title(metric: str) -> str:
    """Return what people call a metric: `Guaranteed goodput (95 %)`."""
    index = metric.removeprefix(entry_name(metric)).strip("[]")
    name = str(catalogue()[entry_name(metric)]["title"])
    return f"{name} ({index} %)" if index else name


def unit(metric: str) -> str:
    """Return the unit of a metric's values."""
    return str(catalogue()[entry_name(metric)]["unit"])


def asked(point: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metrics that a table shows of a point, in their order."""
    if point["kind"] == "local-loop":
        return LOCAL_LOOP
    on_off = any(group["workload"]["kind"] == "on-off" for group in point["sources"])
    return (*(ON_OFF if on_off else BULK), QUEUEING_DELAY, QUEUEING_DELAY_95)


def usual(given: Collection[str]) -> tuple[str, ...]:
    """Return those of the metrics that runs or models give which people ask for, in their order."""
    wanted = (*(ON_OFF if ON_OFF[0] in given else BULK), QUEUE)
    return tuple(name for name in wanted if name in given)


def answered(point: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, float]:
    """Return the asked metrics that a run or a prediction of the point gives.

    Queueing delays behind a drop-tail queue are the queue found on arrival times a packet's transmission
    time; a model without that distribution is read as if arrivals found the time average.
    """
    values = {name: entry["value"] for name, entry in answer["metrics"].items()}
    if point["kind"] == "local-loop":
        values |= {other: values[name] for name in values if (other := estimate_of(name))}
    distributions = answer["distributions"]
    found = distributions.get("queue_by_arrival") or distributions.get("queue_by_time")
    bottleneck = point.get("links", {}).get("bottleneck")
    if found and bottleneck and bottleneck["queue"] == "drop-tail":
        packet_time = _BITS * point["packet_bytes"] / bottleneck["rate_bit_per_s"]
        shares = found["probability"]
        values[QUEUEING_DELAY] = packet_time * sum(length * share for length, share in enumerate(shares))
        values[QUEUEING_DELAY_95] = packet_time * _quantile(shares)
    return {name: float(values[name]) for name in asked(point) if name in values}


def _quantile(shares: Sequence[float]) -> int:
    """Return the smallest value that is not exceeded with a probability of 95 %."""
    total = sum(shares)
    return next(value for value, below in enumerate(accumulate(shares)) if below >= _QUANTILE * total - 1e-12)
