"""Points on which packetsim in WebAssembly is compared with the native program, and how to run that."""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from tcpatlas.base.files import read_yaml
from tcpatlas.config import load_project
from tcpatlas.lab import experiment_data, laboratory
from tcpatlas.points import kinds

ROOT = Path(__file__).parents[1]
SEED = 7
POINTS = 12


@cache
def points() -> list[str]:
    """Return the laboratory's drawn points, and as many of the pipeline's as make 12, cut short."""
    lab = laboratory()
    drawn = [_traced(experiment_data(lab, name)) for name in lab.experiments]
    configuration = read_yaml(ROOT / "config/config.yaml", "config.yaml") | {"scale": "smoke", "now": "off"}
    simulated = [
        scenario_set.points[0].document
        for study in load_project(configuration, ROOT).studies
        for scenario_set in study.sets
        if "packetsim" in scenario_set.engines
    ]
    others = random.Random(POINTS).sample(simulated, POINTS - len(drawn))
    return [json.dumps(point) for point in [*drawn, *(kinds.of(point).shortest(point) for point in others)]]


def native(program: Path, point: str, folder: Path) -> str:
    """Return the run of the native program."""
    (folder / "point.json").write_text(point)
    command = [program, "--point", "point.json", "--seed", str(SEED), "--out", "run.json"]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / "run.json").read_text()


def _traced(data: dict[str, Any]) -> dict[str, Any]:
    point: dict[str, Any] = data["point"]
    for place, value in data["traced"]:
        folder: Any = point
        for key in place[:-1]:
            folder = folder[key]
        folder[place[-1]] = value
    return point
