"""Studies that are no paper's: with items beside their scenario, or with sets alone."""

import shutil
from pathlib import Path

import pytest
from conftest import Workspace

from tcpatlas.config.load import load_project


@pytest.fixture
def study(workspace: Workspace) -> Workspace:
    """The demonstration as a study of its own, in a folder outside of config/."""
    del workspace.scenario["paper"]
    workspace.write()
    folder = workspace.root / "mine/link"
    folder.mkdir(parents=True)
    shutil.move("scenarios/demo.yaml", folder / "scenario.yaml")
    for file in (workspace.items_file, workspace.table_file):
        shutil.move(file, folder)
    workspace.config["scenarios"] = ["mine/link/scenario.yaml"]
    (workspace.root / "config/config.yaml").write_text(repr(workspace.config).replace("'", '"'))
    return workspace


def test_any_study_may_have_items_and_printed_numbers(study: Workspace) -> None:
    project = load_project("config/config.yaml", study.root)
    (link,) = project.studies
    assert (link.name, link.paper, link.folder, link.subject) == ("link", None, "mine/link", "link")
    (item,) = project.items["link"]
    assert (item.paper, item.name, len(item.numbers)) == ("link", "table-01", 3)


def test_a_scenario_by_itself_has_none_even_if_it_is_named_like_a_paper(study: Workspace) -> None:
    Path("demo-paper.yaml").write_text(Path("mine/link/scenario.yaml").read_text())
    (study.root / "scenarios/papers/demo-paper/items.yaml").write_text("items: {}")
    study.config["scenarios"] = ["demo-paper.yaml"]
    project = load_project(study.config, study.root)
    assert (project.studies[0].folder, project.all_items) == ("", ())
