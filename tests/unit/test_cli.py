"""The commands as they are called: check, plan, provenance, help and exit statuses."""

import json
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import Fails, Workspace, expand_as_compared
from handmade import commit

from tcpatlas import cli

COMMANDS = ["check", "plan", "expand", "simulate", "predict", "compare", "baseline", "provenance", "generate"]


def test_check(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check"]) == 0
    expected = (
        "OK: scale paper, studies 1, sets 2, points 6, published items 1, printed numbers 3, statements 0\n"
    )
    assert capsys.readouterr().out == expected


def test_plan(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    """Two points of 808,000 connections of 12 packets, three times each; 18 million packets a core-second."""
    workspace.scenario["sets"]["buffer"]["engines"] = []
    workspace.write()
    assert cli.main(["plan", "--cores", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["set", "demo/load", "demo/buffer", "all"]
    load = [cell.strip() for cell in lines[2].split("  ") if cell]
    assert load == ["demo/load", "2", "6 to 12", "58.2 to 116", "2 s to 3 s"]
    buffer = [cell.strip() for cell in lines[3].split("  ") if cell]
    assert buffer == ["demo/buffer", "4", "0", "0", "under 1 s"]


def test_plan_of_long_runs(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.scenario["base"]["stop"]["connections"] = 10**9
    workspace.write()
    assert cli.main(["plan", "--cores", "1"]) == 0
    assert "1 h 07 min to 2 h 14 min" in capsys.readouterr().out.splitlines()[2]


@pytest.mark.parametrize("cores", ["0", "-1", "two"])
def test_plan_on_no_cores(workspace: Workspace, capsys: pytest.CaptureFixture[str], cores: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["plan", "--cores", cores])
    assert stopped.value.code == 2
    assert "--cores" in capsys.readouterr().err


def test_provenance(workspace: Workspace) -> None:
    Path("file").write_text("x")
    commit(workspace.root, ".")
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    expand_as_compared()
    assert cli.main(["provenance"]) == 0
    text = Path("results/provenance.json").read_text()
    data = json.loads(text)
    assert data["commit"]["id"] == head
    assert data["commit"]["dirty"] is False
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", data["commit"]["date"])
    assert (data["scale"], data["seed"], data["confidence"]) == ("paper", 1, 0.95)
    assert data["python"] == platform.python_version()
    assert data["packages"]["pint"] == version("pint")
    assert data["machine"]["cores"] == os.cpu_count()
    assert data["machine"]["memory_bytes"] > 2**20
    assert data["engines"] == {}
    assert platform.node() not in text
    assert str(workspace.root) not in text
    Path("file").write_text("y")
    assert cli.main(["provenance"]) == 0
    assert json.loads(Path("results/provenance.json").read_text())["commit"]["dirty"] is True


def test_provenance_names_the_engines_that_ran(workspace: Workspace) -> None:
    path = Path("results/runs/demo/packetsim-1.jsonl")
    path.parent.mkdir(parents=True)
    path.write_text('{"engine_version": "1.2.3"}\n')
    expand_as_compared()
    assert cli.main(["provenance"]) == 0
    assert json.loads(Path("results/provenance.json").read_text())["engines"] == {"packetsim": "1.2.3"}


@pytest.mark.parametrize(("mask", "mode"), [(0o077, 0o600), (0o002, 0o664)])
def test_who_may_read_what_is_written_is_the_users_choice(workspace: Workspace, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        assert cli.main(["expand"]) == 0
    finally:
        os.umask(before)
    assert Path("results/config.json").stat().st_mode & 0o777 == mode


def test_no_permission_to_write(workspace: Workspace, fails: Fails, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("results").write_text("in the way")
    assert fails("expand").startswith("results: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main([command, "--help"])
    assert stopped.value.code == 0
    assert "--help" in capsys.readouterr().out


def test_as_a_module(workspace: Workspace) -> None:
    """The exit status and the one line reach the shell."""
    environment = os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[1])}
    command = [sys.executable, "-m", "tcpatlas", "check", "--config", "none.yaml"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "none.yaml: cannot be read: No such file or directory\n"
    assert done.stdout == ""
