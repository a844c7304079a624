"""Everything that can be wrong in what people write: one line, naming file, key path and what is allowed."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Fails, Refused, Workspace, change
from test_local_loop import BASE
from test_statements import FALLS

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json, read_yaml

CASES = read_yaml(Path(__file__).with_name("refused.yaml"), "refused.yaml")
PAPER = "scenarios/papers/demo-paper"
FILES = {
    "scenario": "scenarios/demo.yaml",
    "loop": "scenarios/demo.yaml",
    "config": "config/config.yaml",
    "items": f"{PAPER}/items.yaml",
    "table": f"{PAPER}/table-01.csv",
    "sentence": f"{PAPER}/statements.yaml",
    "cause": f"{PAPER}/causes.yaml",
}


def make(workspace: Workspace, kind: str, changes: dict[str, Any]) -> None:
    """Write the demonstration with these changes of one file; a table's are of its text."""
    if kind == "table":
        for old, new in changes.items():
            workspace.table = workspace.table.replace(old, new)
    elif kind == "sentence":
        entry = {"text": "a sentence", "reason": "a test", **FALLS, **changes}
        workspace.statements = {"table-01": [{key: value for key, value in entry.items() if value != "..."}]}
    elif kind == "cause":
        (workspace.root / FILES[kind]).write_text(json.dumps({"causes": {"a": changes}}))
    else:
        if kind == "loop":
            workspace.scenario |= {"base": json.loads(json.dumps(BASE)), "models": []}
            workspace.scenario["sets"] = {"load": {"title": "A loop", "engines": ["fixed_point"]}}
            del workspace.scenario["paper"]
        data = workspace.scenario if kind == "loop" else getattr(workspace, kind)
        for path, value in changes.items():
            change(data, path, ... if value == "..." else value)
    workspace.write()


@pytest.mark.parametrize(
    ("kind", "case"),
    [(kind, case) for kind in FILES for case in CASES[kind]],
    ids=lambda value: value["says"][:60] if isinstance(value, dict) else value,
)
def test_one_line(workspace: Workspace, fails: Fails, kind: str, case: dict[str, Any]) -> None:
    make(workspace, kind, case["with"])
    line = fails("check")
    assert line.startswith(f"{FILES[kind]}: ")
    assert case["says"] in line


@pytest.mark.parametrize(("text", "says"), [(case["with"], case["says"]) for case in CASES["text"]])
def test_yaml_that_is_no_plain_data(workspace: Workspace, fails: Fails, text: str, says: str) -> None:
    (workspace.root / "odd.yaml").write_text(text)
    assert fails("check", "--config", "odd.yaml").startswith(f"odd.yaml: {says}")


def test_a_set_whose_name_no_file_can_have(workspace: Workspace, refused: Refused) -> None:
    workspace.scenario["sets"]["x" * 300] = workspace.scenario["sets"].pop("load")
    assert refused().endswith(": has 300 characters; at most 200")


def test_two_sets_of_one_name(workspace: Workspace, fails: Fails) -> None:
    path = workspace.root / "scenarios/demo.yaml"
    path.write_text(path.read_text().replace('"buffer": {"title"', '"load": {"title"'))
    assert fails("check") == "scenarios/demo.yaml: sets.load: is there twice; each name once"


def test_a_key_twice_deep_inside(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "scenarios/demo.yaml").write_text(
        "title: x\nsets:\n  a:\n    sweep: {list: [{rtt: 1, rtt: 2}]}\n"
    )
    assert fails("check") == "scenarios/demo.yaml: sets.a.sweep.list[0].rtt: is there twice; each name once"


def test_a_name_that_cannot_be_a_folder(workspace: Workspace, fails: Fails) -> None:
    workspace.config["scenarios"] = ["scenarios/my study.yaml"]
    workspace.write()
    (workspace.root / "scenarios" / "my study.yaml").write_text("title: A link\n")
    assert "'my study' is not allowed; letters, digits, dots, hyphens and underscores" in fails("check")


def test_one_study_twice(workspace: Workspace, refused: Refused) -> None:
    (workspace.root / "demo.yaml").write_text((workspace.root / "scenarios/demo.yaml").read_text())
    workspace.config["scenarios"].append("demo.yaml")
    assert "scenarios[1]: demo.yaml and scenarios/demo.yaml are the same study 'demo'; each once" in refused()


def test_no_file(workspace: Workspace, fails: Fails) -> None:
    assert fails("check", "--config", "none.yaml") == "none.yaml: cannot be read: No such file or directory"


def test_a_folder_is_no_file(workspace: Workspace, fails: Fails) -> None:
    assert fails("check", "--config", "config") == "config: cannot be read: Is a directory"


def test_an_empty_file(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "empty.yaml").write_text("")
    assert fails("check", "--config", "empty.yaml") == "empty.yaml: is empty; a mapping of keys"


def test_not_text(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "binary.yaml").write_bytes(b"\xff\xfe\x00scale")
    assert fails("check", "--config", "binary.yaml") == "binary.yaml: is not text; UTF-8 is allowed"


def test_an_alias_may_be_there_often(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: &a [1]\nb: &b [*a, *a]\nc: {d: *b, e: *b}\n")
    assert read_yaml(tmp_path / "a.yaml", "a")["c"] == {"d": [[1], [1]], "e": [[1], [1]]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"[{'9' * 5000}]", "holds a number of too many digits; at most 4300"),
        ("[" * 100000, "is nested too deeply; at most some hundred levels"),
    ],
)
def test_json_that_python_does_not_read(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_json(file)
    assert str(error.value) == f"{file}: {says}"


def test_nothing_in_a_file_is_executed(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "evil.yaml").write_text('scale: !!python/object/apply:os.system ["touch evil"]\n')
    assert fails("check", "--config", "evil.yaml").startswith("evil.yaml: line 1: not YAML")
    assert not (workspace.root / "evil").exists()


def test_a_tolerance_that_can_never_hold(workspace: Workspace, refused: Refused) -> None:
    tolerances = workspace.item["tolerances"]
    tolerances.append({"kind": "simulation", "metric": "*", "relative": "2 %", "reason": "too late"})
    assert "items.table-01.tolerances[2]: matches no row that an earlier entry has not" in refused()


def test_several_sets_need_a_column(workspace: Workspace, refused: Refused) -> None:
    workspace.item["sets"].append("buffer")
    assert "row 1.set: is empty, but the item has several sets; one of: load, buffer" in refused()


def test_another_set_than_the_items(workspace: Workspace, refused: Refused) -> None:
    workspace.table = "kind,metric,unit,published,note,set\nmodel,goodput,1,2,,buffer\n"
    assert "row 1.set: 'buffer' is none of the item's sets; one of: load" in refused()


@pytest.mark.parametrize(("who", "kind"), [("engines", "simulation"), ("models", "model")])
def test_nobody_can_answer(workspace: Workspace, refused: Refused, who: str, kind: str) -> None:
    workspace.scenario["sets"]["load"][who] = []
    line = refused()
    assert line.startswith("scenarios/papers/demo-paper/table-01.csv: ")
    assert f"{kind}, but no {who[:-1]} answers demo/load; a set with one in its {who}" in line


def test_no_folder_of_published_numbers(workspace: Workspace, refused: Refused) -> None:
    workspace.scenario["paper"] = "other"
    assert refused().startswith("scenarios/papers/other/items.yaml: cannot be read")
