"""Fewer points of a set: evenly spread, and none missing that a printed number speaks of."""

from dataclasses import replace
from decimal import Decimal

import pytest
from conftest import cases

from tcpatlas.answers.quantity import Quantity
from tcpatlas.claims.printed_numbers import PublishedNumber
from tcpatlas.claims.published import Item, printed_points
from tcpatlas.claims.rules import Rules
from tcpatlas.claims.selection import Reference
from tcpatlas.claims.subject import Subject
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
    [(1, 9, [0]), (9, 9, list(range(9))), (101, 5, [0, 25, 50, 75, 100]), (101, 1, [0]), (4, 2, [0, 3])],
)
def test_points_are_spread_evenly(count: int, limit: int, kept: list[int]) -> None:
    study = Study("study", "study.yaml", "A study", None, (sweep(count),))
    assert names(thinned(study, limit, ())) == kept


def test_what_a_printed_number_speaks_of_stays() -> None:
    one = sweep(101)
    at = Reference(one, one.points[37], Reference(one, one.points[38]))
    subject = Subject("simulation", Quantity("loss_ratio"), ((at,),))
    number = PublishedNumber(1, subject, "1", Decimal("0.01"), "x = 38", "", "")
    rules = Rules("items.yaml", "items.table-01", (), ())
    numbers = (number, replace(number, row=2))
    item = Item(
        "paper",
        "table-01",
        "table",
        "A table",
        None,
        None,
        False,
        "table-01.csv",
        "statements.yaml",
        (one,),
        rules,
        False,
        False,
        (),
        numbers,
        (),
        (),
    )
    study = Study("study", "study.yaml", "A study", "paper", (one,))
    assert names(thinned(study, 3, printed_points([item]))) == [0, 37, 38, 50, 100]


@cases("thinning.no_kernel_starts_for_many_printed_points")
def test_no_kernel_starts_for_many_printed_points(
    asked: dict[str, float], count: int, kept: list[str], left_out: list[str]
) -> None:
    one = replace(sweep(count), engines=asked)
    study = Study("study", "study.yaml", "A study", None, (one,))
    (thin,) = thinned(study, 9, {("sweep", point.name) for point in one.points}).sets
    assert (list(thin.engines), [*thin.left_out], len(thin.points)) == (kept, left_out, count)
