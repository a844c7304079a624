"""Studies that ask a paper's sentences and numbers again, of another TCP."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from handmade import RESULTS, Results

from tcpatlas import cli
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import write_atomically
from tcpatlas.claims.reevaluation import with_agreement
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project
from tcpatlas.pipeline.now_summary import summary
from tcpatlas.points.types import Study
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.store import predictions_file, to_line

RATE = "goodput_per_connection"
AT_82 = {"metric": RATE, "where": {"sources.count": 82}}
FALLS = {"metric": RATE, "predicate": "decreasing", "along": "sources.count", "tolerance": "1 kbit/s"}
# The rates with the paper's TCP are 560 and 156 kbit/s.
SAME = {"count-82": 560e3, "count-134": 156e3}
BOUND = {"predicate": "at most", "bound": "600 kbit/s", "tolerance": "0 kbit/s", **AT_82}
CUBIC = {"tcp.variant": "cubic", "tcp.initial_window": "10 packets"}


class Again:
    """A study `cubic` that asks the demonstration's sentences again, with runs written by hand."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.then = dict(results.rates)
        self.file = results.workspace.root / "scenarios/cubic.yaml"
        self.written: dict[str, Any] = {
            "title": "Cubic",
            "derive": {"from": "scenarios/demo.yaml", "with": CUBIC},
            "again": {"tcp": "CUBIC"},
        }

    def project(self) -> Project:
        self.results.workspace.config["scenarios"] = ["scenarios/demo.yaml", "scenarios/cubic.yaml"]
        self.results.workspace.write()
        self.file.write_text(json.dumps(self.written))
        return load_project("config/config.yaml", self.results.workspace.root)

    def rows(self, rates: dict[str, float], *sentences: dict[str, Any]) -> list[dict[str, str]]:
        """Return the verdicts where the other TCP has these rates, each known to 1 kbit/s."""
        self.project()
        self.results.rates = dict(self.then)
        self.results.statements(*sentences)
        (study,) = self.project().again
        self._runs(study, rates)
        assert cli.main(["again", "--study", "cubic"]) == 0
        with Path("results/now/cubic/verdicts.csv").open() as file:
            return list(csv.DictReader(file))

    def _runs(self, study: Study, rates: dict[str, float]) -> None:
        hand = self.results
        hand.rates = {name: (rate, rate - 1e3, rate + 1e3) for name, rate in rates.items()}
        for job in jobs(study):
            points = [point for share in job.shares for point in share.points]
            runs = [hand._run(point.set, point.name, job.engine) | {"study": "cubic"} for point in points]
            write_atomically(job.file(RESULTS), "".join(map(to_line, runs)))
        theirs = predictions_file(RESULTS, "demo", "parrot").read_text()
        write_atomically(predictions_file(RESULTS, "cubic", "parrot"), theirs)


@pytest.fixture
def again(results: Results) -> Again:
    return Again(results)


def verdicts(rows: list[dict[str, str]]) -> list[str]:
    return [row["verdict"] for row in rows if row["what"] == "sentence"]


def test_only_points_that_are_spoken_of_run_and_at_a_tenth_of_the_length(again: Again) -> None:
    again.results.workspace.statements = {
        "table-01": [{**AT_82, "text": "x", "predicate": "at most", "tolerance": "1 %", "reason": "x"}]
    }
    again.results.workspace.config["now"] = "tenth"
    (study,) = again.project().again
    (load,) = study.sets
    assert (load.name, load.engines) == ("load", {"packetsim": 0.1})
    # The printed numbers are of 82 and of 134 users.
    assert [point.name for point in load.points] == ["count-82", "count-134"]
    assert all(point.document["sources"][0]["tcp"]["variant"] == "cubic" for point in load.points)
    again.written["again"]["whole"] = True
    assert again.project().again[0].sets[0].engines == {"packetsim": 1}
    again.written["again"]["whole"] = False
    again.results.workspace.config["now"] = "paper"
    assert again.project().again[0].sets[0].engines == {"packetsim": 1}


def test_it_is_among_no_other_studies(again: Again) -> None:
    """Neither its runs nor its verdicts are counted among the papers'."""
    project = again.project()
    assert [study.name for study in project.studies] == ["demo"]
    assert list(project.items) == ["demo"]


def test_a_sentence_still_holds_or_no_longer(again: Again) -> None:
    (row,) = (row for row in again.rows(SAME, BOUND) if row["what"] == "sentence")
    assert (row["verdict"], row["then"]) == ("still holds", "holds")
    assert (row["engine"], row["tcp"]) == ("packetsim", "CUBIC")
    assert verdicts(again.rows(SAME | {"count-82": 700e3}, BOUND)) == ["no longer"]
    # 600 lies within the 1 kbit/s to which the rate is known.
    assert verdicts(again.rows(SAME | {"count-82": 600.5e3}, BOUND)) == ["undecided"]


