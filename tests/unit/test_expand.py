"""From scenarios to points: what each holds, what it is called, and how sweeps combine."""

import itertools
import json
from decimal import Decimal
from typing import Any

import pytest
from conftest import CONFIG, SCENARIO, Workspace, cases, change, data, points
from handmade import expanded
from hypothesis import given, settings
from hypothesis import strategies as st

from tcpatlas.base.units import plain
from tcpatlas.config.load import load_project
from tcpatlas.models import known_models
from tcpatlas.points.documents import check_point

SIZE = "base/sources/workload/file_size"


def test_a_point_in_full(scenario: dict[str, Any]) -> None:
    """The example of docs/formats.md: 50 ms less 0.12 + 1.2 + 6 ms of transmission, halved, is 21.34 ms."""
    (point,) = points(scenario, {"sweep": {"list": [{"sources.count": 82}]}}).values()
    assert point.document == data("expand.point")


def test_the_papers_special_setting(scenario: dict[str, Any]) -> None:
    """Section 4.2: 100M-1.5M-128k, D 300 ms, 576 B (acknowledgements of 40 B) has an RTT_0 of 341.83 ms."""
    override = data("expand.override")
    document = points(scenario, {"override": override})["base"].document
    transmission = 8 * 576 * (1 / 100e6 + 1 / 1.5e6 + 1 / 128e3)
    rtt = transmission + document["links"]["bottleneck"]["delay_s"] + document["return_delay_s"]
    assert rtt == pytest.approx(0.34183, abs=5e-6)
    assert document["links"]["bottleneck"]["delay_s"] == 0.15


def test_the_links_own_delays_are_part_of_the_propagation(scenario: dict[str, Any]) -> None:
    override = {"links.access.delay": "5 ms", "links.egress.delay": "15 ms", "propagation": "100 ms"}
    document = points(scenario, {"override": override})["base"].document
    assert document["links"]["bottleneck"]["delay_s"] == 0.04
    assert document["return_delay_s"] == 0.04


def test_a_given_bottleneck_delay_leaves_the_rest_to_the_return_path(scenario: dict[str, Any]) -> None:
    override = {"links.bottleneck.delay": "20 ms", "propagation": "100 ms"}
    document = points(scenario, {"override": override})["base"].document
    assert document["links"]["bottleneck"]["delay_s"] == 0.02
    assert document["return_delay_s"] == 0.08


@pytest.mark.parametrize(("products", "packets"), [(1, 42), (0.5, 21), (0.001, 1), (2.4, 100)])
def test_a_buffer_in_bandwidth_delay_products_is_rounded_up(
    scenario: dict[str, Any], products: float, packets: int
) -> None:
    """10 Mbit/s times 50 ms are 500,000 bit, or 41.67 packets of 1500 B."""
    override = {"links.bottleneck.buffer_bdp": products}
    document = points(scenario, {"override": override})["base"].document
    assert document["links"]["bottleneck"]["buffer_packets"] == packets
    assert "buffer_bdp" not in document["links"]["bottleneck"]


def test_a_buffer_in_packets_takes_the_place_of_one_in_products(scenario: dict[str, Any]) -> None:
    scenario["base"]["links"]["bottleneck"] |= {"buffer_bdp": 3}
    del scenario["base"]["links"]["bottleneck"]["buffer"]
    swept = points(scenario, {"sweep": {"grid": {"links.bottleneck.buffer": ["7 packets", "9 packets"]}}})
    assert [point.document["links"]["bottleneck"]["buffer_packets"] for point in swept.values()] == [7, 9]


@given(st.integers(8, 10**4), st.integers(40, 1500), st.integers(0, 100), st.integers(1, 40))
def test_the_rtt_is_what_was_asked_for(rtt_ms: int, size: int, ack: int, egress_mbit: int) -> None:
    override = {
        "rtt": f"{rtt_ms} ms",
        "packet_size": f"{size} B",
        "ack_size": f"{ack} B",
        "links.egress.rate": f"{egress_mbit * 2} Mbit/s",
    }
    document = points(SCENARIO, {"override": override})["base"].document
    links = [document["sources"][0]["access"], *document["links"].values()]
    forward = sum(link["delay_s"] + 8 * size / link["rate_bit_per_s"] for link in links)
    assert forward + document["return_delay_s"] == pytest.approx(rtt_ms / 1000, rel=1e-12)


@cases("expand.a_distribution_carries_its_own_parameters")
def test_a_distribution_carries_its_own_parameters(
    scenario: dict[str, Any], size: dict[str, Any], expected: dict[str, Any]
) -> None:
    scenario["base"]["sources"]["workload"]["file_size"] |= size
    document = points(scenario, {})["base"].document
    common = {"distribution": size["distribution"], "mean_packets": 12}
    assert document["sources"][0]["workload"]["file_size"] == common | expected


def test_the_minimum_size_is_one_packet_if_not_said(scenario: dict[str, Any]) -> None:
    change(scenario, f"{SIZE}/minimum", ...)
    assert (
        points(scenario, {})["base"].document["sources"][0]["workload"]["file_size"]["minimum_packets"] == 1
    )


@cases("expand.names")
def test_names(scenario: dict[str, Any], sweep: dict[str, Any] | None, names: list[str]) -> None:
    assert list(points(scenario, {"sweep": sweep} if sweep else {})) == names


def test_parameters_are_in_si_units(scenario: dict[str, Any]) -> None:
    sweep = {"list": [{"rtt": "51.5 ms", "links.egress.rate": "3 Mbit/s", "links.bottleneck.loss": "0.1 %"}]}
    (point,) = points(scenario, {"sweep": sweep}).values()
    assert point.parameters == {"rtt": 0.0515, "links.egress.rate": 3000000, "links.bottleneck.loss": 0.001}


