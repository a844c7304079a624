"""The judge's suite of the Linux kernel: its questions run there, and a case's command names that engine."""

import json
import os
from pathlib import Path

import pytest
from linux_guest import PROGRAM
from processes import virtual

from tcpatlas.base.repository import TREE
from tcpatlas.judge.__main__ import main
from tcpatlas.judge.suite import FOLDER


@virtual
@pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")
def test_the_kernel_answers_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's BBR alone behind one bandwidth-delay product, beside its CUBIC as a baseline."""
    monkeypatch.chdir(TREE)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    text = (TREE / FOLDER / "kernel.yaml").read_text()
    first = f"{text[: text.index('  ramp-up:')]}{text[text.index('not_asked:') :]}"
    (tmp_path / "first.yaml").write_text(first.replace("[0.5, 1, 4]", "[1]"))
    options = ["--suite", str(tmp_path / "first.yaml"), "--baselines", "cubic", "--out", str(tmp_path)]
    assert main(["bbr", *options]) == 0
    (question,) = json.loads((tmp_path / "judge.json").read_text())["questions"]
    assert (question["verdict"], question["baselines"]["cubic"]["verdict"]) == ("holds", "holds")
    assert question["cases"][0]["again"].startswith("build/release/linux/linux --point ")
