"""Independent replications of one point by one engine, until the targets hold or the maximum is reached."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tcpatlas.base import schema
from tcpatlas.base.errors import ConfigError, EngineError
from tcpatlas.base.files import read_json, to_json, write_atomically, write_if_changed
from tcpatlas.base.statistics import Interval, narrow_enough, pointwise_intervals, t_interval
from tcpatlas.points.run_length import shortened
from tcpatlas.runs.replications import Replication, engine_hash, point_hash, replication_seed

Run = Mapping[str, Any]


def simulate(
    point_file: Path,
    engine: str,
    command: Sequence[str],
    out: Path,
    confidence: float = 0.95,
    length: float = 1,
) -> None:
    """Run the replications that are missing and write their summary (`replications.schema.json`) to `out`.

    `length` below 1 is for a slow engine: the point is shortened by it and replicated as often as it must be.
    Replications are kept in `<out without .json>.replications/` and used again while point and engine are the
    same. Raises EngineError if the engine fails or writes something else than a run, ConfigError if the point
    is wrong.
    """
    point = read_json(point_file)
    schema.validate(point, schema.load("point"), point_file)
    if length < 1:
        point = shortened(point, length)
        point_file = out.with_suffix(".point.json")
        write_atomically(point_file, to_json(point))
    program = shutil.which(command[0])
    if program is None:
        raise EngineError(f"{command[0]}: the engine {engine} is not there; build it, or name its program")
    folder = out.with_suffix(".replications")
    folder.mkdir(parents=True, exist_ok=True)
    call = [program, *command[1:]]
    point_key, engine_key = point_hash(point), engine_hash(call)
    bounds = point["replications"]
    runs: list[Run] = []
    while len(runs) < bounds["maximum"]:
        number = len(runs) + 1
        replication = Replication(folder, number, replication_seed(point, number), point_key, engine_key)
        started = time.monotonic()
        kept = replication.is_kept()
        if not kept:
            replication.discard()
            _call_engine(call, command, point_file, replication)
        runs.append(_read_run(replication, point, engine))
        if not kept:
            replication.keep()
        missed = _missed_targets(runs, bounds, confidence, point_file)
        _report(runs, bounds, missed, None if kept else time.monotonic() - started)
        if number >= bounds["minimum"] and not missed:
            break
    write_if_changed(out, to_json(summarise(runs, confidence)))


def summarise(runs: Sequence[Run], confidence: float) -> dict[str, Any]:
    """Return two or more runs of a point as means with intervals.

    What is rare (files of an interval of sizes, say) may be absent from some of them: it is averaged over
    those that give it. Distributions are those that all give, without what none of them saw at their ends.
    """
    first = runs[0]
    given = {name: run["metrics"][name]["unit"] for run in runs for name in run["metrics"]}
    metrics = {name: _summary(name, unit, runs, confidence) for name, unit in given.items()}
    distributions = {}
    for name in first["distributions"]:
        if all(name in run["distributions"] for run in runs):
            mean, low, high = pointwise_intervals(
                [run["distributions"][name]["probability"] for run in runs], confidence
            )
            length = max(1, np.trim_zeros(mean, "b").size)
            distributions[name] = {
                "unit": first["distributions"][name]["unit"],
                "probability": mean[:length].tolist(),
                "ci_low": low[:length].tolist(),
                "ci_high": high[:length].tolist(),
            }
    return {
        "schema": "tcp-atlas/replications/1",
        **{key: first[key] for key in ("engine", "engine_version", "study", "set", "point")},
        "seeds": [run["seed"] for run in runs],
        "metrics": metrics,
        "distributions": distributions,
        # One run's course is an example, not an average.
        **({"traces": first["traces"]} if "traces" in first else {}),
    }


def _summary(name: str, unit: str, runs: Sequence[Run], confidence: float) -> dict[str, Any]:
    """Return a metric's mean over the runs that give it, with an interval where more than one does."""
    values = [run["metrics"][name]["value"] for run in runs if name in run["metrics"]]
    if len(values) == 1:
        return {"unit": unit, "value": values[0], "values": values}
    interval = t_interval(values, confidence)
    return {
        "unit": unit,
        "value": interval.mean,
        "ci_low": interval.low,
        "ci_high": interval.high,
        "values": values,
    }


def _call_engine(call: list[str], command: Sequence[str], point_file: Path, replication: Replication) -> None:
    """Run the engine once; EngineError holds its own line and the command that shows it again."""
    arguments = [
        "--point",
        str(point_file),
        "--seed",
        str(replication.seed),
        "--out",
        str(replication.output),
    ]
    again = shlex.join([*command, *arguments])
    process = subprocess.Popen(
        [*call, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _, said = process.communicate()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode < 0:
        said = f"{command[0]}: killed by {signal.Signals(-process.returncode).name}"
    elif process.returncode > 0:
        said = said.strip() or f"{command[0]}: exit status {process.returncode}, without a word"
    elif not replication.output.is_file():
        said = f"{command[0]}: exit status 0, but no output"
    else:
        return
    raise EngineError(f"{said}\nagain: {again}")


def _read_run(replication: Replication, point: Mapping[str, Any], engine: str) -> Run:
    run: Run = read_json(replication.output)
    schema.validate(run, schema.load("run"), replication.output)
    expected = {"engine": engine, "seed": replication.seed} | {
        key: point[key] for key in ("study", "set", "point")
    }
    for key, value in expected.items():
        if run[key] != value:
            raise ConfigError(
                replication.output, key, f"{run[key]!r} is not what was asked for", f"{value!r}"
            )
    return run


def _missed_targets(
    runs: Sequence[Run], bounds: Mapping[str, Any], confidence: float, point_file: Path
) -> dict[str, Interval | None]:
    """Return the metrics whose intervals are still too wide; None where there is no interval yet."""
    missed: dict[str, Interval | None] = {}
    for name, target in bounds["targets"].items():
        values = [run["metrics"][name]["value"] for run in runs if name in run["metrics"]]
        if not values:
            allowed = f"one of: {', '.join(runs[0]['metrics'])}"
            raise ConfigError(
                point_file, f"replications.targets.{name}", "the engine gives no such metric", allowed
            )
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
