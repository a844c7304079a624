"""Many flows of the engine linux on one bottleneck, beside closed forms and packetsim."""

import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest
from linux_guest import ON_OFF, PROGRAM, TAKES, bulk, by_packetsim, dumbbell, metrics, simulate_point, web
from processes import virtual

from tcpatlas.base.engine_call import engine_arguments

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")


@virtual
def test_many_flows_repeat_every_byte_elsewhere_and_on_another_processor(tmp_path: Path) -> None:
    point = dumbbell(
        bulk("cubic", 8, "linux-cubic"),
        bulk("bbr", 4, "linux-bbr"),
        web(10, "linux-reno"),
        stop={"duration_s": 10, "warmup_s": 2},
    )
    simulate_point(tmp_path / "here", point)
    there = tmp_path / "a folder with a longer name"
    there.mkdir()
    (there / "point.json").write_text(json.dumps(point))
    words = engine_arguments(there / "point.json", 1, there / "run.json")
    last = max(os.sched_getaffinity(0))
    temporary = there / "tmp"
    temporary.mkdir()
    subprocess.run(
        ["taskset", "-c", str(last), "setarch", "-R", PROGRAM, *words],
        env=os.environ | {"TMPDIR": str(temporary)},
        check=True,
    )
    assert (tmp_path / "here/run.json").read_bytes() == (there / "run.json").read_bytes()
    simulate_point(tmp_path / "other", point, seed=2)
    assert (tmp_path / "here/run.json").read_bytes() != (tmp_path / "other/run.json").read_bytes()


@virtual
def test_a_guest_keeps_its_memory_elsewhere_where_dev_shm_is_of_no_use(tmp_path: Path) -> None:
    """As in a container, where files in /dev/shm cannot be executed."""
    hidden = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    mount = "mount -t tmpfs -o noexec none /dev/shm"
    if subprocess.run([*hidden, mount], capture_output=True, check=False).returncode != 0:
        pytest.skip("no user namespaces here")
    simulate_point(tmp_path, dumbbell(bulk("one", 2, "linux-cubic"), stop={"duration_s": 5, "warmup_s": 0}))
    words = engine_arguments(tmp_path / "point.json", 1, tmp_path / "there.json")
    subprocess.run([*hidden, f'{mount} && exec "$@"', "sh", PROGRAM, *words], check=True)
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "there.json").read_bytes()


@virtual
def test_packets_on_the_link_are_of_full_size(tmp_path: Path) -> None:
    """Nothing larger than a packet passes: 8,333 of 1,500 bytes a second at 100 Mbit/s, and no more."""
    point = dumbbell(
        bulk("cubic", 5, "linux-cubic"),
        stop={"duration_s": 5, "warmup_s": 5},
        rate_bit_per_s=1e8,
        buffer_packets=400,
    )
    measured = metrics(simulate_point(tmp_path, point))
    assert measured["throughput"] == pytest.approx(1e8 / (8 * 1500), rel=2e-3)
    assert measured["utilisation"] > 0.999


@virtual
def test_a_full_link_is_shared_and_its_packets_accounted_for(tmp_path: Path) -> None:
    point = dumbbell(
        bulk("near", 5, "linux-reno"),
        bulk("far", 5, "linux-reno", extra_delay_s=0.1),
        stop={"duration_s": 60, "warmup_s": 20},
    )
    run = simulate_point(tmp_path, point)
    measured, counters = metrics(run), run["counters"]
    assert counters["packets_sent"] == sum(
        counters[f"packets_{fate}"] for fate in ("delivered", "dropped", "lost", "in_flight")
    )
    # A drop in a queue is repaired once; of recoveries by the timer some packets are sent in vain.
    assert 0.95 * measured["loss_ratio"] < measured["retransmission_ratio"] < 1.5 * measured["loss_ratio"]
    assert measured["goodput[near]"] > 1.5 * measured["goodput[far]"]
    # Goodput, and what the packets' order holds back at either end of the time.
    assert measured["goodput"] == pytest.approx(1e7 / 12000, rel=0.02)
    # The way without waiting, and the mean wait.
    wait = measured["rtt_path_mean[near]"] - (0.05 + 0.0012)
    assert measured["rtt_path_mean[far]"] - measured["rtt_path_mean[near]"] == pytest.approx(0.1, abs=0.01)
    assert 0.5 * measured["queue_mean"] * 0.0012 < wait < 1.1 * measured["queue_mean"] * 0.0012


