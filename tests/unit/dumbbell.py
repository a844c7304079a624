"""Points of kind dumbbell, for tests of what models say of them."""

from collections.abc import Mapping
from typing import Any


def dumbbell(
    rate: float,
    buffer: int,
    tcp: Mapping[str, Any],
    *,
    delays: tuple[float, float, float, float],
    access: float = 1e12,
    egress: float = 1e12,
    loss: float = 0,
    packet_bytes: int = 1500,
    count: int = 1,
    workload: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a point of one group of sources, bulk ones by default; `more` are fields of the point.

    Rates in bit/s, the buffer in packets. `delays`, in s: of access, bottleneck and egress link, and the way
    back.
    """
    before, at, behind, back = delays
    group = {
        "name": "sources",
        "count": count,
        "workload": dict(workload or {"kind": "bulk"}),
        "tcp": dict(tcp),
        "access": {"rate_bit_per_s": access, "delay_s": before},
        "extra_delay_s": 0,
    }
    bottleneck = {"rate_bit_per_s": rate, "delay_s": at, "loss_probability": loss, "queue": "drop-tail"}
    return {
        "study": "test",
        "set": "test",
        "point": "base",
        "kind": "dumbbell",
        "links": {
            "bottleneck": bottleneck | {"buffer_packets": buffer},
            "egress": {"rate_bit_per_s": egress, "delay_s": behind},
        },
        "return_delay_s": back,
        "packet_bytes": packet_bytes,
        "ack_bytes": 0,
        "sources": [group],
        "probes": [],
        **more,
    }
