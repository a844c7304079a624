"""The TCP-modified Engset model of on-off file transfers over a shared link (Zaragoza 2014)."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models._points import links_of, only_group, require
from tcpatlas.models.engset.equations import IsolatedConnection, Queue, Setting, SharedLink
from tcpatlas.models.engset.isolated_queue import time_at_levels
from tcpatlas.models.engset.slow_start import last_in_slow_start, whole_part

# The buffer rule of section 5.4.1 allows this loss ratio.
RULE_LOSS_RATIO = 0.01
# The 600 ms rule of section 5.4.1: an RTO of 1 s leaves 600 ms for queueing on a round trip of 400 ms.
RULE_QUEUEING_DELAY = 0.6


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the metrics and distributions of each point, in order, in the form of docs/formats.md.

    Where the model and a run speak of the same thing the name is the same. `isolated_*` is a connection alone
    on the path, `renormalised_*` its (m, n) for the queue, `isolated_queue_*` the queue of a single source at
    the slowest link over ON and OFF time (section 4.4; only for its initial window of 2 packets); `*_1` and
    `*_2` are the two ways to the rate, the second absent where N <= s; `buffer_rule*` are the rules of
    section 5.4.1. `packet_time`, `path_packets`, `beta_over_rwnd` and `rwnd_over_beta` belong to the slowest
    link, as in table 2; `saturated_queue` is there if a long connection saturates it, `capacity_share[j]` if
    the point has that probe. Raises PointError as `check` does.
    """
    return [_predict(setting_of(point), _asks_for_sharing(point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    setting_of(point)


def _asks_for_sharing(point: Mapping[str, Any]) -> bool:
    return any(probe["kind"] == "capacity-sharing" for probe in point.get("probes", ()))


def setting_of(point: Mapping[str, Any]) -> Setting:
    """Return what the model takes of a point; PointError where it cannot answer it."""
    group = only_group("engset", point)
    links, workload, tcp = links_of(point, group), group["workload"], group["tcp"]
    bottleneck = point["links"]["bottleneck"]
    require(
        "engset",
        {
            "sources.workload.kind": (workload["kind"], "on-off"),
            "links.bottleneck.queue": (bottleneck["queue"], "drop-tail"),
            "links.bottleneck.loss": (bottleneck["loss_probability"], 0),
        },
    )
    packet_bits = 8 * point["packet_bytes"]
    rates = [link["rate_bit_per_s"] for link in links]
    delays = [link["delay_s"] for link in links]
    return Setting(
        sources=group["count"],
        file_size=workload["file_size"]["mean_packets"],
        off_time=workload["off_time"]["mean_s"],
        packet_bits=packet_bits,
        rtt=sum(delays) + sum(packet_bits / rate for rate in rates) + point["return_delay_s"],
        capacity=bottleneck["rate_bit_per_s"],
        slowest_rate=min(rates),
        rwnd=tcp["rwnd_packets"],
        initial_window=tcp["initial_window_packets"],
        buffer=bottleneck["buffer_packets"],
    )


def _predict(setting: Setting, sharing: bool) -> dict[str, Any]:
    isolated = IsolatedConnection(setting)
    link = SharedLink(isolated)
    queue = Queue.of(setting, link.mean, isolated.renormalised)
    queue_shares = _isolated_queue(isolated) if setting.initial_window == 2 else None
    metrics = (
        _path_metrics(setting)
        | _isolated_metrics(isolated)
        | ({} if queue_shares is None else _isolated_queue_metrics(setting, queue_shares))
        | _link_metrics(link)
        | _queue_metrics(setting, queue)
        | _buffer_rules(link, queue)
        | (_capacity_shares(isolated) if sharing else {})
    )
    distributions = {
        "active_by_time": ("connections", link.active),
        "queue_by_time": ("packets", queue.distribution(setting.buffer)),
    }
    if queue_shares is not None:
        distributions["isolated_queue_by_time"] = ("packets", queue_shares)
    return answer(metrics, distributions)


def _path_metrics(setting: Setting) -> Metrics:
    """Saturation data (section 3.3, table 2)."""
    path_holds = whole_part(setting.path_packets)
    metrics: Metrics = {
        "isolated_rtt": ("s", setting.rtt),
        "packet_time": ("s", setting.packet_time),
        "path_packets": ("packets", setting.path_packets),
        "bottleneck_packet_time": ("s", setting.bottleneck_packet_time),
        "bottleneck_path_packets": ("packets", setting.rtt / setting.bottleneck_packet_time),
        "beta_over_rwnd": ("1", path_holds / setting.rwnd),
        "rwnd_over_beta": ("1", setting.rwnd / path_holds),
    }
    if setting.rwnd > path_holds:
        metrics["saturated_queue"] = ("packets", setting.rwnd - path_holds + 1)
    return metrics


def _isolated_metrics(isolated: IsolatedConnection) -> Metrics:
    """(m, n), duration and rate of a connection alone on its path (section 4.2, table 3)."""
    setting, rounds, renormalised = isolated.setting, isolated.rounds, isolated.renormalised
    return {
        "isolated_rounds": ("1", rounds.trips),
        "isolated_extra_packets": ("packets", rounds.extra_packets),
        "isolated_last_flight": ("packets", isolated.flights.last),
        "isolated_full_windows": ("1", isolated.flights.full_windows),
        "slow_start_last": ("packets", last_in_slow_start(setting.rwnd, setting.initial_window)),
        "isolated_on_time": ("s", isolated.on_time),
        "isolated_rate": ("bit/s", isolated.rate),
        "renormalised_rounds": ("1", renormalised.trips),
        "renormalised_extra_packets": ("packets", renormalised.extra_packets),
        "renormalised_remainder": ("packets", rounds.trips_within(setting.path_packets)[1]),
        "renormalised_on_time": ("s", renormalised.duration(setting.rtt, setting.packet_time)),
        "saturation_count": ("connections", isolated.saturation_count),
        "open_loop_load": ("1", isolated.open_loop_load),
    }


def _isolated_queue(isolated: IsolatedConnection) -> NDArray[np.float64]:
    """Return the share of its time that a single source has 0, 1, ... packets at the slowest link."""
    setting = isolated.setting
    cycle = isolated.on_time + setting.off_time
    times = time_at_levels(isolated.flights, setting.rwnd) * setting.packet_time
    times[0] = cycle - float(times.sum())
    return np.asarray(times / cycle, dtype=np.float64)


def _isolated_queue_metrics(setting: Setting, shares: NDArray[np.float64]) -> Metrics:
    """Mean queue of a single source, and the time that it takes to leave (section 4.4)."""
    mean = float(np.arange(shares.size) @ shares)
    return {
        "isolated_queue_mean": ("packets", mean),
        "isolated_queue_delay": ("s", mean * setting.packet_time),
    }


def _link_metrics(link: SharedLink) -> Metrics:
    """Rate, duration and utilisation (section 4.1, step 3)."""
    metrics: Metrics = {
        "goodput_per_connection": ("bit/s", link.mean.rate),
        "goodput_per_connection_1": ("bit/s", link.first.rate),
        "on_time": ("s", link.isolated.setting.file_bits / link.mean.rate),
        "utilisation": ("1", link.mean.utilisation),
        "utilisation_1": ("1", link.first.utilisation),
        "active_mean": ("connections", link.active_mean),
    }
    if link.second is not None:
        metrics["goodput_per_connection_2"] = ("bit/s", link.second.rate)
        metrics["utilisation_2"] = ("1", link.second.utilisation)
    return metrics


def _capacity_shares(isolated: IsolatedConnection) -> Metrics:
    """Return j h_j / C: j connections take their isolated rates, at most the capacity (section 5.3)."""
    setting = isolated.setting
    return {
        f"capacity_share[{active}]": ("1", min(1.0, active * isolated.rate / setting.capacity))
        for active in range(1, setting.sources + 1)
    }


def _queue_metrics(setting: Setting, queue: Queue) -> Metrics:
    """Queue and loss (section 4.1, steps 4 to 6)."""
    return {
        "rtt_sender_mean": ("s", queue.rtt),
        "queue_mean": ("packets", queue.mean),
        "queue_decay": ("packets", queue.decay),
        "loss_ratio": ("1", queue.loss_ratio(setting.buffer)),
    }


def _buffer_rules(link: SharedLink, queue: Queue) -> Metrics:
    """Buffer rules (section 5.4.1, table 5).

    `buffer_rule` is the rule as table 11 states it, `buffer_rule_rounded` that to the nearest ten packets, as
    table 5 has it, and `buffer_rule_delay` the time that it takes to empty. `buffer_rule_2` is a fit, chosen
    among several readings because it gives both numbers that the paper prints: h(2) and rho(2) alone, and the
    (m, n) of a connection that cannot saturate the multiplexing link.
    """
    setting = link.isolated.setting
    packets = queue.buffer_rule(RULE_LOSS_RATIO)
    metrics: Metrics = {
        "buffer_rule": ("packets", packets),
        "buffer_rule_rounded": ("packets", round(packets, -1)),
        "buffer_rule_delay": ("s", packets * setting.bottleneck_packet_time),
        "buffer_rule_600ms": ("packets", RULE_QUEUEING_DELAY / setting.bottleneck_packet_time),
        "buffer_rule_bdp": ("packets", setting.rtt / setting.bottleneck_packet_time),
    }
    if link.second is not None:
        fitted = Queue.of(setting, link.second, link.isolated.unsaturated)
        metrics["buffer_rule_2"] = ("packets", fitted.buffer_rule(RULE_LOSS_RATIO))
    return metrics
