"""The kernel's queue disciplines at the bottleneck: who gets the link, and how long packets wait."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from linux_guest import PROGRAM, bulk, dumbbell, metrics, simulate_point
from processes import virtual

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")


def shares(folder: Path, **bottleneck: Any) -> dict[str, float]:
    """Return what CUBIC and BBR get side by side on 50 Mbit/s and 40 ms."""
    start = {"workload": {"kind": "bulk", "start_spread_s": 1}}
    point = dumbbell(
        bulk("cubic", 1, "linux-cubic") | start,
        bulk("bbr", 1, "linux-bbr") | start,
        stop={"duration_s": 40, "warmup_s": 20},
        rate_bit_per_s=5e7,
        **bottleneck,
    )
    point["return_delay_s"] = 0.03
    return metrics(simulate_point(folder, point))


@virtual
@pytest.mark.parametrize("queue", ["cake", "fq", "fq-codel"])
def test_flow_queueing_shares_evenly(tmp_path: Path, queue: str) -> None:
    found = shares(tmp_path, queue=queue, buffer_packets=1000)
    assert found["goodput[bbr]"] == pytest.approx(found["goodput[cubic]"], rel=0.1)
    assert found["utilisation"] > 0.95


@virtual
def test_a_short_buffer_is_bbrs(tmp_path: Path) -> None:
    """Ware et al. (2019): beside a loss-based flow BBR takes most of a link with a buffer of one BDP."""
    found = shares(tmp_path, buffer_packets=167)
    assert found["goodput[bbr]"] > 3 * found["goodput[cubic]"]


@virtual
@pytest.mark.parametrize(("queue", "target"), [("codel", 0.005), ("pie", 0.015), ("red", None)])
def test_a_managed_queue_is_short(tmp_path: Path, queue: str, target: float | None) -> None:
    """One CUBIC flow fills a drop-tail buffer of two BDP; a managed one stays near its target."""
    more = {} if target is None else {"target_s": target}
    point = dumbbell(
        bulk("cubic", 1, "linux-cubic"),
        stop={"duration_s": 40, "warmup_s": 20},
        queue=queue,
        buffer_packets=84,
        **more,
    )
    found = metrics(simulate_point(tmp_path, point))
    assert found["queue_mean"] * 0.0012 < 1.5 * (target or 0.015)
    assert found["utilisation"] > 0.85


@virtual
def test_a_target_is_heeded(tmp_path: Path) -> None:
    def queue(target: float, interval: float) -> float:
        bottleneck = {"queue": "codel", "buffer_packets": 1000, "target_s": target, "interval_s": interval}
        point = dumbbell(
            bulk("cubic", 4, "linux-cubic"), stop={"duration_s": 40, "warmup_s": 20}, **bottleneck
        )
        return metrics(simulate_point(tmp_path, point))["queue_mean"] * 0.0012

    assert queue(0.04, 0.8) > 2 * queue(0.005, 0.1)


@virtual
def test_marked_packets_are_not_dropped(tmp_path: Path) -> None:
    """With ECN fq-codel marks where it would drop (RFC 8290, section 4.2)."""
    start = {"workload": {"kind": "bulk", "start_spread_s": 1}}
    found = {}
    for ecn in (False, True):
        group = bulk("cubic", 2, "linux-cubic") | start
        group["tcp"] |= {"ecn": ecn}
        point = dumbbell(
            group, stop={"duration_s": 20, "warmup_s": 10}, queue="fq-codel", buffer_packets=1000
        )
        found[ecn] = metrics(simulate_point(tmp_path, point))["drop_ratio"]
    assert found[True] == 0 < found[False]