def test_a_count_in_a_whole_run_is_ten_times_as_much_of_a_tenth(again: Again) -> None:
    """600 kbit/s, known to 1, are above 597.5 with a tolerance of 0.4, but not of 4."""
    again.results.workspace.config["now"] = "tenth"
    bound = BOUND | {"bound": "597.5 kbit/s", "tolerance": "0.4 kbit/s"}
    rates = SAME | {"count-82": 600e3}
    assert verdicts(again.rows(rates, bound, bound | {"of_whole_run": True})) == ["no longer", "still holds"]
    again.written["again"]["whole"] = True
    assert verdicts(again.rows(rates, bound | {"of_whole_run": True})) == ["no longer"]


def test_what_no_other_tcp_can_change_is_told_with_its_reason(again: Again) -> None:
    rows = again.rows(SAME | {"count-82": 700e3}, BOUND | {"not_again": "of the workload"})
    (row,) = (row for row in rows if row["what"] == "sentence")
    assert (row["verdict"], row["reason"], row["engine"]) == ("does not apply", "of the workload", "")


def test_a_budget_of_replications_is_for_sets_that_have_fewer(again: Again) -> None:
    own = again.project().again[0].sets[0].points[0].document["replications"]["maximum"]
    for least, made in ((own + 5, own + 5), (2, own)):
        again.written["again"]["least_replications"] = least
        (load,) = again.project().again[0].sets
        assert {point.document["replications"]["maximum"] for point in load.points} == {made}


def test_what_failed_before_is_not_lost(again: Again) -> None:
    bound = BOUND | {"bound": "500 kbit/s"}
    for rate in (560e3, 400e3):
        (row,) = (row for row in again.rows(SAME | {"count-82": rate}, bound) if row["what"] == "sentence")
        assert (row["verdict"], row["reason"]) == ("does not apply", "fails with the paper's own TCP")


def test_a_sentence_that_is_undecided_before_is_not_lost(again: Again) -> None:
    """The rate with the paper's TCP is 558 to 562 kbit/s."""
    bound = BOUND | {"bound": "560 kbit/s"}
    assert verdicts(again.rows(SAME | {"count-82": 700e3}, bound)) == ["undecided"]
    assert verdicts(again.rows(SAME | {"count-82": 500e3}, bound)) == ["still holds"]


def test_cases_that_may_be_lost_are_judged_together(again: Again) -> None:
    """601.2 is known to 1 kbit/s by three runs, of two cases to 1.44; a case that failed before is none."""
    both = BOUND | {"where": {}}
    now = SAME | {"count-82": 601.2e3}
    assert verdicts(again.rows(now, BOUND, both)) == ["no longer", "undecided"]
    failed_before = {**both, "predicate": "at least", "bound": "550 kbit/s"}
    assert verdicts(again.rows(SAME | {"count-82": 548.8e3}, failed_before)) == ["no longer"]


def test_reversed_is_the_opposite_sign_or_trend(again: Again) -> None:
    """With 134 users the rate is 72 % lower; then it is higher, then about the same."""
    less = {
        "metric": RATE,
        "predicate": "at most",
        "where": {"sources.count": 134},
        "against": "sources.count = 82",
        "tolerance": "1 %",
    }
    up = {"count-82": 156e3, "count-134": 560e3}
    assert verdicts(again.rows(up, less, FALLS, BOUND)) == ["reversed", "reversed", "still holds"]
    assert verdicts(again.rows({"count-82": 700e3, "count-134": 156e3}, BOUND)) == ["no longer"]
    same = {"count-82": 500e3, "count-134": 500e3}
    assert verdicts(again.rows(same, less, FALLS)) == ["still holds", "undecided"]


def test_what_cannot_be_asked_says_why(again: Again) -> None:
    again.written["again"]["does_not_apply"] = [
        {"items": ["table-01"], "text": ["about Tahoe"], "reason": "CUBIC is not Tahoe"}
    ]
    rows = again.rows(SAME, BOUND | {"text": "about Tahoe"}, BOUND | {"kind": "model"}, BOUND)
    assert verdicts(rows) == ["does not apply", "does not apply", "still holds"]
    assert [row["reason"] for row in rows[:2]] == [
        "CUBIC is not Tahoe",
        "about a model alone, in which there is no TCP to replace",
    ]


def test_numbers_that_were_reproduced_are_judged_by_their_tolerance(again: Again) -> None:
    """563.1 and 154.7 kbit/s are printed, each known to 1 %."""
    rows = [row for row in again.rows(SAME | {"count-134": 170e3}, BOUND) if row["what"] == "number"]
    assert [(row["statement"], row["verdict"], row["reason"]) for row in rows] == [
        ("demo-paper/table-01/row-1", "still holds", ""),
        ("demo-paper/table-01/row-3", "no longer", "larger than printed"),
    ]


