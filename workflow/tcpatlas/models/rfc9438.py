"""The response functions of RFC 9438, section 5: mean windows of CUBIC, Reno and HighSpeed TCP by loss rate.

Losses are evenly spaced there, one for every 1/p packets, and nothing but losses limits a window.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ._answers import Metrics, answer
from ._points import links_of, only_group, refusal, require

BY_NAME_ONLY = True  # the model `cubic` has its formula for a link, which also limits a window

_BITS = 8
_BETA = 0.7  # section 4.6
_RENO = 1.2  # W = 1.2 / sqrt(p) and W = 0.12 / p^0.835: RFC 3649, section 5 and equation 1
_HIGHSPEED, _EXPONENT = 0.12, 0.835
_LEAST_HIGHSPEED = 38  # packets, below which HighSpeed TCP is Reno (RFC 3649, section 5)
RECOMMENDED_C = 0.4  # packets/s^3
_RENOS = ("newreno", "newreno-sack", "reno")


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point without a single bulk transfer that loses packets."""
    group = only_group("rfc9438", point)
    require(
        "rfc9438",
        {"sources.workload.kind": (group["workload"]["kind"], "bulk"), "sources.count": (group["count"], 1)},
    )
    variant = group["tcp"]["variant"]
    if variant not in ("cubic", *_RENOS):
        raise refusal("rfc9438", "tcp.variant", variant, f"cubic, {', '.join(_RENOS)}")
    if point["links"]["bottleneck"]["loss_probability"] <= 0:
        raise refusal("rfc9438", "links.bottleneck.loss", "a link without losses", "a loss above 0")


def predict(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return for each point the mean window in packets and the goodput in packets/s of its own TCP.

    `cwnd_mean[reno]` and `cwnd_mean[hstcp]` are those of Reno and HighSpeed TCP on the same path. The other
    way round, `cwnd_mean[rate]` is the window that fills the bottleneck's rate, and `loss_ratio[...]` the
    loss rate at which each has it.
    """
    return [answer(_metrics(point)) for point in points]


def _metrics(point: Mapping[str, Any]) -> Metrics:
    group = only_group("rfc9438", point)
    links = links_of(point, group)
    bits = _BITS * point["packet_bytes"]
    rtt = point["return_delay_s"] + sum(link["delay_s"] + bits / link["rate_bit_per_s"] for link in links)
    loss = point["links"]["bottleneck"]["loss_probability"]
    c = group["tcp"].get("c", RECOMMENDED_C)
    window = reno(loss) if group["tcp"]["variant"] in _RENOS else cubic(loss, rtt, c)
    needed = point["links"]["bottleneck"]["rate_bit_per_s"] * rtt / bits
    return {
        "goodput": ("packets/s", window / rtt),
        "cwnd_mean": ("packets", window),
        "cwnd_mean[reno]": ("packets", reno(loss)),
        "cwnd_mean[hstcp]": ("packets", highspeed(loss)),
        "cwnd_mean[rate]": ("packets", needed),
        "loss_ratio[reno]": ("1", (_RENO / needed) ** 2),
        "loss_ratio[hstcp]": ("1", highspeed_loss(needed)),
        "loss_ratio[cubic]": ("1", cubic_loss(needed, rtt, c)),
    }


def reno(loss: float) -> float:
    """Return Reno's mean window in packets (RFC 3649, section 5, with its rounded factor)."""
    window: float = _RENO / loss**0.5
    return window


def highspeed(loss: float) -> float:
    """Return the mean window of HighSpeed TCP in packets (RFC 3649, section 5)."""
    steep: float = _HIGHSPEED / loss**_EXPONENT
    return steep if steep > _LEAST_HIGHSPEED else reno(loss)


def highspeed_loss(window: float) -> float:
    """Return the loss rate at which HighSpeed TCP has a mean window."""
    steep: float = (_HIGHSPEED / window) ** (1 / _EXPONENT)
    return steep if window > _LEAST_HIGHSPEED else (_RENO / window) ** 2


def cubic(loss: float, rtt: float, c: float) -> float:
    """Return CUBIC's mean window in packets, at an RTT in seconds and a C in packets/s^3.

    Section 5, the concave half of its cubic, unless Reno's is larger: the Reno-friendly region.
    """
    concave: float = _constant(c) * (rtt / loss) ** 0.75
    return max(concave, reno(loss))


def cubic_loss(window: float, rtt: float, c: float) -> float:
    """Return the loss rate at which CUBIC has a mean window: the inverse of `cubic`."""
    loss: float = max(rtt * (_constant(c) / window) ** (4 / 3), (_RENO / window) ** 2)
    return loss


def _constant(c: float) -> float:
    """Return (C (3 + beta) / (4 (1 - beta)))^(1/4): 1.054 for a C of 0.4."""
    constant: float = (c * (3 + _BETA) / (4 * (1 - _BETA))) ** 0.25
    return constant
