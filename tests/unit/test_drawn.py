"""Accepted figures and tables: what a reader would see otherwise is named, point by point."""

from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Workspace, cases

from tcpatlas.base.errors import ConfigError
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project
from tcpatlas.points import engines
from tcpatlas.regression.drawn import KEPT, differences, drawn, kept_places, summed_up
from tcpatlas.regression.items import accept_items, moved_items, write_points

FIGURE = """plot,panel,layer,curve,x,y,label
1,Loss,1 line,ns-3,10,0.25,
1,Loss,1 line,ns-3,20,0.5,
1,Loss,1 line,model,10,0.125,
1,Loss,1 line,model,20,0.75,
1,Queue,1 line,ns-3,10,40,
1,Queue,1 line,ns-3,20,60,
1,Queue,y axis,"",,40,40
1,"",x title,"",,,Sources
"""
TABLE = 'N,"h, by ns-3"\n82,562.8\n98,344.6\n\nN,L\n82,0.5 %\n'
ITEMS = "study,item,title,kind,sets\ndemo,table-01,Rates,table,load\ndemo,figure-01,Loss,figure,load\n"
ITEMS_FILE = Path("results/items.csv")
FIGURE_FILE, TABLE_FILE = Path("results/figures/demo/figure-01.csv"), Path("results/tables/demo/table-01.csv")


@pytest.fixture
def project(workspace: Workspace) -> Project:
    """The demonstration with a table and a figure, whose files are written and accepted."""
    for file, text in {ITEMS_FILE: ITEMS, FIGURE_FILE: FIGURE, TABLE_FILE: TABLE}.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    project = load_project("config/config.yaml", workspace.root)
    accept_items(project, Path("results"))
    return project


def moved(project: Project) -> list[str]:
    return moved_items(project, Path("results")).lines


def test_what_was_accepted_has_not_moved(project: Project) -> None:
    assert moved(project) == []


@cases("drawn.a_point_that_moved_is_named")
def test_a_point_that_moved_is_named(project: Project, old: str, new: str, line: str) -> None:
    assert old in FIGURE
    FIGURE_FILE.write_text(FIGURE.replace(old, new))
    assert moved(project)[0] == f"demo/figure-01, part 1, {line}"


def swap(text: str, one: str, other: str) -> str:
    return text.replace(one, "?").replace(other, one).replace("?", other)


def test_swapped_panel_titles_are_other_numbers(project: Project) -> None:
    FIGURE_FILE.write_text(swap(FIGURE, "Loss", "Queue"))
    lines = moved(project)
    assert "demo/figure-01, part 1, panel 'Loss', 1 line, curve 'ns-3', y: point 1 of 2: 0.25 -> 40" in lines
    assert (
        "demo/figure-01, part 1, panel 'Queue', 1 line, curve 'model', y: is new, 2 points from 0.125"
        in lines
    )


def test_swapped_curves_and_a_curve_that_is_gone(project: Project) -> None:
    FIGURE_FILE.write_text(swap(FIGURE, "ns-3", "model"))
    assert len(moved(project)) == 6
    FIGURE_FILE.write_text("".join(line for line in FIGURE.splitlines(keepends=True) if "model" not in line))
    gone = "part 1, panel 'Loss', 1 line, curve 'model'"
    assert moved(project) == [
        f"demo/figure-01, {gone}, x: is gone, 2 points from 10",
        f"demo/figure-01, {gone}, y: is gone, 2 points from 0.125",
    ]


@cases("drawn.a_cell_that_moved_is_named")
def test_a_cell_that_moved_is_named(project: Project, old: str, new: str, line: str) -> None:
    TABLE_FILE.write_text(TABLE.replace(old, new))
    assert moved(project)[0] == f"demo/table-01, {line}"


def test_models_may_round_otherwise(project: Project) -> None:
    """A billionth of 0.75, the largest of the curve, is 7.5e-10."""
    for value, count in {"0.1250000007": 0, "0.125000001": 1}.items():
        FIGURE_FILE.write_text(FIGURE.replace("0.125", value))
        assert len(moved(project)) == count


