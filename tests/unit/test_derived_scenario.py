"""Scenarios that derive their sets from another one."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import cases

from tcpatlas.base.errors import ConfigError
from tcpatlas.models import automatic, checks
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario_file import load_study
from tcpatlas.points.types import Study

ROOT = Path(__file__).resolve().parents[2]
LENGTH = RunLength(Decimal("0.01"), {"minimum": 2, "maximum": 10, "targets": {}}, 1, {})
CUBIC = {"tcp.variant": "cubic", "tcp.initial_window": "10 packets"}


def study(file: str) -> Study:
    """Return a study of this tree, answered by packetsim."""
    return load_study(ROOT, file, ["packetsim"], LENGTH, checks(), automatic)[0]


@pytest.fixture
def derived(tmp_path: Path) -> Any:
    """Write a scenario that derives from another one, and return its study."""

    def written(**derive: Any) -> Study:
        file = tmp_path / "mine.yaml"
        file.write_text(json.dumps({"title": "Mine", "derive": {"from": "engset", "with": CUBIC, **derive}}))
        return study(str(file))

    return written


def test_points_are_those_of_the_source_with_the_values_in_place(derived: Any) -> None:
    (mine,) = derived(sets=["table-06"]).sets
    (theirs,) = (
        scenario_set
        for scenario_set in study("scenarios/papers/engset/scenario.yaml").sets
        if scenario_set.name == "table-06"
    )
    assert [point.name for point in mine.points] == [point.name for point in theirs.points]
    for point, other in zip(mine.points, theirs.points, strict=True):
        expected = json.loads(json.dumps(other.document, default=str))
        expected["study"] = "mine"
        expected["sources"][0]["tcp"] |= {"variant": "cubic", "initial_window_packets": 10}
        assert json.loads(json.dumps(point.document, default=str)) == expected


def test_the_engines_are_its_own_and_no_paper_is_claimed(derived: Any) -> None:
    mine = derived(sets=["table-06"])
    assert mine.sets[0].engines == {"packetsim": 1}
    assert (mine.paper, mine.folder, mine.title, mine.name) == (None, "", "Mine", "mine")


def test_the_values_come_after_those_that_a_set_overrides(derived: Any) -> None:
    """The set `buffer` overrides 60 users by 80."""
    values = {"from": "scenarios/examples/my-link.yaml", "sets": ["buffer"], "with": {"sources.count": 7}}
    (mine,) = derived(**values).sets
    assert {point.document["sources"][0]["count"] for point in mine.points} == {7}


@cases("derived_scenario.what_cannot_be_derived_is_told_in_a_line")
def test_what_cannot_be_derived_is_told_in_a_line(derived: Any, derive: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        derived(**derive)


def test_the_example_can_be_simulated() -> None:
    (table,) = study("scenarios/examples/engset-with-cubic.yaml").sets
    assert {point.document["sources"][0]["tcp"]["variant"] for point in table.points} == {"cubic"}
