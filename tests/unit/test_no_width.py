"""Chance that leaves all runs alike decides nothing unless they are together as long as the authors' run."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from conftest import cases, data
from handmade import Results

from tcpatlas.answers.source import Relation, Source
from tcpatlas.claims.replies import Reply, Scale
from tcpatlas.claims.subject import Subject
from tcpatlas.runs.simulate import summarise

ZERO = {"unit": "1", "value": 0.0, "ci_low": 0.0, "ci_high": 0.0}


def refusal(metric: dict[str, Any], length: float, relation: Relation = "simulation") -> str:
    """Return why packetsim's number decides nothing in runs of this length, of a set that halves it."""
    subject = cast(Subject, SimpleNamespace(set=SimpleNamespace(engines={"packetsim": 0.5})))
    source = Source(relation, "packetsim") if relation != "model" else Source("model", model="engset")
    return Reply(source, metric, counts=True).refusal(subject, Scale(too_short=False, length=length))


@cases("no_width.no_event_in_all_runs_counts_for_as_long_as_they_are")
def test_no_event_in_all_runs_counts_for_as_long_as_they_are(runs: int, length: float, reason: str) -> None:
    assert refusal(ZERO | {"runs": runs, "confidence": 0.95}, length) == reason


def test_what_is_exact_or_has_a_width_decides_and_what_has_neither_does_not() -> None:
    short = {"runs": 3, "confidence": 0.95}
    assert refusal({"unit": "1", "value": 0.0, "exact": True}, 0.1) == ""
    assert refusal(ZERO | short | {"ci_high": 1e-9}, 0.1) == ""
    assert refusal(ZERO | {"band": True}, 0.1) == ""
    assert refusal({"unit": "1", "value": 0.0}, 0.1, "model") == ""
    assert refusal({"unit": "1", "value": 0.5} | short, 1) == "the runs behind it give no interval"


def test_a_number_and_a_sentence_say_why_they_are_undecided(results: Results) -> None:
    results.workspace.config["scale"] = "quick"
    results.more = {"queue_max": 200.0}
    (number,) = results.judged("simulation,queue_max,packets,200,,82", absolute="1 packets").values()
    reason = "all 3 runs are alike, and together 30% as long as the authors'"
    assert (number["verdict"], number["reason"]) == ("undecided", reason)
    (row,) = results.statements(
        data("no_width.a_number_and_a_sentence_say_why_they_are_undecided") | {"where": {"sources.count": 82}}
    )
    assert (row["verdict"], row["reason"]) == ("undecided", reason)


def test_the_tail_of_a_distribution_has_the_interval_of_the_runs_own_tails() -> None:
    """Above 0 lie 0.2, 0.4 and 0.6 of three runs: 0.4 ± 4.303 * 0.2 / sqrt(3), by Student's table."""
    shares = [[0.8, 0.1, 0.1], [0.6, 0.4], [0.4, 0.3, 0.3]]
    run: dict[str, Any] = data("no_width.run")
    runs = [
        run | {"seed": seed, "distributions": {"queue": {"unit": "packets", "probability": one}}}
        for seed, one in enumerate(shares)
    ]
    queue = summarise(cast(Any, runs), 0.95)["distributions"]["queue"]
    half = 4.302653 * 0.2 / 3**0.5
    assert queue["above_ci_low"][0] == pytest.approx(max(0, 0.4 - half), abs=1e-6)
    assert queue["above_ci_high"][0] == pytest.approx(0.4 + half, abs=1e-6)
    assert queue["above_ci_low"][2] == queue["above_ci_high"][2] == 0


def test_a_kernel_that_saw_no_loss_in_short_runs_does_not_contradict_packetsim() -> None:
    kernel = Reply(Source("simulation", "linux"), ZERO | {"runs": 3, "confidence": 0.95}, counts=False)
    subject = cast(Subject, SimpleNamespace(set=SimpleNamespace(engines={"linux": 1})))
    scale = Scale(too_short=False, length=0.03)
    assert kernel.refusal(subject, scale) == "all 3 runs are alike, and together 9% as long as the authors'"
    assert kernel.refusal(subject, replace(scale, length=0.34)) == ""
