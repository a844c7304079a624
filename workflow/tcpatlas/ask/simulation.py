"""Simulations that fit the time: run lengths planned by a trial, replications by the driver of all runs."""

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpatlas.answers.headline_metrics import QUEUEING_DELAY, QUEUEING_DELAY_95, answered, asked, unit
from tcpatlas.ask import path
from tcpatlas.base.engine_call import Engines, engine_arguments, engine_command, failure
from tcpatlas.base.errors import EngineError
from tcpatlas.base.files import to_json
from tcpatlas.base.statistics import Interval, t_interval
from tcpatlas.points import kinds
from tcpatlas.points.kinds.dumbbell_runs import begun_within, packet_time
from tcpatlas.points.parts.stop import on_off_rule
from tcpatlas.points.types import Point
from tcpatlas.runs.documents import Replications, Run, Value
from tcpatlas.runs.replications import replication_seed
from tcpatlas.runs.simulate import Waiting, simulate

CONFIDENCE = 0.95
# The width of an interval of fewer replications is itself uncertain. More are planned, since a busy machine
# slows long runs down more than a short trial.
REPLICATIONS = 8
_PLANNED = 14
_MOST = 1000
# A trial must last long enough to notice other programs on the machine.
_TRIAL_PACKETS, _TRIAL_SECONDS = 100_000, 0.1
# Where there is time, runs are longer than usual rather than more, and so is their warm-up: files that take
# long are the last to be completed, and too short a run misses them.
_LONGEST = 5
_SEARCH_PACKETS = 1_000_000
# No metric is asked for more exactly than this (a loss ratio of 0.01 %, a share of the rate, 0.1 ms).
_SMALLEST_HALF_WIDTH = {
    "loss_ratio": 0.0001,
    "utilisation": 0.001,
    QUEUEING_DELAY: 0.0001,
    QUEUEING_DELAY_95: 0.0001,
}
# Endless transfers: seconds, round trips and cycles of the congestion window that a run shows, and the fewest
# that say anything. Of cycles that take many packets there are fewer.
FEWEST_WINDOW_CYCLES = 6
_USUAL_CYCLES = (30.0, 500, 20)
_FEWEST_CYCLES = (30.0, 300, FEWEST_WINDOW_CYCLES)
_PACKETS_OF_CYCLES = {"packetsim": 40_000_000, "linux": 1_000_000}
# Slow start overshoots, and repairing its losses takes timeouts.
_WARMUP_SHARE = 1 / 3
# Of the warm-up. A lone flow to which nothing happens by chance repeats itself: replications begin it within
# this part, so that they see other phases of its cycles.
_START_SHARE, _LONGEST_SPREAD = 1 / 3, 3600.0
# Files: connections of each source in all, those of them that are warm-up, and connections of all sources.
# Shorter runs overestimate the network: the link is not yet full, and a mean of ratios is not the ratio of
# means.
_FEWEST_OF_SOURCE = 6
_LEAST_WARMUP = 2
_FEWEST = 260
# A share of the run is warm-up, too: where transfers starve, they do so long after the network is full.
_WARMUP_PART = 4

Progress = Callable[[Run, int, Mapping[str, Interval | None]], None]


@dataclass(frozen=True)
class Simulated:
    """A point with the summary of its replications; `packets` are those of a run, about.

    `cycles` are those of the slowest congestion window that a run of endless transfers shows; None of others.
    """

    point: Point
    runs: Replications
    packets: float
    cycles: float | None = None

    @property
    def replications(self) -> int:
        """The number of them."""
        return len(self.runs["seeds"])

    def interval(self, metric: str) -> Interval | None:
        """Return the interval of a metric; None where fewer than two replications give it."""
        entry = self.runs["metrics"].get(metric)
        if entry is None or "ci_low" not in entry:
            return None
        return Interval(float(entry["value"]), float(entry["ci_low"]), float(entry["ci_high"]))

    def half_width(self) -> float:
        """Return the widest half-width of what is asked, as a share of the value, or of what matters."""
        shares = [0.0]
        for metric in asked(self.point.document):
            if (interval := self.interval(metric)) and interval.half_width > 0:
                least = _SMALLEST_HALF_WIDTH.get(metric, 0.0)
                # Of rare losses the target is absolute.
                if interval.half_width > least:
                    shares.append(interval.half_width / abs(interval.mean) if interval.mean else 1.0)
        return max(shares)

    @property
    def short(self) -> bool:
        """Say whether a run shows too few cycles of the window to tell its mean."""
        return self.cycles is not None and self.cycles < FEWEST_WINDOW_CYCLES

    def limited(self) -> int | None:
        """Return the receiver's window, in packets, that limits senders; None if none does."""
        values = {name: float(metric["value"]) for name, metric in self.runs["metrics"].items()}
        return path.limited(self.point.document, values)


