"""Accepted numbers: what moved is named, from what to what, and only that."""

import csv
import json
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Fails, Workspace, cases, expand_as_compared
from handmade import Results

from tcpatlas import cli
from tcpatlas.base.files import to_csv
from tcpatlas.claims.tables import COLUMNS
from tcpatlas.config.load import load_project
from tcpatlas.points import engines

BASELINE = Path("config/baseline/paper")
BUFFER_POINTS = [f"buffer-{size}-packets_rtt-{rtt}" for size in (50, 200) for rtt in ("50-ms", "0.1-s")]
HEADING = "set,point,engine,metric,unit,value,ci_low,ci_high,replications\n"


class Observations:
    """results/observations.csv of the demonstration, written by hand."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.rows = [
            self.row("demo/load", "packetsim", "560000.25", "3"),
            self.row("demo/load", "model:parrot", "547800.0", "", model="parrot"),
        ]

    @staticmethod
    def row(
        scenario_set: str, engine: str, value: str, replications: str, *, model: str = ""
    ) -> dict[str, str]:
        cells = (scenario_set, "count-82", engine, "goodput_per_connection", "bit/s", value, "", "")
        rest = (replications, *[""] * 5)
        return dict(zip(COLUMNS["observations"], (*cells, *rest), strict=True)) | {"model": model}

    def write(self) -> None:
        Path("results").mkdir(exist_ok=True)
        for name, of_model in {"observations": False, "predictions": True}.items():
            columns = COLUMNS[name]
            rows = [row for row in self.rows if bool(row["model"]) == of_model]
            text = to_csv(columns, [{column: row[column] for column in columns} for row in rows])
            Path(f"results/{name}.csv").write_text(text)
        expand_as_compared()

    def accept(self) -> list[str]:
        """Accept the rows, and return the command's output."""
        self.write()
        self.capsys.readouterr()
        assert cli.main(["baseline", "--accept"]) == 0
        return self.capsys.readouterr().out.splitlines()

    def check(self, row: int = 0, /, **cells: str) -> tuple[int, list[str]]:
        """Write the rows, one with these cells, and return the status of the check and its lines."""
        self.rows[row] |= cells
        self.write()
        self.capsys.readouterr()
        status = cli.main(["baseline", "--check"])
        return status, self.capsys.readouterr().out.splitlines()