@virtual
def test_on_off_sources_do_as_those_of_the_simulator(tmp_path: Path) -> None:
    """Few losses: an ON time is slow start's. The kernel adds packets without data."""
    point = dumbbell(web(20, "newreno"), stop={"connections": 4000, "warmup_connections": 200})
    theirs = by_packetsim(tmp_path, point)
    run = simulate_point(tmp_path, point)
    ours = metrics(run)
    assert run["counters"]["connections_completed"] == 4200
    assert ours["file_size_mean"] == pytest.approx(theirs["file_size_mean"], rel=0.01)
    assert ours["on_time"] == pytest.approx(theirs["on_time"], rel=0.05)


def traced(
    folder: Path, *groups: dict[str, Any], buffer_packets: int = 42
) -> tuple[list[float], dict[str, float]]:
    """Return the windows that the first source goes through in a minute, and metrics."""
    point = dumbbell(*groups, stop={"duration_s": 60, "warmup_s": 10}, buffer_packets=buffer_packets)
    point["probes"] = [{"kind": "window-trace"}]
    run = simulate_point(folder, point)
    return run["traces"]["window"]["value"], metrics(run)


# What is left of the window after a loss, as each one's authors have it.
CUTS = {
    "newreno": 0.5,  # RFC 6582
    "linux-2.4": 0.5,
    "linux-reno": 0.5,  # RFC 5681
    "linux-hybla": 0.5,  # Caini and Firrincieli 2004
    "linux-veno": 0.5,  # Fu and Liew 2003, with more than three packets waiting
    "linux-illinois": 0.5,  # Liu, Basar and Srikant 2006, with a queue that is nearly full
    "linux-westwood": 42 / (42 + 42),  # Casetti et al. 2002: what the path holds without the buffer
    "linux-highspeed": 1 - 0.44,  # RFC 3649, table 1, with 38 to 118 packets
    "linux-6.1": 0.7,  # RFC 9438, section 4.6
    "linux-cubic": 0.7,
    "linux-cdg": 0.7,  # Hayes and Armitage 2011
    "linux-bic": 0.8,  # Xu, Harfoush and Rhee 2004, with the kernel's 819/1024
    "linux-scalable": 0.875,  # Kelly 2003
}


@virtual
@pytest.mark.parametrize(("variant", "left"), CUTS.items())
def test_a_window_is_cut_as_its_authors_have_it(tmp_path: Path, variant: str, left: float) -> None:
    windows, measured = traced(tmp_path, bulk("one", 1, variant))
    peaks = [b for a, b, c in zip(windows, windows[1:], windows[2:], strict=False) if a <= b > c]
    ends = [b for a, b, c in zip(windows, windows[1:], windows[2:], strict=False) if a > b <= c]
    ratios = [end / peak for peak, end in zip(peaks, ends, strict=False)]
    assert len(ratios) > 5
    assert statistics.median(ratios) == pytest.approx(left, abs=0.02)
    # CDG may back off as soon as the path is full: from 0.7 of it to all of it, 0.85 on average.
    assert measured["utilisation"] > ((1 + left) / 2 if variant == "linux-cdg" else 0.9)


@virtual
@pytest.mark.parametrize("variant", ["linux-bbr", "linux-vegas"])
def test_a_sender_that_heeds_delays_loses_nothing_and_leaves_the_queue_short(
    tmp_path: Path, variant: str
) -> None:
    _, measured = traced(tmp_path, bulk("one", 1, variant))
    assert measured["loss_ratio"] == 0
    assert measured["queue_mean"] < 10
    assert measured["utilisation"] > 0.95


