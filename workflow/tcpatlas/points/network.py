"""From a complete network in SI units to the fields of a point, with the checks that no schema can make.

A network is the `base` of a scenario with a set's values applied (`scenario.schema.json`), numbers as
Decimal.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tcpatlas.base.units import plain


class NetworkError(ValueError):
    """Values that exclude one another, at the dotted `paths`, the likeliest culprit first."""

    def __init__(self, paths: tuple[str, ...], problem: str) -> None:
        super().__init__(problem)
        self.paths = paths


def point_fields(network: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a point that describe its network, from `links` to `cross_traffic`.

    Raises NetworkError where values exclude one another.
    """
    links, tcp, sources = network["links"], network["tcp"], network["sources"]
    workload = sources["workload"]
    _check_kind(workload["kind"], tcp["variant"], network["stop"])
    _check_queue(links["bottleneck"]["queue"], tcp["variant"])
    least, largest = float(tcp["min_rto"]), float(tcp["max_rto"])
    if largest < least:
        raise NetworkError(
            ("tcp.max_rto", "tcp.min_rto"),
            f"{largest:g} s is below the smallest timeout; at least {least:g} s",
        )
    forward_delay, return_delay = _split_propagation(network)
    bottleneck = links["bottleneck"]
    return {
        "links": {
            "access": _link(links["access"]),
            "bottleneck": {
                "rate_bit_per_s": plain(bottleneck["rate"]),
                "delay_s": plain(forward_delay),
                "loss_probability": plain(bottleneck["loss"]),
                "queue": bottleneck["queue"],
                "buffer_packets": plain(bottleneck["buffer"]),
            },
            "egress": _link(links["egress"]),
        },
        "return_delay_s": plain(return_delay),
        "packet_bytes": plain(network["packet_size"]),
        "ack_bytes": plain(network["ack_size"]),
        "tcp": {
            "variant": tcp["variant"],
            "rwnd_packets": plain(tcp["rwnd"]),
            "initial_window_packets": plain(tcp["initial_window"]),
            "min_rto_s": plain(tcp["min_rto"]),
            "max_rto_s": plain(tcp["max_rto"]),
            **({"clock_tick_s": plain(tcp["clock_tick"])} if tcp["clock_tick"] else {}),
            **(_compound(tcp) if tcp["variant"] == "compound" else {}),
        },
        "sources": {"count": sources["count"], "workload": _workload(workload)},
        **_cross_traffic(network),
    }


def _compound(tcp: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "arithmetic": tcp["arithmetic"],
        **{key: plain(tcp[key]) for key in ("alpha", "k", "beta", "zeta")},
        "gamma_packets": plain(tcp["gamma"]),
        "damping": tcp["damping"],
        "recovery": tcp["recovery"],
    }


def _workload(workload: Mapping[str, Any]) -> dict[str, Any]:
    if workload["kind"] == "bulk":
        return {"kind": "bulk"}
    for key in ("file_size", "off_time"):
        if key not in workload:
            folder = "sources.workload"
            raise NetworkError((f"{folder}.{key}", f"{folder}.kind"), f"on-off sources need {key}")
    return {
        "kind": workload["kind"],
        "file_size": _file_size(workload["file_size"]),
        "off_time": {
            "distribution": workload["off_time"]["distribution"],
            "mean_s": plain(workload["off_time"]["mean"]),
        },
    }


def _check_kind(kind: str, variant: str, stop: Mapping[str, Any]) -> None:
    """Raise NetworkError unless workload, TCP variant and stop rule go together."""
    stops = {
        "on-off": {"newreno": "connections", "tahoe": "connections", "reno": "connections"},
        "bulk": {"compound": "loss_events", "tahoe": "duration", "reno": "duration"},
    }[kind]
    if variant not in stops:
        problem = f"{variant} does not go with {kind} sources; {' or '.join(stops)}"
        raise NetworkError(("tcp.variant", "sources.workload.kind"), problem)
    if stops[variant] not in stop:
        problem = f"{kind} sources of {variant} do not stop by {', '.join(stop)}; {stops[variant]}"
        raise NetworkError(("stop", "sources.workload.kind"), problem)


def _check_queue(queue: str, variant: str) -> None:
    """Raise NetworkError unless the bottleneck's queue and the TCP variant go together."""
    if variant == "compound" and queue != "drop-tail":
        problem = f"compound is simulated alone on its path, not behind {queue}; drop-tail"
        raise NetworkError(("links.bottleneck.queue", "tcp.variant"), problem)


