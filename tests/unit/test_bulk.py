"""Bulk transfers through the pipeline: points, cost, traces."""

import pytest
from conftest import cases, data
from handmade import expanded

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.source import Source
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.tables import trace_rows
from tcpatlas.models._points import only_group
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds.dumbbell_runs import is_random, packets, shortest
from tcpatlas.points.types import ScenarioSet
from tcpatlas.runs.simulate import summarise

BASE = data("bulk.base")
REPLICATIONS = {"minimum": 2, "maximum": 2, "targets": {}}


BRIEFLY = {"tcp.variant": "newreno", "stop": {"duration": "10 s"}, "probes": []}


def points(factor="1", **spec):
    return expanded(BASE, spec, REPLICATIONS, factor, engines=["packetsim"])


def test_a_bulk_point_has_the_authors_constants_unless_told_otherwise():
    (point,) = points(override={"tcp.gamma": "5 packets", "tcp.arithmetic": "linux"})
    assert point.document["sources"][0]["tcp"] == data("bulk.compound")
    assert point.document["sources"][0]["workload"] == {"kind": "bulk"}
    assert point.document["probes"] == [{"kind": "window-trace"}]


def test_a_bulk_point_of_reno_behind_a_fair_queue_stops_by_time():
    (point,) = points(override=data("bulk.a_bulk_point_of_reno_behind_a_fair_queue_stops_by_time"))
    assert point.document["sources"][0]["tcp"]["variant"] == "reno"
    assert point.document["links"]["bottleneck"]["queue"] == "fair-individual"
    assert point.document["stop"] == {"duration_s": 100, "warmup_s": 10}


# A run has at least 20 s; its warm-up is as large a part of it as the scenario says.
@pytest.mark.parametrize(
    ("factor", "seconds", "warmup"), [("1", 60, 20), ("0.5", 30, 10), ("0.001", 20, 20 / 3)]
)
def test_a_warm_up_of_ones_own_is_shortened_with_the_run(factor: str, seconds: int, warmup: float):
    (point,) = points(
        override={"tcp.variant": "reno", "stop": {"duration": "60 s", "warmup": "20 s"}}, factor=factor
    )
    assert point.document["stop"]["duration_s"] == seconds
    assert point.document["stop"]["warmup_s"] == pytest.approx(warmup)


def test_loss_cycles_are_those_of_tahoe():
    tahoe = {"tcp.variant": "tahoe", "stop": {"duration": "100 s"}, "probes": ["loss-cycles"]}
    assert points(override=tahoe)[0].document["probes"] == [{"kind": "loss-cycles"}]
    reno, compound = tahoe | {"tcp.variant": "reno"}, {"probes": ["loss-cycles"]}
    for other, says in ((reno, "loss-cycles; only tahoe"), (compound, "loss-cycles with stop loss_events")):
        with pytest.raises(ConfigError, match=says):
            points(override=other)


TRANSFER = {"tcp.variant": "newreno", "stop": {"transfer": "5000 packets"}, "probes": []}


@pytest.mark.parametrize(("factor", "length"), [("1", 5000), ("0.1", 500), ("0.002", 100)])
def test_a_transfer_has_no_warm_up_and_is_as_long_as_the_scale_says(factor, length):
    (point,) = points(factor, override=TRANSFER)
    assert point.document["stop"] == {"transfer_packets": length}
    assert packets(point.document) == length
    assert packets(shortest(point.document)) == 100


@cases("bulk.a_transfer_is_of_one_bulk_source")
def test_a_transfer_is_of_one_bulk_source(other):
    with pytest.raises(ConfigError, match="is of one bulk source; no other source may be there"):
        points(override=TRANSFER | other)


def test_loss_events_are_of_a_flow_that_is_alone():
    for other in ({"sources.count": 2}, {"links.bottleneck.queue": "fair-shared"}):
        with pytest.raises(ConfigError, match="with stop loss_events; "):
            points(override=other)