@pytest.fixture
def observations(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> Observations:
    """Observations that have been accepted."""
    observations = Observations(capsys)
    observations.accept()
    return observations


def test_nothing_moved(observations: Observations) -> None:
    assert observations.check() == (0, ["nothing moved"])


def test_a_simulation_moves_with_its_last_digit(observations: Observations) -> None:
    moved = "goodput_per_connection by packetsim: value 560000.25 -> 560000.2500000001 (+2.22e-16)"
    assert observations.check(value="560000.2500000001") == (1, [f"demo/load/count-82: {moved}", "moved: 1"])


@pytest.mark.parametrize(
    ("value", "moved"), [("547800.0005", False), ("547800.0006", True), ("547799.9994", True)]
)
def test_a_model_may_round_otherwise(observations: Observations, value: str, moved: bool) -> None:
    """A billionth of 547800 is 0.00055."""
    assert observations.check(1, value=value)[0] == moved


@cases("baseline.every_cell_counts")
def test_every_cell_counts(observations: Observations, column: str, value: str, says: str) -> None:
    status, lines = observations.check(**{column: value})
    assert status == 1
    assert says in lines[0]


def test_a_scenario_named_like_a_study_does_not_replace_its_numbers(
    observations: Observations, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("scenarios/papers/demo").mkdir(parents=True)
    Path("scenarios/papers/demo/scenario.yaml").touch()
    accepted = Path("config/baseline/paper/demo.csv").read_bytes()
    observations.rows[0]["value"] = "570000.25"
    observations.write()
    assert cli.main(["baseline", "--accept"]) == 1
    assert (
        "scenarios/demo.yaml: has the name of scenarios/papers/demo/scenario.yaml" in capsys.readouterr().err
    )
    assert Path("config/baseline/paper/demo.csv").read_bytes() == accepted


def test_what_is_the_same_in_all_replications_has_an_interval_of_no_width(observations: Observations) -> None:
    for interval in ("exact", "alike"):
        observations.rows[0]["interval"] = interval
        observations.accept()
        accepted = Path("config/baseline/paper/demo.csv").read_text()
        assert "goodput_per_connection,bit/s,560000.25,560000.25,560000.25,3" in accepted
        assert observations.check()[0] == 0


def test_rows_that_are_gone_or_new(observations: Observations) -> None:
    status, lines = observations.check(metric="on_time")
    assert status == 1
    assert lines == [
        "demo/load/count-82: goodput_per_connection by packetsim: is gone, was 560000.25",
        "demo/load/count-82: on_time by packetsim: is new, 560000.25",
        "moved: 2",
    ]


def test_an_engine_that_answers_a_set_or_does_not_is_one_line(observations: Observations) -> None:
    observations.rows.append(observations.rows[0] | {"engine": "ns3", "metric": "on_time"})
    status, lines = observations.check(engine="ns3")
    assert status == 1
    assert lines == [
        "demo/load: ns3 answers now and did not (2 numbers)",
        "demo/load: packetsim does not answer now and did (1 number)",
        "moved: 2",
    ]


def test_an_engine_that_is_left_out_is_not_missed(
    workspace: Workspace, observations: Observations, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.scenario["sets"]["load"]["engines"] = ["packetsim", "ns3"]
    workspace.write()
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    observations.rows.append(observations.row("demo/load", "ns3", "561000.5", "3"))
    observations.accept()
    there = observations.rows.pop()
    assert observations.check()[0] == 1
    monkeypatch.setattr(engines, "missing", lambda engine: "it is gone" if engine == "ns3" else None)
    assert observations.check() == (0, ["nothing moved"])
    observations.accept()
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    observations.rows.append(there)
    assert observations.check() == (0, ["nothing moved"])


def test_what_is_another_number_every_time_is_neither_compared_nor_accepted(
    observations: Observations, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = engines.all_engines()["linux"].model_copy(update={"deterministic": False})
    monkeypatch.setitem(cast(Any, engines.all_engines()), "linux", other)
    accepted = sorted(Path("config/baseline").rglob("*.csv"))
    before = [path.read_text() for path in accepted]
    observations.rows.append(observations.row("demo/load", "linux", "561000.5", "3"))
    assert observations.check() == (0, ["nothing moved"])
    observations.accept()
    assert [path.read_text() for path in accepted] == before


def test_without_check_it_only_tells(observations: Observations) -> None:
    observations.rows[0]["value"] = "1.0"
    observations.write()
    assert cli.main(["baseline"]) == 0


def test_accepting_shows_first_and_keeps_other_studies(observations: Observations) -> None:
    other = f"{HEADING}other/set,count-82,packetsim,goodput_per_connection,bit/s,7.5,,,3\n"
    (BASELINE / "other.csv").write_text(other)
    observations.rows = [observations.row("demo/load", "packetsim", "570000.0", "3")]
    lines = observations.accept()
    assert "value 560000.25 -> 570000.0" in lines[1]
    assert lines[-1] == "accepted in config/baseline/paper"
    accepted = {path.name: path.read_text() for path in BASELINE.iterdir()}
    assert accepted == {
        "other.csv": other,
        "demo.csv": f"{HEADING}demo/load,count-82,packetsim,goodput_per_connection,bit/s,570000.0,,,3\n",
    }
    assert observations.check() == (0, ["nothing moved"])


def test_a_set_without_accepted_numbers_is_told_but_has_not_moved(observations: Observations) -> None:
    more = observations.row("demo/buffer", "packetsim", "1.0", "3")
    observations.rows.append(more | {"point": BUFFER_POINTS[0]})
    assert observations.check() == (0, ["no accepted numbers yet: demo/buffer", "nothing moved"])


def test_no_observations(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    expand_as_compared()
    assert cli.main(["baseline", "--check"]) == 1
    assert capsys.readouterr().err == "results/observations.csv: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("broken", ["", "abc"])
def test_an_observation_that_is_no_number(
    observations: Observations, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    observations.rows[0]["value"] = broken
    observations.write()
    assert cli.main(["baseline", "--accept"]) == 1
    assert capsys.readouterr().err == (
        "results: demo/load/count-82: goodput_per_connection by packetsim: value: "
        f"{broken!r} is not a number; a number is allowed\n"
    )


def test_an_observation_without_a_column(
    observations: Observations, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("results/observations.csv").write_text("set,point\ndemo/load,count-82\n")
    assert cli.main(["baseline", "--check"]) == 1
    assert capsys.readouterr().err.startswith(
        "results/observations.csv: engine: the column is missing; needed: set, "
    )


def test_a_broken_table_is_one_line(observations: Observations, capsys: pytest.CaptureFixture[str]) -> None:
    (BASELINE / "demo.csv").write_text("a,b\n1,2\n")
    assert cli.main(["baseline", "--check"]) == 1
    assert capsys.readouterr().err.startswith("config/baseline/paper/demo.csv: set: the column is missing; ")


def test_three_points_of_a_set_are_watched(observations: Observations) -> None:
    """The first, the middle and the last of the four, whoever answers them."""
    first, second, third, fourth = BUFFER_POINTS
    row = observations.row("demo/buffer", "packetsim", "560000.25", "3")
    observations.rows += [row | {"point": point} for point in (fourth, third, second, first)]
    observations.accept()
    accepted = csv.DictReader((BASELINE / "demo.csv").open())
    assert [row["point"] for row in accepted if row["set"] == "demo/buffer"] == sorted([first, third, fourth])
    assert observations.check(3, value="560000.26")[1] == [
        f"demo/buffer/{third}: goodput_per_connection by packetsim: value 560000.25 -> 560000.26 (+1.79e-08)",
        "moved: 1",
    ]


@pytest.mark.parametrize("command", [["baseline", "--accept"], ["provenance"], ["crate"], ["scale"]])
def test_tables_of_another_configuration_are_refused(
    workspace: Workspace, observations: Observations, fails: Fails, command: list[str]
) -> None:
    """As a run of another scale leaves them that was killed before it compared."""
    accepted = {path: path.read_text() for path in Path("config/baseline").rglob("*.csv")}
    workspace.config["scale"] = "smoke"
    workspace.write()
    assert cli.main(["expand"]) == 0
    assert fails(*command) == (
        "results/studies.csv: demo: the tables are of another configuration than results/config.json; "
        "finish the run that was begun last: ./atlas reproduce --config scale=smoke"
    )
    assert {path: path.read_text() for path in Path("config/baseline").rglob("*.csv")} == accepted


@pytest.mark.parametrize(("key", "value"), [("seed", 2), ("confidence", 0.9)])
def test_points_of_another_configuration_are_not_compared(
    results: Results, fails: Fails, key: str, value: float
) -> None:
    """As a run leaves them that was killed between writing the configuration and the points."""
    results.write()
    digest = load_project("config/config.yaml").digest(load_project("config/config.yaml").studies[0])
    config = Path("results/config.json")
    before = config.read_text()
    config.write_text(json.dumps(json.loads(before) | {key: value}))
    assert fails("compare").startswith("results/points/demo.json: configuration: ")
    config.write_text(before)
    assert cli.main(["compare", "--study", "demo", "--digest", digest]) == 0
    assert fails("compare", "--study", "demo", "--digest", "another").startswith("results/points: were writ")
