"""The laboratory: its points and scenarios are the pipeline's, its two models those of tcpatlas.models."""

import copy
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import cases

from tcpatlas.ask.question import from_file
from tcpatlas.base.errors import ConfigError
from tcpatlas.models import engset, padhye
from tcpatlas.pages.laboratory import Laboratory, Setting, expanded, experiment_data, laboratory, page, put

FOLDER = Path(__file__).parents[2] / "workflow/pages/lab"
LAB = laboratory()

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def in_node(script: str, values: Any, program: str) -> Any:
    """Return what an expression of JavaScript says of `values`, with one of the page's scripts."""
    text = (
        f"{(FOLDER / script).read_text()}\nconst values = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
    )
    command = ["node", "-e", f"{text}\nconsole.log(JSON.stringify({program}))"]
    done = subprocess.run(command, input=json.dumps(values), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def moved(name: str, draw: random.Random) -> dict[str, Any]:
    """Return values of an experiment's settings, anywhere between their ends."""
    return {key: anywhere(LAB.settings[key], draw) for key in LAB.experiments[name].settings}


def anywhere(setting: Setting, draw: random.Random) -> Any:
    if setting.options is not None:
        return draw.choice(setting.options)
    assert setting.lowest is not None
    assert setting.highest is not None
    value = setting.lowest + draw.random() ** 3 * (setting.highest - setting.lowest)
    return round(value) if setting.whole else float(f"{value:.3g}")


def written(name: str, values: dict[str, Any]) -> dict[str, Any]:
    base = copy.deepcopy(LAB.experiments[name].written)
    for key, value in values.items():
        put(base, LAB.settings[key].path, LAB.settings[key].written(value))
    return base


def leaves(tree: Any, place: str = "") -> dict[str, Any]:
    if isinstance(tree, dict | list):
        pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
        return {key: leaf for at, entry in pairs for key, leaf in leaves(entry, f"{place}.{at}").items()}
    return {place: tree}


@needs_node
@pytest.mark.parametrize("name", LAB.experiments)
def test_a_point_of_the_page_is_that_of_the_pipeline(name: str) -> None:
    draw = random.Random(name)
    data = experiment_data(LAB, name)
    for _ in range(3):
        values = moved(name, draw)
        ours = leaves(in_node("point.js", [data, values], "pointOf(...values)"))
        expected = leaves(expanded(name, written(name, values)))
        numbers = {place for place, leaf in expected.items() if isinstance(leaf, float)}
        assert {place: leaf for place, leaf in ours.items() if place not in numbers} == {
            place: leaf for place, leaf in expected.items() if place not in numbers
        }
        assert [ours[place] for place in numbers] == pytest.approx(
            [expected[place] for place in numbers], rel=1e-12, abs=1e-15
        )


@needs_node
@pytest.mark.parametrize("name", LAB.experiments)
def test_the_scenario_to_copy_asks_the_same(name: str, tmp_path: Path) -> None:
    draw = random.Random(name)
    settings = {key: setting.model_dump(exclude_none=True) for key, setting in LAB.settings.items()}
    for _ in range(5):
        values = [experiment_data(LAB, name), moved(name, draw), settings]
        (tmp_path / "my-link.yaml").write_text(in_node("point.js", values, "yamlOf(scenarioOf(...values))"))
        (point,) = from_file(str(tmp_path / "my-link.yaml")).points
        expected = expanded(name, written(name, values[1]))
        kept = ("links", "stations", "sources", "stop", "return_delay_s")
        assert {key: point.document.get(key) for key in kept} == {key: expected.get(key) for key in kept}


@needs_node
def test_the_formula_of_padhye_is_that_of_the_models() -> None:
    cases = [
        (rtt, p, t0, w)
        for rtt in (0.01, 0.3)
        for p in (1e-5, 0.01, 0.4)
        for t0 in (0.2, 1)
        for w in (4, 1000)
    ]
    ours = in_node("models.js", cases, "values.map((each) => padhye(...each))")
    expected = [padhye.throughput(rtt, p, t0, max_window=w).item() for rtt, p, t0, w in cases]
    assert ours == pytest.approx(expected, rel=1e-12)


@needs_node
def test_the_engset_model_is_that_of_the_models() -> None:
    draw = random.Random(1)
    points = [
        expanded("files", written("files", moved("files", draw) | {"queue": "drop-tail"})) for _ in range(30)
    ]
    points += [expanded("engset", written("engset", {"users": users})) for users in (1, 5, 82, 134)]
    for point, ours in zip(points, in_node("models.js", points, "values.map(engset)"), strict=True):
        (answer,) = engset.predict([point])
        expected = [answer["metrics"][name]["value"] for name in ("goodput_per_connection", "utilisation")]
        assert [ours["rate"], ours["utilisation"]] == pytest.approx(expected, rel=1e-9)


def test_a_setting_that_is_not_in_proportion_is_refused() -> None:
    """An RTT that contains the transmission times leaves less to the links' delays where the rate is low."""
    lab = laboratory()
    experiments = {"engset": lab.experiments["engset"].model_copy(update={"settings": ["rate"]})}
    with pytest.raises(ConfigError, match="Rate of the link is not linear"):
        experiment_data(Laboratory(settings=lab.settings, shown=lab.shown, experiments=experiments), "engset")


def test_the_page_has_the_licence_of_each_library_that_is_compiled_into_it() -> None:
    text = page(b"module")
    for holder in ("Niels Lohmann", "LLVM Exceptions", "wasi-libc"):
        assert holder in text


@needs_node
def test_a_name_has_the_same_settings_everywhere_and_all_that_an_exercise_offers() -> None:
    names = [f"student {number}" for number in range(200)]
    for key, exercise in LAB.exercises.items():
        program = "values[0].map((name) => drawnBy(name, values[1], values[2]))"
        drawn = in_node(
            "exercises.js", [[*names, " Student 0 ", "STUDENT 0"], key, exercise.by_name], program
        )
        assert drawn[-1] == drawn[-2] == drawn[0]
        for setting, choices in exercise.by_name.items():
            assert {one[setting] for one in drawn} == set(choices), (key, setting)
            assert all(
                (setting_of := LAB.settings[setting]).options
                or setting_of.lowest <= one <= setting_of.highest  # type: ignore[operator]
                for one in choices
            ), (key, setting)


@needs_node
def test_the_peak_and_the_period_of_a_sawtooth_are_those_that_it_was_drawn_with() -> None:
    # From 50 to 100 in steps of a tenth of a second, then half: 5.1 s from a cut to the next.
    trace = {"time_s": [0.1 * step for step in range(510)], "value": [50 + step % 51 for step in range(510)]}
    peak, period = in_node("exercises.js", trace, "['peak', 'period'].map((each) => ofTrace(each, values))")
    assert peak == 100
    assert period == pytest.approx(5.1)
    assert in_node("exercises.js", trace | {"value": [7] * 510}, "ofTrace('period', values)") is None


@cases("lab.an_exercise_names_what_there_is")
def test_an_exercise_names_what_there_is(
    old: str, new: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for file in FOLDER.glob("*.yaml"):
        (tmp_path / file.name).write_text(
            file.read_text().replace(old, new, 1) if file.stem == "exercises" else file.read_text()
        )
    monkeypatch.setattr("tcpatlas.pages.laboratory.FOLDER", tmp_path)
    with pytest.raises(ConfigError) as caught:
        laboratory()
    assert str(caught.value).startswith(f"exercises.yaml: sawtooth.{says}")
