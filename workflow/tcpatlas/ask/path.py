"""The path of a dumbbell: its bandwidth-delay product, window limits and the cycle times of windows."""

from collections.abc import Mapping
from typing import Any

from tcpatlas.points.kinds.dumbbell_runs import packet_time, round_trip

_BITS = 8
# CUBIC's factor of decrease and C, in packets/s^3, and Reno's growth with that factor (RFC 9438, section 4).
_BETA, _C = 0.7, 0.4
_ALPHA = 3 * (1 - _BETA) / (1 + _BETA)
_OF_CUBIC = {"cubic", "linux-cubic"}
# BBR measures the empty path's round trip every ten seconds (draft-cardwell-iccrg-bbr-congestion-control-00).
_OF_BBR, _PROBE_RTT = {"bbr", "linux-bbr"}, 10.0
_FULL = 0.95
# The wait from which a queue drops or marks, in seconds, unless the point says so (RFC 8289, 8290, 8033).
_TARGETS = {"codel": 0.005, "fq-codel": 0.005, "pie": 0.015, "step": 0.001}
# What managed queues have in both engines unless the point says so (also tc-fq(8), tc-cake(8)).
_DEFAULTS = {
    "cake": "CAKE's round trip of 100 ms",
    "codel": "CoDel's target of 5 ms and interval of 100 ms",
    "fq": "at most 100 packets of a flow in the queue",
    "fq-codel": "CoDel's target of 5 ms and interval of 100 ms, flows hashed to 1,024 queues",
    "pie": "PIE's target of 15 ms and update period of 15 ms",
    "step": "marks from a wait of 1 ms on",
}
# A sender limited by its receiver keeps its whole window in flight, except at the start of files.
_WAITING = 0.5


def product(point: Mapping[str, Any], group: Mapping[str, Any]) -> float:
    """Return the bandwidth-delay product of a group's path, in packets."""
    return round_trip(point, group) / packet_time(point)


def cycle(point: Mapping[str, Any]) -> float:
    """Return about how long the slowest window takes from one loss at the bottleneck to the next, in seconds.

    Windows share path and buffer equally, up to the receiver's window. Reno halves its window and adds a
    packet per round trip. CUBIC aims at the middle between the cut window and the old one, by fast
    convergence, and goes as far beyond (RFC 9438, equations 1 and 2, section 4.7), unless Reno with its
    factor is faster. Random losses end a cycle after 1 / p packets.
    """
    bottleneck, groups = point["links"]["bottleneck"], point["sources"]
    users = sum(group["count"] for group in groups)
    longest = 0.0
    for group in groups:
        tcp = group["tcp"]
        held = (product(point, group) + bottleneck["buffer_packets"]) / users
        window = min(held, tcp["rwnd_packets"])
        full = round_trip(point, group) + bottleneck["buffer_packets"] * packet_time(point)
        if tcp["variant"] in _OF_BBR:
            seconds = _PROBE_RTT
        elif tcp["variant"] in _OF_CUBIC:
            half = (1 - _BETA) / 2 * window
            seconds = full + min(2 * (half / _C) ** (1 / 3), 2 * half / _ALPHA * full)
        else:
            seconds = window / 2 * full
        if loss := bottleneck["loss_probability"]:
            seconds = min(seconds, users * packet_time(point) / loss)
        longest = max(longest, seconds)
    return longest


def limited(point: Mapping[str, Any], values: Mapping[str, float]) -> int | None:
    """Return the receiver's window, in packets, that limits senders of a dumbbell; None if none does.

    `values` are metrics of the simulation. A window limits where path and buffer hold more, the link is not
    full, and the senders have it under way.
    """
    if point["kind"] != "dumbbell" or values.get("utilisation", 1.0) >= _FULL:
        return None
    for group in point["sources"]:
        window = int(group["tcp"]["rwnd_packets"])
        suffix = f"[{group['name']}]" * (len(point["sources"]) > 1)
        rtt = values.get(f"rtt_path_mean{suffix}", 0.0)
        bits = _BITS * point["packet_bytes"]
        if (speed := values.get(f"goodput_per_connection{suffix}")) is not None:
            flight = speed * rtt / bits
        else:
            flight = values.get(f"goodput{suffix}", 0.0) * rtt / group["count"]
        held = product(point, group) + point["links"]["bottleneck"]["buffer_packets"]
        if window < held and flight >= _WAITING * window:
            return window
    return None


def varies(point: Mapping[str, Any]) -> bool:
    """Say whether the bottleneck's rate follows a schedule, so that a shorter run would differ."""
    return "rate_steps" in point.get("links", {}).get("bottleneck", {})


def managed(bottleneck: Mapping[str, Any], buffer_varies: bool) -> str:
    """Say which parameters a queue has that no option gives; nothing of a queue without any."""
    if bottleneck["queue"] != "red":
        return _DEFAULTS.get(bottleneck["queue"], "")
    twelfth = max(1, bottleneck["buffer_packets"] // 12)
    packets = "" if buffer_varies else f": {twelfth:,} and {3 * twelfth:,} packets"
    return f"RED's thresholds at a twelfth and a quarter of the buffer{packets}"


def unreached_target(point: Mapping[str, Any]) -> tuple[str, float, int] | None:
    """Return a managed queue, its target in seconds and its buffer in packets, if no packet waits so long."""
    bottleneck = point.get("links", {}).get("bottleneck", {})
    queue = bottleneck.get("queue")
    if queue not in _TARGETS:
        return None
    target = float(bottleneck.get("target_s", _TARGETS[queue]))
    buffer = int(bottleneck["buffer_packets"])
    reached = (buffer - 1) * packet_time(point) > target or varies(point)
    return None if reached else (queue, target, buffer)


def late_steps(point: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return when a run ends, and the first step of the rate beyond, in seconds; None if there is none."""
    stop = point["stop"]
    if not varies(point) or "duration_s" not in stop:
        return None
    end = float(stop["duration_s"] + stop["warmup_s"])
    steps = point["links"]["bottleneck"]["rate_steps"]
    times = steps["at_s"] if isinstance(steps, dict) else [step["at_s"] for step in steps]
    late = [float(at) for at in times if at >= end]
    return (end, late[0]) if late else None