def _cross_traffic(network: Mapping[str, Any]) -> dict[str, Any]:
    """Return `cross_traffic` if there is any; it must leave the sources something of the bottleneck."""
    cross_traffic = network.get("cross_traffic")
    if cross_traffic is None or cross_traffic["rate"] == 0:
        return {}
    kind, rate, bottleneck = (
        cross_traffic["kind"],
        cross_traffic["rate"],
        network["links"]["bottleneck"]["rate"],
    )
    if network["tcp"]["variant"] == "compound":
        raise NetworkError(
            ("cross_traffic", "tcp.variant"), "compound is simulated alone on its path; no cross traffic"
        )
    if (queue := network["links"]["bottleneck"]["queue"]) != "drop-tail":
        problem = f"{queue} knows no turn for it; no cross traffic, or the queue drop-tail"
        raise NetworkError(("cross_traffic", "links.bottleneck.queue"), problem)
    if rate >= bottleneck:
        raise NetworkError(
            ("cross_traffic.rate", "links.bottleneck.rate"),
            f"{float(rate):g} bit/s leave nothing; less than the bottleneck's {float(bottleneck):g} bit/s",
        )
    fields = {"kind": kind, "rate_bit_per_s": plain(rate)}
    if "phase" in cross_traffic:
        if kind != "deterministic":
            problem = f"{kind} traffic has no phase; leave it out"
            raise NetworkError(("cross_traffic.phase", "cross_traffic.kind"), problem)
        fields["phase"] = plain(cross_traffic["phase"])
    return {"cross_traffic": fields}


def _link(link: Mapping[str, Any]) -> dict[str, int | float]:
    return {"rate_bit_per_s": plain(link["rate"]), "delay_s": plain(link["delay"])}


def _split_propagation(network: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """Return the bottleneck's delay and the return delay in seconds.

    RTT_0 = D + (P + a) (1/C_1 + 1/C + 1/C_3) (Zaragoza, section 3.3): D is what `rtt` leaves after the
    transmission of the packet and its acknowledgement on the three links, or `propagation` itself. What the
    links' own delays leave of D is split evenly, unless the bottleneck's delay is given too. Acknowledgements
    do not queue: their transmission times are part of the return delay.
    """
    links = network["links"]
    total = next((key for key in ("rtt", "propagation") if key in network), None)
    if total is None or ("rtt" in network and "propagation" in network):
        raise NetworkError(("rtt", "propagation"), "exactly one of rtt and propagation is needed")
    per_byte = sum(8 / link["rate"] for link in links.values())
    acknowledgement = network["ack_size"] * per_byte
    transmission = (network["packet_size"] * per_byte + acknowledgement) if total == "rtt" else Decimal(0)
    bottleneck_delay = links["bottleneck"].get("delay")
    fixed = transmission + links["access"]["delay"] + links["egress"]["delay"] + (bottleneck_delay or 0)
    left = network[total] - fixed
    if left < 0:
        what = "the path's transmission times and delays" if total == "rtt" else "the links' own delays"
        raise NetworkError(
            (total, "links", "packet_size", "ack_size"),
            f"{float(network[total]):g} s is less than {what}; at least {float(fixed):.6g} s",
        )
    if bottleneck_delay is None:
        return left / 2, left / 2 + acknowledgement
    return bottleneck_delay, left + acknowledgement


def _file_size(size: Mapping[str, Any]) -> dict[str, Any]:
    """Return the distribution with the parameters that it uses (Zaragoza, section 3.2).

    Minimum A, mean X, the tail's share H and its index or mean must leave the body a positive mean.
    """
    folder = "sources.workload.file_size"
    distribution, mean, minimum = size["distribution"], size["mean"], size["minimum"]
    fields = {"distribution": distribution, "mean_packets": plain(mean), "minimum_packets": plain(minimum)}
    share = size["tail_share"]
    paths: tuple[str, ...] = (f"{folder}.mean", f"{folder}.minimum", f"{folder}.distribution")
    if mean < minimum:
        raise NetworkError(
            paths, f"the mean, {mean} packets, is below the minimum size; at least {minimum} packets"
        )
    if distribution == "fixed":
        if mean != int(mean):
            raise NetworkError(
                paths, f"a fixed size of {mean} packets is not whole; a whole number of packets"
            )
        return fields
    if distribution == "exponential":
        lowest = minimum
    elif distribution == "exponential-pareto":
        lowest = minimum * (1 + share / (size["tail_index"] - 1))
        paths += (f"{folder}.tail_share", f"{folder}.tail_index")
        fields |= {"tail_share": plain(share), "tail_index": plain(size["tail_index"])}
    else:
        lowest = minimum
        fields |= {"tail_share": plain(share), "tail_mean_ratio": plain(size["tail_mean_ratio"])}
        highest_ratio = (mean - minimum) / (share * mean)
        if size["tail_mean_ratio"] >= highest_ratio:
            raise NetworkError(
                (f"{folder}.tail_mean_ratio", *paths, f"{folder}.tail_share"),
                f"the tail mean ratio {size['tail_mean_ratio']} leaves the body no positive mean; "
                f"less than {float(highest_ratio):.6g} (mean less minimum, over tail share times mean)",
            )
    if mean <= lowest:
        raise NetworkError(
            paths,
            f"the mean, {mean} packets, leaves the body no positive mean; more than {float(lowest):.6g}",
        )
    return fields
