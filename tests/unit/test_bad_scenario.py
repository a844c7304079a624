"""Everything that can be wrong in a scenario file: one line, naming file, key path and what is allowed."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Fails, Refused, Workspace, change

FILE = "scenarios/demo.yaml: "
SIZE = "base/sources/workload/file_size"
GRID = "sets/load/sweep/grid"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        # keys
        ("titel", "x", "titel: unknown key; did you mean 'title'?"),
        ("title", ..., "title: is missing"),
        ("sets", {}, "sets: is empty"),
        ("sets/a b", {"title": "x"}, "sets: 'a b' is not allowed; letters, digits"),
        ("base/tcp/rwnd", ..., "base.tcp.rwnd: is missing; e.g. 44 packets"),
        # units and ranges
        ("base/links/access/rate", 10, "base.links.access.rate: '10' has no unit; write e.g. 10 Mbit/s"),
        ("base/links/access/rate", "10 ms", "rate: the unit 'ms' does not convert to 'bit/s'; write e.g."),
        ("base/links/access/rate", "0 bit/s", "rate: '0 bit/s' is out of range; at least 1 bit/s"),
        ("base/links/bottleneck/buffer", "1.5 packets", "buffer: '1.5 packets' is not whole"),
        ("base/links/bottleneck/queue", "fifo", "queue: 'fifo' is unknown; one of: drop-tail"),
        (
            "base/links/bottleneck/loss_process",
            {"kind": "periodic"},
            "loss_process.kind: 'periodic' is unknown; one of: independent, evenly-spaced, bursts",
        ),
        ("base/sources/count", 0, "base.sources.count: 0 is out of range; at least 1"),
        ("base/stop", {}, "base.stop: is empty; at least one is needed"),
        # what an engine takes, alone and beside something else
        ("base/sources/workload/kind", "ftp", "kind: 'ftp' is unknown; one of: on-off, http, bulk"),
        ("base/tcp/idle_restart", "10 s", "base.tcp.idle_restart: packetsim does not take it; leave it out"),
        (
            "base/stop",
            {"loss_events": 5},
            "packetsim does not take stop loss_events with sources.workload.kind on-off",
        ),
        ("base/probes", ["loss-cycles"], "with probes.kind filter-log or loss-cycles; only bulk"),
        # values that exclude one another
        (
            "sets/load/override",
            {"rtt": "1 h", "links.bottleneck.rate": "10 kbit/s", "links.bottleneck.buffer": "100000 packets"},
            "100000 packets take 1.2e+05 s to be sent; at most 100000 s",
        ),
        ("base/tcp/max_rto", "100 ms", "max_rto: 0.1 s is below the smallest timeout; at least 1 s"),
        (
            "sets/load/override",
            {"links.bottleneck.queue": "fair-individual", "links.bottleneck.ties": "random"},
            "fair-individual knows no other rule than departure-first; that, or the queue drop-tail",
        ),
        (
            "sets/load/override",
            {"links.bottleneck.queue": "red", "links.bottleneck.max_threshold": "9 packets"},
            "max_threshold: is given alone; both thresholds or none",
        ),
        (
            "sets/load/override",
            {
                "links.bottleneck.queue": "red",
                "links.bottleneck.min_threshold": "9 packets",
                "links.bottleneck.max_threshold": "9 packets",
            },
            "min_threshold: 9 packets are not below the larger threshold; less than 9 packets",
        ),
        (
            "sets/load/override",
            {"links.bottleneck.queue": "pie", "links.bottleneck.max_drop": "10 %"},
            "packetsim does not take it; leave it out",
        ),
        ("base/rtt", ..., "base.rtt: exactly one of rtt and propagation is needed"),
        (
            "base/links/bottleneck/buffer_bdp",
            1,
            "base.links.bottleneck.buffer: exactly one of buffer and buffer_bdp is needed",
        ),
        (
            "sets/load/override",
            {"links.bottleneck.buffer_bdp": 1000, "rtt": "1 h"},
            "sets.load.override.links.bottleneck.buffer_bdp: are 3e+09 packets; at most 1e+06",
        ),
        ("base/rtt", "7 ms", "the path's transmission times and delays; at least 0.00732 s"),
        (f"{SIZE}/mean", "2 packets", "the mean, 2 packets, is below the minimum size; at least 3 packets"),
        (f"{SIZE}/distribution", "lognormal", "is missing; distribution lognormal needs standard_deviation"),
        # probes
        ("base/probes", ["window"], "base.probes[0].kind: 'window' is unknown; one of: "),
        (
            "sets/load/override",
            {"probes": ["loss-recovery", "loss-recovery"]},
            "sets.load.override.probes[1]: the probe loss-recovery comes twice; each once",
        ),
        ("base/probes", [{"loss-recovery": [1]}], "base.probes[0]: loss-recovery takes no setting"),
        ("base/probes", ["size-intervals"], "base.probes[0]: size-intervals needs its intervals"),
        ("base/probes", [{"size-intervals": ["3 to 6"]}], "'3 to 6' is not an interval; low-high or >low"),
        ("base/probes", [{"size-intervals": ["3-6", "6-10"]}], "intervals: 6-10 overlaps 3-6"),
        ("base/probes", [{"size-intervals": ["1-2"]}], "no file is of 1-2 packets"),
        # who answers, and how often
        (
            "sets/load/replications",
            {"maximum": 2},
            "sets.load.replications.maximum: 2 is below the minimum; at least 3",
        ),
        ("sets/load/models", ["crystal_ball"], "sets.load.models[0]: 'crystal_ball' is unknown; one of: "),
        ("sets/load/engines", ["omnet"], "sets.load.engines[0]: 'omnet' is unknown; one of: fixed_point, "),
        (
            "sets/load/engines",
            [{"ns3": {"length": 2}}],
            "sets.load.engines[0].ns3.length: 2 is out of range; at most 1",
        ),
        (
            "sets/load/engines",
            ["packetsim", {"packetsim": {"length": 1}}],
            "sets.load.engines[1]: the engine packetsim comes twice; each once",
        ),
        # sweeps
        ("sets/load/sweep", {}, "sets.load.sweep: is empty"),
        (f"{GRID}/sources.count", 82, "sets.load.sweep.grid.sources.count: 82 is not a list"),
        (
            "sets/load/sweep/list",
            [{"sources.count": 5}],
            "sets.load.sweep: has too many entries; at most 1 of grid, list, design",
        ),
        (f"{GRID}/sources.count", [82, 82], "sets.load.sweep: the point count-82 comes twice"),
        (f"{GRID}/rtt", ["50 ms", "0.05 s"], "are the same; short values that differ"),
        (f"{GRID}/sources.cuont", [5], "sources.cuont: unknown key 'cuont'; did you mean 'count'?"),
        (f"{GRID}/rtt.x", [5], "sets.load.sweep.grid.rtt.x: unknown key 'x'; rtt has no keys"),
        (f"{GRID}/Sources Count", [5], "'Sources Count' is not allowed; keys of base, joined by dots"),
        ("sets/load/sweep", {"list": [{"rtt": ["51 ms", "x"]}]}, "sets.load.sweep.list[0].rtt[1]: 'x' is"),
        ("sets/load/override", {"tcp": {"rwnd": "4 packets"}}, "sets.load.override.tcp.variant: is missing"),
    ],
)
def test_one_line(workspace: Workspace, refused: Refused, path: str, value: Any, says: str) -> None:
    change(workspace.scenario, path, value)
    line = refused()
    assert line.startswith(FILE)
    assert says in line


def test_tail_that_leaves_no_body(workspace: Workspace, fails: Fails) -> None:
    """Section 3.2: with H = 10 %, A = 3 and X = 12, omega must be below (12 - 3) / (0.1 * 12) = 7.5."""
    change(workspace.scenario, f"{SIZE}/distribution", "exponential-exponential")
    change(workspace.scenario, f"{SIZE}/tail_mean_ratio", 7.5)
    workspace.write()
    line = fails("check")
    assert line.startswith(FILE + "base.sources.workload.file_size.tail_mean_ratio: ")
    assert "less than 7.5" in line
    change(workspace.scenario, f"{SIZE}/tail_mean_ratio", 7.49)
    workspace.write()
    # It fails for another reason: the scenario is right now.
    assert "file_size" not in fails("plan", "--config", "none")


def test_pareto_tail_that_leaves_no_body(workspace: Workspace, refused: Refused) -> None:
    """Section 3.2: B > 0 needs X > A (1 + H / (alpha - 1)) = 3.6."""
    change(workspace.scenario, f"{SIZE}/distribution", "exponential-pareto")
    change(workspace.scenario, f"{SIZE}/mean", "3.6 packets")
    assert "more than 3.6" in refused()


def test_fixed_sizes_are_whole(workspace: Workspace, refused: Refused) -> None:
    change(workspace.scenario, f"{SIZE}/distribution", "fixed")
    change(workspace.scenario, f"{SIZE}/mean", "12.5 packets")
    assert "a fixed size of 12.5 packets is not whole" in refused()


def test_a_name_that_no_file_can_have(workspace: Workspace, refused: Refused) -> None:
    values = dict.fromkeys(
        ("rtt", "tcp.min_rto", "sources.workload.off_time.mean"), "1" + "0" * 60 + "e-60 s"
    )
    workspace.scenario["sets"]["load"]["sweep"] = {"list": [values]}
    line = refused()
    assert line.startswith(FILE + "sets.load.sweep: the point's name rtt-1")
    assert "is longer than 200 characters" in line


def test_a_set_whose_name_no_file_can_have(workspace: Workspace, refused: Refused) -> None:
    workspace.scenario["sets"]["x" * 300] = workspace.scenario["sets"].pop("load")
    assert refused().endswith(": has 300 characters; at most 200")


def test_nobody_answers(workspace: Workspace, refused: Refused) -> None:
    workspace.scenario["sets"]["buffer"] |= {"engines": [], "models": []}
    assert (
        refused() == FILE + "sets.buffer.engines: neither an engine nor a model answers the set; at least one"
    )


def test_two_sets_of_one_name(workspace: Workspace, fails: Fails) -> None:
    path = workspace.root / "scenarios/demo.yaml"
    path.write_text(path.read_text().replace('"buffer": {"title"', '"load": {"title"'))
    assert fails("check") == FILE + "sets.load: is there twice; each name once"


def test_a_key_twice_deep_inside(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "scenarios/demo.yaml").write_text(
        "title: x\nsets:\n  a:\n    sweep: {list: [{rtt: 1, rtt: 2}]}\n"
    )
    assert fails("check") == FILE + "sets.a.sweep.list[0].rtt: is there twice; each name once"


def test_a_name_that_cannot_be_a_folder(workspace: Workspace, fails: Fails) -> None:
    workspace.config["scenarios"] = ["scenarios/my study.yaml"]
    workspace.write()
    (workspace.root / "scenarios" / "my study.yaml").write_text("title: A link\n")
    assert "'my study' is not allowed; letters, digits, dots, hyphens and underscores" in fails("check")


def test_no_such_scenario(workspace: Workspace, refused: Refused) -> None:
    workspace.config["scenarios"] = "none.yaml"
    assert refused() == "none.yaml: cannot be read: No such file or directory"
