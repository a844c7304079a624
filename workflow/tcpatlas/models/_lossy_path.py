"""The path of the random-loss formulas: an isolated bulk transfer, its empty RTT, and the limits of cwnd."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ._points import links_of, only_group, refusal, require

_BITS = 8
_RENOS = ("newreno", "reno", "linux-reno")
_SMALLEST_RWND = 2


@dataclass(frozen=True)
class LossyPath:
    """A path on which the bottleneck loses each packet with the same probability.

    `link` is the rate of the slowest link in packets/s, of the size on the wire; `rtt` the round-trip time of
    the empty path, or the mean of the point's `rtt_distribution` before it is cut at 0, and `min_rto` the
    smallest retransmission timeout, in seconds; `max_window` is rwnd in packets. At a window of w packets
    each is lost with probability `loss_probability` times `loss_growth` to the power of w.
    """

    loss_probability: float
    max_window: int
    link: float
    rtt: float
    min_rto: float
    loss_growth: float = 1
    rtt_distribution: Mapping[str, float] | None = None

    @classmethod
    def of(
        cls,
        model: str,
        point: Mapping[str, Any],
        *,
        growing_loss: bool = False,
        losses: Collection[str] = ("independent",),
        variants: Collection[str] = _RENOS,
    ) -> "LossyPath":
        """Return the path of a point of docs/formats.md.

        Raises PointError, in the name of `model`, unless one bulk transfer has the bottleneck, a drop-tail
        queue with random loss, to itself, and an rwnd of 2 packets or more. Loss that grows with the window
        is only for models of `growing_loss`; `losses` and `variants` are the kinds of loss process and of TCP
        that the model is about: by default NewReno and Reno, that of Linux without SACK, too.
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
        if tcp["variant"] not in variants:
            raise refusal(model, "tcp.variant", tcp["variant"], ", ".join(variants))
        loss = bottleneck["loss_probability"]
        if loss == 0:
            raise refusal(model, "links.bottleneck.loss", "a link without random loss", "more than 0 %")
        if (kind := bottleneck.get("loss_process", {}).get("kind", "independent")) not in losses:
            raise refusal(model, "links.bottleneck.loss_process.kind", kind, ", ".join(losses))
        growth = bottleneck.get("loss_growth", 1)
        if growth != 1 and not growing_loss:
            raise refusal(model, "links.bottleneck.loss_growth", "loss that grows with the window", "1")
        if tcp["rwnd_packets"] < _SMALLEST_RWND:
            allowed = f"{_SMALLEST_RWND} packets or more"
            raise refusal(model, "tcp.rwnd", f"an rwnd of {tcp['rwnd_packets']} packet", allowed)
        if "cross_traffic" in point:
            raise refusal(model, "cross_traffic", "cross traffic", "none")
        rtt_law = point.get("rtt_distribution")
        packet_bits = _BITS * point["packet_bytes"]
        rates = [link["rate_bit_per_s"] for link in links]
        rtt = _mean(rtt_law) if rtt_law else _empty_path(links, packet_bits) + point["return_delay_s"]
        return cls(
            loss_probability=loss,
            max_window=tcp["rwnd_packets"],
            link=min(rates) / packet_bits,
            rtt=rtt,
            min_rto=least_timeout(tcp, rtt),
            loss_growth=growth,
            rtt_distribution=rtt_law,
        )


def least_timeout(tcp: Mapping[str, Any], rtt: float) -> float:
    """Return the least timeout over a round trip, in seconds: with Linux's timers `min_rto` is above it."""
    return float(rtt + tcp["min_rto_s"] if tcp.get("timers") == "linux" else max(rtt, tcp["min_rto_s"]))


def rtt_and_loss(measured: Mapping[str, float]) -> tuple[float, float] | None:
    """Return a run's mean RTT sample, in seconds, and its loss estimate; None unless it has both above 0."""
    rtt, loss = measured.get("rtt_sample_mean", 0), measured.get("loss_estimate", 0)
    return (rtt, loss) if rtt > 0 and loss > 0 else None


def _empty_path(links: Iterable[Mapping[str, float]], packet_bits: float) -> float:
    return sum(link["delay_s"] + packet_bits / link["rate_bit_per_s"] for link in links)


def _mean(rtt: Mapping[str, float]) -> float:
    outliers = rtt.get("outliers", 0)
    return (1 - outliers) * rtt["mean_s"] + outliers * rtt.get("outlier_s", 0)
