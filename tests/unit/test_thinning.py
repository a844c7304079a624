"""Fewer points of a set: evenly spread, and none missing that a printed number speaks of."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from tcpatlas.claims.published import Item, Place, PublishedNumber, printed_points
from tcpatlas.points.thinning import thinned
from tcpatlas.points.types import Point, ScenarioSet, Study


def sweep(count: int) -> ScenarioSet:
    points = tuple(
        Point("study", "sweep", str(number), {"parameters": {}}, number) for number in range(count)
    )
    return ScenarioSet("study", "sweep", "A sweep", {"packetsim": 1}, (), points)


def names(study: Study) -> list[int]:
    return [int(point.name) for point in study.sets[0].points]


@pytest.mark.parametrize(
    ("count", "limit", "kept"),
    [
        (1, 9, [0]),
        (9, 9, list(range(9))),
        (101, 5, [0, 25, 50, 75, 100]),
        (101, 1, [0]),
        (4, 2, [0, 3]),
    ],
)
def test_points_are_spread_evenly(count: int, limit: int, kept: list[int]) -> None:
    study = Study("study", "study.yaml", "A study", None, (sweep(count),))
    assert names(thinned(study, limit, ())) == kept


def test_what_a_printed_number_speaks_of_stays() -> None:
    one = sweep(101)
    number = PublishedNumber(
        row=1,
        kind="simulation",
        metric="loss_ratio",
        unit="1",
        published=Decimal("0.01"),
        note="",
        relation="=",
        against="x = 38",
        along="",
        inconsistent="",
        places=(Place(one, one.points[37], Place(one, one.points[38])),),
        tolerance=None,
        deviation="",
    )
    item = Item("paper", "table-01", "A table", "table-01.csv", (one,), (number, replace(number, row=2)))
    study = Study("study", "study.yaml", "A study", "paper", (one,))
    assert names(thinned(study, 3, printed_points([item]))) == [0, 37, 38, 50, 100]