AXES: dict[str, list[Any]] = data("expand.axes")


@st.composite
def grids(draw: st.DrawFn) -> dict[str, list[Any]]:
    paths = draw(st.lists(st.sampled_from(sorted(AXES)), min_size=1, unique=True))
    return {path: draw(st.lists(st.sampled_from(AXES[path]), min_size=1, unique=True)) for path in paths}


def test_an_entry_of_a_list_is_a_grid_in_which_a_single_value_needs_no_list(scenario: dict[str, Any]) -> None:
    entry = {
        "tcp.rwnd": "8 packets",
        "sources.count": [82, 98],
        "rtt": {"from": "50 ms", "to": "60 ms", "step": "5 ms"},
    }
    together = points(scenario, {"sweep": {"list": [entry, {"tcp.rwnd": "9 packets"}]}})
    grid = {path: values if isinstance(values, list | dict) else [values] for path, values in entry.items()}
    assert list(together.items())[:-1] == list(points(scenario, {"sweep": {"grid": grid}}).items())
    assert list(together)[-1] == "rwnd-9-packets"


@settings(max_examples=20)
@given(grids())
def test_a_grid_is_the_list_of_all_its_combinations(grid: dict[str, list[Any]]) -> None:
    combinations = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    by_grid = points(SCENARIO, {"sweep": {"grid": grid}})
    by_list = points(SCENARIO, {"sweep": {"list": combinations}})
    assert by_grid == by_list
    assert len(by_grid) == len(combinations)


@settings(max_examples=20)
@given(grids(), st.data())
def test_adding_a_value_leaves_the_other_points_alone(
    grid: dict[str, list[Any]], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(grid)))
    fewer = grid | {path: grid[path][:1]}
    every = points(SCENARIO, {"sweep": {"grid": grid}})
    for name, point in points(SCENARIO, {"sweep": {"grid": fewer}}).items():
        assert every[name] == point


@settings(max_examples=20)
@given(grids())
def test_every_point_is_valid(grid: dict[str, list[Any]]) -> None:
    for point in points(SCENARIO, {"sweep": {"grid": grid}}).values():
        check_point(json.loads(point.text), "point")


@cases("expand.scale")
def test_scale(scenario: dict[str, Any], asked: int, factor: str, connections: int, warmup: int) -> None:
    scenario["base"]["stop"]["connections"] = asked
    stop = points(scenario, {}, factor)["base"].document["stop"]
    assert stop == {"connections": connections, "warmup_connections": warmup}


def test_points_that_only_scale_makes_equal_stay(scenario: dict[str, Any]) -> None:
    sweep = {"grid": {"stop.connections": [10000, 20000]}}
    assert list(points(scenario, {"sweep": sweep}, "0.002")) == ["connections-10000", "connections-20000"]


def test_smoke_has_its_own_replications(workspace: Workspace) -> None:
    workspace.config["scale"] = "smoke"
    project = load_project("config/config.yaml", workspace.write().root)
    bounds = project.points[0].document["replications"]
    assert bounds == {"minimum": 2, "maximum": 2, "targets": CONFIG["replications"]["targets"]}


def test_helpers_are_no_models() -> None:
    assert all(not name.startswith("_") for name in known_models())


def test_plain_numbers_are_clean() -> None:
    assert [plain(Decimal(text)) for text in ("0.02134", "1E+7", "3.0")] == [0.02134, 10000000, 3]


def test_a_point_names_its_tie_rule(scenario: dict[str, Any]) -> None:
    rules = ["departure-first", "arrival-first", "random"]
    made = points(scenario, {"sweep": {"grid": {"links.bottleneck.ties": rules}}}).values()
    assert [point.document["links"]["bottleneck"]["ties"] for point in made] == rules


def test_a_point_names_the_parameters_of_its_queue(scenario: dict[str, Any]) -> None:
    """Packets and times under names of their units, shares and whole numbers as they are."""
    red = {"queue": "red", "min_threshold": "10 packets", "max_threshold": "30 packets", "max_drop": "2 %"}
    override = {f"links.bottleneck.{key}": value for key, value in {**red, "weight": 0.002}.items()}
    (made,) = points(scenario, {"sweep": {"grid": {"rtt": ["51.5 ms"]}}, "override": override}).values()
    bottleneck = made.document["links"]["bottleneck"]
    assert {"max_drop": 0.02, "weight": 0.002}.items() <= bottleneck.items()
    assert (bottleneck["min_threshold_packets"], bottleneck["max_threshold_packets"]) == (10, 30)


def test_probes(scenario: dict[str, Any]) -> None:
    asked = ["loss-recovery", {"size-intervals": ["3-6", "7 - 14", ">14"]}]
    (point,) = points(scenario, {"override": {"probes": asked}}).values()
    check_point(point.document, "point")
    assert point.document["probes"] == [
        {"kind": "loss-recovery"},
        {"kind": "size-intervals", "intervals": [[3, 6], [7, 14], [15, None]]},
    ]


def test_replications_of_a_set_hold_over_the_general_ones_and_those_of_the_scale_over_both(
    scenario: dict[str, Any],
) -> None:
    spec = {"replications": {"minimum": 2, "maximum": 4, "targets": {}}}
    (point,) = expanded(scenario["base"], spec, CONFIG["replications"], bounds={"maximum": 2})
    assert point.document["replications"] == {"minimum": 2, "maximum": 2, "targets": {}}
