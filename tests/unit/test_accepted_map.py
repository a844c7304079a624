"""The accepted error map of the arena: of the scenario as it is, and what it says of the issue's example."""

from __future__ import annotations

from pathlib import Path

import pytest

from tcpatlas.ask.answer import expected_at
from tcpatlas.ask.question import from_options
from tcpatlas.base.files import read_yaml
from tcpatlas.config import CONFIG_FILE, load_project
from tcpatlas.runs.store import digest
from tcpatlas.trust.stored import ACCEPTED, accepted_maps, maps_file, read_head

ROOT = Path(__file__).parents[2]
FILE = maps_file(ROOT / ACCEPTED, "arena")


def test_it_is_of_the_points_that_the_scenario_has() -> None:
    config = {
        **read_yaml(ROOT / CONFIG_FILE, CONFIG_FILE),
        "scenarios": "config/scenarios/arena/scenario.yaml",
    }
    (study,) = load_project(config, ROOT).studies
    points = [point.document for one in study.sets if one.mapped for point in one.points]
    assert len(points) >= 5000
    assert read_head(FILE)["digest"] == digest(points), "run the arena again, then ./atlas baseline"


def test_it_is_small() -> None:
    assert FILE.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("options", "model", "metric"),
    [
        ({"file": "300 kB", "users": "60"}, "engset", "goodput_per_connection"),
        ({"loss": "1 %", "window": "64 packets", "rate": "10 Mbit/s"}, "padhye", "goodput"),
        ({"tcp": "compound", "buffer": "100 packets"}, "compound", "utilisation"),
    ],
)
def test_links_that_people_ask_about_are_inside(options: dict[str, str], model: str, metric: str) -> None:
    asked = from_options({"rate": "50 Mbit/s", "rtt": "20 ms", **options})
    expected, note = expected_at(asked.sets[0].points[0].document, [model], accepted_maps(ROOT))
    assert (model, metric) in expected, note
