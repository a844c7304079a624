"""Runs and predictions written by hand, for tests of what is made of them."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpatlas import cli
from tcpatlas.answers.metrics import catalogue, entry_name
from tcpatlas.base.files import write_atomically
from tcpatlas.base.validation import read
from tcpatlas.config.load import load_project, write_project
from tcpatlas.points.engines import check_takes
from tcpatlas.points.expand import Base, expand
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import SetSpec
from tcpatlas.points.types import Point
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.store import predictions_file, to_line

if TYPE_CHECKING:
    from conftest import Workspace

DEMO = "demo-paper/table-01"


def expanded(
    base: dict[str, Any],
    spec: dict[str, Any],
    replications: dict[str, Any],
    factor: str = "1",
    bounds: dict[str, int] | None = None,
    engines: Sequence[str] = (),
) -> tuple[Point, ...]:
    """Return the points of the set `set` of a scenario demo.yaml."""
    length = RunLength(Decimal(factor), replications, 1, bounds or {})
    read_spec = read(SetSpec, {"title": "x", **spec}, "demo.yaml", "sets.set")
    checks = [partial(check_takes, engine) for engine in engines]
    return expand("demo", "set", read_spec, Base(base, "demo.yaml"), length, checks)


def run_of(goodput: float, queue: Sequence[float] = (1.0,)) -> dict[str, Any]:
    """Return what an engine writes of a run with this goodput and distribution of the queue."""
    return dict.fromkeys(("engine", "engine_version", "study", "set", "point"), "x") | {
        "seed": 1,
        "metrics": {"goodput": {"unit": "packets/s", "value": goodput}},
        "distributions": {"queue": {"unit": "packets", "probability": list(queue)}},
    }


def say(path: Path, script: str) -> None:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def commit(root: Path, *files: str) -> None:
    """Commit files to a repository, which begins with the first commit."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for command in (["init"], ["add", *files], ["commit", "--quiet", "--message", "a"]):
        subprocess.run(["git", *identity, *command], cwd=root, check=True, capture_output=True)


RESULTS = Path("results")


class Results:
    """Runs and predictions of the set `load`, written by hand; the set `buffer` is left out."""

    def __init__(self, workspace: Workspace) -> None:
        del workspace.scenario["sets"]["buffer"]
        self.workspace = workspace.write()
        self.rates = {"count-82": (560000.0, 558000.0, 562000.0), "count-134": (156000.0, 155900.0, 156100.0)}
        self.model_rates = {"count-82": 547760.0, "count-134": 154900.0}
        self.model_queues: dict[str, Any] = {}
        self.measured: dict[str, Any] = {}  # what the model says of runs, by engine and point
        self.more: dict[str, float] = {}
        self.factors: dict[str, float] = {}  # of an engine on all rates
        self.exact: dict[str, bool] = {}  # of all runs: {"exact": True}

    def write(self) -> Results:
        project = load_project("config/config.yaml", self.workspace.root)
        write_project(project, RESULTS)
        for job in (job for study in project.studies for job in jobs(study)):
            points = [point for share in job.shares for point in share.points]
            runs = [self._run(point.set, point.name, job.engine) for point in points]
            write_atomically(job.file(RESULTS), "".join(map(to_line, runs)))
        rates = {
            name: {
                "metrics": {"goodput_per_connection": {"unit": "bit/s", "value": rate}},
                "distributions": self.model_queues,
            }
            for name, rate in self.model_rates.items()
        }
        prediction = {"schema": "tcp-atlas/predictions/2", "model": "parrot", "study": "demo", "set": "load"}
        of_runs = {
            engine: {point: {"fed": {}, "inferred": {}} | measured for point, measured in points.items()}
            for engine, points in self.measured.items()
        }
        line = to_line(prediction | {"points": rates, "measured": of_runs})
        write_atomically(predictions_file(RESULTS, "demo", "parrot"), line)
        return self

    def _run(self, in_set: str, point: str, engine: str) -> dict[str, Any]:
        value, low, high = (rate * self.factors.get(engine, 1) for rate in self.rates[point])
        return {
            "schema": "tcp-atlas/replications/1",
            "engine": engine,
            "engine_version": "0.0.1",
            "study": "demo",
            "set": in_set,
            "point": point,
            "seeds": [1000 * list(self.rates).index(point) + n for n in (1, 2, 3)],
            **self.exact,
            "metrics": {
                "goodput_per_connection": {
                    "unit": "bit/s",
                    "value": value,
                    "ci_low": low,
                    "ci_high": high,
                    "values": [low, value, high],
                },
                **{
                    name: {
                        "unit": catalogue()[entry_name(name)]["unit"],
                        "value": more,
                        "ci_low": more,
                        "ci_high": more,
                        "values": [more] * 3,
                    }
                    for name, more in self.more.items()
                },
            },
            "distributions": {
                "queue_by_time": {
                    "unit": "packets",
                    "probability": [0.75, 0.25],
                    "ci_low": [0.7, 0.2],
                    "ci_high": [0.8, 0.3],
                    "above_ci_low": [0.245, 0.0],
                    "above_ci_high": [0.255, 0.0],
                }
            },
        }

    @staticmethod
    def table(name: str) -> list[dict[str, str]]:
        with Path("results/studies/demo", f"{name}.csv").open() as file:
            return list(csv.DictReader(file))

    def claims(self) -> dict[str, dict[str, str]]:
        self.workspace.write()
        self.write()
        assert cli.main(["compare"]) == 0
        return {row["claim"]: row for row in self.table("claims")}

    def judged(self, *rows: str, more: str = "", **tolerance: Any) -> dict[str, dict[str, str]]:
        """Return the claims of printed rows of simulations, all with this tolerance."""
        self.workspace.print_rows(*rows, more=more)
        self.workspace.item["tolerances"] = [
            {"kind": "simulation", "metric": "*", "reason": "a test"} | tolerance
        ]
        return self.claims()

    def statements(self, *entries: dict[str, Any]) -> list[dict[str, str]]:
        """Return the rows of sentences with these keys; the default tolerance is 1 %."""
        defaults = {"text": "a sentence", "tolerance": "1 %", "reason": "a test"}
        self.workspace.statements = {"table-01": [defaults | entry for entry in entries]}
        self.claims()
        return self.table("statements")


def adopt_programs_of(folder: Path, root: Path) -> None:
    """Let ./atlas, in a tree at this root, find programs in a folder before it finds Debian's."""
    text = (Path(__file__).parents[2] / "envs/environment.txt").read_text()
    assert "PATH=/usr/bin:" in text
    (root / "envs").mkdir(exist_ok=True)
    (root / "envs/environment.txt").write_text(text.replace("PATH=/usr/bin:", f"PATH={folder}:/usr/bin:"))