def simulated(
    engine: str,
    points: Sequence[Point],
    half_width: float,
    seconds: float | None,
    folder: Path,
    *,
    progress: Progress = lambda *_: None,
) -> list[Simulated]:
    """Return each point with replications until its intervals have a relative half-width, or time is up.

    Without `seconds` nothing but precision ends it. `progress` is told of each replication: run, number,
    intervals too wide. Raises EngineError with the engine's own line if it fails.
    """
    started = time.monotonic()
    at_once = cores()
    short = [usual_run(point.document, engine) for point in points]
    budget = math.inf
    if seconds is not None:
        speed = _speed(engine, short[0], folder, at_once)
        left = max(seconds - (time.monotonic() - started), 0.0)
        # Replications count in whole rounds.
        rounds = max(math.ceil(_PLANNED / at_once), 2)
        budget = speed * left / len(points) / (rounds * at_once)
    short = [
        fitted(document, budget, point.document["stop"], engine)
        for document, point in zip(short, points, strict=True)
    ]
    for document in short:
        targets = {name: _target(name, half_width) for name in asked(document)}
        document["replications"] = {"minimum": REPLICATIONS, "maximum": _MOST, "targets": targets}
    waiting = Waiting(
        None if seconds is None else started + seconds,
        at_once,
        _derived,
        lambda runs, _bounds, missed, _seconds: progress(runs[-1], len(runs), missed),
    )
    made = _simulate(engine, short, folder, waiting)
    return [
        _summary(point, document, runs) for point, document, runs in zip(points, short, made, strict=True)
    ]


def simulated_until(
    engine: str,
    point: Point,
    folder: Path,
    metric: str,
    enough: Callable[[Interval], bool],
    least: int,
    most: int,
) -> Simulated:
    """Return a point with replications until a metric's interval is enough, from the least to the most."""

    def clear(runs: Sequence[Run]) -> bool:
        values = [run["metrics"][metric]["value"] for run in runs if metric in run["metrics"]]
        return len(values) > 1 and enough(t_interval(values, CONFIDENCE))

    document = fitted(usual_run(point.document, engine), _SEARCH_PACKETS, engine=engine)
    document["replications"] = {"minimum": least, "maximum": most, "targets": {metric: {}}}
    waiting = Waiting(None, cores(), _derived, lambda *_: None, clear)
    (runs,) = _simulate(engine, [document], folder, waiting)
    return _summary(point, document, runs)


def given(engine: str, point: Point, folder: Path) -> tuple[str, ...]:
    """Return which metrics of an answer a run of the point gives, by a short one."""
    document = fitted(usual_run(point.document, engine), 1, engine=engine)
    document["replications"] = {"minimum": 2, "maximum": 2, "targets": {}}
    (runs,) = _simulate(engine, [document], folder, Waiting(None, 2, _derived, lambda *_: None))
    return tuple(runs["metrics"])


def repeated(
    engine: str,
    documents: Sequence[Mapping[str, Any]],
    runs: int,
    seconds: float,
    folder: Path,
    progress: Callable[[str], None],
) -> Iterator[Replications]:
    """Yield so many replications of each point as it is, or what `seconds` for all allow, three at least."""
    bounds = {"minimum": runs, "maximum": runs, "targets": {}}

    def report(made: Sequence[Run], *_: object) -> None:
        progress(f"{made[-1]['set']} by {engine}: run {len(made)} of {runs}")

    waiting = Waiting(time.monotonic() + seconds, cores(), _derived, report)
    points = [{**each, "replications": {**each["replications"], **bounds}} for each in documents]
    return _simulate(engine, points, folder, waiting)


