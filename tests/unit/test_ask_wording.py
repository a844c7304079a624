"""`./atlas ask`: numbers and points as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tcpatlas.ask import question, wording

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("metric", "value", "half_width", "written"),
    [
        ("goodput_per_connection", 1_234_567, 12_000, "1.23 ± 0.01 Mbit/s"),
        ("on_time", 0.0124, 0, "12.4 ms"),
        ("on_time", 90, 0, "90.0 s"),
        ("on_time", 0.636, 0.19, "600 ± 200 ms"),
        ("loss_ratio", 0.0512, 0.0005, "5.12 ± 0.05 %"),
        ("loss_ratio", 0, 0, "0 %"),
        ("utilisation", 0.9998, 0, "100 %"),
        ("goodput_per_user", 25e6, 60, "25.0 Mbit/s"),
        ("fairness_index", 0.987, 0, "0.987"),
    ],
)
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
    asked_question = question.from_file(str(ROOT / "examples/my-link.yaml"))
    labels = [wording.label(point) for point in asked_question.points]
    assert labels[0] == "20 users"
    assert labels[-1] == "buffer 200 packets"