@cases("bulk.numbers_that_the_kernel_does_not_take_are_refused_before_anything_runs")
def test_numbers_that_the_kernel_does_not_take_are_refused_before_anything_runs(change, says):
    override = TRANSFER | {"tcp.max_rto": "120 s"}
    expanded(BASE, {"override": override}, REPLICATIONS, engines=["linux"])
    with pytest.raises(ConfigError, match=says):
        expanded(BASE, {"override": override | change}, REPLICATIONS, engines=["linux"])


@pytest.mark.parametrize(("factor", "events"), [("1", 20), ("0.1", 2), ("0.002", 1)])
def test_scale_multiplies_the_loss_events_but_leaves_one(factor, events):
    (point,) = points(factor)
    assert point.document["stop"] == {"loss_events": events, "warmup_loss_events": 2}


def test_a_bulk_set_is_reckoned_with_a_packet_a_round_trip_from_half_a_window():
    """12 Mbit/s and 50 ms hold 50 packets, the buffer 50 more: 3/8 of 100 squared for each of 22 events."""
    assert packets(points()[0].document) == pytest.approx(22 * 3750)


@pytest.mark.parametrize(("loss", "window"), [("0.000001", 5926), ("0.00001", 1054), ("0.0001", 187)])
def test_random_losses_bound_the_packets_of_a_duration(loss, window):
    """Windows of RFC 9438, table 2 (C = 0.4) at 0.1 s; the link carries 83,333 packets a second."""
    (point,) = points(
        override=BRIEFLY
        | {
            "tcp.rwnd": "100000 packets",
            "links.bottleneck.rate": "1 Gbit/s",
            "links.bottleneck.loss": loss,
            "propagation": "100 ms",
            "sources.count": 3,
            "stop": {"duration": "90 s"},
        }
    )
    seconds = sum(point.document["stop"].values())
    assert packets(point.document) == pytest.approx(seconds * min(3 * window / 0.1, 83333), rel=0.01)


def test_the_trace_of_the_first_replication_is_kept_and_tabulated():
    trace = {"window": {"unit": "packets", "time_s": [0.5, 1.0], "value": [40, 41]}}
    run = data("bulk.run")
    summary = summarise([run | {"seed": 1, "traces": trace}, run | {"seed": 2, "traces": {}}], 0.95)
    assert summary["traces"] == trace
    assert "traces" not in summarise([run | {"seed": 1}, run | {"seed": 2}], 0.95)


def test_trace_rows_follow_the_moments():
    scenario_set = ScenarioSet("study", "set", "Set", {"packetsim": 1}, (), points())
    trace = {"window": {"unit": "packets", "time_s": [0.5, 1.0], "value": [40, 41]}}
    answer = Answer(Source("simulation", "packetsim"), scenario_set, scenario_set.points[0], {}, 2, {}, trace)
    rows = list(trace_rows([answer]))
    assert [(row["trace"], row["unit"], row["time_s"], row["value"]) for row in rows] == [
        ("window", "packets", 0.5, 40),
        ("window", "packets", 1.0, 41),
    ]


def losses(loss, **process):
    common = {"tcp.variant": "newreno", "stop": {"duration": "100 s"}, "links.bottleneck.loss": loss}
    (point,) = points(override=common | {"links.bottleneck.loss_process": process})
    return point.document["links"]["bottleneck"]


def test_a_loss_process_is_in_the_point_with_the_keys_of_its_kind():
    assert losses("1 %", kind="evenly-spaced", burst="5 packets")["loss_process"] == {"kind": "evenly-spaced"}
    bursts = losses("1 %", kind="bursts", burst="5 packets")
    assert bursts["loss_process"] == {"kind": "bursts", "burst_packets": 5, "burst_loss": 1}
    assert bursts["loss_probability"] == 0.01


def test_bursts_leave_a_packet_between_them():
    # 2 (40 % / p - 1) packets on average.
    losses("26.6 %", kind="bursts", burst="2 packets", burst_loss="40 %")
    for loss, gap in (("26.8 %", "0.985"), ("50 %", "-0.4")):
        with pytest.raises(ConfigError, match=f"bursts leave gaps of {gap} packets on average; at least 1"):
            losses(loss, kind="bursts", burst="2 packets", burst_loss="40 %")


def test_bursts_need_a_length():
    with pytest.raises(ConfigError, match="loss_process: is missing; kind bursts needs burst"):
        losses("1 %", kind="bursts")