def one_run(engine: str, document: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """Return the traces of a run of a point."""
    bounds = {"minimum": 2, "maximum": 2, "targets": {}}
    waiting = Waiting(None, 2, lambda *_: {}, lambda *_: None)
    points, command = [{**document, "replications": bounds}], engine_command(engine)
    (runs,) = simulate(points, engine, command, folder, CONFIDENCE, waiting=waiting)
    return runs.get("traces", {})


def _summary(point: Point, document: Mapping[str, Any], runs: Replications) -> Simulated:
    """Return the simulation of a point, of which `document` is what was run."""
    cycles = None
    if "duration_s" in document["stop"] and (cycle := _cycle(document)):
        cycles = document["stop"]["duration_s"] / cycle
    return Simulated(point, runs, kinds.of(document).packets(document), cycles)


def _simulate(
    engine: str, points: Sequence[Mapping[str, Any]], folder: Path, waiting: Waiting
) -> Iterator[Replications]:
    points = [_begun_anew(point) for point in points]
    return simulate(points, engine, engine_command(engine), folder, CONFIDENCE, waiting=waiting)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _target(metric: str, half_width: float) -> dict[str, float]:
    least = _SMALLEST_HALF_WIDTH.get(metric)
    return {"relative": half_width} | ({} if least is None else {"absolute": least})


def _derived(point: Mapping[str, Any], run: Run) -> dict[str, Value]:
    """Return the asked metrics that a run's own ones and its distributions lead to.

    What a short run acknowledges for the first time, but had received out of order in the warm-up, is no
    goodput of its own: users receive no more than the link carries.
    """
    metrics = dict(run["metrics"])
    carried, received = (
        metrics[name]["value"] if name in metrics else 0.0 for name in ("throughput", "goodput")
    )
    if received > carried > 0:
        for name in metrics.keys() & {
            "goodput",
            *(f"goodput[{group['name']}]" for group in point["sources"]),
        }:
            metrics[name] = {**metrics[name], "value": metrics[name]["value"] * carried / received}
    values = answered(point, {**run, "metrics": metrics})
    return {
        name: {"unit": unit(name), "value": value}
        for name, value in values.items()
        if name not in run["metrics"] or value != run["metrics"][name]["value"]
    }


def _speed(engine: str, point: Mapping[str, Any], folder: Path, at_once: int) -> float:
    """Return the packets per second that this machine now simulates on all cores, from a trial.

    Retransmissions are not counted: a link that loses a third of all packets takes longer.
    """
    # Too short a run for an answer still has the same time per packet.
    kind = kinds.of(point)
    trial = kind.shortened(point, min(_TRIAL_PACKETS / kind.packets(point), 1))
    command, file = engine_command(engine), folder / "trial.json"
    file.write_text(to_json(trial))
    outputs = [folder / f"trial-{number}.json" for number in range(at_once)]

    def run(number: int) -> float:
        started, runs = time.monotonic(), 0
        arguments = engine_arguments(file, replication_seed(trial, number + 1), outputs[number])
        while (seconds := time.monotonic() - started) < _TRIAL_SECONDS:
            if problem := failure([*command, *arguments], engine, outputs[number], engines):
                raise EngineError(str(problem).replace(f"{file}: ", "").replace(f"{file.name}: ", ""))
            runs += 1
        return runs * kind.packets(trial) / seconds

    with ThreadPoolExecutor(at_once) as threads, Engines() as engines:
        speeds = [threads.submit(run, number) for number in range(at_once)]
        # Meanwhile, the modules for intervals are loaded.
        t_interval([0.0, 1.0], CONFIDENCE)
        return sum(speed.result() for speed in speeds)


def usual_run(point: Mapping[str, Any], engine: str = "packetsim") -> dict[str, Any]:
    """Return the point with a run of about its kind's SHORT_RUN packets, at most its own, and a warm-up."""
    stop: dict[str, Any] = dict(point["stop"])
    kind = kinds.of(point)
    probes = [probe for probe in point["probes"] if probe["kind"] == "transfer-times"]
    if path.varies(point):
        return {**point, "probes": probes}
    if "connections" in stop:
        size = kind.packets(point) / sum(stop.values())
        rule = on_off_rule(round(kind.SHORT_RUN / size), _sources(point))
        total = min(sum(rule.values()), sum(stop.values()))
        return {**point, "stop": _connections_rule(total, _sources(point)), "probes": probes}
    shorter = kind.shortened(point, min(1.0, kind.SHORT_RUN / kind.packets(point)))
    if "duration_s" in stop and shorter["stop"]["duration_s"] < (
        least := _duration(point, engine, *_USUAL_CYCLES)
    ):
        shorter["stop"] = _duration_rule(min(least, stop["duration_s"]))
    return {**shorter, "probes": probes}


def fitted(
    point: Mapping[str, Any],
    packets: float,
    most: Mapping[str, float] | None = None,
    engine: str = "packetsim",
) -> dict[str, Any]:
    """Return the point with a run of about so many packets, where that says anything of the point.

    With the rule `most` a run may become longer, up to that rule. Each source completes a few connections
    after some of warm-up; endless transfers go through a few cycles.
    """
    kind, stop = kinds.of(point), point["stop"]
    share = packets / kind.packets(point)
    if path.varies(point):
        return dict(point)
    if share >= 1:
        if most is None:
            return dict(point)
        factor = min(share, _LONGEST)
        longer = {key: type(value)(value * factor) for key, value in stop.items()}
        bounded = {
            key: value if key.startswith("warmup") else min(value, most[key]) for key, value in longer.items()
        }
        return {**point, "stop": bounded}
    if "connections" in stop:
        sources = _sources(point)
        whole = sum(stop.values())
        total = min(max(round(whole * share), _FEWEST_OF_SOURCE * sources, _FEWEST), whole)
        return {**point, "stop": _connections_rule(total, sources)}
    if "duration_s" in stop:
        total = stop["duration_s"] + stop["warmup_s"]
        least = _duration(point, engine, *_FEWEST_CYCLES)
        return {**point, "stop": _duration_rule(min(max(total * share, least), stop["duration_s"]))}
    return kind.shortened(point, share)


def _connections_rule(total: int, sources: int) -> dict[str, int]:
    """Return the rule of a run of so many connections, its warm-up included."""
    warmup = min(max(total // _WARMUP_PART, _LEAST_WARMUP * sources), total - 1)
    return {"connections": total - warmup, "warmup_connections": warmup}


def _sources(point: Mapping[str, Any]) -> int:
    return sum(group["count"] for group in point["sources"])


def _duration(point: Mapping[str, Any], engine: str, seconds: float, round_trips: int, cycles: int) -> float:
    """Return so many seconds, round trips of the empty path or cycles of the window, what is longest."""
    trip = float(point["return_delay_s"] + point["links"]["bottleneck"]["delay_s"])
    afforded = _PACKETS_OF_CYCLES[engine] * packet_time(point)
    return max(seconds, round_trips * trip, min(cycles * _cycle(point), afforded))


def _cycle(point: Mapping[str, Any]) -> float:
    """Return the seconds of the window's cycle of endless transfers over a dumbbell; 0 of anything else."""
    bulk = all(group["workload"]["kind"] == "bulk" for group in point["sources"])
    return path.cycle(point) if bulk and point["kind"] == "dumbbell" and not path.varies(point) else 0.0


def _duration_rule(seconds: float) -> dict[str, float]:
    return {"duration_s": seconds, "warmup_s": seconds * _WARMUP_SHARE}


def _begun_anew(point: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the point with a lone endless transfer that begins at another time in each replication."""
    (group, *others) = point["sources"]
    alone = not others and group["count"] == 1 and group["workload"]["kind"] == "bulk"
    certain = alone and not kinds.of(point).is_random(point) and not path.varies(point)
    if not certain or "duration_s" not in point["stop"]:
        return point
    spread = min(_START_SHARE * point["stop"]["warmup_s"], _LONGEST_SPREAD)
    return begun_within(point, spread)
