"""`./atlas ask`: numbers and points as people write them."""

from pathlib import Path

import pytest
from conftest import cases

from tcpatlas.ask import question, wording

ROOT = Path(__file__).parents[2]


@cases("ask_wording.values_have_the_units_that_people_write")
def test_values_have_the_units_that_people_write(
    metric: str, value: float, half_width: float, written: str
) -> None:
    assert wording.text(metric, value, half_width) == written


@pytest.mark.parametrize(
    ("error", "written"), [(0.488, "+49 %"), (-0.31, "\N{MINUS SIGN}31 %"), (0.001, "0 %")]
)
def test_errors_are_whole_percents(error: float, written: str) -> None:
    assert wording.percent(error) == written


def test_points_of_a_sweep_are_told_apart_in_words() -> None:
    asked_question = question.from_file(str(ROOT / "scenarios/examples/my-link.yaml"))
    labels = [wording.label(point) for point in asked_question.points]
    assert labels[0] == "20 users"
    assert labels[-1] == "buffer 200 packets"