def starts(**override):
    (point,) = points(override=BRIEFLY | override)
    return [group["workload"].get("start_spread_s") for group in point.document["sources"]]


def test_several_bulk_sources_begin_within_a_round_trip_unless_told_otherwise():
    # 50 ms of propagation, 1 ms on the bottleneck and 120 ns on each of the other links.
    (spread,) = starts(**{"sources.count": 3})
    assert spread == pytest.approx(0.05100024, rel=1e-12)
    assert starts(**{"sources.count": 3, "sources.workload.start_spread": "2 s"}) == [2]
    assert starts(**{"sources.count": 3, "sources.workload.start_spread": "0 s"}) == [None]
    assert starts() == [None]


def test_a_group_further_away_begins_within_a_round_trip_of_its_own():
    base = BASE | {"stop": {"duration": "10 s"}, "probes": [], "sources": {"workload": {"kind": "bulk"}}}
    base["tcp"] = BASE["tcp"] | {"variant": "newreno"}
    base["groups"] = {"near": {"count": 1}, "far": {"count": 1, "extra_delay": "100 ms"}}
    (point,) = expanded(base, {}, REPLICATIONS, engines=["packetsim"])
    near, far = (group["workload"]["start_spread_s"] for group in point.document["sources"])
    assert (near, far) == pytest.approx((0.05100024, 0.15100024), rel=1e-12)


def test_a_lone_source_has_no_spread_of_starts():
    with pytest.raises(ConfigError, match=r"start_spread: is for bulk sources that are not alone"):
        starts(**{"sources.workload.start_spread": "2 s"})


def visits(**workload):
    override = {f"sources.workload.{key}": value for key, value in workload.items()}
    (point,) = points(override=BRIEFLY | {"stop": {"duration": "100 s"}} | override)
    return point


def test_sources_come_and_go():
    (group,) = visits(start="30 s", stop="90 s", period="70 s").document["sources"]
    assert group["workload"] == {"kind": "bulk", "start_s": 30, "stop_s": 90, "period_s": 70}
    (group,) = visits(start="0 s", transfer="12 packets").document["sources"]
    assert group["workload"] == {"kind": "bulk", "transfer_packets": 12}


@cases("bulk.a_visit_has_an_order")
def test_a_visit_has_an_order(workload, says):
    with pytest.raises(ConfigError, match=says):
        visits(**workload)


def test_a_visit_needs_a_duration():
    with pytest.raises(ConfigError, match="stop: has no duration, but sources come and go"):
        points(override=BRIEFLY | {"stop": {"packets": "9000 packets"}, "sources.workload.start": "3 s"})


def test_models_refuse_visits():
    with pytest.raises(PointError, match="cannot answer sources that come and go"):
        only_group("rfc9438", visits(start="30 s").document)


LOSSY = BASE["links"]["bottleneck"] | {"loss": "0.1 %"}


@cases("bulk.a_bulk_run_is_random_if_it_draws_more_than_how_it_begins")
def test_a_bulk_run_is_random_if_it_draws_more_than_how_it_begins(override, random):
    (point,) = points(override=BRIEFLY | override)
    assert is_random(point.document) == random


@pytest.mark.parametrize(
    ("size", "off_time", "random"), [("fixed", "fixed", False), ("fixed", "exponential", True)]
)
def test_an_on_off_run_is_random_if_a_size_or_a_pause_is(size, off_time, random):
    workload = {
        "kind": "on-off",
        "file_size": {"distribution": size, "mean": "12 packets"},
        "off_time": {"distribution": off_time, "mean": "1 s"},
    }
    (point,) = points(override=BRIEFLY | {"sources.workload": workload, "stop": {"connections": 10}})
    assert is_random(point.document) == random


def test_a_transfer_goes_on_until_so_many_packets_are_sent():
    brief = {"tcp.variant": "newreno", "stop": {"packets": "200000 packets"}, "probes": []}
    (point,) = points(override=brief)
    assert point.document["stop"] == {"packets": 200_000, "warmup_packets": 20_000}
    assert packets(point.document) == 220_000
