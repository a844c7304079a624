"""Everything that can be wrong in config.yaml: one line, naming file, key path and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Fails, Refused, Workspace, change

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json, read_yaml

FILE = "config/config.yaml: "


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("scale", "huge", "scale: 'huge' is unknown; one of: paper, quick, smoke"),
        ("scale", ..., "scale: is missing; one of: paper, quick, smoke"),
        ("engines", ["omnet"], "engines[0]: 'omnet' is unknown; one of: fixed_point, "),
        ("engines", ["packetsim", "packetsim"], "engines: holds a value twice"),
        ("confidence", 1, "confidence: 1 is out of range; less than 1"),
        ("seed", 1.5, "seed: 1.5 is not a whole number"),
        ("replications/maximum", 2, "replications.maximum: 2 is below the minimum; at least 3"),
        ("scales/smoke/length", 2, "scales.smoke.length: 2 is out of range; at most 1"),
    ],
)
def test_one_line(workspace: Workspace, refused: Refused, path: str, value: Any, says: str) -> None:
    change(workspace.config, path, value)
    line = refused()
    assert line.startswith(FILE)
    assert says in line


def test_bounds_of_the_scale_in_force(workspace: Workspace, refused: Refused) -> None:
    workspace.config |= {"scale": "smoke"}
    change(workspace.config, "scales/smoke/replications", {"minimum": 4, "maximum": 3})
    assert refused() == FILE + "scales.smoke.replications.maximum: 3 is below the minimum; at least 4"


def test_one_study_twice(workspace: Workspace, refused: Refused) -> None:
    (workspace.root / "demo.yaml").write_text((workspace.root / "scenarios/demo.yaml").read_text())
    workspace.config["scenarios"].append("demo.yaml")
    line = refused()
    assert (
        line == FILE + "scenarios[1]: demo.yaml and scenarios/demo.yaml are the same study 'demo'; each once"
    )


def test_one_paper_twice(workspace: Workspace, refused: Refused) -> None:
    (workspace.root / "copy.yaml").write_text((workspace.root / "scenarios/demo.yaml").read_text())
    workspace.config["scenarios"].append("copy.yaml")
    assert "are the same paper 'demo-paper'; each once" in refused()


def test_no_file(workspace: Workspace, fails: Fails) -> None:
    assert fails("check", "--config", "none.yaml") == "none.yaml: cannot be read: No such file or directory"


def test_a_folder_is_no_file(workspace: Workspace, fails: Fails) -> None:
    assert fails("check", "--config", "config") == "config: cannot be read: Is a directory"


def test_an_empty_file(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "empty.yaml").write_text("")
    assert fails("check", "--config", "empty.yaml") == "empty.yaml: None is not a mapping"


def test_not_text(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "binary.yaml").write_bytes(b"\xff\xfe\x00scale")
    assert fails("check", "--config", "binary.yaml") == "binary.yaml: is not text; UTF-8 is allowed"


@pytest.mark.parametrize(
    "text", ["scale: [paper", "scale: paper\n  seed: 1", "a: &x\nb: *y", "\tscale: paper", "a: \x07"]
)
def test_not_yaml(workspace: Workspace, fails: Fails, text: str) -> None:
    (workspace.root / "broken.yaml").write_text(text)
    assert fails("check", "--config", "broken.yaml").startswith("broken.yaml: ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("? [a]\n: 1", "line 1: a list or a mapping is no key; a text or a number"),
        ("seed: 1\n? {a: 1}\n: 1", "line 2: a list or a mapping is no key"),
        ("seed: !!int abc", "line 1: 'abc' is no whole number"),
        ("seed: !!float abc", "line 1: 'abc' is no number"),
        ("seed: !!bool abc", "line 1: 'abc' is neither true nor false; one of: true, false"),
        ("seed: !!timestamp 2001-99-99", "line 1: not YAML: could not determine a constructor for the tag"),
        ("seed: !!set [1]", "line 1: not YAML: could not determine a constructor for the tag"),
        (f"seed: {'9' * 5000}", f"line 1: '{'9' * 119}... is no whole number; a whole number below 1e308"),
        (f"seed: 0x{'f' * 5000}", f"line 1: '0x{'f' * 117}... is no whole number"),
        ("seed: 1e999", "line 1: '1e999' is no number; a number below 1e308"),
    ],
)
def test_yaml_that_is_no_plain_data(workspace: Workspace, fails: Fails, text: str, says: str) -> None:
    (workspace.root / "odd.yaml").write_text(text)
    assert fails("check", "--config", "odd.yaml").startswith(f"odd.yaml: {says}")


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
