"""The step that asks a model: what it accepts from it, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Fails, Refused, Workspace, cases
from handmade import Results

import tcpatlas
from tcpatlas import cli
from tcpatlas.base.imports import sources
from tcpatlas.base.validation import check
from tcpatlas.runs.documents import Predictions

POINTS = "results/points/demo/load.json"


def predict(model: str, *points: str) -> list[str]:
    """Return the arguments of `predict` for files of points."""
    return ["predict", "--model", model, "--points", *(points or [POINTS]), "--out", str(out(model))]


def out(model: str) -> Path:
    return Path(f"results/predictions/demo/{model}.jsonl")


@pytest.fixture
def model(workspace: Workspace) -> Callable[..., str]:
    """Write a model of one's own, under a name that no other test has imported."""
    assert cli.main(["expand"]) == 0

    def write(body: str, more: str = "") -> str:
        name = f"model_{abs(hash((workspace.root, body)))}"
        text = f"import numpy as np\n\n\ndef predict(points{more}):\n    {body}\n"
        (workspace.root / f"models/{name}.py").write_text(text)
        return name

    return write


def answer(value: str, probability: str = "[1.0]") -> str:
    metrics = f"{{'x': {{'unit': 's', 'value': {value}}}}}"
    distributions = f"{{'q': {{'unit': 'packets', 'probability': {probability}}}}}"
    return f"{{'metrics': {metrics}, 'distributions': {distributions}}}"


def test_predictions_in_full(workspace: Workspace) -> None:
    assert cli.main(["expand"]) == 0
    assert cli.main(predict("parrot")) == 0
    data = json.loads(out("parrot").read_text())
    check(Predictions, data, "predictions")
    queue = {"queue_by_time": {"unit": "packets", "probability": [0.5, 0.5]}}
    assert data == {
        "schema": "tcp-atlas/predictions/2",
        "model": "parrot",
        "study": "demo",
        "set": "load",
        "points": {
            point: {
                "metrics": {"goodput_per_connection": {"unit": "bit/s", "value": rate}},
                "distributions": queue,
            }
            for point, rate in {"count-82": 547800, "count-134": 154900}.items()
        },
    }


def test_numpy_is_welcome(workspace: Workspace, model: Callable[..., str]) -> None:
    name = model(f"return [{answer('np.float64(0.5)', 'np.array([0.25, 0.75])')} for _ in points]")
    assert cli.main(predict(name)) == 0
    point = json.loads(out(name).read_text())["points"]["count-82"]
    assert point["metrics"]["x"]["value"] == 0.5
    assert point["distributions"]["q"]["probability"] == [0.25, 0.75]


def test_each_set_is_a_line(workspace: Workspace) -> None:
    workspace.scenario["sets"]["more"] = workspace.scenario["sets"]["load"] | {"title": "More"}
    workspace.write()
    assert cli.main(["expand"]) == 0
    assert cli.main(predict("parrot", POINTS, "results/points/demo/more.json")) == 0
    lines = [json.loads(line) for line in out("parrot").read_text().splitlines()]
    assert [text["set"] for text in lines] == ["load", "more"]
    assert lines[0]["points"] == lines[1]["points"]


@cases("predict.what_a_model_may_not_say")
def test_what_a_model_may_not_say(model: Callable[..., str], fails: Fails, body: str, says: str) -> None:
    name = model(body)
    assert says in fails(*predict(name))
    assert not out(name).exists()


def test_a_scenario_names_what_is_no_model(
    workspace: Workspace, model: Callable[..., str], fails: Fails
) -> None:
    name = model("pass\n\n\ndel predict")
    workspace.scenario["models"] = [name]
    workspace.write()
    what = f"sets.load.models: {name!r} has no predict(points), so it is no model; see docs/adding-a-model.md"
    assert fails("expand") == f"scenarios/demo.yaml: {what}"


def test_an_unknown_model(model: Callable[..., str], fails: Fails) -> None:
    assert fails(*predict("crystal_ball")).startswith("--model: crystal_ball: is unknown; one of: ")


def test_points_that_are_not_there(model: Callable[..., str], fails: Fails) -> None:
    assert fails(*predict("parrot", "none.json")) == "none.json: cannot be read: No such file or directory"


def test_a_model_that_cannot_answer_a_set_is_named_before_anything_runs(
    workspace: Workspace, refused: Refused
) -> None:
    workspace.scenario["sets"]["load"] |= {"models": ["engset"], "override": {"links.bottleneck.loss": "1 %"}}
    line = refused()
    assert line.startswith("scenarios/demo.yaml: sets.load.override.links.bottleneck.loss: the engset model ")
    assert "cannot answer 0.01; allowed: 0" in line


def test_no_model_runs_where_predictions_are_compared(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs told a model is in its predictions: Snakemake sees that it changed, and compares again."""
    results.measured = {
        "packetsim": {"count-82": {"fed": {"goodput": {"unit": "packets/s", "values": [1.0, 3.0]}}}}
    }
    results.write()

    def never(model: str) -> None:
        raise AssertionError(f"{model} is asked")

    monkeypatch.setattr("tcpatlas.models.load", never)
    assert cli.main(["compare"]) == 0
    (fed,) = (row for row in results.table("errors") if row["relation"] == "fed")
    assert (fed["engine"], fed["model"], fed["fed_by"]) == ("model:parrot@packetsim", "parrot", "packetsim")
    assert (fed["metric"], fed["value"], fed["replications"]) == ("goodput", "2.0", "2")


def test_what_a_model_makes_of_runs_is_in_its_predictions(
    workspace: Workspace, results: Results, model: Callable[..., str]
) -> None:
    """The same points and runs, and other words on the runs: other predictions."""
    results.write()
    texts = set()
    for factor in (1, 2):
        value = f"{factor} * run['goodput_per_connection']"
        answer = f"{{'metrics': {{'goodput': {{'unit': 's', 'value': {value}}}}}, 'distributions': {{}}}}"
        body = f"return [{answer} for run in runs or [{{'goodput_per_connection': 1}}] * len(points)]"
        name = model(body, ", runs=None")
        assert cli.main([*predict(name), "--runs", "results/runs/demo/packetsim-1.jsonl"]) == 0
        measured = json.loads(out(name).read_text())["measured"]["packetsim"]
        texts.add(json.dumps(measured["count-82"]["fed"]["goodput"]["values"]))
    assert texts == {"[558000.0, 560000.0, 562000.0]", "[1116000.0, 1120000.0, 1124000.0]"}


def test_the_comparison_imports_no_model() -> None:
    workflow = Path(tcpatlas.__file__).parents[1]
    read = sources(workflow, ["tcpatlas.pipeline.compare"])
    assert workflow / "tcpatlas/pipeline/compare.py" in read
    assert not [file for file in read if file.is_relative_to(workflow / "tcpatlas/models")]
