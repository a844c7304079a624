"""What a run of a point costs, in packets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def point_packets(point: Mapping[str, Any]) -> float:
    """Return connections times mean file size, or loss events times the longest way from one to the next.

    The latter is 3/8 w^2 packets: one a round trip, from half of the window w that fills path and buffer.
    A duration takes as many as the bottleneck can carry.
    """
    repeated = sum(point["stop"].values())
    if "duration_s" in point["stop"]:
        return float(repeated * point["links"]["bottleneck"]["rate_bit_per_s"] / 8 / point["packet_bytes"])
    if point["sources"]["workload"]["kind"] == "on-off":
        return float(repeated * point["sources"]["workload"]["file_size"]["mean_packets"])
    links = point["links"]
    propagation = point["return_delay_s"] + sum(link["delay_s"] for link in links.values())
    path = propagation * links["bottleneck"]["rate_bit_per_s"] / 8 / point["packet_bytes"]
    return float(repeated * 3 / 8 * (path + links["bottleneck"]["buffer_packets"]) ** 2)
