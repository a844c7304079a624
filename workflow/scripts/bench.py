"""Measure how many packets a second of one core the simulators handle.

    python workflow/scripts/bench.py [--out results/bench.csv] [--repeats 5] [--quick]

Every program runs the same case, table 6 of Zaragoza 2014 (N = 134, E), in turn and several times over, so
that a machine whose speed drifts is as slow for one as for the other. CPU time and peak memory are the
operating system's account of the finished process. What a program needs before the first packet is taken
out: each runs a short and a long case, and the difference counts. A second part takes packetsim alone from
10 to 100,000 sources and from 10 to 100,000 packets of buffer. Instructions a packet come from valgrind's
callgrind, which counts the same ones every time.

Writes one row a program and case: program, version, case, sources, buffer_packets, packets, cpu_s,
cpu_s_low, cpu_s_high, packets_per_core_second, instructions_per_packet, peak_memory_bytes. `cpu_s` is the
median of the repeats. A program that is not installed is left out, with a line that says so.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
PACKETSIM = ROOT / "build/release/packetsim/packetsim"
NS3 = ROOT / "build/release/ns3/ns3"
NS2_SCRIPT = ROOT / "workflow/simulators/ns2/dumbbell.tcl"

# Zaragoza 2014, table 6: 100 Mbit/s in, 10 Mbit/s, 2 Mbit/s out, RTT 50 ms.
TABLE_6: dict[str, Any] = {
    "schema": "tcp-atlas/point/1",
    "study": "bench",
    "set": "table-06",
    "point": "n134",
    "parameters": {},
    "links": {
        "access": {"rate_bit_per_s": 100e6, "delay_s": 0},
        "bottleneck": {
            "rate_bit_per_s": 10e6,
            "delay_s": 0.02134,
            "loss_probability": 0,
            "queue": "drop-tail",
            "buffer_packets": 200,
        },
        "egress": {"rate_bit_per_s": 2e6, "delay_s": 0},
    },
    "return_delay_s": 0.02134,
    "packet_bytes": 1500,
    "ack_bytes": 0,
    "tcp": {
        "variant": "newreno",
        "rwnd_packets": 44,
        "initial_window_packets": 2,
        "min_rto_s": 1,
        "max_rto_s": 64,
    },
    "sources": {
        "count": 134,
        "workload": {
            "kind": "on-off",
            "file_size": {"distribution": "exponential", "mean_packets": 12, "minimum_packets": 3},
            "off_time": {"distribution": "exponential", "mean_s": 1},
        },
    },
    "stop": {"connections": 800000, "warmup_connections": 0},
    "probes": [],
    "replications": {"minimum": 2, "maximum": 2, "targets": {}},
    "seed": 1,
}


@dataclass(frozen=True)
class Cost:
    """What one process took: packets sent, CPU seconds, peak memory in bytes."""

    packets: int
    cpu_s: float
    peak_memory_bytes: int


@dataclass(frozen=True)
class Program:
    """A simulator: its name, version, and how to run so many connections of the case."""

    name: str
    version: str
    short: int
    long: int
    run: Callable[[int], Cost]


def account(command: list[str]) -> tuple[str, float, int]:
    """Run a command; return its output, CPU seconds and peak memory in bytes. Exits where it fails."""
    with tempfile.TemporaryFile("w+") as output, tempfile.NamedTemporaryFile("r") as memory:
        # A process forked by this one would be charged with its memory; /usr/bin/time has next to none.
        process = subprocess.Popen(
            ["/usr/bin/time", "--format", "%M", "--output", memory.name, *command], stdout=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"bench: {' '.join(command)}: exit status {process.returncode}")
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime, int(memory.read()) * 1024


def point_of(
    connections: int, sources: int = 134, buffer_packets: int = 200, rate_bit_per_s: float = 10e6
) -> Any:
    """Return the case as a point."""
    point = copy.deepcopy(TABLE_6)
    point["stop"]["connections"] = connections
    point["sources"]["count"] = sources
    point["links"]["bottleneck"]["buffer_packets"] = buffer_packets
    point["links"]["bottleneck"]["rate_bit_per_s"] = rate_bit_per_s
    return point


def run_engine(engine: Path, point: Any, prefix: tuple[str, ...] = ()) -> Cost:
    """Run one of our engines on a point."""
    with tempfile.TemporaryDirectory() as folder:
        point_file, out = Path(folder, "point.json"), Path(folder, "run.json")
        point_file.write_text(json.dumps(point))
        command = [*prefix, str(engine), "--point", str(point_file), "--seed", "1", "--out", str(out)]
        _, cpu_s, peak = account(command)
        return Cost(json.loads(out.read_text())["counters"]["packets_sent"], cpu_s, peak)


def run_ns2(connections: int) -> Cost:
    """Run ns-2 on the case."""
    output, cpu_s, peak = account(["ns", str(NS2_SCRIPT), "134", "200", str(connections), "1"])
    return Cost(int(output.split()[0]), cpu_s, peak)


def instructions_per_packet() -> float:
    """Return packetsim's instructions a packet on the case by callgrind; NaN without valgrind."""
    if shutil.which("valgrind") is None:
        print("bench: valgrind is not installed: no instructions a packet", file=sys.stderr)
        return float("nan")

    def count(connections: int) -> tuple[int, int]:
        with tempfile.NamedTemporaryFile() as log:
            prefix = (
                "valgrind",
                "--tool=callgrind",
                "--callgrind-out-file=/dev/null",
                f"--log-file={log.name}",
            )
            cost = run_engine(PACKETSIM, point_of(connections), prefix)
            collected = re.search(r"Collected : (\d+)", Path(log.name).read_text())
            if collected is None:
                sys.exit("bench: valgrind printed no count of instructions")
            return int(collected.group(1)), cost.packets

    (few, packets_few), (many, packets_many) = count(10_000), count(40_000)
    return (many - few) / (packets_many - packets_few)


