"""Short replications of points, as many as a time limit or a wanted precision asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpatlas.ask.metrics import answered
from tcpatlas.base.errors import EngineError
from tcpatlas.base.files import read_json, to_json
from tcpatlas.base.statistics import Interval, narrow_enough, t_interval
from tcpatlas.points import kinds
from tcpatlas.points.kinds.stop import on_off_rule
from tcpatlas.runs.call import engine_arguments, failure
from tcpatlas.runs.replications import replication_seed

CONFIDENCE = 0.95
MINIMUM = 3
MAXIMUM = 1000
# No metric is asked for more exactly than this (a loss ratio of 0.01 %, a share of the rate).
SMALLEST_HALF_WIDTH = {"loss_ratio": 0.0001, "utilisation": 0.001}


@dataclass
class Simulated:
    """A point and the values of its replications, by metric."""

    point: Mapping[str, Any]
    program: Path
    folder: Path
    values: dict[str, list[float]] = field(default_factory=dict)
    replications: int = 0

    def replicate(self) -> None:
        """Make one more replication; raises EngineError with the engine's own line if it fails."""
        self.replications += 1
        given, output = self.folder / "point.json", self.folder / "run.json"
        given.write_text(to_json(short_run(self.point)))
        arguments = engine_arguments(given, replication_seed(self.point, self.replications), output)
        if said := failure([str(self.program), *arguments], str(self.program), output):
            raise EngineError(said)
        for name, value in answered(self.point, read_json(output)).items():
            self.values.setdefault(name, []).append(value)

    def interval(self, metric: str) -> Interval | None:
        """Return the interval of a metric; None where fewer than two replications give it."""
        values = self.values.get(metric, [])
        return t_interval(values, CONFIDENCE) if len(values) > 1 else None

    def precise(self, half_width: float) -> bool:
        """Say whether every metric's interval has at most this half-width, relative to its mean."""
        if self.replications < MINIMUM:
            return False
        intervals = {name: self.interval(name) for name in self.values}
        return all(
            one is not None and narrow_enough(one, half_width, SMALLEST_HALF_WIDTH.get(name, 0))
            for name, one in intervals.items()
        )

    def progress(self, half_width: float) -> float:
        """Return about which share of the replications that this half-width needs has been made.

        A half-width falls with the square root of their number.
        """
        shares = []
        for name in self.values if self.replications >= MINIMUM else ():
            one = self.interval(name)
            if one is not None and one.half_width > 0:
                wanted = max(half_width * abs(one.mean), SMALLEST_HALF_WIDTH.get(name, 0))
                shares.append(min(1.0, (wanted / one.half_width) ** 2))
        return max(self.replications / MAXIMUM, min(shares, default=0.0))

    def settled(self, half_width: float) -> bool:
        """Say whether more replications are not worth making: it is precise, or has had the most of them."""
        return self.replications >= MAXIMUM or self.precise(half_width)


def short_run(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with a run of about its kind's SHORT_RUN packets, at most its own, and a warm-up."""
    own: dict[str, Any] = dict(point["stop"])
    most = kinds.of(point).SHORT_RUN
    if "connections" in own:
        sources = sum(group["count"] for group in point["sources"])
        size = kinds.of(point).packets(point) / sum(own.values())
        stop = on_off_rule(round(most / size), sources)
        stop["connections"] = min(stop["connections"], own["connections"])
        return {**point, "stop": stop, "probes": []}
    factor = min(1.0, most / kinds.of(point).packets(point))
    shorter = kinds.of(point).shortened(point, factor)
    if "duration_s" in own and shorter["stop"]["duration_s"] < (least := _least_duration(point)):
        shorter["stop"] = {"duration_s": min(least, own["duration_s"]), "warmup_s": least / 10}
    return {**shorter, "probes": []}


def _least_duration(point: Mapping[str, Any]) -> float:
    """Return 500 round trips of the empty path, at least 20 s: some cycles of the congestion window."""
    return max(20.0, 500 * float(point["return_delay_s"] + point["links"]["bottleneck"]["delay_s"]))