def test_numbers_of_a_metric_that_the_tcp_does_not_have_are_not_asked(again: Again) -> None:
    def reasons_without(metric: str) -> list[str]:
        entry = {"items": ["table-01"], "metrics": [metric], "reason": "CUBIC has none"}
        again.written["again"]["does_not_apply"] = [entry]
        rows = again.rows(SAME, BOUND)
        numbers = [row for row in rows if row["what"] == "number"]
        assert all((row["verdict"] == "does not apply") == bool(row["reason"]) for row in numbers)
        return [row["reason"] for row in numbers]

    assert reasons_without("loss_ratio") == ["", ""]
    assert reasons_without("goodput_per_connection") == ["CUBIC has none"] * 2


def test_engines_agree_or_differ_and_the_first_counts() -> None:
    def row(engine: str, verdict: str, tcp: str = "CUBIC") -> dict[str, str]:
        return {"paper": "p", "statement": "p/t/1", "tcp": tcp, "engine": engine, "verdict": verdict}

    first, second = row("packetsim", "still holds"), row("linux", "no longer")
    rows = with_agreement([first, second, row("linux", "reversed", "BBR")])
    assert [row["counted"] for row in rows] == ["true", "false", "true"]
    assert [row["engines"] for row in rows] == ["differ", "differ", ""]
    assert [row["verdict"] for row in rows] == ["engines differ", "no longer", "reversed"]
    assert rows[0]["reason"] == "packetsim: still holds; Linux: no longer"
    rows = with_agreement([row("packetsim", "still holds"), row("linux", "still holds")])
    assert {row["engines"] for row in rows} == {"agree"}
    rows = with_agreement([row("packetsim", "undecided"), row("linux", "still holds")])
    assert {row["engines"] for row in rows} == {""}


def test_a_set_that_no_engine_takes_says_so(again: Again) -> None:
    again.written["derive"]["with"] = CUBIC | {"tcp.variant": "linux-bbr"}
    (study,) = again.project().again
    assert study.sets == ()
    assert study.again is not None
    assert "packetsim does not take" in study.again.not_run["load"]


def test_its_source_must_be_run_too(again: Again) -> None:
    again.project()
    again.results.workspace.config["scenarios"] = ["scenarios/cubic.yaml"]
    again.results.workspace.write()
    with pytest.raises(ConfigError, match="is not among the scenarios that are run"):
        load_project("config/config.yaml", again.results.workspace.root)


def test_a_model_that_knows_one_tcp_is_asked_about_it(whole_project: Project) -> None:
    sources = {
        study.name: {scenario_set.of_source for scenario_set in study.sets} for study in whole_project.again
    }
    assert sources["shared-bottleneck-cubic"] == {frozenset({"shared_bottleneck"})}
    assert sources["engset-cubic"] == {frozenset()}


def test_each_paper_is_asked_again(whole_project: Project) -> None:
    classics = {"engset", "seawind", "fixed-point", "shared-bottleneck", "compound"}
    assert {study.again.source for study in whole_project.again if study.again} >= classics


def test_now_off_leaves_them_out(again: Again) -> None:
    """Of the scenarios that run where the configuration names none."""
    workspace = again.results.workspace
    workspace.write()
    del workspace.config["scenarios"]
    paper, now = "scenarios/papers/demo-paper/scenario.yaml", workspace.root / "scenarios/now/cubic.yaml"
    (workspace.root / paper).write_text(json.dumps(workspace.scenario))
    now.parent.mkdir()
    now.write_text(json.dumps(again.written | {"derive": {"from": paper, "with": CUBIC}}))
    assert [study.name for study in load_project(workspace.config).again] == ["cubic"]
    assert load_project(workspace.config | {"now": "off"}).again == ()


def test_what_still_holds_is_told_in_three_sentences() -> None:
    def row(verdict: str, tcp: str = "CUBIC", what: str = "sentence", **more: str) -> dict[str, str]:
        return {"verdict": verdict, "tcp": tcp, "what": what, "counted": "true", "engines": ""} | more

    rows = [row("still holds"), row("no longer", engines="agree"), row("reversed"), row("does not apply")]
    rows += [row("still holds", what="number"), row("no longer", what="number")]
    rows += [row("still holds", counted="false"), row("undecided", "BBR")]
    assert summary(rows, "paper").split(". ")[:3] == [
        "With CUBIC in place of the papers' own TCP, 1 of the 3 sentences that can be asked of it still "
        "hold, 1 no longer do, 1 is reversed and 0 are undecided; 1 others do not apply to it",
        "Of 2 simulated and measured numbers that the papers' own TCP reproduces, 1 still come out with "
        "CUBIC",
        "BBR keeps 0 of the 1 sentences that it is asked, and where packetsim and the Linux kernel both "
        "decide, they agree 1 times in 1",
    ]
    differ = "0 are undecided, and on 1 packetsim and the Linux kernel differ; 0 others"
    assert differ in summary([row("engines differ"), row("still holds")], "paper")
    assert "too short" in summary([*rows, row("smoke")], "tenth")
