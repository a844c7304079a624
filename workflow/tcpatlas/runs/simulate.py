"""Independent replications of one point by one engine, until the targets hold or the maximum is reached."""

import json
import math
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np

from tcpatlas.base.engine_call import Engines, engine_arguments, failure
from tcpatlas.base.errors import ConfigError, EngineError
from tcpatlas.base.files import read_json, to_json, write_if_changed
from tcpatlas.base.statistics import (
    Interval,
    above,
    narrow_enough,
    pointwise_band,
    pointwise_intervals,
    summary,
    t_interval,
)
from tcpatlas.base.validation import check
from tcpatlas.points import kinds
from tcpatlas.points.documents import PointDocument
from tcpatlas.points.engines import all_engines
from tcpatlas.points.nuisance import applied
from tcpatlas.points.run_length import shortened
from tcpatlas.runs.cache import Cache
from tcpatlas.runs.documents import MeanDistribution, Replications, Run, Value
from tcpatlas.runs.replications import engine_hash, point_hash, replication_seed

T = TypeVar("T")
POINT_FILE = "point.json"
# An interval of two is six times as wide as one of three.
_LEAST_RUNS = 3
_Report = Callable[[Sequence[Run], Mapping[str, Any], Mapping[str, Interval | None], float | None], None]


@dataclass(frozen=True)
class Waiting:
    """What the driver does differently for a caller who waits for the answer.

    At `deadline` (of `time.monotonic()`; None: never) a point ends with the replications that it has, three
    or more, of whole rounds; each point gets an equal share of the time that is left. `at_once` replications
    run at the same time. `derive` returns metrics to add to a run of a point, which targets may name.
    `report` receives each replication in place of standard error. `enough` ends a point, too.
    """

    deadline: float | None
    at_once: int
    derive: Callable[[Mapping[str, Any], Run], Mapping[str, Value]]
    report: _Report
    enough: Callable[[Sequence[Run]], bool] = lambda _: False


def simulate(
    points: Sequence[PointDocument],
    engine: str,
    command: Sequence[str],
    work: Path,
    confidence: float = 0.95,
    lengths: Mapping[str, float] = MappingProxyType({}),
    waiting: Waiting | None = None,
    cache: Path | None = None,
) -> Iterator[Replications]:
    """Yield the replications of each point; those in the folder `cache`, if one is given, are not made again.

    `lengths` are by set; one below 1 is for a slow engine: the point is shortened by it, with the least
    number of replications. In `<work>/<study>/<set>/<point>/<engine>/` are the engine's input `point.json`
    and what it wrote, unless that is in the cache. Raises EngineError if the engine fails, ConfigError if
    what it writes is no run of the point.
    """
    program = shutil.which(command[0])
    if program is None:
        raise EngineError(f"{command[0]}: the engine {engine} is not there; build it, or name its program")
    call = [program, *command[1:]]
    kept = Cache(cache, engine_hash(call, _needed(engine))) if cache else None
    for index, point in enumerate(points):
        factor = lengths.get(point["set"], 1)
        shorter = cast(PointDocument, shortened(point, factor)) if factor < 1 else point
        folder = work / point["study"] / point["set"] / point["point"] / engine
        write_if_changed(folder / POINT_FILE, to_json(shorter))
        until = math.inf
        if waiting and waiting.deadline is not None:
            now = time.monotonic()
            until = now + (waiting.deadline - now) / (len(points) - index)
        yield _replications(shorter, engine, call, command, folder, confidence, waiting, until, kept)


def _needed(engine: str) -> list[Path]:
    """Return the files that an engine needs, without its program."""
    required = all_engines()[engine].requires
    return [place for each in required for place in each.places if place.is_file()]


