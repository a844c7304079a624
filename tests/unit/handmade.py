"""Runs and predictions written by hand, for tests of what is made of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpatlas import cli
from tcpatlas.base.files import to_json, write_atomically
from tcpatlas.config import load_project

if TYPE_CHECKING:
    from conftest import Workspace

DEMO = "demo-paper/table-01"


class Results:
    """Runs and predictions of the set `load`, written by hand; the set `buffer` is left out."""

    def __init__(self, workspace: Workspace) -> None:
        del workspace.scenario["sets"]["buffer"]
        self.workspace = workspace.write()
        self.rates = {"count-82": (560000.0, 558000.0, 562000.0), "count-134": (156000.0, 155900.0, 156100.0)}
        self.model_rates = {"count-82": 547760.0, "count-134": 154900.0}
        self.model_queues: dict[str, Any] = {}
        self.more: dict[str, float] = {}
        self.factors: dict[str, float] = {}  # of an engine on all rates

    def write(self) -> Results:
        project = load_project("config/config.yaml", self.workspace.root)
        for point, engine in project.runs():
            value, low, high = (rate * self.factors.get(engine, 1) for rate in self.rates[point.name])
            self._write(
                point.run_path(Path("results"), engine),
                {
                    "schema": "tcp-atlas/replications/1",
                    "engine": engine,
                    "engine_version": "0.0.1",
                    "study": "demo",
                    "set": "load",
                    "point": point.name,
                    "seeds": [1, 2, 3],
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
                                "unit": "packets",
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
                        }
                    },
                },
            )
        rates = {
            name: {
                "metrics": {"goodput_per_connection": {"unit": "bit/s", "value": rate}},
                "distributions": self.model_queues,
            }
            for name, rate in self.model_rates.items()
        }
        prediction = {"schema": "tcp-atlas/predictions/1", "model": "parrot", "study": "demo", "set": "load"}
        self._write(Path("results/predictions/demo/load/parrot.json"), prediction | {"points": rates})
        return self

    @staticmethod
    def _write(path: Path, data: dict[str, Any]) -> None:
        write_atomically(path, to_json(data))

    @staticmethod
    def table(name: str) -> list[dict[str, str]]:
        with Path("results/studies/demo", f"{name}.csv").open() as file:
            return list(csv.DictReader(file))

    def claims(self) -> dict[str, dict[str, str]]:
        self.workspace.write()
        self.write()
        assert cli.main(["compare"]) == 0
        return {row["claim"]: row for row in self.table("claims")}

    def statements(self, *entries: dict[str, Any]) -> list[dict[str, str]]:
        """Return the rows of sentences with these keys; the default tolerance is 1 %."""
        defaults = {"text": "a sentence", "tolerance": "1 %", "reason": "a test"}
        self.workspace.statements = {"table-01": [defaults | entry for entry in entries]}
        self.claims()
        return self.table("statements")
