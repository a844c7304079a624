"""The path of the random-loss formulas: an isolated bulk transfer, its empty RTT, and the limits of cwnd."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tcpatlas.points.errors import PointError

from ._points import links_of, only_group, require

_BITS = 8
_VARIANTS = ("newreno", "reno")
_SMALLEST_RWND = 2


@dataclass(frozen=True)
class LossyPath:
    """A path on which the bottleneck loses each packet with the same probability.

    `link` is the rate of the slowest link in packets/s, of the size on the wire; `rtt` the round-trip time of
    the empty path and `min_rto` the smallest retransmission timeout, in seconds; `max_window` is rwnd in
    packets.
    """

    loss_probability: float
    max_window: int
    link: float
    rtt: float
    min_rto: float

    @classmethod
    def of(cls, model: str, point: Mapping[str, Any]) -> "LossyPath":
        """Return the path of a point of docs/formats.md.

        Raises PointError, in the name of `model`, unless one bulk transfer of NewReno or Reno has the
        bottleneck, a drop-tail queue with random loss, to itself, and an rwnd of 2 packets or more.
        """
        group = only_group(model, point)
        links, tcp, bottleneck = links_of(point, group), group["tcp"], point["links"]["bottleneck"]
        require(
            model,
            {
                "sources.workload.kind": (group["workload"]["kind"], "bulk"),
                "sources.count": (group["count"], 1),
                "links.bottleneck.queue": (bottleneck["queue"], "drop-tail"),
            },
        )
        if tcp["variant"] not in _VARIANTS:
            raise _refusal(model, "tcp.variant", tcp["variant"], " or ".join(_VARIANTS))
        loss = bottleneck["loss_probability"]
        if loss == 0:
            raise _refusal(model, "links.bottleneck.loss", "a link without random loss", "more than 0 %")
        if tcp["rwnd_packets"] < _SMALLEST_RWND:
            allowed = f"{_SMALLEST_RWND} packets or more"
            raise _refusal(model, "tcp.rwnd", f"an rwnd of {tcp['rwnd_packets']} packet", allowed)
        if "cross_traffic" in point:
            raise _refusal(model, "cross_traffic", "cross traffic", "none")
        packet_bits = _BITS * point["packet_bytes"]
        rates = [link["rate_bit_per_s"] for link in links]
        return cls(
            loss_probability=loss,
            max_window=tcp["rwnd_packets"],
            link=min(rates) / packet_bits,
            rtt=sum(link["delay_s"] for link in links)
            + sum(packet_bits / rate for rate in rates)
            + point["return_delay_s"],
            min_rto=tcp["min_rto_s"],
        )


def _refusal(model: str, path: str, value: str, allowed: str) -> PointError:
    return PointError((path,), f"the {model} model cannot answer {value}; allowed: {allowed}")
