"""Measure how many packets a second of one core the simulators handle (`./atlas bench`).

Every program runs the same point, table 6 of the on-off paper with 134 sources, in turn and several times
over, so that a machine whose speed drifts is as slow for one as for the other. CPU time and peak memory are
the operating system's account of the finished process. What a program needs before the first packet is taken
out: each makes a short and a long run, and the difference counts. Instructions, mispredicted branches and
cache misses a packet come from valgrind's callgrind, which counts the same ones every time: branches and
caches are its models, not this processor's.

The columns of what it writes are in docs/formats.md.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from tcpatlas.base.errors import AtlasError, ConfigError, EngineError
from tcpatlas.base.files import read_yaml, to_json, write_atomically
from tcpatlas.config.load import CONFIG_FILE, load_project
from tcpatlas.metadata.provenance import cpu_model
from tcpatlas.points.engines import missing
from tcpatlas.points.run_length import shortened

SCENARIO, SET, POINT = (
    "scenarios/papers/engset/scenario.yaml",
    "table-06",
    "count-134_distribution-exponential",
)
NS2_SCRIPT = "workflow/engines/ns2/dumbbell.tcl"
CALLGRIND = (
    *("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"),
    # Caches of a usual size, lest the counts depend on the processor.
    *("--branch-sim=yes", "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"),
)
# Columns, and callgrind's events that they are sums of.
COUNTED = {
    "instructions_per_packet": ("Ir",),
    "mispredictions_per_packet": ("Bcm", "Bim"),
    "l1_misses_per_packet": ("I1mr", "D1mr", "D1mw"),
    "ll_misses_per_packet": ("ILmr", "DLmr", "DLmw"),
}

Document = Mapping[str, Any]
Command = tuple[str, ...]


@dataclass(frozen=True)
class Cost:
    """The cost of one process: packets sent, CPU seconds, peak memory in bytes; and its own words."""

    packets: int
    cpu_s: float
    peak_memory_bytes: int
    messages: str


@dataclass(frozen=True)
class Program:
    """A simulator; `run` makes it run a point, behind a command that watches it or none.

    `timed` and `counted` are the lengths of its short and its long run, as shares of the paper's own:
    callgrind makes a run some fifty times slower.
    """

    name: str
    version: str
    timed: tuple[float, float]
    counted: tuple[float, float]
    run: Callable[[Document, Command], Cost]


def paper_point(scenario: str, set_name: str, name: str) -> Document:
    """Return a point as a run at paper scale has it."""
    config = {**read_yaml(Path(CONFIG_FILE), CONFIG_FILE), "scale": "paper", "scenarios": [scenario]}
    for point in load_project(config).points:
        if (point.set, point.name) == (set_name, name):
            return point.document
    raise ConfigError(scenario, f"sets.{set_name}", f"the point {name} is not there", "the benchmark's point")


def table_6() -> Document:
    """Return the point that every program runs."""
    return paper_point(SCENARIO, SET, POINT)


def account(command: Command) -> tuple[str, str, float, int]:
    """Run a command; return its output, its messages, CPU seconds and peak memory in bytes (EngineError)."""
    with (
        tempfile.TemporaryFile("w+") as output,
        tempfile.TemporaryFile("w+") as messages,
        tempfile.NamedTemporaryFile("r") as memory,
    ):
        # A process forked by this one would be charged with its memory; /usr/bin/time has next to none.
        timed = ("/usr/bin/time", "--quiet", "--format", "%M", "--output", memory.name, *command)
        process = subprocess.Popen(timed, stdout=output, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        messages.seek(0)
        text = messages.read()
        if process.returncode != 0:
            raise _failed(command, text, process.returncode)
        return output.read(), text, usage.ru_utime + usage.ru_stime, int(memory.read()) * 1024


def engine(name: str) -> str:
    """Return the program of one of our engines."""
    return f"build/release/{name}/{name}"


def run_engine(name: str, point: Document, watch: Command = ()) -> Cost:
    """Run one of our engines on a point."""
    with tempfile.TemporaryDirectory() as folder:
        point_file, out = Path(folder, "point.json"), Path(folder, "run.json")
        point_file.write_text(to_json(point))
        call = (*watch, engine(name), "--point", str(point_file), "--seed", "1", "--out", str(out))
        _, messages, cpu_s, peak = account(call)
        return Cost(json.loads(out.read_text())["counters"]["packets_sent"], cpu_s, peak, messages)


def run_ns2(point: Document, watch: Command = ()) -> Cost:
    """Run ns-2 on a point of on-off sources whose sizes and OFF times are exponential."""
    (group,) = point["sources"]
    links, tcp, workload = {**point["links"], "access": group["access"]}, group["tcp"], group["workload"]
    names = {
        "connections": sum(point["stop"].values()),
        "seed": 1,
        "sources": point["sources"][0]["count"],
        "mean_packets": workload["file_size"]["mean_packets"],
        "minimum_packets": workload["file_size"]["minimum_packets"],
        "off_s": workload["off_time"]["mean_s"],
        "packet_bytes": point["packet_bytes"],
        "ack_bytes": point["ack_bytes"],
        "rwnd_packets": tcp["rwnd_packets"],
        "initial_window_packets": tcp["initial_window_packets"],
        "min_rto_s": tcp["min_rto_s"],
        "max_rto_s": tcp["max_rto_s"],
        **{f"{name}_bit_per_s": link["rate_bit_per_s"] for name, link in links.items()},
        "buffer_packets": links["bottleneck"]["buffer_packets"],
        "bottleneck_delay_s": links["bottleneck"]["delay_s"],
        "return_delay_s": point["return_delay_s"],
    }
    arguments = [text for name, value in names.items() for text in (name, str(value))]
    output, messages, cpu_s, peak = account((*watch, "ns", NS2_SCRIPT, *arguments))
    return Cost(int(output.split()[0]), cpu_s, peak, messages)


def output_of(*command: str, stdin: str = "") -> str:
    """Return what a command prints (EngineError if it fails)."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise _failed(command, done.stderr, done.returncode)
    return done.stdout.strip()


