"""Instructions that packetsim takes for a packet: more than 3 % above the accepted number fail.

Callgrind counts the same instructions on every machine, whatever else it does. They depend on the compiler,
so they are compared only if it is that of the accepted numbers. Only packetsim's own instructions count: the
C library picks its functions by the processor. A short run is taken off a long one, and starting up with it.
"""

import copy
import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scripts import bench
from tcpatlas.base.engine_call import engine_arguments
from tcpatlas.base.files import read_yaml, to_json
from tcpatlas.points.run_length import shortened

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / bench.engine("packetsim")
LOCAL_LOOP = ("scenarios/papers/fixed-point/scenario.yaml", "case-1-exact", "count-2500")
ACCEPTED = Path(__file__).with_name("instructions.yaml")
TOLERANCE = 1.03

needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="packetsim is not built")
needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")


def own_instructions(lines: Iterable[str], program: str) -> int:
    """Return the instructions of a program's own code, of an uncompressed file of callgrind's."""
    total, own, is_call = 0, False, False
    for line in lines:
        if line.startswith("ob="):
            own = line.strip() == f"ob={program}"
        elif line.startswith("calls="):
            is_call = True  # the next line is what the called function took
        elif line[:1].isdigit():
            total += 0 if is_call or not own else int(line.split()[1])
            is_call = False
    return total


def counted(point: Any, folder: Path) -> tuple[int, int]:
    """Return packetsim's instructions and packets on a point."""
    point_file, run, counts = folder / "point.json", folder / "run.json", folder / "callgrind.out"
    point_file.write_text(to_json(point))
    count = ("valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}")
    plain = ("--compress-strings=no", "--compress-pos=no")
    subprocess.run((*count, *plain, PROGRAM, *engine_arguments(point_file, 1, run)), check=True)
    with counts.open() as lines:
        instructions = own_instructions(lines, str(PROGRAM))
    return instructions, json.loads(run.read_text())["counters"]["packets_sent"]


def resized(point: Any, sources: int, buffer_packets: int, rate_bit_per_s: float) -> Any:
    """Return the point with another number of sources, buffer and bottleneck rate."""
    other = copy.deepcopy(point)
    other["sources"][0]["count"] = sources
    other["links"]["bottleneck"] |= {"buffer_packets": buffer_packets, "rate_bit_per_s": rate_bit_per_s}
    return other


def of_variant(point: Any, variant: str, **own: str) -> Any:
    """Return the point with another TCP variant, and keys of its own."""
    other = copy.deepcopy(point)
    other["sources"][0]["tcp"] |= {"variant": variant, **own}
    return other


def behind(point: Any, queue: str) -> Any:
    """Return the point with another queue than drop-tail at the bottleneck."""
    other = copy.deepcopy(point)
    other["links"]["bottleneck"] |= {"queue": queue, "ties": "departure-first"}
    return other


def points() -> dict[str, Any]:
    """Return points of each way through the event core."""
    table_6 = bench.table_6()
    linux = of_variant(table_6, "cubic", rules="linux")
    return {
        "134-sources": table_6,
        "134-sources-cubic": of_variant(table_6, "cubic"),
        "134-sources-cubic-linux": linux,
        "134-sources-cubic-linux-codel": behind(linux, "codel"),
        "134-sources-bbr": of_variant(table_6, "bbr"),
        "1000-sources": resized(table_6, 1000, 1500, 75e6),
        "1000-sources-fair-shared": behind(resized(table_6, 1000, 1500, 75e6), "fair-shared"),
        "10-sources": resized(table_6, 10, 15, 0.75e6),
        "134-sources-with-probes": table_6 | {"probes": [{"kind": "loss-recovery"}]},
        "local-loop": bench.paper_point(*LOCAL_LOOP),
    }


def lengths(point: Any) -> tuple[float, float]:
    """Return the lengths of a short and a long run, as shares of the point's own.

    The short one is five files a source, or 60,000 packets where a run is so many packets long.
    """
    stop = point["stop"]
    short = 5 * point["sources"][0]["count"] / stop["connections"] if "connections" in stop else 0.015
    return short, 2 * short


def compilers() -> set[str]:
    """Return what the compilers of the program's parts called themselves."""
    command = ("readelf", "--string-dump=.comment", str(PROGRAM))
    comments = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\] +(.+)", comments))


def test_calls_and_other_programs_do_not_count() -> None:
    call = ["cob=/b", "cfn=g", "calls=2 7", "3 1000"]
    assert own_instructions(["ob=/a", "fn=f", "3 10", *call, "4 5", "ob=/b", "fn=g", "7 1000"], "/a") == 15


@needs_program
@needs_valgrind
@pytest.mark.parametrize("name", read_yaml(ACCEPTED, str(ACCEPTED))["instructions_per_packet"])
def test_instructions_per_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    accepted = read_yaml(ACCEPTED, str(ACCEPTED))
    if compilers() != {accepted["compiler"]}:
        pytest.skip(f"the accepted numbers are those of {accepted['compiler']}")
    monkeypatch.chdir(ROOT)
    point = points()[name]
    (short, before), (long, after) = (
        counted(shortened(point, length), tmp_path) for length in lengths(point)
    )
    instructions = (long - short) / (after - before)
    assert instructions <= TOLERANCE * accepted["instructions_per_packet"][name]