def test_a_point_that_is_not_kept_moves_the_mean() -> None:
    values = [str(float(number)) for number in range(100)]
    assert kept_places(100) == [0, 12, 25, 37, 50, 62, 74, 87, 99]
    assert len(kept_places(100)) == KEPT
    old = summed_up(["item", "1", "", "1 line", "", "y"], values)
    assert old.mean == 49.5
    values[1] = "1.01"
    [line] = differences([old], [summed_up(old.key, values)])
    assert line == "item, part 1, 1 line, y: mean of all 100 points: 49.5 -> 49.5001"


def test_the_points_of_a_figure_that_moved_are_written_for_a_picture(project: Project) -> None:
    FIGURE_FILE.write_text(FIGURE.replace("20,0.75", "20,0.8"))
    write_points(moved_items(project, Path("results")), Path("results/moved"))
    rows = Path("results/moved/demo/figure-01.csv").read_text().splitlines()
    assert rows[0] == "version,plot,panel,layer,curve,x,y"
    assert "accepted,1,Loss,1 line,model,20,0.75" in rows
    assert "now,1,Loss,1 line,model,20,0.8" in rows
    FIGURE_FILE.write_text(FIGURE)
    write_points(moved_items(project, Path("results")), Path("results/moved"))
    assert not Path("results/moved").exists()


def test_an_item_that_is_new_or_gone(project: Project) -> None:
    ITEMS_FILE.write_text(ITEMS.replace("figure-01", "figure-02"))
    FIGURE_FILE.rename(FIGURE_FILE.with_stem("figure-02"))
    moved = moved_items(project, Path("results"))
    assert (moved.lines, moved.unknown) == (["demo/figure-01: is gone"], ["demo/figure-02"])


def test_what_an_engine_is_left_out_of_is_not_compared_and_stays_accepted(
    project: Project, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = Path("config/baseline/paper/items/demo.csv").read_text()
    workspace.scenario["sets"]["load"]["engines"] = ["packetsim", "ns3"]
    workspace.write()
    monkeypatch.setattr(engines, "missing", lambda engine: "it is gone" if engine == "ns3" else None)
    FIGURE_FILE.write_text(FIGURE.replace("0.75", "0.8"))
    project = load_project("config/config.yaml", workspace.root)
    moved = moved_items(project, Path("results"))
    assert (moved.lines, moved.left_out) == ([], ["demo/table-01", "demo/figure-01"])
    accept_items(project, Path("results"))
    assert Path("config/baseline/paper/items/demo.csv").read_text() == accepted


@pytest.mark.parametrize(("deterministic", "lines"), [(True, 2), (False, 0)])
def test_rows_of_an_engine_that_does_not_repeat_its_numbers_are_not_compared(
    project: Project, monkeypatch: pytest.MonkeyPatch, deterministic: bool, lines: int
) -> None:
    engine = engines.all_engines()["linux"].model_copy(update={"deterministic": deterministic})
    monkeypatch.setitem(cast(Any, engines.all_engines()), "linux", engine)
    TABLE_FILE.write_text(TABLE.replace("82,562.8\n", f'82,562.8\n"{engine.title}, mean",1.5\n'))
    assert len(moved(project)) == lines


def test_a_figure_that_was_not_drawn_and_files_that_are_something_else(project: Project) -> None:
    FIGURE_FILE.write_text("a,b\n1,2\n")
    with pytest.raises(
        ConfigError, match=r"figure-01\.csv: these are not the points of a figure; needed: plot, "
    ):
        drawn(FIGURE_FILE, "figure-01")
    FIGURE_FILE.unlink()
    with pytest.raises(ConfigError, match=r"results/figures/demo/figure-01\.csv: cannot be read"):
        moved(project)
    accepted = Path("config/baseline/paper/items/demo.csv")
    for text, place in {"a,b\n": "line 1", accepted.read_text() + "figure-01,1\n": "line "}.items():
        accepted.write_text(text)
        with pytest.raises(ConfigError, match=rf"items/demo\.csv: {place}"):
            moved(project)
