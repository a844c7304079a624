"""The kernel's queue disciplines at the bottleneck: who gets the link, and how long packets wait."""

import os
from pathlib import Path
from typing import Any

import pytest
from linux_guest import PROGRAM, bulk, by_packetsim, dumbbell, metrics, refusal, simulate_point
from processes import virtual

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")


def shares(folder: Path, **bottleneck: Any) -> dict[str, float]:
    """Return what CUBIC and BBR get side by side on 50 Mbit/s and 40 ms."""
    point = dumbbell(
        bulk("cubic", 1, "linux-cubic"),
        bulk("bbr", 1, "linux-bbr"),
        stop={"duration_s": 40, "warmup_s": 20},
        rate_bit_per_s=5e7,
        **bottleneck,
    )
    point["return_delay_s"] = 0.03
    return metrics(simulate_point(folder, point))


@virtual
@pytest.mark.parametrize("queue", ["cake", "fq", "fq-codel"])
def test_flow_queueing_shares_evenly(tmp_path: Path, queue: str) -> None:
    measured = shares(tmp_path, queue=queue, buffer_packets=1000)
    assert measured["goodput[bbr]"] == pytest.approx(measured["goodput[cubic]"], rel=0.1)
    assert measured["utilisation"] > 0.95


@virtual
def test_a_short_buffer_is_bbrs(tmp_path: Path) -> None:
    """Ware et al. (2019): beside a loss-based flow BBR takes most of a link with a buffer of one BDP."""
    measured = shares(tmp_path, buffer_packets=167)
    assert measured["goodput[bbr]"] > 3 * measured["goodput[cubic]"]


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
    measured = metrics(simulate_point(tmp_path, point))
    assert measured["queue_mean"] * 0.0012 < 1.5 * (target or 0.015)
    assert measured["utilisation"] > 0.85


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
    drop_ratio = {}
    for ecn in (False, True):
        group = bulk("cubic", 2, "linux-cubic", {"ecn": ecn})
        point = dumbbell(
            group, stop={"duration_s": 20, "warmup_s": 10}, queue="fq-codel", buffer_packets=1000
        )
        drop_ratio[ecn] = metrics(simulate_point(tmp_path, point))["drop_ratio"]
    assert drop_ratio[True] == 0 < drop_ratio[False]


def behind(
    folder: Path, count: int = 4, *, asked_to_mark: bool = False, **bottleneck: Any
) -> dict[str, float]:
    """Return what CUBIC transfers find behind a queue of up to 400 packets, over 40 s."""
    group = bulk("cubic", count, "linux-cubic", {"ecn": asked_to_mark})
    point = dumbbell(group, stop={"duration_s": 40, "warmup_s": 20}, **{"buffer_packets": 400} | bottleneck)
    return metrics(simulate_point(folder, point))


@virtual
def test_random_early_detection_keeps_the_queue_between_its_thresholds(tmp_path: Path) -> None:
    for low, high in ((5, 15), (40, 120)):
        thresholds = {"min_threshold_packets": low, "max_threshold_packets": high}
        measured = behind(tmp_path, queue="red", **thresholds)
        assert low < measured["queue_mean"] < high
        assert measured["utilisation"] > 0.9


@virtual
def test_random_early_detection_drops_as_often_as_it_is_told(tmp_path: Path) -> None:
    """A queue drops as many packets as its senders need, so it grows to where the probability is that."""
    red = {"queue": "red", "min_threshold_packets": 20, "max_threshold_packets": 200}
    rare, frequent = (behind(tmp_path, max_drop=most, **red) for most in (0.02, 0.5))
    assert rare["queue_mean"] > 1.5 * frequent["queue_mean"]
    # The mean queue that this loss belongs to, on the line from no drop to the most.
    for most, measured in ((0.02, rare), (0.5, frequent)):
        line = 20 + 180 * measured["drop_ratio"] / most
        assert measured["queue_mean"] == pytest.approx(line, rel=0.35)


@virtual
def test_a_mean_that_follows_at_once_drops_the_burst_of_slow_start(tmp_path: Path) -> None:
    """With a weight of a half, all is dropped above the larger threshold; with 1/512 it passes."""
    most = {}
    for weight in (1 / 512, 0.5):
        point = dumbbell(
            bulk("reno", 1, "linux-reno"),
            stop={"duration_s": 5, "warmup_s": 0},
            queue="red",
            buffer_packets=400,
            min_threshold_packets=20,
            max_threshold_packets=60,
            weight=weight,
        )
        most[weight] = metrics(simulate_point(tmp_path, point))["queue_max"]
    assert most[1 / 512] > 120 > 70 > most[0.5]


