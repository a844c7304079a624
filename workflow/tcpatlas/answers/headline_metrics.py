"""The few metrics that people ask about a link: their everyday names, and how runs and models give them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from tcpatlas.answers.metrics import catalogue, entry_name, estimate_of
from tcpatlas.points.kinds.dumbbell_runs import goodput_bits, packet_bits, packet_time

_QUANTILE = 0.95
QUEUEING_DELAY = "queueing_delay_mean"
QUEUEING_DELAY_95 = "queueing_delay_95"
TRANSFER_TIME_95 = "transfer_time[95]"
SPEED_PER_USER = "goodput_per_user"
GOODPUT_OF_ALL = "goodput_of_all"


@dataclass(frozen=True)
class Headline:
    """A metric of `metrics.yaml` with its names in targets, tables and column heads."""

    metric: str
    name: str
    title: str
    column: str


# In the order of tables. Two may share a name: a point has one of them.
HEADLINES = (
    Headline("goodput_per_connection", "speed", "Speed per user", "Speed"),
    Headline(SPEED_PER_USER, "speed", "Speed per user", "Speed"),
    Headline("guaranteed_goodput[95]", "guarantee", "Speed of 95 %, at least", "95 % reach"),
    Headline("on_time", "time", "Time per file", "File takes"),
    Headline(TRANSFER_TIME_95, "time-95", "   95th percentile", "95 % take"),
    Headline("refused_ratio", "refused", "Files or pages refused", "Refused"),
    Headline(GOODPUT_OF_ALL, "goodput", "Goodput of all users", "Goodput"),
    Headline("fairness_index", "fairness", "Fairness (1: all alike)", "Fairness"),
    Headline("loss_ratio", "loss", "Loss", "Loss"),
    Headline("mark_ratio", "marks", "Packets marked", "Marked"),
    Headline("utilisation", "utilisation", "Link utilisation", "Link in use"),
    Headline("rtt_path_mean", "rtt", "Round-trip time, mean", "RTT"),
    Headline(QUEUEING_DELAY, "delay", "Queueing delay, mean", "Queueing"),
    Headline(QUEUEING_DELAY_95, "delay-95", "   95th percentile", "95 % wait"),
)
NAMES = tuple(dict.fromkeys(row.name for row in HEADLINES))
_ON_OFF = ("goodput_per_connection", "on_time", "loss_ratio", "utilisation")
_BULK = ("goodput", "fairness_index", "loss_ratio", "utilisation")
_LOCAL_LOOP = (
    "goodput_per_connection",
    "guaranteed_goodput[95]",
    "loss_ratio",
    "rtt_path_mean",
    "utilisation",
)
# Shown after these where an engine measures them.
_MORE = (TRANSFER_TIME_95, "refused_ratio", "mark_ratio", "rtt_path_mean", GOODPUT_OF_ALL)


def unit(metric: str) -> str:
    """Return the unit of a metric's values."""
    return str(catalogue()[entry_name(metric)]["unit"])


def definition(metric: str) -> str:
    """Return the definition of a metric."""
    return str(catalogue()[entry_name(metric)]["definition"])


def asked(point: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metrics that people ask about a point, which error maps cover."""
    if point["kind"] == "local-loop":
        return _LOCAL_LOOP
    return (*(_ON_OFF if _fetches_files(point) else _BULK), QUEUEING_DELAY, QUEUEING_DELAY_95)


def given(point: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metrics that an answer may have, as far as engine and workload give them."""
    speed = (SPEED_PER_USER,) if "goodput" in asked(point) else ()
    return (*asked(point), *speed, *_MORE)


def shown(point: Mapping[str, Any]) -> tuple[Headline, ...]:
    """Return the metrics that tables show: the speed of a user, and of each group, not the total goodput."""
    wanted = {*given(point)} - {GOODPUT_OF_ALL}
    rows = [row for row in HEADLINES if row.metric in wanted]
    return (*rows[:1], *groups(point), *rows[1:])


def groups(point: Mapping[str, Any]) -> tuple[Headline, ...]:
    """Return the speed of a user in each group; empty for a single group."""
    if len(point["sources"]) == 1:
        return ()
    speeds = {
        group["name"]: SPEED_PER_USER if group["workload"]["kind"] == "bulk" else _ON_OFF[0]
        for group in point["sources"]
    }
    return tuple(Headline(f"{speeds[name]}[{name}]", "speed", f"   {name}", name) for name in speeds)


def usual(names: Collection[str]) -> tuple[str, ...]:
    """Return the metrics that people ask for, in their order, as far as they are among some names."""
    wanted = (*(_ON_OFF if _ON_OFF[0] in names else _BULK), "queue_mean")
    return tuple(name for name in wanted if name in names)


def answered(point: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, float]:
    """Return the metrics of an answer that a run or a prediction of the point gives, and speeds per user.

    Queueing delays behind a drop-tail queue of one rate are the queue found on arrival times a packet's
    transmission time; a model without that distribution is read as if arrivals found the time average. Behind
    other queues the mean is that of Little's law, without the packet's own transmission.
    """
    values = {name: entry["value"] for name, entry in answer["metrics"].items()}
    if point["kind"] == "local-loop":
        values |= {other: values[name] for name in values if (other := estimate_of(name))}
    distributions = answer["distributions"]
    queue = distributions.get("queue_by_arrival") or distributions.get("queue_by_time")
    if bottleneck := point.get("links", {}).get("bottleneck"):
        transmission = packet_time(point)
        plain = bottleneck["queue"] == "drop-tail" and not bottleneck.keys() & {"rate_steps", "token_bucket"}
        if queue and plain:
            shares = queue["probability"]
            values[QUEUEING_DELAY] = transmission * sum(at * share for at, share in enumerate(shares))
            values[QUEUEING_DELAY_95] = transmission * _quantile(shares)
        elif plain and "queue_mean_on_arrival" in values:
            values[QUEUEING_DELAY] = transmission * values["queue_mean_on_arrival"]
        elif "queue_mean" in values and values.get("throughput", 0.0) > 0:
            carried = values["throughput"] + values.get("cross_throughput", 0.0)
            values[QUEUEING_DELAY] = max(values["queue_mean"] / carried - transmission, 0.0)
    if "goodput" in values:
        values[GOODPUT_OF_ALL] = goodput_bits(point, values)
        values[SPEED_PER_USER] = values[GOODPUT_OF_ALL] / sum(g["count"] for g in point["sources"])
    for group in point["sources"]:
        if (goodput := values.get(f"goodput[{group['name']}]")) is not None:
            bits = goodput * packet_bits(point, group)
            values[f"{SPEED_PER_USER}[{group['name']}]"] = bits / group["count"]
    wanted = (*given(point), *(row.metric for row in groups(point)))
    return {name: float(values[name]) for name in wanted if name in values}


def _fetches_files(point: Mapping[str, Any]) -> bool:
    return any(group["workload"]["kind"] != "bulk" for group in point["sources"])


def _quantile(shares: Sequence[float]) -> int:
    """Return the 95 % quantile: the smallest value not exceeded with that probability."""
    total = sum(shares)
    return next(value for value, below in enumerate(accumulate(shares)) if below >= _QUANTILE * total - 1e-12)
