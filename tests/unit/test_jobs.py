"""The points that share a job."""

from collections.abc import Sequence
from typing import Any

from conftest import cases

from tcpatlas.points.engines import all_engines
from tcpatlas.points.types import Point, ScenarioSet, Study
from tcpatlas.runs.jobs import jobs

SPEED = all_engines()["packetsim"].cost.packets_per_core_second


def point(name: str, seconds: float) -> Point:
    """A point whose three replications, of one connection each, take packetsim so long."""
    workload = {"kind": "on-off", "file_size": {"mean_packets": seconds * SPEED / 3}}
    document: dict[str, Any] = {
        "kind": "dumbbell",
        "point": name,
        "stop": {"connections": 1, "warmup_connections": 0},
        "replications": {"minimum": 3, "maximum": 10},
        "sources": [{"count": 1, "workload": workload, "tcp": {"variant": "newreno"}}],
    }
    return Point("study", "set", name, document, 0)


def study(*sets: Sequence[float]) -> Study:
    scenario_sets = [
        ScenarioSet("study", f"set-{index}", "Set", {"packetsim": 1}, (), points)
        for index, points in enumerate(
            tuple(point(f"{index}-{place}", cost) for place, cost in enumerate(costs))
            for index, costs in enumerate(sets)
        )
    ]
    return Study("study", "study.yaml", "Study", None, tuple(scenario_sets))


def test_some_points_may_be_faster_than_the_others() -> None:
    cost = all_engines()["packetsim"].cost
    alone = {**point("p", 1).document, "stop": {"loss_events": 5, "warmup_loss_events": 2}}
    assert cost.seconds(alone, 1e9) == 1e9 / cost.but[2].packets_per_core_second + cost.run_seconds
    assert cost.seconds(point("p", 1).document, 1e9) == 1e9 / SPEED + cost.run_seconds


@cases("jobs.short_points_share_a_job")
def test_short_points_share_a_job(sets: list[list[float]], sizes: list[list[int]]) -> None:
    own = study(*sets)
    made = list(jobs(own))
    assert [[len(share.points) for share in job.shares] for job in made] == sizes
    assert [job.number for job in made] == list(range(1, len(sizes) + 1))
    every = [point for job in made for share in job.shares for point in share.points]
    assert every == [point for its in own.sets for point in its.points]


def test_a_job_is_due_again_when_one_of_its_points_changes() -> None:
    (first,) = jobs(study([0.1, 0.2]))
    (same,) = jobs(study([0.1, 0.2]))
    (other,) = jobs(study([0.1, 0.3]))
    assert first.digest == same.digest != other.digest
