"""Replications where a verdict is undecided, by a sequential rule that keeps its confidence."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from handmade import RESULTS, Results
from test_reevaluation import BOUND, Again

from tcpatlas.base.statistics import early_look, last_look, summary
from tcpatlas.config.load import written_project
from tcpatlas.pipeline.by_verdict import hopeful_look, simulate_by_verdict
from tcpatlas.pipeline.now import reevaluation_of
from tcpatlas.runs.documents import Predictions
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.predict import predictions_of
from tcpatlas.runs.store import Runs

PLANNED = 20
FIRST = 8


class ByVerdict(Again):
    """A study whose rates are drawn: 1 kbit/s is the standard deviation of a replication."""

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.written["again"]["by_verdict"] = True
        results.workspace.config["replications"] |= {"minimum": PLANNED, "maximum": PLANNED}

    def prepare(self) -> None:
        """Judge the paper's own TCP, of which the sentence holds."""
        self.project()
        self.results.statements({**BOUND, "text": "a sentence"})
        written = written_project(RESULTS, self.results.workspace.root)
        self.source = written.studies[0]
        self.asked, self.items = reevaluation_of(written, written.again[0], self.source, RESULTS)

    def _predict(self, runs: Runs) -> dict[str, dict[str, Predictions]]:
        return predictions_of(self.asked.study, self.source, runs)

    def counts(self, mean: float, seed: int = 1) -> tuple[dict[str, int], list[float]]:
        """Return the replications of each point, and those of 82 users, whose rate has this mean."""
        draws = {name: random.Random(f"{name} {seed}") for name in ("count-82", "count-134")}
        values: dict[str, list[float]] = {name: [] for name in draws}

        def simulate(points: Sequence[Any], confidence: float) -> Iterator[Any]:
            for point in points:
                name, bounds = point["point"], point["replications"]
                centre = mean if name == "count-82" else 100e3
                while len(values[name]) < bounds["maximum"]:
                    values[name].append(draws[name].gauss(centre, 1e3))
                metric = summary("bit/s", values[name], confidence, band=False)
                run = self.results._run("load", name, "packetsim") | {"study": "cubic"}
                yield run | {
                    "seeds": [*range(len(values[name]))],
                    "metrics": {"goodput_per_connection": metric},
                }

        made = simulate_by_verdict(self.asked, self.items, self._predict, "packetsim", simulate, 0.95)
        return {run["point"]: len(run["seeds"]) for run in made}, values["count-82"]


@pytest.fixture
def study(results: Results) -> ByVerdict:
    return ByVerdict(results)


def test_a_look_early_and_a_last_one_after_more(study: ByVerdict) -> None:
    (one,) = study.project().again
    bounds = [point.document["replications"] for point in one.sets[0].points]
    assert bounds == [{"minimum": FIRST, "maximum": PLANNED, "targets": {}}] * 2
    assert len(list(jobs(one))) == 1
    study.results.workspace.config["replications"] |= {"minimum": FIRST, "maximum": FIRST}
    assert not study.project().again[0].sets[0].by_verdict
    study.results.workspace.config["replications"] |= {"minimum": PLANNED, "maximum": PLANNED}
    study.results.workspace.config["scale"] = "smoke"
    assert not study.project().again[0].sets[0].by_verdict


def test_replications_go_where_a_verdict_is_undecided(study: ByVerdict) -> None:
    study.prepare()
    assert study.counts(590e3)[0] == {"count-82": FIRST, "count-134": FIRST}
    assert study.counts(610e3)[0] == {"count-82": FIRST, "count-134": FIRST}
    near, _ = study.counts(599.3e3)
    assert near["count-134"] == FIRST
    assert FIRST < near["count-82"] <= PLANNED


def test_what_more_would_not_decide_is_given_up(study: ByVerdict) -> None:
    study.prepare()
    counts = [study.counts(600e3, seed)[0]["count-82"] for seed in range(20)]
    assert min(counts) < PLANNED
    # At the first of many more nothing is given up: the mean may still move far enough.
    assert hopeful_look(0.95, 4, 40) == 0
    assert hopeful_look(0.95, 4, 5) > 0.5


def test_the_looks_together_keep_the_confidence() -> None:
    early = sum(1 - early_look(0.95, look) for look in range(1, 60))
    assert early + 1 - last_look(0.95) <= 0.05 + 1e-12
    assert last_look(0.95) == pytest.approx(0.951)


def test_a_bound_that_is_the_mean_is_decided_once_in_twenty_times(study: ByVerdict) -> None:
    """Looking again and again at 95 % would decide it in a sixth of them."""
    study.prepare()
    trials, decided, naive = 150, 0, 0
    for seed in range(trials):
        counts, values = study.counts(600e3, seed)
        shown = summary("bit/s", values[: counts["count-82"]], last_look(0.95), band=False)
        decided += not shown["ci_low"] <= 600e3 <= shown["ci_high"]
        looks = (
            summary("bit/s", values[:count], 0.95, band=False)
            for count in (8, 16, 20)
            if count <= len(values)
        )
        naive += any(not one["ci_low"] <= 600e3 <= one["ci_high"] for one in looks)
    # Three standard deviations of a share of 5 % of so many.
    assert decided <= 0.05 * trials + 3 * (0.05 * 0.95 * trials) ** 0.5
    assert naive > decided