def _replications(
    point: PointDocument,
    engine: str,
    call: list[str],
    command: Sequence[str],
    folder: Path,
    confidence: float,
    waiting: Waiting | None,
    until: float,
    kept: Cache | None,
) -> Replications:
    """Return the replications of a point, from the cache or simulated."""
    bounds = point["replications"]
    runs: list[Run] = []
    failed = math.inf

    def replicate_unless_one_failed(number: int) -> tuple[Run, float | None]:
        nonlocal failed
        # Earlier replications are finished and read before the error is raised; later ones do not start.
        if number > failed:
            raise CancelledError
        try:
            return replicate(number)
        except BaseException:
            failed = min(failed, number)
            raise

    def replicate(number: int) -> tuple[Run, float | None]:
        """Return a replication and its seconds, None if it came from the cache."""
        file, point_key = _write_variant(point, number, folder)
        seed, output = replication_seed(point, number), folder / f"{number}.json"
        output.unlink(missing_ok=True)
        if kept and (content := kept.read(point_key, seed)):
            return _run_of(json.loads(content), output, seed, point, engine), None
        started = time.monotonic()
        _call_engine(call, command, file, seed, output, engines)
        seconds = time.monotonic() - started
        run = _run_of(read_json(output), output, seed, point, engine)
        if kept:
            kept.keep(point_key, seed, output.read_bytes())
            output.unlink()
        return run, seconds

    at_once = waiting.at_once if waiting else 1
    report = waiting.report if waiting else _report
    # Beyond the minimum a pool would start replications before the last one is checked; who waits has no
    # time to lose.
    ahead = bounds["maximum"] if waiting else bounds["minimum"]
    # Leaving the pool waits for its threads, so their engines are ended first.
    with ExitStack() as stack:
        threads = [stack.enter_context(ThreadPoolExecutor(1)) for _ in range(at_once)]
        engines = stack.enter_context(Engines())
        first = range(1, ahead + 1)
        started: Iterator[tuple[Run, float | None]] = (
            _rounds(
                [threads[number % at_once].submit(replicate_unless_one_failed, number) for number in first],
                at_once,
                until,
            )
            if waiting or at_once > 1
            else map(replicate, first)
        )
        more = map(replicate, range(first.stop, bounds["maximum"] + 1))
        for run, seconds in chain(started, more):
            runs.append(run)
            if waiting:
                run["metrics"].update(waiting.derive(point, run))
            missed = _missed_targets(runs, bounds, confidence, folder / POINT_FILE)
            report(runs, bounds, missed, seconds)
            if len(runs) >= bounds["minimum"] and (not missed or (waiting and waiting.enough(runs))):
                break
    return summarise(
        runs, confidence, random=kinds.of(point).is_random(point), band="variants" in point["replications"]
    )


def _rounds(futures: Sequence[Future[T]], at_once: int, until: float) -> Iterator[T]:
    """Yield results in order; once time is up, beyond the first few only those of whole rounds.

    In a round each thread, which works through a series of its own, makes one. Runs finished when time is up
    tend to be short ones, so counting them all would bias the mean; among whole rounds order does not matter,
    so their mean is unbiased (Glynn and Heidelberger 1990, "Bias properties of
    budget constrained simulations", for one thread).
    """
    for first in range(0, len(futures), at_once):
        these = futures[first : first + at_once]
        if first >= _LEAST_RUNS:
            left = None if until == math.inf else max(until - time.monotonic(), 0)
            if wait(these, left, FIRST_EXCEPTION).not_done and time.monotonic() >= until:
                return
        for future in these:
            yield future.result()


def _write_variant(point: PointDocument, number: int, folder: Path) -> tuple[Path, str]:
    """Return the file of a replication's point, and the point's hash; each variant has a file of its own."""
    variants = point["replications"].get("variants", ())
    if number == 1 or not variants:
        return folder / POINT_FILE, point_hash(point)
    variant = applied(point, variants[number - 2])
    file = folder / f"point-{number}.json"
    write_if_changed(file, to_json(variant))
    return file, point_hash(variant)


