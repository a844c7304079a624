"""A project as a whole: its scenarios, what is written of them, and what is read again."""

from pathlib import Path

from conftest import Workspace, data

from tcpatlas import cli
from tcpatlas.config.load import load_project, write_project, written_project
from tcpatlas.points.documents import read_points


def test_sets_do_not_disturb_one_another(workspace: Workspace) -> None:
    workspace.scenario["sets"]["load"]["override"] = {
        "sources.workload.off_time": {"distribution": "fixed", "mean": "2 s"}
    }
    project = load_project("config/config.yaml", workspace.write().root)
    off_times = {
        scenario_set.name: scenario_set.points[0].document["sources"][0]["workload"]["off_time"]
        for scenario_set in project.sets
    }
    assert off_times == {
        "load": {"distribution": "fixed", "mean_s": 2},
        "buffer": {"distribution": "exponential", "mean_s": 1},
    }


def test_a_single_scenario_may_be_named_as_on_the_command_line(workspace: Workspace) -> None:
    config = workspace.config | {"scenarios": "scenarios/demo.yaml"}
    project = load_project(config, workspace.root)
    assert [study.name for study in project.studies] == ["demo"]
    assert project.config["scenarios"] == ["scenarios/demo.yaml"]


def test_a_scenario_by_itself_has_no_items(workspace: Workspace) -> None:
    del workspace.scenario["paper"]
    assert load_project("config/config.yaml", workspace.write().root).all_items == ()


def test_expand_writes_what_changed_and_nothing_else(workspace: Workspace) -> None:
    assert cli.main(["expand"]) == 0
    files = sorted((workspace.root / "results/points/demo").iterdir())
    assert [path.name for path in files] == ["buffer.json", "load.json"]
    assert [point["point"] for point in read_points(files[1])["points"]] == ["count-82", "count-134"]
    before = {path: path.stat().st_mtime_ns for path in files}
    workspace.scenario["sets"]["load"]["override"] = {"tcp.rwnd": "12 packets"}
    workspace.write()
    assert cli.main(["expand"]) == 0
    assert [path.name for path in files if path.stat().st_mtime_ns != before[path]] == ["load.json"]


def test_what_was_written_is_read_without_expanding_again(workspace: Workspace) -> None:
    workspace.scenario["sets"]["load"] |= {"distributions": ["queue_by_time"], "extremes": ["on_time"]}
    workspace.scenario["sets"]["buffer"]["override"] = {"tcp.rwnd": "12 packets"}
    workspace.config["scales"]["paper"]["points"] = 2
    del workspace.scenario["paper"]
    project = load_project("config/config.yaml", workspace.write().root)
    write_project(project, Path("results"))
    again = written_project(Path("results"), workspace.root, "demo")
    assert (again.config, again.studies) == (project.config, project.studies)
    details = [[(point.place, point.differences) for point in study.points] for study in (again, project)]
    assert details[0] == details[1]
    # The second set differs from the first, and of its four points the first and the last are left.
    assert details[0][2:] == [
        (0, {"tcp.rwnd": 12, "sources.count": 82}),
        (3, {"tcp.rwnd": 12, "sources.count": 82}),
    ]


def test_the_configuration_in_force_says_the_same(workspace: Workspace) -> None:
    assert cli.main(["expand"]) == 0
    again = load_project("results/config.json", workspace.root)
    assert again.config == load_project("config/config.yaml", workspace.root).config


def test_sets_of_one_item_say_in_what_they_differ(workspace: Workspace) -> None:
    """What one set sweeps and another overrides; not what both have alike, nor how long they run."""
    workspace.scenario["sets"]["short"] = data("project.short")
    del workspace.scenario["paper"]
    project = load_project("config/config.yaml", workspace.write().root)
    differences = {
        scenario_set.name: [dict(point.differences) for point in scenario_set.points]
        for scenario_set in project.sets
    }
    here = {"links.bottleneck.buffer": 200, "rtt": 0.05, "links.egress.rate": 2_000_000}
    there = here | {"rtt": 0.02, "links.egress.rate": 3_000_000}
    assert differences["load"] == [here] * 2
    assert differences["short"] == [there] * 2
    assert differences["buffer"] == [{"sources.count": 82, "links.egress.rate": 2_000_000}] * 4
