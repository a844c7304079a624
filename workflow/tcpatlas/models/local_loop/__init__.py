"""Formulas for a local loop shared by many TCP users (Baccelli, Hong and Liu 2001)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models.local_loop.formulas import goodput_bound, rtt_bound, send_rate, user_threshold
from tcpatlas.points.errors import PointError


def predict(
    points: Iterable[Mapping[str, Any]], runs: Sequence[Mapping[str, float]] | None = None
) -> list[dict[str, Any]]:
    """Return what the formulas say of each local loop, in order.

    Of web users: `user_threshold` and, of more users than that, formula (3) as `goodput_bound` and, behind a
    shared buffer and nothing else that loads the path, `rtt_bound`. If loss and round-trip time are `known`,
    formula (1): `send_rate_per_connection` by the sum of the probabilities, and
    `send_rate_per_connection__larger` by the larger of p_idle and p_loss + p_to, as table 7 has it.

    Of `runs`, one a point, `square_root_miss` is formula (1) by what the run measured over its own send rate,
    minus one. Raises PointError as `check` does.
    """
    if runs is not None:
        return [answer(_of_run(point, run)) for point, run in zip(points, runs, strict=True)]
    return [answer(_predict(point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the formulas cannot answer."""
    if point["kind"] != "local-loop":
        problem = f"the local_loop model cannot answer {point['kind']}; only local-loop"
        raise PointError(("kind",), problem)
    workload = point["sources"][0]["workload"]["kind"]
    if workload != "http":
        problem = f"the local_loop model cannot answer {workload}; only http"
        raise PointError(("sources.workload.kind",), problem)


def _of_run(point: Mapping[str, Any], run: Mapping[str, float]) -> Metrics:
    sent = run.get("send_rate_per_connection")
    if not sent:
        return {}
    names = ("loss_ratio", "timeouts_per_packet", "idle_restarts_per_packet")
    probabilities = (run[name] for name in names)
    rate = send_rate(8 * point["packet_bytes"], run["rtt_path_mean"], *probabilities).item()
    return {"square_root_miss": ("1", rate / sent - 1)} if np.isfinite(rate) else {}


def _empty_rtt(point: Mapping[str, Any]) -> float:
    bits = 8 * point["packet_bytes"]
    there = sum(station["delay_s"] + bits / station["rate_bit_per_s"] for station in point["stations"])
    return float(there + point["return_delay_s"])


def _room(shared: Mapping[str, Any], goodput: float) -> float:
    """Return how many packets there are at the shared router at most, on average.

    Where a user's first packet takes no room in the buffer there is another one for each user who is on, on
    average C over their goodput (formula 2).
    """
    apart = shared["rate_bit_per_s"] / goodput if shared["head_of_line"] == "apart" else 0.0
    return float(shared["buffer_packets"] + apart)


def _predict(point: Mapping[str, Any]) -> Metrics:
    check(point)
    (users,) = point["sources"]
    (shared,) = (station for station in point["stations"] if "queue" in station)
    packet_bits = 8 * point["packet_bytes"]
    loop = {
        "capacity": shared["rate_bit_per_s"],
        "burst": users["workload"]["file_size"]["mean_packets"],
        "packet_bits": packet_bits,
        "think_time": users["workload"]["off_time"]["mean_s"],
    }
    metrics: Metrics = {"user_threshold": ("connections", user_threshold(**loop).item())}
    bound = goodput_bound(users=users["count"], **loop).item()
    if np.isfinite(bound):
        metrics["goodput_bound"] = ("bit/s", bound)
        if shared["queue"] == "fair-shared" and not any("load" in station for station in point["stations"]):
            room = _room(shared, bound)
            longest = rtt_bound(_empty_rtt(point), room, shared["rate_bit_per_s"], packet_bits)
            metrics["rtt_bound"] = ("s", longest.item())
    if "known" in point:
        measured = point["known"]
        lost = measured["loss"] + measured["timeouts"]
        for name, probability in (
            ("send_rate_per_connection", lost + measured["idle"]),
            ("send_rate_per_connection__larger", max(lost, measured["idle"])),
        ):
            rate = send_rate(packet_bits, measured["rtt_s"], probability).item()
            if np.isfinite(rate):
                metrics[name] = ("bit/s", rate)
    return metrics


__all__ = ["check", "goodput_bound", "predict", "rtt_bound", "send_rate", "user_threshold"]
