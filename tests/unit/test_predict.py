"""The step that asks a model: what it accepts from it, and what it refuses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Workspace
from jsonschema import Draft202012Validator

from tcpatlas import cli
from tcpatlas.base import schema

POINTS = ["results/points/demo/load/count-82.json", "results/points/demo/load/count-134.json"]


def predict(model: str, *points: str) -> list[str]:
    """Return the arguments of `predict` for one list of points."""
    digest = "0" * 64
    Path("points.sha256").write_text("".join(f"{digest}  {point}\n" for point in points or POINTS))
    return ["predict", "--model", model, "--points", "points.sha256"]


def out(model: str) -> Path:
    return Path(f"results/predictions/demo/load/{model}.json")


@pytest.fixture
def model(workspace: Workspace) -> Callable[[str], str]:
    """Write a model of one's own, under a name that no other test has imported."""
    assert cli.main(["expand"]) == 0

    def write(body: str) -> str:
        name = f"model_{abs(hash((workspace.root, body)))}"
        text = f"import numpy as np\n\n\ndef predict(points):\n    {body}\n"
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
    Draft202012Validator(schema.load("predictions")).validate(data)
    queue = {"queue_by_time": {"unit": "packets", "probability": [0.5, 0.5]}}
    assert data == {
        "schema": "tcp-atlas/predictions/1",
        "model": "parrot",
        "study": "demo",
        "set": "load",
        "points": {
            "count-82": {
                "metrics": {"goodput_per_connection": {"unit": "bit/s", "value": 547800}},
                "distributions": queue,
            },
            "count-134": {
                "metrics": {"goodput_per_connection": {"unit": "bit/s", "value": 154900}},
                "distributions": queue,
            },
        },
    }


def test_numpy_is_welcome(workspace: Workspace, model: Callable[[str], str]) -> None:
    name = model(f"return [{answer('np.float64(0.5)', 'np.array([0.25, 0.75])')} for _ in points]")
    assert cli.main(predict(name)) == 0
    point = json.loads(out(name).read_text())["points"]["count-82"]
    assert point["metrics"]["x"]["value"] == 0.5
    assert point["distributions"]["q"]["probability"] == [0.25, 0.75]


def test_each_set_is_a_file_of_its_own(
    workspace: Workspace, model: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    sets = {"load": POINTS, "buffer": ["results/points/demo/buffer/buffer-50-packets_rtt-50-ms.json"]}
    for name, points in sets.items():
        Path(f"{name}.sha256").write_text("".join(f"{'0' * 64}  {point}\n" for point in points))
    capsys.readouterr()
    assert cli.main(["predict", "--model", "parrot", "--points", "load.sha256", "buffer.sha256"]) == 0
    printed = capsys.readouterr().out
    for name, points in sets.items():
        file = Path(f"results/predictions/demo/{name}/parrot.json")
        assert len(json.loads(file.read_text())["points"]) == len(points)
        assert f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file}\n" in printed


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return []", "gives 0 answers to 2 points; one each"),
        (f"return [{answer('float(0) / 1')}]", "gives 1 answers to 2 points; one each"),
        (f"return [{answer('np.inf')} for _ in points]", "points.count-82.metrics.x.value: is not finite"),
        (f"return [{answer('np.nan')} for _ in points]", "points.count-82.metrics.x.value: is not finite"),
        (
            f"return [{answer(repr('1'))} for _ in points]",
            "points.count-134.metrics.x.value: '1' is not a number",
        ),
        (
            f"return [{answer('1', '[1.5]')} for _ in points]",
            "q.probability[0]: 1.5 is out of range; at most 1",
        ),
        (
            "raise ValueError('demo/load/count-82: tcp.variant: is not mine')",
            "demo/load/count-82: tcp.variant: is not mine",
        ),
        ("pass\npredict = None\ndel predict", "predict: is missing, so this is no model"),
    ],
)
def test_what_a_model_may_not_say(
    model: Callable[[str], str], fails: Callable[..., str], body: str, says: str
) -> None:
    name = model(body)
    assert says in fails(*predict(name))
    assert not out(name).exists()


def test_an_unknown_model(model: Callable[[str], str], fails: Callable[..., str]) -> None:
    assert fails(*predict("crystal_ball")).startswith("--model: crystal_ball: is unknown; one of: ")


def test_points_of_two_sets(model: Callable[[str], str], fails: Callable[..., str]) -> None:
    points = [POINTS[0], "results/points/demo/buffer/buffer-50-packets_rtt-50-ms.json"]
    assert (
        fails(*predict("parrot", *points))
        == "points.sha256: has points of 2 sets; one or more points, all of one set"
    )


def test_a_point_that_is_not_there(model: Callable[[str], str], fails: Callable[..., str]) -> None:
    assert fails(*predict("parrot", "none.json")) == "none.json: cannot be read: No such file or directory"
