"""The doors of the project: what a page in docs/ adds works; test_pages.py counts what it takes.

One copy of the tree follows all the pages, is compiled once, and answers points whose results are known from
elsewhere: in closed form, or by the other simulator.
"""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
from tree import Tree

from pages import COMPILED, commit, follow

pytestmark = pytest.mark.slow
NS3 = pytest.mark.skipif(
    not Path("/usr/include/ns3/point-to-point-net-device.h").exists(), reason="ns-3 is not installed"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    tree = Tree(tmp_path_factory.mktemp("doors") / "tree")
    commit(tree, "before")
    for page in COMPILED:
        follow(tree, page)
    # All know the new probe, so that little comes from ccache: compiled fast rather than well.
    options = ["-DTCP_ATLAS_TESTS=OFF", "-DTCP_ATLAS_BENCHMARKS=OFF"]
    options += ["-DCMAKE_CXX_FLAGS_RELEASE=-O0"]
    tree.output("cmake", "-S", "workflow/engines", "--preset", "release", "--log-level=ERROR", *options)
    ns3 = ["ns3"] if (tree.root / "build/release/ns3").is_dir() else []
    tree.output("cmake", "--build", "build/release", "--target", "packetsim", "window_limit", *ns3)
    return tree


def metrics(tree: Tree, engine: str, point: dict[str, Any]) -> dict[str, float]:
    (tree.root / "point.json").write_text(json.dumps(point))
    command = ("--point", "point.json", "--seed", "1", "--out", "run.json")
    tree.output(f"build/release/{engine}/{engine}", *command)
    answered = json.loads((tree.root / "run.json").read_text())["metrics"]
    return {name: metric["value"] for name, metric in answered.items()}


TCP = {"rwnd_packets": 4096, "initial_window_packets": 2, "min_rto_s": 1, "max_rto_s": 64}
FAST = {"rate_bit_per_s": 1e9, "delay_s": 0}


def bulk(*variants: str, count: int = 1, loss: float = 0.0005, **changes: Any) -> dict[str, Any]:
    """Bulk sources on a lossy path of 100 ms, whose buffer and receivers' windows never fill."""
    source = {"count": count, "workload": {"kind": "bulk"}, "access": FAST, "extra_delay_s": 0}
    bottleneck = {"rate_bit_per_s": 1e9, "delay_s": 0.05, "queue": "drop-tail", "buffer_packets": 100_000}
    point = {
        "schema": "tcp-atlas/point/3",
        "kind": "dumbbell",
        "study": "doors",
        "set": "bulk",
        "point": "point",
        "links": {"bottleneck": bottleneck | {"loss_probability": loss}, "egress": FAST},
        "return_delay_s": 0.05,
        "packet_bytes": 576,
        "sources": [source | {"name": name, "tcp": TCP | {"variant": name}} for name in variants],
        "stop": {"duration_s": 3_000, "warmup_s": 100},
        "probes": [],
    }
    return point | changes


def shared(*variants: str) -> dict[str, Any]:
    """Ten sources of each variant at a bottleneck of 10 Mbit/s, whose buffer they fill."""
    point = bulk(*variants, count=10, loss=0, stop={"duration_s": 500, "warmup_s": 50})
    point["links"]["bottleneck"] |= {"rate_bit_per_s": 10e6, "buffer_packets": 200}
    for number, source in enumerate(point["sources"]):
        source["workload"]["start_spread_s"] = 1 + number
    return point


def local_loop(variant: str) -> dict[str, Any]:
    """Thirty users without end over 125 packets/s, with a buffer for each of them."""
    router = {"queue": "fair-individual", "buffer_packets": 5, "head_of_line": "in-buffer"}
    users = {"name": "users", "count": 30, "workload": {"kind": "bulk", "start_spread_s": 1}}
    steps = {"scheme": "exact", "references": 30, "condition": "users", "step_packets": 2000, "min_steps": 3}
    steps |= {"max_steps": 3, "averaging": "none", "change": 0.05, "environment": 0.05, "fairness": 0.1}
    steps |= {"gaps": "exponential", "service": "lognormal", "loss_detection": "instantaneous"}
    return {
        "schema": "tcp-atlas/point/3",
        "kind": "local-loop",
        "study": "doors",
        "set": "loop",
        "point": "point",
        "stations": [
            {"name": "source", "rate_bit_per_s": 1e9, "delay_s": 0.01},
            {"name": "router", "rate_bit_per_s": 1e6, "delay_s": 0.01} | router,
            {"name": "destination"} | FAST,
        ],
        "return_delay_s": 0.1213,
        "packet_bytes": 1000,
        "ack_bytes": 0,
        "sources": [users | {"tcp": TCP | {"variant": variant, "rwnd_packets": 20}}],
        "fixed_point": steps | {"gap_after": "release", "haste": "none"},
        "stop": {"packets": 40_000, "warmup_packets": 10_000},
        "probes": [],
    }


@pytest.mark.parametrize("engine", ["packetsim", pytest.param("ns3", marks=NS3)])
class TestVariant:
    def test_its_goodput_is_that_of_general_aimd(self, tree: Tree, engine: str) -> None:
        # Yang and Lam 2000: goodput is proportional to sqrt((1 + b) / (1 - b)), so from 1/2 to 7/8 it grows
        # by sqrt(5). The formula neglects timeouts, recoveries and that windows are whole packets.
        # A thousand seconds hold 270 losses of the slower one: its mean is known to 3 %.
        stop = {"duration_s": 3_000 if engine == "packetsim" else 1_000, "warmup_s": 100}
        goodput = [metrics(tree, engine, bulk(name, stop=stop))["goodput"] for name in ("gaimd", "newreno")]
        assert goodput[0] / goodput[1] == pytest.approx(math.sqrt(5), rel=0.1)

    def test_ten_beside_ten_others_share_a_full_bottleneck(self, tree: Tree, engine: str) -> None:
        goodput = metrics(tree, engine, shared("gaimd", "newreno"))
        assert goodput["utilisation"] == pytest.approx(1, abs=0.01)
        assert goodput["throughput"] == pytest.approx(10e6 / (8 * 576), rel=0.01)
        assert goodput["goodput[gaimd]"] > 1.5 * goodput["goodput[newreno]"]


def test_a_parameter_of_a_variant_is_what_a_loss_leaves(tree: Tree) -> None:
    # As above: what a loss leaves goes from 1/2 to 7/8.
    goodput = []
    for decrease in (7 / 8, 1 / 2):
        point = bulk("aimd")
        point["sources"][0]["tcp"]["decrease"] = decrease
        goodput.append(metrics(tree, "packetsim", point)["goodput"])
    assert goodput[0] / goodput[1] == pytest.approx(math.sqrt(5), rel=0.1)


def test_a_limit_of_the_delay_is_a_buffer_of_as_many_packets(tree: Tree) -> None:
    buffers, limits = shared("newreno"), shared("newreno")
    buffers["links"]["bottleneck"]["buffer_packets"] = 40
    limits["links"]["bottleneck"] |= {"queue": "delay-limit", "target_s": 40.5 * 8 * 576 / 10e6}
    expected, answered = (metrics(tree, "packetsim", point) for point in (buffers, limits))
    assert expected["loss_ratio"] > 0.001
    for name in ("goodput", "loss_ratio", "queue_mean"):
        assert answered[name] == pytest.approx(expected[name], rel=1e-12)


def test_files_back_to_back_take_a_round_trip_and_their_transmission_each(tree: Tree) -> None:
    point = bulk("newreno", loss=0, stop={"connections": 1000, "warmup_connections": 10})
    files = {"distribution": "fixed", "mean_packets": 10, "minimum_packets": 1}
    point["sources"][0] |= {
        "workload": {"kind": "back-to-back", "file_size": files},
        "tcp": TCP | {"variant": "newreno", "initial_window_packets": 10},
    }
    point["links"]["bottleneck"]["rate_bit_per_s"] = 10e6
    seconds = 0.1 + 10 * 8 * 576 / 10e6 + 2 * 8 * 576 / 1e9
    answered = metrics(tree, "packetsim", point)
    assert answered["goodput"] == pytest.approx(10 / seconds, rel=1e-6)


def chain(second: dict[str, float], rwnd: int) -> dict[str, Any]:
    """Return a source whose window of so many packets never fills the bottleneck, on two links in series."""
    stop = {"duration_s": 500, "warmup_s": 50}
    point = bulk("newreno", loss=0, kind="chain", stop=stop, ack_bytes=0)
    point["links"]["second"] = second
    point["sources"][0]["tcp"] = TCP | {"variant": "newreno", "rwnd_packets": rwnd}
    return point


@NS3
def test_two_links_in_series_add_their_delays_and_transmission_times(tree: Tree) -> None:
    point = chain({"rate_bit_per_s": 10e6, "delay_s": 0.03}, 37)
    round_trip = 0.05 + 0.05 + 0.03 + 8 * 576 * (3 / 1e9 + 1 / 10e6)
    assert metrics(tree, "ns3", point)["goodput"] == pytest.approx(37 / round_trip, rel=1e-3)


@NS3
def test_the_slower_of_two_links_in_series_sets_the_pace(tree: Tree) -> None:
    point = chain({"rate_bit_per_s": 1e6, "delay_s": 0.03}, 200)
    assert metrics(tree, "ns3", point)["goodput"] == pytest.approx(1e6 / (8 * 576), rel=1e-3)


@NS3
@pytest.mark.parametrize("variant", ["newreno", "gaimd"])
def test_a_variant_takes_part_in_a_local_loop(tree: Tree, variant: str) -> None:
    assert_shared_alike(metrics(tree, "ns3", local_loop(variant)))


@pytest.mark.parametrize("own", [{"variant": "gaimd"}, {"variant": "aimd", "decrease": 0.75}])
def test_a_variant_takes_part_in_a_local_loop_of_packetsim(tree: Tree, own: dict[str, Any]) -> None:
    point = local_loop("newreno")
    point["sources"][0]["tcp"] |= own
    assert_shared_alike(metrics(tree, "packetsim", point))


def assert_shared_alike(answered: dict[str, float]) -> None:
    # Baccelli, Hong and Liu 2001, table 1: each has a thirtieth of the shared router.
    assert answered["goodput_per_source"] == pytest.approx(125 / 30, rel=0.01)


def test_the_probe_measures_what_independent_losses_make_of_the_window(tree: Tree) -> None:
    # A window that grows by one in a round trip and is halved with probability p for each packet: the mean
    # square is 2 / p, the mean 1.3098 / sqrt(p) (Ott, Kemperman and Mathis 1996). Timeouts and recoveries are
    # neglected.
    long = {"duration_s": 20_000, "warmup_s": 100}
    point = bulk("newreno", probes=[{"kind": "window-deviation"}], stop=long)
    deviation = metrics(tree, "packetsim", point)["cwnd_sd"]
    assert deviation == pytest.approx(math.sqrt((2 - 1.3098**2) / 0.0005), rel=0.05)


@NS3
def test_the_probe_measures_the_same_in_both_simulators(tree: Tree) -> None:
    stop = {"duration_s": 300, "warmup_s": 10}
    point = bulk("newreno", probes=[{"kind": "window-deviation"}], stop=stop)
    ours, theirs = (metrics(tree, engine, point)["cwnd_sd"] for engine in ("packetsim", "ns3"))
    assert ours == pytest.approx(theirs, rel=1e-9)


def test_the_engine_answers_as_packetsim_does(tree: Tree) -> None:
    point = bulk("newreno", count=3, loss=0, stop={"duration_s": 500, "warmup_s": 10})
    point["sources"][0]["tcp"] = TCP | {"variant": "newreno", "rwnd_packets": 37}
    goodput = metrics(tree, "window_limit", point)["goodput"]
    assert goodput == pytest.approx(3 * 37 / 0.1, rel=0.001)
    assert goodput == pytest.approx(metrics(tree, "packetsim", point)["goodput"], rel=0.001)


def test_the_tests_of_scenarios_and_metrics_stay_green(tree: Tree) -> None:
    names = ("refused", "bulk", "metrics", "sampling")
    files = [f"tests/unit/test_{name}.py" for name in names]
    tree.output(".venv/bin/python", "-m", "pytest", "-q", "-n0", *files)


def test_scenarios_take_all_that_is_new(tree: Tree) -> None:
    for name in ("doors.yaml", "chain.yaml"):
        shutil.copy(Path(__file__).with_name(name), tree.root)
    config = (tree.root / "config/config.yaml").read_text() + "scenarios: [doors.yaml, chain.yaml]\n"
    (tree.root / "toy.yaml").write_text(config)
    command = ("-m", "tcpatlas", "expand", "--config", "toy.yaml")
    tree.output("env", "PYTHONPATH=workflow", ".venv/bin/python", *command)
    (point,) = json.loads((tree.root / "results/points/doors/probed.json").read_text())["points"]
    assert point["sources"][0]["tcp"]["variant"] == "gaimd"
    assert point["probes"] == [{"kind": "window-deviation"}]
    assert (tree.root / "results/points/doors/limit.json").exists()
    (point,) = json.loads((tree.root / "results/points/chain/series.json").read_text())["points"]
    assert point["links"]["second"] == {"rate_bit_per_s": 10_000_000, "delay_s": 0.03}
    (point,) = json.loads((tree.root / "results/points/doors/files.json").read_text())["points"]
    assert point["sources"][0]["tcp"]["decrease"] == 0.75
    assert point["links"]["bottleneck"]["target_s"] == 0.03
    assert set(point["sources"][0]["workload"]) == {"kind", "file_size"}
    assert metrics(tree, "packetsim", point)["goodput"] > 0
