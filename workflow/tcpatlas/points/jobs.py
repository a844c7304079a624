"""Which points share a job: starting one costs more than simulating a short point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tcpatlas.points.cost import point_packets
from tcpatlas.points.types import Point

# Seconds of simulation that make a job worth its start, and how many points it may hold at most.
JOB_SECONDS = 10
JOB_POINTS = 50


def jobs(points: Sequence[Point], packets_per_second: float) -> Iterator[tuple[Point, ...]]:
    """Yield neighbouring points that are simulated together: as many as fit in the time, at least one.

    The time counts the least number of replications, at `packets_per_second` (packets per core-second).
    """
    job: list[Point] = []
    seconds = 0.0
    for point in points:
        cost = point.document["replications"]["minimum"] * point_packets(point.document) / packets_per_second
        if job and (seconds + cost > JOB_SECONDS or len(job) == JOB_POINTS):
            yield tuple(job)
            job, seconds = [], 0.0
        job.append(point)
        seconds += cost
    if job:
        yield tuple(job)
