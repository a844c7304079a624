"""A small project of its own for every test, and the command line run in this process."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from driver import CACHE, Driver
from handmade import Results, expanded
from hypothesis import settings

from tcpatlas import cli, models
from tcpatlas.base.environment import adopt
from tcpatlas.base.files import read_yaml
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project
from tcpatlas.points.types import Point

# As programs have it, so that no test depends on a user's machine.
adopt()

# Machines differ in speed; a test is right or wrong.
settings.register_profile("atlas", deadline=None, max_examples=50)
settings.load_profile("atlas")

_CASES, _DATA = (read_yaml(Path(__file__).with_name(name), name) for name in ("cases.yaml", "data.yaml"))


def data(name: str) -> Any:
    """Return what data.yaml has under a name, to be changed."""
    return copy.deepcopy(_DATA[name])


CONFIG: dict[str, Any] = data("demo.config")

# The setting of the on-off paper's table 6 (10 Mbit/s behind 100, before 2, RTT 50 ms).
SCENARIO: dict[str, Any] = data("demo.scenario")

ITEMS: dict[str, Any] = data("demo.items")

TABLE = """kind,metric,unit,published,note,sources.count
simulation,goodput_per_connection,kbit/s,563.1,page 25,82
model,goodput_per_connection,kbit/s,547.8,,82
simulation,goodput_per_connection,kbit/s,154.7,page 25,134
"""

PARROT = '''"""A model that says what it is told: the rate of table 6."""

RATES = {82: 547800.0, 134: 154900.0}


def predict(points):
    return [
        {
            "metrics": {
                "goodput_per_connection": {"unit": "bit/s", "value": RATES[point["sources"][0]["count"]]}
            },
            "distributions": {"queue_by_time": {"unit": "packets", "probability": [0.5, 0.5]}},
        }
        for point in points
    ]
'''


def cases(of: str) -> pytest.MarkDecorator:
    """Return the mark of a test whose cases, of plain data, are in cases.yaml under this name."""
    names, *rows = _CASES[of]
    return pytest.mark.parametrize(names, rows)


@dataclass
class Workspace:
    """A project in a temporary folder: its data, and the folder to which `write` brings them."""

    root: Path
    config: dict[str, Any]
    scenario: dict[str, Any]
    items: dict[str, Any]
    table: str
    statements: dict[str, Any] = field(default_factory=dict)
    agreements: list[dict[str, Any]] = field(default_factory=list)

    @property
    def table_file(self) -> Path:
        return self.root / "scenarios/papers/demo-paper/table-01.csv"

    @property
    def items_file(self) -> Path:
        return self.root / "scenarios/papers/demo-paper/items.yaml"

    @property
    def item(self) -> dict[str, Any]:
        """The one item of the demonstration's paper."""
        return self.items["items"]["table-01"]

    def print_rows(self, *rows: str, more: str = "") -> None:
        """Make the item's table of these rows; columns `more` stand before the last."""
        columns = ["kind", "metric", "unit", "published", "note", *more.split(), "sources.count"]
        self.table = "\n".join((",".join(columns), *rows, ""))

    @property
    def _stated(self) -> dict[str, Any]:
        first = {"table-01": self.agreements} if self.agreements else {}
        return {
            item: [*first.pop(item, []), *statements] for item, statements in self.statements.items()
        } | first

    def write(self) -> Workspace:
        """Write all files as the data now say."""
        for name, data in (
            ("config/config.yaml", self.config),
            ("scenarios/demo.yaml", self.scenario),
            ("scenarios/papers/demo-paper/items.yaml", self.items),
            ("scenarios/papers/demo-paper/statements.yaml", self._stated),
        ):
            if not data:
                continue
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(data), encoding="utf-8")  # JSON is YAML too
        self.table_file.write_text(self.table, encoding="utf-8")
        return self


def points(scenario: dict[str, Any], spec: dict[str, Any], factor: str = "1") -> dict[str, Point]:
    """Return the points of a set of the demonstration, by name."""
    return {point.name: point for point in expanded(scenario["base"], spec, CONFIG["replications"], factor)}


@pytest.fixture(scope="session")
def whole_project() -> Project:
    """The project of this tree, which takes seconds to load: for tests that only read it."""
    return load_project("config/config.yaml", Path(__file__).parents[2])


@pytest.fixture
def scenario() -> dict[str, Any]:
    """The demonstration's scenario, to be changed."""
    return copy.deepcopy(SCENARIO)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The demonstration project, written; its model `parrot` can be found beside the real ones."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models/parrot.py").write_text(PARROT, encoding="utf-8")
    monkeypatch.setattr(models, "__path__", [*models.__path__, str(tmp_path / "models")])
    monkeypatch.chdir(tmp_path)
    data = (copy.deepcopy(part) for part in (CONFIG, SCENARIO, ITEMS))
    return Workspace(tmp_path, *data, TABLE).write()


@pytest.fixture
def driver(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """The command `simulate`, to be run on the point count-82 of the demonstration."""
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(workspace.root / CACHE))
    assert cli.main(["expand"]) == 0
    return Driver(workspace.root)


Fails = Callable[..., str]
"""The fixture `fails`, to be called with the arguments of a command."""
Refused = Callable[[], str]
"""The fixture `refused`."""


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """Run a command that must fail as users want it: status 1, one line on standard error, nothing else."""

    def run(*arguments: str) -> str:
        assert cli.main(list(arguments)) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1, captured.err
        return captured.err.rstrip("\n")

    return run


@pytest.fixture
def refused(workspace: Workspace, fails: Fails) -> Refused:
    """Write the project as its data now say, and return the line with which `check` refuses it."""

    def run() -> str:
        workspace.write()
        return fails("check")

    return run


def change(data: Any, path: str, value: Any) -> None:
    """Set (or with `...` delete) the value at a path whose parts are separated by slashes."""
    *folders, last = path.split("/")
    for folder in folders:
        data = data[int(folder) if isinstance(data, list) else folder]
    if value is ...:
        del data[last]
    else:
        data[int(last) if isinstance(data, list) else last] = value


def changed(data: Any, changes: Mapping[str, Any]) -> Any:
    """Return a copy with (or with `...` without) the values at such paths."""
    copied = copy.deepcopy(data)
    for path, value in changes.items():
        change(copied, path, value)
    return copied


def expand_as_compared() -> None:
    """Write the points of the demonstration, and the table that says that all tables are of them."""
    assert cli.main(["expand"]) == 0
    project = load_project("config/config.yaml")
    rows = (f"{study.name},{project.digest(study)}\n" for study in project.studies)
    Path("results/studies.csv").write_text("".join(["study,digest\n", *rows]))


@pytest.fixture
def results(workspace: Workspace) -> Results:
    return Results(workspace)