@virtual
def test_no_two_variants_are_the_same(tmp_path: Path) -> None:
    """Each variant has windows of its own, except the names of CUBIC, DCTCP and BBR.

    Behind a buffer of 84 packets or fewer TCP-LP never gives way in this kernel, and has Reno's windows.
    """
    other = bulk("reno", 1, "linux-reno")
    by_windows: dict[tuple[float, ...], list[str]] = {}
    for variant in TAKES["sources.tcp.variant"]:
        if variant == "external":  # a file of somebody's own
            continue
        groups = (bulk("one", 1, variant), other)
        windows = [
            window
            for buffer in (42, 400)
            for window in traced(tmp_path / f"{variant}-{buffer}", *groups, buffer_packets=buffer)[0]
        ]
        by_windows.setdefault(tuple(windows), []).append(variant)
    assert [names for names in by_windows.values() if len(names) > 1] == [
        ["cubic", "linux-6.1", "linux-cubic"],
        ["dctcp", "linux-dctcp"],
        ["bbr", "linux-bbr"],
    ]


@virtual
def test_the_trace_of_a_window_is_a_saw(tmp_path: Path) -> None:
    """Reno halves: between losses the window grows to what the path and the buffer hold, 42 + 42 packets."""
    point = dumbbell(
        bulk("reno", 1, "linux-reno"), stop={"duration_s": 60, "warmup_s": 30}, buffer_packets=42
    )
    point["probes"] = [{"kind": "window-trace"}]
    window = simulate_point(tmp_path, point)["traces"]["window"]["value"]
    assert max(window) == pytest.approx(84, abs=6)
    assert min(window[len(window) // 10 :]) == pytest.approx(42, abs=6)


@virtual
def test_every_receiver_has_an_egress_link_of_its_own(tmp_path: Path) -> None:
    """Three of 2 Mbit/s behind 10 Mbit/s carry 6 Mbit/s; a fast access link changes nothing."""
    point = dumbbell(
        bulk("three", 3, "linux-cubic", access={"rate_bit_per_s": 1e8, "delay_s": 0}),
        stop={"duration_s": 20, "warmup_s": 10},
    )
    point["links"]["egress"] = {"rate_bit_per_s": 2e6, "delay_s": 0.001}
    measured = metrics(simulate_point(tmp_path, point))
    assert measured["goodput"] == pytest.approx(3 * 2e6 / 12000, rel=0.01)
    assert measured["drop_ratio"] == 0


@virtual
def test_the_order_of_groups_says_nothing_of_their_receivers(tmp_path: Path) -> None:
    """CUBIC behind two packets had ten times as much where its receivers had another group's buffers."""
    groups = [bulk("old", 1, "newreno"), bulk("new", 8, "cubic")]
    goodputs = []
    for name, order in (("one", groups), ("other", groups[::-1])):
        point = dumbbell(*order, stop={"duration_s": 20, "warmup_s": 5}, buffer_packets=2)
        goodputs.append(metrics(simulate_point(tmp_path / name, point))["goodput[new]"])
    assert goodputs[0] == pytest.approx(goodputs[1], rel=0.1)


@virtual
def test_duplicates_are_no_data(tmp_path: Path) -> None:
    """Reno without SACK repairs a packet in a round trip: what arrives meanwhile is not acknowledged."""
    tcp = {"rules": "linux", "timers": "linux", "min_rto_s": 0.2, "rwnd_packets": 3000}
    tcp["delayed_ack"] = {"packets": 2, "timeout_s": 0.04, "quick_acks": 16}
    point = dumbbell(
        bulk("one", 1, "newreno", tcp),
        stop={"duration_s": 8, "warmup_s": 6},
        rate_bit_per_s=4.5e7,
        queue="pie",
        buffer_packets=60,
    )
    point["return_delay_s"] = 0.369
    measured, simulated = metrics(simulate_point(tmp_path, point)), by_packetsim(tmp_path, point)
    assert measured["goodput"] == pytest.approx(simulated["goodput"], rel=0.02)
    assert measured["throughput"] > 5 * measured["goodput"]


@virtual
def test_handshakes_take_no_room(tmp_path: Path) -> None:
    """Files of ten packets, no loss: these packets are all that the bottleneck carries."""
    file = {"distribution": "fixed", "mean_packets": 10}
    workload = ON_OFF | {"file_size": file}
    group = bulk("users", 20, "cubic", workload=workload)
    run = simulate_point(
        tmp_path, dumbbell(group, stop={"duration_s": 20, "warmup_s": 0}, buffer_packets=400)
    )
    counters = run["counters"]
    assert counters["packets_dropped"] == 0
    assert counters["connections_completed"] > 200
    assert 0 <= counters["packets_sent"] - 10 * counters["connections_completed"] <= 10 * 20
