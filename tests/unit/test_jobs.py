"""Which points share a job."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tcpatlas.points.jobs import JOB_POINTS, JOB_SECONDS, jobs
from tcpatlas.points.types import Point


def point(number: int, seconds: float) -> Point:
    """A point whose three replications, of one connection each, take so long at a packet a second."""
    document = {
        "stop": {"connections": 1, "warmup_connections": 0},
        "replications": {"minimum": 3, "maximum": 10},
        "sources": {"workload": {"kind": "on-off", "file_size": {"mean_packets": seconds / 3}}},
    }
    return Point("study", "set", f"point-{number}", document, number)


@pytest.mark.parametrize(
    ("seconds", "sizes"),
    [
        ([], []),
        ([0.1], [1]),
        ([JOB_SECONDS * 9], [1]),
        ([JOB_SECONDS * 9, JOB_SECONDS * 9], [1, 1]),
        ([JOB_SECONDS * 0.4] * 5, [2, 2, 1]),
        ([JOB_SECONDS * 0.4, JOB_SECONDS * 9, JOB_SECONDS * 0.4], [1, 1, 1]),
        ([0.0] * (2 * JOB_POINTS + 1), [JOB_POINTS, JOB_POINTS, 1]),
    ],
)
def test_short_points_share_a_job(seconds: Sequence[float], sizes: list[int]) -> None:
    points = [point(number, cost) for number, cost in enumerate(seconds)]
    shares = list(jobs(points, packets_per_second=1))
    assert [len(share) for share in shares] == sizes
    assert [one for share in shares for one in share] == points