@virtual
def test_a_queue_that_does_not_mark_drops(tmp_path: Path) -> None:
    for queue in ("codel", "fq-codel", "pie", "red"):
        measured = behind(tmp_path, asked_to_mark=True, queue=queue, ecn=False)
        assert measured["drop_ratio"] > 0
        assert behind(tmp_path, asked_to_mark=True, queue=queue)["drop_ratio"] < measured["drop_ratio"]


@virtual
def test_flows_in_one_queue_share_as_without_flow_queueing(tmp_path: Path) -> None:
    one = shares(tmp_path, queue="fq-codel", flows=1, buffer_packets=1000)
    assert one["goodput[bbr]"] > 3 * one["goodput[cubic]"]


@virtual
def test_a_flow_has_no_more_packets_waiting_than_its_limit(tmp_path: Path) -> None:
    """The packet in service is apart."""
    measured = behind(tmp_path, 1, queue="fq", flow_limit_packets=30)
    assert measured["queue_max"] == 31


@virtual
def test_pie_that_seldom_updates_lets_the_queue_grow(tmp_path: Path) -> None:
    often, seldom = (behind(tmp_path, queue="pie", interval_s=interval) for interval in (0.02, 1))
    assert seldom["queue_max"] > 1.5 * often["queue_max"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"queue": "codel", "flows": 64}, "links.bottleneck.flows: of fq-codel"),
        ({"queue": "fq", "target_s": 0.1}, "links.bottleneck.target_s: of codel, fq-codel, pie and step"),
        ({"queue": "red", "weight": 0.003}, "links.bottleneck.weight: within 5 % of a power of two"),
        ({"queue": "red", "max_threshold_packets": 9}, "max_threshold_packets: is given alone"),
        (
            {"queue": "red", "min_threshold_packets": 9, "max_threshold_packets": 9},
            "min_threshold_packets: must be below max_threshold_packets",
        ),
        (
            {"queue": "red", "min_threshold_packets": 9, "max_threshold_packets": 5000},
            "max_threshold_packets: with this weight less than 2770",
        ),
    ],
)
def test_parameters_that_a_queue_has_not_are_one_line(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    stop = {"duration_s": 1, "warmup_s": 0}
    assert says in refusal(dumbbell(bulk("one", 1, "linux-cubic"), stop=stop, **changes), tmp_path)


def test_packetsim_has_the_same_thresholds(tmp_path: Path) -> None:
    """NewReno transfers: the mean queue is between them, and longer where packets are dropped more rarely."""
    queue_mean = {}
    for low, high, most in ((5, 15, 0.1), (40, 120, 0.1), (40, 120, 0.5)):
        red = {"min_threshold_packets": low, "max_threshold_packets": high, "max_drop": most, "weight": 0.002}
        point = dumbbell(
            bulk("many", 20, "newreno"),
            stop={"duration_s": 200, "warmup_s": 20},
            **{"queue": "red", "buffer_packets": 400} | red,
        )
        queue_mean[low, most] = by_packetsim(tmp_path, point)["queue_mean"]
        assert low < queue_mean[low, most] < high
    assert queue_mean[40, 0.5] < queue_mean[40, 0.1]


# What ./atlas ask says that it assumes, of a buffer of 240 packets.
DEFAULTS: dict[str, dict[str, float]] = {
    "cake": {"interval_s": 0.1},
    "codel": {"target_s": 0.005, "interval_s": 0.1},
    "fq": {"flow_limit_packets": 100},
    "fq-codel": {"target_s": 0.005, "interval_s": 0.1, "flows": 1024},
    "pie": {"target_s": 0.015, "interval_s": 0.015},
    "red": {"min_threshold_packets": 20, "max_threshold_packets": 60, "max_drop": 0.1, "weight": 1 / 512},
    "step": {"target_s": 0.001},
}


@virtual
@pytest.mark.parametrize(
    ("engine", "queue"),
    [("linux", each) for each in DEFAULTS]
    + [("packetsim", each) for each in DEFAULTS if each not in ("cake", "fq")],
)
def test_both_engines_have_the_same_defaults(tmp_path: Path, engine: str, queue: str) -> None:
    """Who states them changes no number; who states others does."""
    other = {name: 2 * value for name, value in DEFAULTS[queue].items() if name != "flows"}
    tcp = "linux-dctcp" if queue == "step" else "linux-cubic"
    run = simulate_point if engine == "linux" else by_packetsim
    found = [
        run(
            tmp_path,
            dumbbell(
                bulk("few", 4, tcp if engine == "linux" else tcp.removeprefix("linux-")),
                stop={"duration_s": 10, "warmup_s": 2},
                queue=queue,
                buffer_packets=240,
                **stated,
            ),
        )
        for stated in ({}, DEFAULTS[queue], other)
    ]
    of = [each["metrics"] if engine == "linux" else each for each in found]
    assert of[0] == of[1] != of[2]
