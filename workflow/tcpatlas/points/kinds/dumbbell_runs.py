"""What a dumbbell's point says of its runs: packets, rates, times, and how much is random."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tcpatlas.points.parts import stop as stop_rules
from tcpatlas.points.parts.losses import evenly_spaced
from tcpatlas.points.parts.sample import Sample
from tcpatlas.points.parts.workload import workload_is_random


def packets(point: Mapping[str, Any]) -> float:
    """Return the approximate number of packets in a run.

    Connections times the mean file size; for a duration, as many as the bottleneck and the sources' windows
    can carry; for loss events, 3/8 w^2 packets each: the window grows by one packet per round trip from half
    of the window w that fills path and buffer. A transfer keeps its length.
    """
    stop, groups = point["stop"], point["sources"]
    repeated = sum(stop.values())
    if "connections" in stop:
        return float(repeated * _mean_file_size(groups))
    if "transfer_packets" in stop or "packets" in stop:
        return float(repeated)
    links = point["links"]
    bottleneck = links["bottleneck"]
    delays = (links["egress"], bottleneck, groups[0]["access"])
    propagation = point["return_delay_s"] + sum(link["delay_s"] for link in delays)
    if "duration_s" in stop:
        rate = _rate_in_the_long_run(point) / 8 / min(packet_bits(point, group) / 8 for group in groups)
        windows = _windows(groups, bottleneck["loss_probability"], propagation)
        return float(repeated * (min(rate, windows / propagation) if propagation else rate))
    path = propagation * bottleneck["rate_bit_per_s"] / 8 / point["packet_bytes"]
    return float(repeated * 3 / 8 * (path + bottleneck["buffer_packets"]) ** 2)


def begun_within(point: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Return the point of a lone endless transfer that begins at a random time within so many seconds."""
    (group,) = point["sources"]
    return {**point, "sources": [{**group, "workload": {**group["workload"], "start_spread_s": seconds}}]}


def packet_bits(point: Mapping[str, Any], group: Mapping[str, Any] | None = None) -> float:
    """Return the bits of a packet, of one group where it has a size of its own."""
    return 8.0 * float((group or {}).get("packet_bytes", point["packet_bytes"]))


def goodput_bits(point: Mapping[str, Any], values: Mapping[str, float]) -> float:
    """Return what all groups' sources receive, in bit/s, of metrics in packets/s."""
    groups = point["sources"]
    if len(groups) > 1 and any("packet_bytes" in group for group in groups):
        return sum(packet_bits(point, g) * values.get(f"goodput[{g['name']}]", 0.0) for g in groups)
    return packet_bits(point, groups[0]) * values["goodput"]


def capacity(point: Mapping[str, Any]) -> float:
    """Return the highest rate of the bottleneck, in bit/s."""
    bottleneck = point["links"]["bottleneck"]
    steps = bottleneck.get("rate_steps", ())
    if isinstance(steps, dict):
        return float(max(bottleneck["rate_bit_per_s"], *steps["rate_bit_per_s"]))
    return float(max(bottleneck["rate_bit_per_s"], *(step["rate_bit_per_s"] for step in steps), 0))


def packet_time(point: Mapping[str, Any]) -> float:
    """Return the transmission time of a packet at the bottleneck, in seconds."""
    return float(8 * point["packet_bytes"] / point["links"]["bottleneck"]["rate_bit_per_s"])


def round_trip(point: Mapping[str, Any], group: Mapping[str, Any]) -> float:
    """Return the round-trip time of a group's empty path, in seconds, with a packet's transmission."""
    links = (group["access"], point["links"]["bottleneck"], point["links"]["egress"])
    bits = 8 * point["packet_bytes"]
    there = sum(link["delay_s"] + bits / link["rate_bit_per_s"] for link in links)
    return float(point["return_delay_s"] + group["extra_delay_s"] + there)


def _rate_in_the_long_run(point: Mapping[str, Any]) -> float:
    bucket = point["links"]["bottleneck"].get("token_bucket", {"rate_bit_per_s": math.inf})
    return min(capacity(point), float(bucket["rate_bit_per_s"]))


def _windows(groups: Sequence[Mapping[str, Any]], loss: float, rtt: float) -> float:
    """Return the most packets that all sources have in flight, where random losses bound their windows.

    A window is the larger of Reno's and CUBIC's mean windows: sqrt(3/2 / p) (Floyd and Fall) and
    1.054 (RTT / p)^(3/4) (RFC 9438, section 5.1, equation 6).
    """
    if loss == 0:
        return math.inf
    mean = max(math.sqrt(1.5 / loss), 1.054 * (rtt / loss) ** 0.75)
    return float(sum(group["count"] * min(mean, group["tcp"]["rwnd_packets"]) for group in groups))


def _mean_file_size(groups: Sequence[Mapping[str, Any]]) -> float:
    """Return the mean file size of the sources of a point that send files, in packets."""
    sizes = [
        (group["count"], group["workload"]["file_size"]["mean_packets"])
        for group in groups
        if "file_size" in group["workload"]
    ]
    return float(sum(each * size for each, size in sizes) / max(sum(each for each, _ in sizes), 1))


def shortened(point: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the point with its run shortened by a factor."""
    return {**point, "stop": stop_rules.shortened(point["stop"], factor)}


def shortest(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the shortest meaningful run."""
    return {**point, "stop": stop_rules.shortest(point["stop"])}


def is_random(point: Mapping[str, Any]) -> bool:
    """Say whether a run is random beyond its start: losses, arrivals, ties, files and their times."""
    bottleneck = point["links"]["bottleneck"]
    return bool(
        point["links"].get("return", {}).get("loss_probability")
        or (bottleneck["loss_probability"] > 0 and not evenly_spaced(bottleneck.get("loss_process")))
        or bottleneck.get("ties") == "random"
        or "jitter" in bottleneck
        or "reordering" in bottleneck
        or point.get("cross_traffic", {}).get("kind") == "poisson"
        or any(workload_is_random(group["workload"]) for group in point["sources"])
    )


def sample(point: Mapping[str, Any]) -> Sample:
    """Return the length and the replications of a run in the cross-check of engines.

    An isolated flow sends thousands of packets from one loss to the next, so a run that stops by loss events
    takes more packets and is repeated less often.
    """
    return Sample(150000, 2) if "loss_events" in point["stop"] else Sample(50000, 4)