def summarise(
    runs: Sequence[Run], confidence: float, *, random: bool = True, band: bool = False
) -> Replications:
    """Return two or more runs of a point as means with intervals, or as the first one with a band.

    Unless something `random` happens in a run, numbers that are the same in all of them are exact.

    A rare metric (of files of an interval of sizes, say) may be absent from some runs: it is averaged over
    the others. Only distributions that all runs give are kept, up to the largest value that any of them saw.
    """
    first = runs[0]
    units_of = {name: run["metrics"][name]["unit"] for run in runs for name in run["metrics"]}
    metrics = {
        name: summary(unit, _values(name, runs), confidence, band=band) for name, unit in units_of.items()
    }
    distributions: dict[str, MeanDistribution] = {}
    for name in first["distributions"]:
        if all(name in run["distributions"] for run in runs):
            shares = [run["distributions"][name]["probability"] for run in runs]
            tails = [above(share) for share in shares]
            (mean, *ends), (_, *above_ends) = (
                pointwise_band(each) if band else pointwise_intervals(each, confidence)
                for each in (shares, tails)
            )
            length = max(1, np.trim_zeros(mean, "b").size)
            low, high, above_low, above_high = (each[:length].tolist() for each in (*ends, *above_ends))
            distributions[name] = {
                "unit": first["distributions"][name]["unit"],
                "probability": mean[:length].tolist(),
                "ci_low": low,
                "ci_high": high,
                "above_ci_low": above_low,
                "above_ci_high": above_high,
            }
    replications: Replications = {
        "schema": "tcp-atlas/replications/1",
        "engine": first["engine"],
        "engine_version": first["engine_version"],
        "study": first["study"],
        "set": first["set"],
        "point": first["point"],
        "seeds": [run["seed"] for run in runs],
        "metrics": metrics,
        "distributions": distributions,
    }
    if not random and all(_numbers(run) == _numbers(first) for run in runs):
        replications["exact"] = True
    elif band:
        replications["band"] = True
    if "traces" in first:
        # A trace is an example, not an average.
        replications["traces"] = first["traces"]
    return replications


def _values(name: str, runs: Sequence[Run]) -> list[float]:
    """Return a metric's values in the runs that give it."""
    return [run["metrics"][name]["value"] for run in runs if name in run["metrics"]]


def _numbers(run: Run) -> tuple[Any, Any]:
    return run["metrics"], run["distributions"]


def _call_engine(
    call: list[str], command: Sequence[str], point_file: Path, seed: int, output: Path, engines: Engines
) -> None:
    """Run the engine once; EngineError holds its own line and the command that shows it again."""
    arguments = engine_arguments(point_file, seed, output)
    problem = failure([*call, *arguments], command[0], output, engines)
    if problem is not None:
        raise type(problem)(f"{problem}\nagain: {shlex.join([*command, *arguments])}")


def _run_of(data: Any, output: Path, seed: int, point: PointDocument, engine: str) -> Run:
    run = check(Run, data, output)
    for key, written, asked in (
        ("engine", run["engine"], engine),
        ("seed", run["seed"], seed),
        ("study", run["study"], point["study"]),
        ("set", run["set"], point["set"]),
        ("point", run["point"], point["point"]),
    ):
        if written != asked:
            raise ConfigError(output, key, f"{written!r} is not what was asked for", f"{asked!r}")
    return run


def _missed_targets(
    runs: Sequence[Run], bounds: Mapping[str, Any], confidence: float, point_file: Path
) -> dict[str, Interval | None]:
    """Return the metrics whose intervals are still too wide; None if there is no interval yet.

    The configuration's targets cover all workloads: metrics that these runs lack are skipped. Raises
    ConfigError if they lack all of them.
    """
    missed: dict[str, Interval | None] = {}
    targets, measured = bounds["targets"], {name for run in runs for name in run["metrics"]}
    if targets and not targets.keys() & measured:
        where = f"replications.targets.{next(iter(targets))}"
        raise ConfigError(
            point_file, where, "the engine gives no such metric", f"one of: {', '.join(runs[0]['metrics'])}"
        )
    for name, target in targets.items():
        if name not in measured:
            continue
        values = _values(name, runs)
        interval = t_interval(values, confidence) if len(values) > 1 else None
        if interval is None or not narrow_enough(interval, **target):
            missed[name] = interval
    return missed


def _report(
    runs: Sequence[Run],
    bounds: Mapping[str, Any],
    missed: Mapping[str, Interval | None],
    seconds: float | None,
) -> None:
    """Print one line of progress to standard error."""
    run = runs[-1]
    sent = run["counters"]["packets_sent"]
    cost = (
        "kept" if seconds is None else f"{seconds:.1f} s, {sent / max(seconds, 1e-9) / 1e6:.2f} M packets/s"
    )
    widths = [
        f"{name} {interval.mean:.6g} ± {interval.half_width:.2g}"
        for name, interval in missed.items()
        if interval
    ]
    state = f"; still wide: {', '.join(widths)}" if widths else "" if missed else "; targets hold"
    print(
        f"{run['study']}/{run['set']}/{run['point']}: replication {len(runs)} of {bounds['minimum']} to "
        f"{bounds['maximum']}, seed {run['seed']}, {sent / 1e6:.2f} M packets, {cost}{state}",
        file=sys.stderr,
        flush=True,
    )