def programs() -> Iterator[Program]:
    """Yield the simulators that are installed, the reference first."""
    version = subprocess.run([str(PACKETSIM), "--version"], capture_output=True, text=True, check=True).stdout
    yield Program(
        "packetsim",
        version.split()[-1],
        8_000,
        800_000,
        lambda connections: run_engine(PACKETSIM, point_of(connections)),
    )
    if shutil.which("ns"):
        yield Program("ns-2", "2.35", 1_000, 8_000, run_ns2)
    else:
        print("bench: ns-2 is not installed (Debian package ns2): left out", file=sys.stderr)
    if NS3.exists():
        version = subprocess.run([str(NS3), "--version"], capture_output=True, text=True, check=True).stdout
        yield Program(
            "ns-3",
            version.split()[-1],
            500,
            4_000,
            lambda connections: run_engine(NS3, point_of(connections)),
        )
    else:
        print("bench: the ns-3 engine is not built: left out", file=sys.stderr)


def row(
    program: str, version: str, case: str, point: Any, costs: list[Cost], **more: float
) -> dict[str, Any]:
    """Return a row of the result; rates are of the median."""
    cpu = [cost.cpu_s for cost in costs]
    packets = costs[0].packets
    return {
        "program": program,
        "version": version,
        "case": case,
        "sources": point["sources"]["count"],
        "buffer_packets": point["links"]["bottleneck"]["buffer_packets"],
        "packets": packets,
        "cpu_s": statistics.median(cpu),
        "cpu_s_low": min(cpu),
        "cpu_s_high": max(cpu),
        "packets_per_core_second": packets / statistics.median(cpu),
        "instructions_per_packet": more.get("instructions_per_packet", float("nan")),
        "peak_memory_bytes": max(cost.peak_memory_bytes for cost in costs),
    }


def compare(repeats: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each simulator on the same case, run in turn."""
    installed = list(programs())
    costs: dict[str, list[Cost]] = {program.name: [] for program in installed}
    for _ in range(repeats):
        for program in installed:
            short, long = program.run(program.short), program.run(program.long)
            net = Cost(long.packets - short.packets, long.cpu_s - short.cpu_s, long.peak_memory_bytes)
            costs[program.name].append(net)
            rate = net.packets / net.cpu_s
            print(
                f"bench: {program.name}: {rate:,.0f} packets per core-second",
                flush=True,
            )
    instructions = {"packetsim": {"instructions_per_packet": instructions_per_packet()}}
    for program in installed:
        more = instructions.get(program.name, {})
        yield row(program.name, program.version, "table-06-n134", point_of(0), costs[program.name], **more)


def growth(repeats: int, largest: int) -> Iterator[dict[str, Any]]:
    """Yield packetsim's rows for growing numbers of sources and growing buffers."""
    version = next(programs()).version
    cases = []
    for power in range(1, largest + 1):
        sources = 10**power
        # The link grows with the sources, so that its load stays that of table 6.
        rate, connections = 10e6 * sources / 134, max(100_000, 3 * sources)
        cases.append(("sources", point_of(connections, sources, max(2, 3 * sources // 2), rate)))
        cases.append(("buffer", point_of(100_000, buffer_packets=sources)))
    for case, point in cases:
        costs = [run_engine(PACKETSIM, point) for _ in range(repeats)]
        result = row("packetsim", version, case, point, costs)
        print(
            f"bench: {result['sources']} sources, buffer {result['buffer_packets']}: "
            f"{result['packets_per_core_second']:,.0f} packets per core-second",
            flush=True,
        )
        yield result


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("results/bench.csv"), help="where the rows go (CSV)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each program and case (default 5)")
    parser.add_argument("--quick", action="store_true", help="one run each, growth to 1,000 only")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    if not PACKETSIM.exists():
        sys.exit(f"bench: {PACKETSIM.relative_to(ROOT)} is not built; run ./atlas setup")
    repeats, largest = (1, 3) if arguments.quick else (arguments.repeats, 5)
    rows = [*compare(repeats), *growth(repeats, largest)]
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    partial = arguments.out.with_suffix(".part")
    pd.DataFrame(rows).to_csv(partial, index=False)
    partial.replace(arguments.out)
    print(f"bench: wrote {arguments.out}")


if __name__ == "__main__":
    main()
