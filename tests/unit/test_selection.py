"""The points that a trend speaks of: along a swept number, or from set to set."""

from typing import Any

import pytest

from tcpatlas.claims.selection import series_from
from tcpatlas.points.types import Point, ScenarioSet


def sweep(name: str, mean: int, parameters: list[dict[str, Any]]) -> ScenarioSet:
    network = {"sources": {"workload": {"file_size": {"mean": mean, "tail_mean_ratio": 7}}}}
    points = tuple(
        Point("study", name, f"{name}-{place}", {"parameters": swept}, place, network)
        for place, swept in enumerate(parameters)
    )
    return ScenarioSet("study", name, "A sweep", {"packetsim": 1}, (), points)


GRID = [{"sources.count": count, "rtt": rtt} for count in (30, 10, 20) for rtt in (0.1, 0.05)]
LOAD = sweep("load", 5, GRID)
MEAN = "sources.workload.file_size.mean"


def names(series: tuple[tuple[ScenarioSet, Point], ...]) -> list[str]:
    return [point.name for _, point in series]


def test_points_follow_in_the_order_of_the_number_whatever_that_of_the_sweep() -> None:
    assert names(series_from(LOAD.points[2], "sources.count", LOAD, (LOAD,))) == [
        "load-2",
        "load-4",
        "load-0",
    ]


def test_points_with_a_smaller_number_do_not_belong_to_it() -> None:
    assert names(series_from(LOAD.points[5], "sources.count", LOAD, (LOAD,))) == ["load-5", "load-1"]


def test_the_same_place_of_each_set_by_what_the_sets_differ_in() -> None:
    sets = tuple(
        sweep(f"f{mean}", mean, [{"sources.count": 100 // mean + n} for n in (0, 1)]) for mean in (22, 5, 12)
    )
    assert names(series_from(sets[1].points[1], MEAN, sets[1], sets)) == ["f5-1", "f12-1", "f22-1"]
    assert names(series_from(sets[2].points[0], MEAN, sets[2], sets)) == ["f12-0", "f22-0"]


def test_a_thinned_set_keeps_the_places_of_its_points() -> None:
    sets = [sweep(f"f{mean}", mean, [{"sources.count": n} for n in range(4)]) for mean in (5, 12)]
    thin = ScenarioSet("study", "f12", "A sweep", {}, (), sets[1].points[2:])
    assert names(series_from(sets[0].points[3], MEAN, sets[0], (sets[0], thin))) == ["f5-3", "f12-3"]


@pytest.mark.parametrize(
    ("first", "along", "says"),
    [
        (0, "sources.count", "sources.count leads from load-0 to no other point"),
        (0, "tcp.rwnd", "tcp.rwnd is no number at load-0"),
        (0, MEAN, "leads from load-0 to no other point"),
    ],
)
def test_nothing_to_go_along(first: int, along: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        series_from(LOAD.points[first], along, LOAD, (LOAD,))


def test_two_sets_with_one_number_have_no_order() -> None:
    sets = tuple(
        sweep(f"f{mean}-{name}", mean, [{"sources.count": 1}])
        for mean, name in ((5, "a"), (12, "b"), (12, "c"))
    )
    with pytest.raises(ValueError, match="is the same in two sets"):
        series_from(sets[0].points[0], MEAN, sets[0], sets)


def test_a_setting_is_found_by_its_path() -> None:
    assert LOAD.points[0].setting(MEAN) == 5
    assert LOAD.points[0].setting("sources.workload.nothing.mean") is None
