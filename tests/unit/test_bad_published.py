"""Everything that can be wrong in items.yaml and the CSV of an item, found before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import Workspace, change

TABLE = "config/papers/demo-paper/table-01.csv: "
ITEMS = "config/papers/demo-paper/items.yaml: "
ITEM = "items/table-01"
TOLERANCE = f"{ITEM}/tolerances/0"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        # columns
        (
            "kind,metric,unit,",
            "kind,metric,",
            "unit: the column is missing; needed: kind, metric, unit, published, note",
        ),
        ("published,note", "published,remark", "note: the column is missing"),
        (
            "sources.count",
            "sources.cuont",
            "sources.cuont: unknown column, unknown key 'cuont'; did you mean 'count'?",
        ),
        ("sources.count", "remark", "remark: unknown column"),
        ("sources.count", "note", "note: the column is there twice; each once"),
        # cells
        ("page 25,82", "page 25,82,9", "row 1: has 7 cells; 6, as many as the header"),
        (
            "simulation,",
            "measured,",
            "row 1.kind: 'measured' is unknown; one of: simulation, model, measurement",
        ),
        ("goodput_per_connection", "connection rate", "row 1.metric: 'connection rate' is not a metric"),
        (
            "goodput_per_connection",
            "goodput_per_conection",
            "row 1.metric: there is no metric 'goodput_per_conection'; those of workflow/metrics.yaml",
        ),
        ("kbit/s", "furlong", "row 1.unit: the unit 'furlong' is unknown; e.g. kbit/s"),
        ("kbit/s", "", "row 1.unit: the unit '' is unknown"),
        ("563.1", "about 563", "row 1.published: 'about 563' is not a number"),
        ("563.1", "nan", "row 1.published: 'nan' is not a number"),
        ("154.7", "1,547", "row 3: has 7 cells"),
        # points
        (
            "page 25,134",
            "page 25,135",
            "row 3.sources.count: 135 selects no point of demo/load; one of: 134, 82",
        ),
        (
            "page 25,134",
            "page 25,",
            "row 3: selects 2 points of demo/load; exactly one, by columns among: sources.count",
        ),
        ("page 25,134", "page 25,many", "row 3.sources.count: 'many' is not a number with a unit"),
        (
            "page 25,134",
            "page 25,134 packets",
            "row 3.sources.count: the unit 'packets' does not convert to '1'",
        ),
        ("sources.count", "rtt", "row 1.rtt: '82' has no unit; a swept path with a value"),
    ],
)
def test_table(workspace: Workspace, fails: Callable[..., str], old: str, new: str, says: str) -> None:
    workspace.table = workspace.table.replace(old, new)
    workspace.write()
    line = fails("check")
    assert line.startswith(TABLE)
    assert says in line


def test_a_column_that_is_not_swept(workspace: Workspace, fails: Callable[..., str]) -> None:
    workspace.table = workspace.table.replace("sources.count", "tcp.rwnd").replace(",82", ",44 packets")
    workspace.write()
    line = fails("check")
    assert line.startswith(
        TABLE + "row 1.tcp.rwnd: 44 packets selects no point of demo/load; it is not swept"
    )


@pytest.mark.parametrize("text", ["", "kind,metric,unit,published,note\n"])
def test_an_empty_table(workspace: Workspace, fails: Callable[..., str], text: str) -> None:
    workspace.table = text
    workspace.write()
    assert fails("check").startswith(TABLE)


def test_no_table(workspace: Workspace, fails: Callable[..., str]) -> None:
    workspace.table_file.unlink()
    assert fails("check") == TABLE + "cannot be read: No such file or directory"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("items", {}, "items: is empty"),
        (
            f"{ITEM}/sets",
            ["laod"],
            "items.table-01.sets[0]: there is no set 'laod'; scenarios/demo.yaml has: load, buffer",
        ),
        (f"{ITEM}/colour", "red", "items.table-01.colour: unknown key"),
        (f"{ITEM}/kind", ..., "items.table-01.kind: is missing"),
        (f"{ITEM}/kind", "plot", "items.table-01.kind: 'plot' is unknown; one of: figure, table"),
        (
            f"{ITEM}/numbers",
            False,
            "items.table-01.numbers: is false, but there is config/papers/demo-paper/table-01.csv",
        ),
        (
            f"{ITEM}/tolerances",
            ...,
            "items.table-01.tolerances: row 1 (simulation, goodput_per_connection) has no tolerance",
        ),
        (
            f"{TOLERANCE}/metric",
            "loss_ratio",
            "items.table-01.tolerances: row 1 (simulation, goodput_per_connection) has no toler",
        ),
        (f"{TOLERANCE}/reason", ..., "items.table-01.tolerances[0].reason: is missing"),
        (f"{TOLERANCE}/reason", "", "items.table-01.tolerances[0].reason: is empty"),
        (
            f"{TOLERANCE}/relative",
            ...,
            "items.table-01.tolerances[0]: is not complete; at least one of relative",
        ),
        (f"{TOLERANCE}/relative", "0 %", "tolerances[0].relative: '0 %' is out of range; more than 0"),
        (f"{TOLERANCE}/relative", "1 ms", "tolerances[0].relative: the unit 'ms' does not convert to '1'"),
        (
            f"{TOLERANCE}/absolute",
            "1 ms",
            "tolerances[0].absolute: the unit 'ms' does not convert to 'kbit/s'; a quantity",
        ),
        (
            f"{TOLERANCE}/absolute",
            1,
            "tolerances[0].absolute: '1' has no unit; a quantity that converts to kbit/s",
        ),
        (
            f"{TOLERANCE}/absolute",
            "-1 kbit/s",
            "tolerances[0].absolute: -1 kbit/s is out of range; more than 0",
        ),
        (
            f"{TOLERANCE}/absolute",
            "1000 kbit/s",
            "is as large as the 563.1 kbit/s of row 1 (goodput_per_connection); less than the number",
        ),
        (
            f"{TOLERANCE}/trials",
            100,
            "tolerances[0].trials: the unit '1' does not convert to 'kbit/s'; a share",
        ),
        (
            f"{TOLERANCE}/printed_digits",
            False,
            "tolerances[0].printed_digits: False is not allowed; only True",
        ),
        (
            f"{TOLERANCE}/where",
            {"sources.cuont": 82},
            "tolerances[0].where.sources.cuont: unknown key 'cuont'",
        ),
        (f"{TOLERANCE}/where", {"rtt": 50}, "tolerances[0].where.rtt: '50' has no unit"),
        (f"{TOLERANCE}/where", {"sources.count": []}, "tolerances[0].where.sources.count: is empty"),
        (
            f"{ITEM}/deviations",
            [{"metric": "los", "note": "x"}],
            "items.table-01.deviations[0]: matches no row",
        ),
        (
            f"{ITEM}/deviations",
            [{"metric": "*", "engines": ["ns4"], "note": "x"}],
            "items.table-01.deviations[0].engines[0]: 'ns4' is unknown; one of: ",
        ),
    ],
)
def test_items(workspace: Workspace, fails: Callable[..., str], path: str, value: Any, says: str) -> None:
    change(workspace.items, path, value)
    workspace.write()
    line = fails("check")
    assert line.startswith(ITEMS)
    assert says in line


def test_a_tolerance_that_can_never_hold(workspace: Workspace, fails: Callable[..., str]) -> None:
    tolerances = workspace.items["items"]["table-01"]["tolerances"]
    tolerances.append({"kind": "simulation", "metric": "*", "relative": "2 %", "reason": "too late"})
    workspace.write()
    assert fails("check").startswith(
        ITEMS + "items.table-01.tolerances[2]: matches no row that an earlier entry has not"
    )


def test_several_sets_need_a_column(workspace: Workspace, fails: Callable[..., str]) -> None:
    workspace.items["items"]["table-01"]["sets"].append("buffer")
    workspace.write()
    assert (
        fails("check") == TABLE + "row 1.set: is empty, but the item has several sets; one of: load, buffer"
    )


def test_another_set_than_the_items(workspace: Workspace, fails: Callable[..., str]) -> None:
    workspace.table = "kind,metric,unit,published,note,set\nmodel,goodput,1,2,,buffer\n"
    workspace.write()
    assert fails("check") == TABLE + "row 1.set: 'buffer' is none of the item's sets; one of: load"


@pytest.mark.parametrize(("who", "kind"), [("engines", "simulation"), ("models", "model")])
def test_nobody_can_answer(workspace: Workspace, fails: Callable[..., str], who: str, kind: str) -> None:
    workspace.scenario["sets"]["load"][who] = []
    workspace.write()
    line = fails("check")
    assert line.startswith(TABLE)
    assert f"{kind}, but no {who[:-1]} answers demo/load; a set with one in its {who}" in line


def test_no_folder_of_published_numbers(workspace: Workspace, fails: Callable[..., str]) -> None:
    workspace.scenario["paper"] = "other"
    workspace.write()
    assert fails("check").startswith("config/papers/other/items.yaml: cannot be read")
