"""Groups points into jobs: starting a job costs more than simulating a short point."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tcpatlas.points import kinds
from tcpatlas.points.engines import all_engines
from tcpatlas.points.types import Point, ScenarioSet, Study
from tcpatlas.runs.store import digest, runs_file

# Seconds of simulation that justify starting a job.
JOB_SECONDS = 60


@dataclass(frozen=True)
class Share:
    """Neighbouring points of a set, from `first` to before `last`, and the factor on their run lengths."""

    set: ScenarioSet
    first: int
    last: int
    length: float

    @property
    def points(self) -> tuple[Point, ...]:
        """The points."""
        return self.set.points[self.first : self.last]


@dataclass(frozen=True)
class Job:
    """The work of one process by one engine: points of one or several sets of a study."""

    study: str
    engine: str
    number: int
    shares: tuple[Share, ...]

    def file(self, results: Path) -> Path:
        """Return its output."""
        return runs_file(results, self.study, self.engine, self.number)

    @property
    def seconds(self) -> float:
        """The time of its minimum number of replications."""
        return sum(_seconds(one, self.engine, share.length) for share in self.shares for one in share.points)

    @cached_property
    def digest(self) -> str:
        """A digest that changes only with its points."""
        return digest(point.document for share in self.shares for point in share.points)


def jobs(study: Study) -> Iterator[Job]:
    """Yield the jobs of a study: consecutive points, as many as fit in the time.

    If verdicts decide the number of replications, one job has all points: a case may be about any.
    """
    most = math.inf if any(one.by_verdict for one in study.sets) else JOB_SECONDS
    for engine in dict.fromkeys(name for scenario_set in study.sets for name in scenario_set.engines):
        shares: list[Share] = []
        seconds, number = 0.0, 1
        for scenario_set in study.sets:
            length = scenario_set.engines.get(engine)
            if length is None:
                continue
            first, points = 0, scenario_set.points
            for place, point in enumerate(points):
                cost = _seconds(point, engine, length)
                if seconds > 0 and seconds + cost > most:
                    if first < place:
                        shares.append(Share(scenario_set, first, place, length))
                    yield Job(study.name, engine, number, tuple(shares))
                    shares, seconds, number, first = [], 0.0, number + 1, place
                seconds += cost
            shares.append(Share(scenario_set, first, len(points), length))
        if shares:
            yield Job(study.name, engine, number, tuple(shares))


def _seconds(point: Point, engine: str, length: float) -> float:
    """Return the time of the minimum number of replications."""
    packets = kinds.of(point.document).packets(point.document) * length
    run = all_engines()[engine].cost.seconds(point.document, packets)
    return float(point.document["replications"]["minimum"] * run)