def _failed(command: Command, messages: str, status: int) -> EngineError:
    last = (messages.strip().splitlines() or [f"exit status {status}"])[-1]
    return EngineError(f"bench: {' '.join(command)}: {last}")


def engine_version(name: str) -> str:
    """Return the version of one of our engines."""
    return output_of(engine(name), "--version").split()[-1]


def programs() -> Iterator[Program]:
    """Yield the simulators, ours first; without ns-3 it says so."""
    run = partial(run_engine, "packetsim")
    yield Program("packetsim", engine_version("packetsim"), (0.01, 1), (0.01, 0.05), run)
    version = output_of("ns", "-", stdin="puts [ns-version]")
    yield Program("ns-2", version, (0.001, 0.01), (0.0005, 0.0015), run_ns2)
    if Path(engine("ns3")).exists():
        run = partial(run_engine, "ns3")
        yield Program("ns-3", engine_version("ns3"), (0.0005, 0.005), (0.0005, 0.001), run)
    else:
        print(f"bench: {missing('ns3') or 'the engine ns3 is not built; it is left out'}", file=sys.stderr)


def net(program: Program, point: Document) -> Cost:
    """Return what the long run cost beyond the short one; the peak of memory is its own."""
    short, long = (program.run(shortened(point, length), ()) for length in program.timed)
    return Cost(long.packets - short.packets, long.cpu_s - short.cpu_s, long.peak_memory_bytes, long.messages)


def counted_events(messages: str) -> dict[str, int]:
    """Return callgrind's events by name, from what it printed (EngineError)."""
    events, counts = (re.search(rf"{line}\s*: (.+)", messages) for line in ("Events", "Collected"))
    if events is None or counts is None:
        raise EngineError("bench: valgrind printed no count of events")
    return dict(zip(events[1].split(), map(int, counts[1].split()), strict=True))


def counts_per_packet(program: Program, point: Document) -> dict[str, float]:
    """Return the columns of COUNTED: events per packet, less a short run's."""
    short, long = (program.run(shortened(point, length), CALLGRIND) for length in program.counted)
    before, after = counted_events(short.messages), counted_events(long.messages)
    return {
        column: sum(after[event] - before[event] for event in events) / (long.packets - short.packets)
        for column, events in COUNTED.items()
    }


def row(
    program: str, version: str, case: str, point: Document, costs: list[Cost], counts: Mapping[str, float]
) -> dict[str, Any]:
    """Return a row of the result, of runs of the same packets; the rate is that of the median time."""
    cpu_s = [cost.cpu_s for cost in costs]
    return {
        "program": program,
        "version": version,
        "case": case,
        "sources": point["sources"][0]["count"],
        "buffer_packets": point["links"]["bottleneck"]["buffer_packets"],
        "repeats": len(costs),
        "packets": costs[0].packets,
        "cpu_s": statistics.median(cpu_s),
        "cpu_s_low": min(cpu_s),
        "cpu_s_high": max(cpu_s),
        "packets_per_core_second": costs[0].packets / statistics.median(cpu_s),
        **counts,
        "peak_memory_bytes": max(cost.peak_memory_bytes for cost in costs),
        "cpu": cpu_model(),
    }


def compare(point: Document, repeats: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each simulator on the point, run in turn."""
    present = list(programs())
    costs: dict[str, list[Cost]] = {program.name: [] for program in present}
    for _ in range(repeats):
        for program in present:
            cost = net(program, point)
            costs[program.name].append(cost)
            say(program.name, cost.packets / cost.cpu_s)
    for program in present:
        counts = counts_per_packet(program, point)
        yield row(program.name, program.version, SET, point, costs[program.name], counts)


def say(what: str, rate: float) -> None:
    """Print a rate."""
    print(f"bench: {what}: {rate:,.0f} packets per core-second", flush=True)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="atlas bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("results/bench.csv"), help="where the rows go (CSV)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each program and case (default 5)")
    parser.add_argument("--quick", action="store_true", help="one run each")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    rows = list(compare(table_6(), 1 if arguments.quick else arguments.repeats))
    write_atomically(arguments.out, pd.DataFrame(rows).to_csv(index=False))
    print(f"bench: wrote {arguments.out}")


if __name__ == "__main__":
    try:
        main()
    except AtlasError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"bench: {error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit("bench: interrupted")
