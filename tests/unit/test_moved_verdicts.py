"""Accepted verdicts, and then and now: what moved of them is named, from what to what."""

from pathlib import Path

import pytest
from conftest import cases, expand_as_compared
from handmade import Results
from test_reevaluation import BOUND, SAME, Again

from tcpatlas import cli

RESULTS = Path("results")
ACCEPTED = Path("config/baseline/paper")


@pytest.fixture
def accepted(results: Results, capsys: pytest.CaptureFixture[str]) -> None:
    """Results of the demonstration and of a study that asks it again, accepted."""
    again = Again(results)
    again.rows(SAME, BOUND)
    for command in (["gather"], ["again"], ["expand"]):
        assert cli.main(command) == 0
    expand_as_compared()
    assert cli.main(["baseline", "--accept"]) == 0
    capsys.readouterr()
    assert cli.main(["baseline", "--check"]) == 0
    assert capsys.readouterr().out == "nothing moved\n"


@cases("moved_verdicts.what_moved_is_named")
def test_what_moved_is_named(
    accepted: None, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, says: str
) -> None:
    text = (RESULTS / file).read_text()
    assert old in text
    (RESULTS / file).write_text(text.replace(old, new, 1))
    assert cli.main(["baseline", "--check"]) == 1
    assert says in capsys.readouterr().out.splitlines()[0]


def test_a_run_of_some_of_the_studies_says_nothing_of_what_they_all_come_to(
    accepted: None, results: Results, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a difference, nor accepted in place of it."""
    before = (ACCEPTED / "items/now.csv").read_text()
    results.workspace.config["scenarios"] = ["scenarios/demo.yaml"]
    results.workspace.write()
    expand_as_compared()
    capsys.readouterr()
    assert cli.main(["baseline", "--accept"]) == 0
    assert "nothing moved" in capsys.readouterr().out
    assert (ACCEPTED / "items/now.csv").read_text() == before
