"""Delays that vary and a way back that queues by the engine linux, beside closed forms and packetsim."""

import copy
import os
from pathlib import Path
from typing import Any

import pytest
from linux_guest import PROGRAM, bulk, by_packetsim, dumbbell, metrics, simulate_point
from processes import virtual

pytestmark = [
    virtual,
    pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built"),
]

# Every packet is acknowledged at once.
EVERY = {"packets": 2, "timeout_s": 0.04, "quick_acks": 1_000_000}
# Which limits: the path holds more.
WINDOW = {"rwnd_packets": 10, "initial_window_packets": 10, "delayed_ack": EVERY}


def line(tcp: dict[str, Any], **bottleneck: Any) -> dict[str, Any]:
    """Return a transfer by CUBIC, over 50 ms without its transmission times."""
    stop = {"duration_s": 20, "warmup_s": 2}
    point = dumbbell(bulk("one", 1, "cubic", {"loss_detection": "rack-tlp"} | tcp), stop=stop, **bottleneck)
    point["sources"][0]["tcp"]["min_rto_s"] = 0.25
    point["sources"][0]["workload"] = {"kind": "bulk"}
    return point | {"ack_bytes": 40}


def both(folder: Path, point: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """Return metrics by the kernel and by packetsim."""
    mine = copy.deepcopy(point)
    for source in mine["sources"]:
        if source["tcp"].get("delayed_ack") == EVERY:
            del source["tcp"]["delayed_ack"]
    return metrics(simulate_point(folder, point)), by_packetsim(folder, mine)


@pytest.mark.parametrize("late_s", [0.001, 0.004])
def test_a_share_of_the_packets_is_later(tmp_path: Path, late_s: float) -> None:
    """Round trips are longer by the share of it on average, where the window limits and the link is fast."""
    fast = {"rate_bit_per_s": 1e9, "buffer_packets": 100}
    plain, late = (
        metrics(simulate_point(tmp_path, line(WINDOW, **fast, **more)))
        for more in ({}, {"reordering": {"share": 0.1, "delay_s": late_s}})
    )
    assert late["rtt_path_mean"] - plain["rtt_path_mean"] == pytest.approx(0.1 * late_s, rel=0.15)
    assert late["loss_ratio"] == 0


@pytest.mark.parametrize(
    "bottleneck",
    [
        {"jitter": {"distribution": "normal", "standard_deviation_s": 0.002}},
        {"jitter": {"distribution": "uniform", "standard_deviation_s": 0.002, "reorders": True}},
        {"reordering": {"share": 0.05, "delay_s": 0.005}},
    ],
    ids=["in-order", "out-of-order", "late"],
)
def test_delays_are_those_of_packetsim(tmp_path: Path, bottleneck: dict[str, Any]) -> None:
    """Packet by packet, as long as none is taken for lost: a window that limits has the same round trips."""
    kernel, ours = both(tmp_path, line(WINDOW, rate_bit_per_s=1e8, buffer_packets=100, **bottleneck))
    for metric in ("goodput", "rtt_path_mean"):
        assert kernel[metric] == pytest.approx(ours[metric], rel=0.01), metric


def test_a_transfer_waits_for_packets_that_are_late(tmp_path: Path) -> None:
    """By RACK, a quarter of a round trip at most (RFC 8985, section 6.2): 5 ms of 50 cost it nothing."""
    bottleneck = {"reordering": {"share": 0.01, "delay_s": 0.005}}
    kernel, ours = both(tmp_path, line({"delayed_ack": EVERY}, **bottleneck))
    for found in (kernel, ours):
        assert found["goodput"] > 0.98 * 1e7 / 12000


def returned(rate: float, loss: float = 0, buffer: int = 1000) -> dict[str, Any]:
    return {"return": {"rate_bit_per_s": rate, "buffer_packets": buffer, "loss_probability": loss}}


def test_acknowledgements_that_fill_the_way_back(tmp_path: Path) -> None:
    """40 B each at 50 kbit/s: 156.25 packets a second, whose round trip is the window's."""
    point = line(WINDOW | {"rwnd_packets": 30})
    point["links"] |= returned(5e4)
    kernel, ours = both(tmp_path, point)
    for found in (kernel, ours):
        assert found["goodput"] == pytest.approx(156.25, rel=0.01)
        assert found["rtt_path_mean"] == pytest.approx(30 / 156.25, rel=0.01)
        assert found["ack_loss_ratio"] == 0
    assert kernel["ack_delay_mean"] == pytest.approx(ours["ack_delay_mean"], rel=0.02)


def test_groups_share_the_way_back(tmp_path: Path) -> None:
    stop = {"duration_s": 20, "warmup_s": 5}
    tcp = WINDOW | {"rwnd_packets": 30}
    point = dumbbell(bulk("near", 2, "cubic", tcp), bulk("far", 1, "bbr", tcp, extra_delay_s=0.1), stop=stop)
    point |= {"ack_bytes": 40}
    point["links"] |= returned(5e4)
    found = metrics(simulate_point(tmp_path, point))
    assert found["goodput"] == pytest.approx(156.25, rel=0.01)
    assert found["goodput[near]"] + found["goodput[far]"] == pytest.approx(found["goodput"])


def test_acknowledgements_are_lost_and_the_next_ones_stand_for_them(tmp_path: Path) -> None:
    point = line(WINDOW)
    point["links"] |= returned(1e6, loss=0.2)
    kernel, ours = both(tmp_path, point)
    # Of some 4,000 acknowledgements: four standard deviations.
    for found in (kernel, ours):
        assert found["ack_loss_ratio"] == pytest.approx(0.2, abs=0.026)
    assert kernel["goodput"] == pytest.approx(ours["goodput"], rel=0.05)
