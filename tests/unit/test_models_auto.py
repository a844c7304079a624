"""The models that answer a set: those that are named, or with `auto` all that can."""

import pytest
from conftest import Fails, Workspace, change

from tcpatlas.config.load import load_project
from tcpatlas.models import automatic, known_models
from tcpatlas.pipeline.plan import plan


def test_auto_takes_the_models_that_can(workspace: Workspace) -> None:
    change(workspace.scenario, "models", "auto")
    (study,) = load_project(workspace.write().config).studies
    load, _ = study.sets
    # The scenario's sources are on-off, over a drop-tail queue without random loss.
    assert set(load.models) == {"engset", "parrot"}
    assert load.unable["markov"].startswith("sources.workload.kind: the markov model cannot answer on-off")


def test_the_plan_says_which_models_cannot(workspace: Workspace) -> None:
    change(workspace.scenario, "models", "auto")
    text = plan(load_project(workspace.write().config), 1)
    assert "demo/load: not answered by " in text
    assert "markov" in text
    assert "(sources.workload.kind)" in text


def test_parts_of_models_answer_by_name_only() -> None:
    assert {"engset_by_size", "engset_worked", "file_sizes"} <= set(known_models()) - set(automatic())


def test_a_set_may_choose_for_itself(workspace: Workspace) -> None:
    change(workspace.scenario, "models", "auto")
    change(workspace.scenario, "sets/buffer/models", ["engset"])
    (study,) = load_project(workspace.write().config).studies
    assert study.sets[1].models == ("engset",)
    assert study.sets[1].unable == {}


@pytest.mark.parametrize(
    ("models", "says"),
    [("all", "models: 'all' is not allowed; only 'auto'"), ([3], "models[0]: 3 is not a text")],
)
def test_models_are_a_list_or_auto(workspace: Workspace, fails: Fails, models: object, says: str) -> None:
    change(workspace.scenario, "models", models)
    workspace.write()
    assert says in fails("check", "--config", "config/config.yaml")


def test_a_named_model_that_cannot_answer_is_refused_before_anything_runs(
    workspace: Workspace, fails: Fails
) -> None:
    change(workspace.scenario, "models", ["markov"])
    workspace.write()
    line = fails("check", "--config", "config/config.yaml")
    assert line.startswith("scenarios/demo.yaml: ")
    assert "sources.workload.kind" in line
    assert "the markov model cannot answer on-off; allowed: bulk" in line
