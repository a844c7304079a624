"""BBR's share against loss-based flows from its in-flight cap, as a reproduction codes it.

The formula is that of plotter_8.py of github.com/wisclmy0611/bbr-fairness-experiment (commit 21e87c4a),
which redid Ware, Mukerjee, Seshan and Sherry, "Modeling BBR's Interactions with Loss-Based Congestion
Control" (IMC 2019). The paper's own text has not been read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ._answers import Metrics, answer
from ._points import refusal, refuse_variation, require

BY_NAME_ONLY = True  # it knows drop-tail queues and one round trip

_NAME = "in_flight_cap"
_PROBE_S = 0.2  # a ProbeRTT, without the draining of the queue and a round trip
_BETWEEN_PROBES_S = 10


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError unless BBR competes with one loss-based group behind one drop-tail queue."""
    require(_NAME, {"kind": (point["kind"], "dumbbell")})
    bottleneck, groups = point["links"]["bottleneck"], point["sources"]
    kinds = [group["workload"]["kind"] for group in groups]
    require(
        _NAME,
        {
            "links.bottleneck.queue": (bottleneck["queue"], "drop-tail"),
            "links.bottleneck.loss": (bottleneck["loss_probability"], 0),
            "sources.workload.kind": (next((kind for kind in kinds if kind != "bulk"), "bulk"), "bulk"),
        },
    )
    refuse_variation(_NAME, bottleneck)
    if len(groups) != 2 or sum(group["tcp"]["variant"] == "bbr" for group in groups) != 1:
        raise refusal(_NAME, "groups", "these groups", "two, one of them of bbr")
    if any(group["extra_delay_s"] for group in groups):
        raise refusal(_NAME, "groups", "an extra delay", "none")


def predict(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the `goodput_share` of both groups of each point."""
    return [answer(_metrics(point)) for point in points]


def _metrics(point: Mapping[str, Any]) -> Metrics:
    bottleneck = point["links"]["bottleneck"]
    rate = bottleneck["rate_bit_per_s"] / (8 * point["packet_bytes"])
    bbr, other = sorted(point["sources"], key=lambda group: group["tcp"]["variant"] != "bbr")
    links = (bbr["access"], bottleneck, point["links"]["egress"])
    bits = 8 * point["packet_bytes"]
    rtt = point["return_delay_s"] + sum(link["delay_s"] + bits / link["rate_bit_per_s"] for link in links)
    share = bbr_share(bbr["count"], bottleneck["buffer_packets"], rate, rtt)
    return {
        f"goodput_share[{bbr['name']}]": ("1", share),
        f"goodput_share[{other['name']}]": ("1", 1 - share),
    }


def bbr_share(flows: int, buffer: float, rate: float, rtt: float) -> float:
    """Return the share of all BBR flows together.

    `buffer` is in packets, `rate` in packets/s, `rtt` in seconds. With X the buffer in bandwidth-delay
    products, the others have p = 1/2 - 1/(2X) - 4 flows/buffer, and BBR the rest, but for the time in which
    it probes for the shortest round trip.
    """
    products = buffer / (rate * rtt)
    others = 1 / 2 - 1 / (2 * products) - 4 * flows / buffer
    probing = (buffer / rate + _PROBE_S + rtt) / _BETWEEN_PROBES_S
    return min(1.0, (1 - others) * (1 - probing))
