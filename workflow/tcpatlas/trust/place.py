"""Places: the numbers and words of a point on which the error of a model may depend."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tcpatlas.points.kinds.dumbbell_runs import round_trip

_BITS = 8
# Windows and timers, as numbers; the largest RTO is hardly ever reached.
_TCP_NUMBERS = {"rwnd_packets", "initial_window_packets", "min_rto_s", "max_rto_s"}
# The numbers of a place: their display names and units.
UNITS: Mapping[str, str] = {
    "rate": "packets/s",
    "round-trip time": "s",
    "buffer": "packets",
    "buffer over bandwidth-delay product": "",
    "load": "",
    "users": "",
    "receiver window": "packets",
    "minimum RTO": "s",
    "random loss": "",
    "cross traffic over rate": "",
    "mean file": "packets",
    "mean pause": "s",
    "initial window": "packets",
    "smallest over mean file": "",
    "other links over rate": "",
    "users over threshold": "",
    "deviation over mean file": "",
    "deviation over mean pause": "",
}
# Files of up to some thousand packets gain nothing from a larger window: of 24 everyday links which hold 500
# to 12,000 packets, it changes the goodput of 23 by 0.2 % at most, and of one by 1.3 %.
_LARGE_WINDOW = 1000
# A point may lie beyond all of a map's points in these: smaller files, faster links.
NO_LOWER_LIMIT = {"smallest over mean file"}
NO_UPPER_LIMIT = {"other links over rate"}
# Derived from the others: they measure similarity, but set no limits.
DERIVED = {"load"}
# Weights of numbers in the distance between points: errors depend on the load most.
WEIGHTS: Mapping[str, float] = {"load": 4}


@dataclass(frozen=True)
class Place:
    """Numbers by the names of `UNITS`, and everything else as one text."""

    numbers: Mapping[str, float]
    words: str


def place_of(point: Mapping[str, Any]) -> Place | None:
    """Return the place of a point of docs/formats.md.

    None if it has several groups of sources, or sources or links without a known measure of similarity. Rates
    and sizes are in packets, so that the packet size does not matter.
    """
    if len(point["sources"]) > 1:
        return None
    (group,) = point["sources"]
    match point["kind"], group["workload"]["kind"]:
        case "dumbbell", "on-off" | "bulk":
            return _at_bottleneck(point, group)
        case "local-loop", "http":
            return _in_local_loop(point, group)
    return None


def _at_bottleneck(point: Mapping[str, Any], group: Mapping[str, Any]) -> Place:
    bottleneck, egress = point["links"]["bottleneck"], point["links"]["egress"]
    workload, tcp, access = group["workload"], group["tcp"], group["access"]
    packet_bits = _BITS * point["packet_bytes"]
    rate = bottleneck["rate_bit_per_s"]
    cross = point.get("cross_traffic")
    rtt = round_trip(point, group)
    numbers = {
        "rate": rate / packet_bits,
        "round-trip time": rtt,
        "buffer": bottleneck["buffer_packets"],
        "buffer over bandwidth-delay product": bottleneck["buffer_packets"] * packet_bits / rate / rtt,
        "users": group["count"],
        "receiver window": tcp["rwnd_packets"],
        "minimum RTO": tcp["min_rto_s"],
        "random loss": bottleneck["loss_probability"],
        "cross traffic over rate": cross["rate_bit_per_s"] / rate if cross else 0,
        "other links over rate": min(access["rate_bit_per_s"], egress["rate_bit_per_s"]) / rate,
    }
    words: dict[str, Any] = {
        "workload": workload["kind"],
        "queue": bottleneck["queue"],
        "ties": bottleneck.get("ties"),
        "loss_growth": bottleneck.get("loss_growth", 1),
        "rtt": point.get("rtt_distribution"),
        "cross_traffic": cross and {**cross, "rate_bit_per_s": None},
        "tcp": {key: value for key, value in tcp.items() if key not in _TCP_NUMBERS},
    }
    if "loss_process" in bottleneck:
        words["losses"] = bottleneck["loss_process"]
    if workload["kind"] == "on-off":
        size, pause = workload["file_size"], workload["off_time"]
        numbers |= {
            "receiver window": min(tcp["rwnd_packets"], _LARGE_WINDOW),
            "mean file": size["mean_packets"],
            "mean pause": pause["mean_s"],
            "load": _load(numbers, size["mean_packets"], pause["mean_s"], tcp["initial_window_packets"]),
            "initial window": tcp["initial_window_packets"],
            "smallest over mean file": size.get("minimum_packets", 1) / size["mean_packets"],
        }
        tail = {key: value for key, value in size.items() if key.startswith("tail_")}
        words |= {"sizes": size["distribution"], "tail": tail, "pauses": pause["distribution"]}
    return Place(numbers, json.dumps(words, sort_keys=True))


def _load(numbers: Mapping[str, float], size: float, pause: float, window: float) -> float:
    """Return the offered load: what users would fetch without queueing, over the link's rate.

    A file of mean size takes its transmission, and a round trip for each doubling of the initial window.
    """
    rate = numbers["rate"]
    alone = size / rate + numbers["round-trip time"] * math.log2(1 + size / window)
    return numbers["users"] * size / (pause + alone) / rate


def _in_local_loop(point: Mapping[str, Any], group: Mapping[str, Any]) -> Place:
    """Return the place of a loop of web users.

    The threshold is the number of users whose downloads would fill the link if they took no time; beyond it
    the loop is saturated.
    """
    (shared,) = (station for station in point["stations"] if "queue" in station)
    others = [station for station in point["stations"] if station is not shared]
    workload, tcp = group["workload"], group["tcp"]
    burst, pause = workload["file_size"], workload["off_time"]
    packet_bits = _BITS * point["packet_bytes"]
    rate = shared["rate_bit_per_s"]
    threshold = rate * pause["mean_s"] / (burst["mean_packets"] * packet_bits)
    numbers = {
        "rate": rate / packet_bits,
        "round-trip time": point["return_delay_s"]
        + sum(station["delay_s"] + packet_bits / station["rate_bit_per_s"] for station in point["stations"]),
        "buffer": shared["buffer_packets"],
        "users": group["count"],
        "users over threshold": group["count"] / threshold,
        "receiver window": tcp["rwnd_packets"],
        "minimum RTO": tcp["min_rto_s"],
        "mean file": burst["mean_packets"],
        "deviation over mean file": burst["standard_deviation_packets"] / burst["mean_packets"],
        "mean pause": pause["mean_s"],
        "deviation over mean pause": pause["standard_deviation_s"] / pause["mean_s"],
        "other links over rate": min(station["rate_bit_per_s"] for station in others) / rate,
    }
    words = {
        "workload": {key: value for key, value in workload.items() if not isinstance(value, Mapping)},
        "queue": [shared["queue"], shared.get("head_of_line")],
        "load": [station["load"] for station in others if "load" in station],
        "saturated": group["count"] > threshold,
        "tcp": {key: value for key, value in tcp.items() if key not in _TCP_NUMBERS},
    }
    return Place(numbers, json.dumps(words, sort_keys=True))
