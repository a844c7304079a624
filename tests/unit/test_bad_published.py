"""Everything that can be wrong in items.yaml and the CSV of an item, found before anything runs."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Refused, Workspace, change

TABLE = "config/papers/demo-paper/table-01.csv: "
ITEMS = "config/papers/demo-paper/items.yaml: "
ITEM = "items/table-01"
TOLERANCE = f"{ITEM}/tolerances/0"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("published,note", "published,remark", "note: the column is missing; needed: kind, metric"),
        ("sources.count", "sources.cuont", "sources.cuont: unknown column, unknown key 'cuont'"),
        ("sources.count", "note", "note: the column is there twice; each once"),
        ("page 25,82", "page 25,82,9", "row 1: has 7 cells; 6, as many as the header"),
        ("goodput_per_connection", "connection rate", "row 1.metric: 'connection rate' is not a metric"),
        ("goodput_per_connection", "godput", "row 1.metric: there is no metric 'godput'; those of workflow"),
        ("kbit/s", "furlong", "row 1.unit: the unit 'furlong' is unknown; e.g. kbit/s"),
        (
            "kbit/s",
            "ms",
            "row 1.unit: goodput_per_connection is in bit/s, and the unit 'ms' does not convert",
        ),
        ("goodput_per_connection", "cwnd_sd", "row 1.metric: only models give cwnd_sd"),
        (
            "goodput_per_connection",
            "cwnd_mean",
            "row 1.metric: cwnd_mean is measured by the probe window-mean, which demo/load has not; "
            "a set with probes: [window-mean]",
        ),
        ("563.1", "about 563", "row 1.published: 'about 563' is not a number"),
        ("25,134", "25,135", "row 3.sources.count: 135 selects no point of demo/load; one of: 134, 82"),
        (
            "page 25,82",
            "page 25 (item nowhere),82",
            "(item nowhere): there is no such item; one of: table-01",
        ),
        ("page 25,82", "docs/nowhere.md,82", "docs/nowhere.md: there is no such page; a file of docs/"),
        ("25,134", "25,", "row 3: selects 2 points of demo/load; exactly one, by columns among: sources."),
    ],
)
def test_table(workspace: Workspace, refused: Refused, old: str, new: str, says: str) -> None:
    workspace.table = workspace.table.replace(old, new)
    line = refused()
    assert line.startswith(TABLE)
    assert says in line


def test_a_column_that_is_not_swept(workspace: Workspace, refused: Refused) -> None:
    workspace.table = workspace.table.replace("sources.count", "tcp.rwnd").replace(",82", ",44 packets")
    line = refused()
    assert line.startswith(
        TABLE + "row 1.tcp.rwnd: 44 packets selects no point of demo/load; it is not swept"
    )


def test_an_empty_table(workspace: Workspace, refused: Refused) -> None:
    workspace.table = "kind,metric,unit,published,note\n"
    assert refused().startswith(TABLE)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (f"{ITEM}/sets", ["laod"], "sets[0]: there is no set 'laod'; scenarios/demo.yaml has: load, buffer"),
        (f"{ITEM}/numbers", False, "numbers: is false, but there is config/papers/demo-paper/table-01.csv"),
        (f"{ITEM}/tolerances", ..., "tolerances: row 1 (simulation, goodput_per_connection) has no tol"),
        (f"{TOLERANCE}/relative", ..., "tolerances[0]: is not complete; at least one of relative"),
        (f"{TOLERANCE}/absolute", "1 ms", "absolute: the unit 'ms' does not convert to 'kbit/s'; a quantity"),
        (f"{TOLERANCE}/absolute", "1000 kbit/s", "is as large as the 563.1 kbit/s of row 1 (goodput_per_con"),
        (f"{TOLERANCE}/where", {"sources.cuont": 82}, "[0].where.sources.cuont: unknown key 'cuont'"),
        (f"{TOLERANCE}/where", {"rtt": 50}, "[0].where.rtt: '50' has no unit; a swept path with a value"),
        (f"{ITEM}/deviations", [{"metric": "los", "note": "x"}], "deviations[0]: matches no row"),
    ],
)
def test_items(workspace: Workspace, refused: Refused, path: str, value: Any, says: str) -> None:
    change(workspace.items, path, value)
    line = refused()
    assert line.startswith(ITEMS)
    assert says in line


def test_a_tolerance_that_can_never_hold(workspace: Workspace, refused: Refused) -> None:
    tolerances = workspace.item["tolerances"]
    tolerances.append({"kind": "simulation", "metric": "*", "relative": "2 %", "reason": "too late"})
    assert refused().startswith(
        ITEMS + "items.table-01.tolerances[2]: matches no row that an earlier entry has not"
    )


def test_several_sets_need_a_column(workspace: Workspace, refused: Refused) -> None:
    workspace.item["sets"].append("buffer")
    assert refused() == TABLE + "row 1.set: is empty, but the item has several sets; one of: load, buffer"


def test_another_set_than_the_items(workspace: Workspace, refused: Refused) -> None:
    workspace.table = "kind,metric,unit,published,note,set\nmodel,goodput,1,2,,buffer\n"
    assert refused() == TABLE + "row 1.set: 'buffer' is none of the item's sets; one of: load"


@pytest.mark.parametrize(("who", "kind"), [("engines", "simulation"), ("models", "model")])
def test_nobody_can_answer(workspace: Workspace, refused: Refused, who: str, kind: str) -> None:
    workspace.scenario["sets"]["load"][who] = []
    line = refused()
    assert line.startswith(TABLE)
    assert f"{kind}, but no {who[:-1]} answers demo/load; a set with one in its {who}" in line


def test_no_folder_of_published_numbers(workspace: Workspace, refused: Refused) -> None:
    workspace.scenario["paper"] = "other"
    assert refused().startswith("config/papers/other/items.yaml: cannot be read")
