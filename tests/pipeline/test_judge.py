"""The judge against what is known of controllers: it must find what documents report."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tcpatlas.judge.__main__ import main
from tcpatlas.judge.suite import suite_of
from tcpatlas.judge.verdicts import Answered, Judge

ROOT = Path(__file__).parents[2]
TCP = {name: {"variant": name} for name in ("cubic", "newreno-sack", "bbr")}


def answered(controller: str, questions: tuple[str, ...], folder: Path) -> dict[str, Answered]:
    """Return a controller's answers to some questions of the suite quick, beside CUBIC and Reno."""
    suite, file = suite_of("quick")
    fewer = suite.model_copy(update={"questions": {name: suite.questions[name] for name in questions}})
    rivals = {name: TCP[name] for name in ("cubic", "newreno-sack")}
    judge = Judge(fewer, file, rivals, folder / "work", folder / "cache")
    return {one.name: one for one in judge.answers([(controller, TCP[controller])])}


def test_bbr_fails_what_rfc_9743_reports_of_its_first_version(tmp_path: Path) -> None:
    """Section 5.1.3: sustained loss where several share a buffer below 1.5 bandwidth-delay products.

    That in small buffers it takes most of the link from loss-based flows is Hock, Bless and Zitterbart's
    (ICNP 2017).
    """
    found = answered("bbr", ("own-loss", "harm-goodput"), tmp_path)
    losses = {each.case.label: each.truth for each in found["own-loss"].answers}
    assert losses == {"buffer in BDP 0.5": "fails", "buffer in BDP 1": "fails", "buffer in BDP 2": "holds"}
    harm = {each.case.label: each.truth for each in found["harm-goodput"].answers}
    assert (
        harm["beside cubic, buffer in BDP 0.5"] == harm["beside newreno-sack, buffer in BDP 0.5"] == "fails"
    )


@pytest.mark.parametrize("controller", ["cubic", "newreno-sack"])
def test_standard_controllers_pass_what_rfcs_say_of_them(controller: str, tmp_path: Path) -> None:
    """They use the link, lose little, back off, and fill a large buffer (RFC 9743, section 5.1.2)."""
    asked = ("alone", "own-loss", "full-backoff", "random-loss", "codel", "standing-queue")
    found = answered(controller, asked, tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {
        **dict.fromkeys(asked, "holds"),
        "standing-queue": "fails",
    }


def test_the_command_writes_a_report_and_says_by_its_status_whether_one_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command in judge.json repeats a case."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    text = (ROOT / "config/judge/quick.yaml").read_text()
    head, questions = text.split("questions:\n")
    standing = questions[questions.index("  standing-queue:") : questions.index("not_asked:")]
    (tmp_path / "mine.yaml").write_text(f"{head}questions:\n{standing}")
    options = ["--suite", str(tmp_path / "mine.yaml"), "--baselines", "cubic", "--out", str(tmp_path / "out")]
    assert main(["bbr", *options]) == 0
    assert "holds      standing-queue: 0.0" in capsys.readouterr().out
    written = json.loads((tmp_path / "out/judge.json").read_text())
    (question,) = written["questions"]
    assert (question["verdict"], question["baselines"]["cubic"]["verdict"]) == ("holds", "fails")
    again = question["cases"][0]["again"].replace("run.json", str(tmp_path / "run.json"))
    subprocess.run(again, shell=True, check=True)
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["metrics"]["queue_mean"]["value"] / 667 == pytest.approx(
        question["cases"][0]["value"], rel=0.01
    )
    page = (tmp_path / "out/report.html").read_text()
    assert "bbr: 1 hold" in page
    assert "http://" not in page
    assert main(["cubic", *options]) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["no-such"], "no-such: base.tcp.variant: 'no-such' is unknown; one of"),
     (["cubic", "--suite", "no-such.yaml"], "no-such.yaml")],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With status 2, before anything runs."""
    assert main([*arguments, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
