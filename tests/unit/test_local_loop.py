"""Points of local loops: stations in order, web users, and what is refused."""

from typing import Any

import pytest
from conftest import changed, data
from handmade import expanded

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import type_at
from tcpatlas.points import kinds
from tcpatlas.points.documents import check_point
from tcpatlas.points.types import Point

# The loop of section 7.1 with the backbone of 7.2 at 90 %.
BASE: dict[str, Any] = data("local_loop.base")
REPLICATIONS: dict[str, Any] = {"minimum": 3, "maximum": 3, "targets": {}}


def points(base: dict[str, Any], spec: dict[str, Any] | None = None, factor: str = "1") -> dict[str, Point]:
    made = expanded(base, spec or {}, REPLICATIONS, factor, engines=["fixed_point"])
    return {point.name: point for point in made}


def test_a_point_in_full() -> None:
    document = points(BASE)["base"].document
    check_point(document, "point")
    assert [station["name"] for station in document["stations"]] == list(BASE["stations"])
    assert document["stations"][2] == data("local_loop.a_point_in_full")
    assert document["stations"][3]["queue"] == "fair-shared"
    (users,) = document["sources"]
    assert users["workload"]["file_size"] == {
        "distribution": "lognormal",
        "mean_packets": 50,
        "standard_deviation_packets": 50,
    }
    assert document["fixed_point"]["references"] == 150
    assert document["stop"] == {"packets": 1000000, "warmup_packets": 4000000}


def test_sweeps_reach_into_stations_and_options() -> None:
    grid = {"stations.backbone.load.mean": ["90 %", "100 %"], "fixed_point.scheme": ["1", "exact"]}
    made = points(BASE, {"sweep": {"grid": grid}})
    assert list(made) == data("local_loop.sweeps_reach_into_stations_and_options")
    assert made["mean-100-percent_scheme-1"].document["stations"][2]["load"]["mean"] == 1
    assert made["mean-90-percent_scheme-exact"].document["fixed_point"]["references"] == 7500


def test_a_set_may_replace_all_stations_and_sweep_one_of_them() -> None:
    stations = {name: {"rate": "1 Gbit/s"} for name in ("source", "loop", "destination")}
    stations["loop"] |= {"queue": "fair-individual", "buffer": "5 packets"}
    sweep = {"grid": {"stations.loop.buffer": ["5 packets", "10 packets"]}}
    made = points(BASE, {"override": {"stations": stations}, "sweep": sweep})
    assert [len(point.document["stations"]) for point in made.values()] == [3, 3]
    assert made["buffer-10-packets"].document["stations"][1]["buffer_packets"] == 10


def test_a_shorter_run_has_shorter_steps() -> None:
    document = points(BASE, factor="0.1")["base"].document
    assert document["stop"]["packets"] == 100000
    assert document["fixed_point"]["step_packets"] == 100000
    shorter = kinds.of(document).shortened(document, 0.1)
    assert shorter["stop"]["packets"] == 10000
    assert kinds.of(document).packets(shorter) == pytest.approx(kinds.of(document).packets(document) / 10)
    assert kinds.of(document).shortest(document)["stop"]["packets"] == 20000


# Section 5.4: an exact run has nothing to iterate; its least number of steps is the warm-up.
@pytest.mark.parametrize(("scheme", "steps"), [("exact", 6), ("2", 10)])
def test_a_run_costs_its_steps_and_its_packets(scheme: str, steps: int) -> None:
    options = {"scheme": scheme, "step": "1000 packets", "min_steps": 6, "max_steps": 20}
    document = points(BASE | {"fixed_point": options})["base"].document
    assert kinds.of(document).packets(document) == document["stop"]["packets"] + steps * 1000


def test_a_fifo_at_the_shared_router_is_exact() -> None:
    base = changed(BASE, {"stations/loop/queue": "drop-tail"})
    (made,) = points(base, {"override": {"fixed_point.scheme": "exact"}}).values()
    assert made.document["stations"][3]["queue"] == "drop-tail"
    with pytest.raises(
        ConfigError, match="is apart, which a queue that is drop-tail does not have; only in-buffer"
    ):
        points(base, {"override": {"fixed_point.scheme": "exact", "stations.loop.head_of_line": "apart"}})


def test_sources_without_end() -> None:
    base = changed(BASE, {"sources/workload": {"kind": "bulk", "start_spread": "2 s"}})
    (users,) = points(base)["base"].document["sources"]
    assert users["workload"] == {"kind": "bulk", "start_spread_s": 2}


def test_other_engines_refuse_local_loops() -> None:
    with pytest.raises(ConfigError, match="linux does not take kind local-loop"):
        expanded(BASE, {}, REPLICATIONS, engines=["linux"])


def test_ns3_takes_local_loops_as_ns_2_had_them() -> None:
    """Table 2's NSFS; from there each change alone is refused."""
    ns_2 = data("local_loop.ns_2")
    assert len(expanded(BASE, {"override": ns_2}, REPLICATIONS, engines=["ns3", "packetsim"])) == 1
    individual = {"stations.loop.queue": "fair-individual"}
    for change, says in (
        (
            {"stations.loop.queue": "fair-shared"},
            "stations.loop.queue fair-shared with kind local-loop; one of: drop-tail",
        ),
        (
            individual | {"stations.loop.head_of_line": "apart"},
            "head_of_line apart with kind local-loop; only in-buffer",
        ),
        (
            {"tcp.variant": "informed-reno", "tcp.max_rto": "24 h"},
            "ns3 does not take tcp.variant informed-reno",
        ),
        (
            {"stations.backbone": BASE["stations"]["backbone"]},
            "stations.backbone: ns3 does not take it; leave it out",
        ),
        (individual | {"fixed_point.scheme": "2"}, "fixed_point.scheme 2 with kind local-loop; only exact"),
    ):
        with pytest.raises(ConfigError, match=says):
            expanded(BASE, {"override": ns_2 | change}, REPLICATIONS, engines=["ns3"])


def test_paths_are_known_whatever_kind_has_them() -> None:
    for path in (
        "links.bottleneck.rate",
        "stations.loop.rate",
        "sources.workload.file_size.standard_deviation",
        "tcp.rwnd",
    ):
        assert type_at(kinds.ANY_BASE, path)
    with pytest.raises(LookupError):
        type_at(kinds.ANY_BASE, "stations.loop.speed")
