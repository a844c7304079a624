"""The accepted error maps of the arena: of the scenario as it is, of everyday links, and bands that hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import cases

from tcpatlas.ask.answer import expected_at
from tcpatlas.ask.question import from_options
from tcpatlas.base.files import read_yaml
from tcpatlas.config.load import CONFIG_FILE, load_project
from tcpatlas.runs.store import digest
from tcpatlas.trust.error_map import CONFIDENCE, ErrorMap
from tcpatlas.trust.neighbours import band_ends, fit, scores
from tcpatlas.trust.stored import ACCEPTED, accepted_maps, maps_file

ROOT = Path(__file__).parents[2]
FILE = maps_file(ROOT / ACCEPTED, "arena")


def test_it_is_of_the_points_that_the_scenario_has() -> None:
    config = {
        **read_yaml(ROOT / CONFIG_FILE, CONFIG_FILE),
        "scenarios": "scenarios/studies/arena/scenario.yaml",
    }
    (study,) = load_project(config, ROOT).studies
    points = [
        point.document for scenario_set in study.sets if scenario_set.mapped for point in scenario_set.points
    ]
    assert len(points) >= 5000
    head = json.loads(str(np.load(FILE)["head"]))
    assert head["digest"] == digest(points), "run the arena again, then ./atlas baseline"


def test_it_is_small() -> None:
    assert FILE.stat().st_size < 1_000_000


@cases("accepted_map.links_that_people_ask_about_are_inside")
def test_links_that_people_ask_about_are_inside(options: dict[str, str], model: str, metric: str) -> None:
    asked = from_options({"rate": "50 Mbit/s", "rtt": "20 ms", **options})
    expected, note = expected_at(asked.sets[0].points[0].document, [model], accepted_maps(ROOT))
    assert (model, metric) in expected, note


FILES = {"everyday-cubic": "cubic", "everyday-newreno": "newreno"}
MAPS = {error_map.set: error_map for error_map in accepted_maps(ROOT)}


@pytest.mark.parametrize("tcp", FILES.values())
def test_everyday_links_are_inside(tcp: str) -> None:
    """2 Mbit/s to 1 Gbit/s, 5 to 200 ms, 3 to 1000 users, 15 kB to 1.5 MB, buffers of 0.2 to 3 products."""
    ends = np.log([(2e6, 1e9), (0.005, 0.2), (3, 1000), (15e3, 1.5e6), (0.2, 3)])
    drawn = np.exp(np.random.default_rng(20_261_125).uniform(ends[:, 0], ends[:, 1], (300, 5)))
    inside = []
    for rate, rtt, users, file, buffer in drawn:
        packets = max(1, round(buffer * rate * rtt / 12000))
        if rtt < 2 * 12000 / rate:
            # A packet and its acknowledgement take that long themselves.
            continue
        link = {"rate": f"{rate:.0f} bit/s", "rtt": f"{1000 * rtt:.3f} ms", "users": f"{users:.0f}"}
        traffic = {"file": f"{file:.0f} B", "buffer": f"{packets} packets", "tcp": tcp}
        point = from_options(link | traffic).points[0].document
        inside.append(bool(expected_at(point, ["engset"], list(MAPS.values()))[0]))
    assert len(inside) > 250
    assert np.mean(inside) >= 0.95


def held(error_map: ErrorMap, folds: int) -> np.ndarray:
    """Return the share of errors in their bands by column: each fold of the points by the others."""
    coordinates, errors = error_map.coordinates, error_map.errors
    inside = np.zeros(errors.shape, bool)
    # In any order but their own: every fifth point of a Halton sequence is a layer of the space.
    drawn = np.random.default_rng(3).permutation(len(errors))
    for fold in range(folds):
        asked = drawn % folds == fold
        others = coordinates[~asked], errors[~asked]
        fitted = fit(coordinates[asked], *others)
        ends = band_ends(coordinates[asked], others[0], scores(*others), CONFIDENCE)
        low, high = (fitted.value + end * fitted.scatter for end in ends)
        inside[asked] = (low <= errors[asked]) & (errors[asked] <= high)
    return np.mean(inside, axis=0)


@pytest.mark.parametrize("name", [*FILES, "everyday-loss"])
def test_bands_hold_by_metric_at_points_that_are_left_out(name: str) -> None:
    """Of 500 points or more 90 %, give or take two standard errors; bands are no wider than that either."""
    one = MAPS[name]
    assert {model for model, _ in one.columns} == {"cubic" if name == "everyday-loss" else "engset"}
    shares = held(one, 5)
    assert len(shares) == (1 if name == "everyday-loss" else 6)
    assert np.all(shares >= 0.87), dict(zip(one.columns, shares, strict=True))
    assert np.all(shares <= 0.95), dict(zip(one.columns, shares, strict=True))
