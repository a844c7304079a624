"""The model beside what the paper prints of it, and the data that the scenario takes from the model."""

from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import changed

from tcpatlas.answers.quantity import Quantity
from tcpatlas.base import units
from tcpatlas.base.files import read_yaml
from tcpatlas.claims.printed_numbers import PublishedNumber
from tcpatlas.claims.selection import Reference
from tcpatlas.claims.verdict import Estimate, judge
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project
from tcpatlas.models.engset import predict
from tcpatlas.points.types import Point

ROOT = Path(__file__).parents[2]


@cache
def project() -> Project:
    config = read_yaml(ROOT / "config/config.yaml", "config/config.yaml")
    return load_project({**config, "scenarios": ["scenarios/papers/engset/scenario.yaml"]}, ROOT)


@cache
def answers(set_name: str, point_name: str) -> list[dict[str, Any]]:
    (point,) = (point for point in points(set_name) if point.name == point_name)
    (models,) = (scenario_set.models for scenario_set in project().sets if scenario_set.full_name == set_name)
    return [import_module(f"tcpatlas.models.{name}").predict([point.document])[0] for name in models]


def metrics(set_name: str, point_name: str) -> dict[str, dict[str, float]]:
    return {
        name: metric for answer in answers(set_name, point_name) for name, metric in answer["metrics"].items()
    }


def value_at(at: Reference, quantity: Quantity) -> tuple[str, float]:
    """Return unit and value of a metric at one point, which may be all of a distribution above a value."""
    where = at.set.full_name, at.point.name
    if metric := metrics(*where).get(quantity.name):
        return metric["unit"], metric["value"]
    above = int(quantity.of.strip("[>]"))
    distributions = (answer["distributions"] for answer in answers(*where))
    (distribution,) = (
        distributions_of_answer[quantity.metric]
        for distributions_of_answer in distributions
        if quantity.metric in distributions_of_answer
    )
    return "1", sum(distribution["probability"][above + 1 :])


def points(set_name: str) -> tuple[Point, ...]:
    (scenario_set,) = (candidate for candidate in project().sets if candidate.full_name == set_name)
    return scenario_set.points


def numbers() -> list[Any]:
    """Return the model's printed numbers at one point, except those that need a run's."""
    return [
        pytest.param(number, id=f"{item.name}-{number.row}-{number.subject.quantity.name}")
        for item in project().all_items
        for number in item.numbers
        if number.subject.kind == "model" and not (number.tolerance is not None and number.tolerance.one_run)
    ]


@pytest.mark.parametrize("number", numbers())
def test_printed_number_of_the_model(number: PublishedNumber) -> None:
    """All agree, but where the paper contradicts itself or items.yaml gives a reason why some do not."""
    (at,) = number.subject.references
    unit, ours = value_at(at, number.subject.quantity)
    if number.subject.is_ratio:
        other = value_at(at.baseline or at, number.subject.reference or number.subject.quantity)[1]
        unit, ours = "1", ours / other - 1
    value = Decimal(repr(ours)) * units.factor(unit, number.unit)
    assert number.published is not None
    assert number.tolerance is not None
    verdict = judge(Estimate.of(value), number.published, number.tolerance.width(number.published))
    if number.inconsistent:
        assert verdict == "deviates", value
    else:
        assert verdict == "reproduced" or number.deviation, value


def load(point: Point, count: int) -> float:
    document = changed(point.document, {"sources/0/count": count})
    return predict([document])[0]["metrics"]["open_loop_load"]["value"]


@pytest.mark.parametrize("point", [pytest.param(point, id=point.name) for point in points("engset/table-05")])
def test_sources_of_table_5_bring_the_load_nearest_to_one(point: Point) -> None:
    count = point.document["sources"][0]["count"]
    off = abs(load(point, count) - 1)
    assert off <= abs(load(point, count + 1) - 1)
    assert count == 1 or off <= abs(load(point, count - 1) - 1)


@pytest.mark.parametrize("rate", [10_000_000, 50_000_000])
def test_the_largest_buffer_of_table_5_is_that_of_500_packets(rate: int) -> None:
    """Section 5.4.1 takes the largest buffer of all F and both round-trip times, and names F = 500."""
    candidates = [
        point for point in points("engset/table-05") if point.parameters["links.bottleneck.rate"] == rate
    ]
    assert len(candidates) == 16
    largest = max(
        candidates, key=lambda point: metrics("engset/table-05", point.name)["buffer_rule_2"]["value"]
    )
    assert largest.parameters["sources.workload.file_size.mean"] == 500
    assert largest.parameters["rtt"] == 0.05


@pytest.mark.parametrize(
    ("set_name", "loads"),
    [
        ("figure-08", (0.4, 0.6, 0.8, 1, 1.2, 1.4)),
        ("figure-08-special", (0.4, 0.6, 0.8, 1, 1.2, 1.4)),
        *[(f"figure-09-f{size}", (0.8, 1, 1.2)) for size in (5, 12, 22, 36, 80, 120)],
    ],
)
def test_sources_bring_the_loads_nearest(set_name: str, loads: tuple[float, ...]) -> None:
    """Sections 5.1 and 5.2: for each network and mean size, loads in steps of 20 % (with W_R 44 in 5.2)."""
    families: dict[str, list[Point]] = {}
    for point in points(f"engset/{set_name}"):
        size = point.document["sources"][0]["workload"]["file_size"]
        if set_name.startswith("figure-09") and (
            size["distribution"] != "exponential" or point.document["sources"][0]["tcp"]["rwnd_packets"] != 44
        ):
            continue
        family = [point.document["links"], point.document["sources"][0]["tcp"], size["mean_packets"]]
        families.setdefault(repr(family), []).append(point)
    for family in families.values():
        for point, wanted in zip(family, loads, strict=True):
            count = point.document["sources"][0]["count"]
            off = abs(load(point, count) - wanted)
            assert off <= abs(load(point, count + 1) - wanted)
            assert count == 1 or off <= abs(load(point, count - 1) - wanted)
