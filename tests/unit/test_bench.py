"""The benchmark's points, and what it makes of the costs of runs; not the speed of anything."""

import contextlib
from pathlib import Path
from typing import Any

import pytest

from scripts import bench
from tcpatlas.base.errors import EngineError

ROOT = Path(__file__).parents[2]
GNU_TIME = pytest.mark.skipif(not Path("/usr/bin/time").exists(), reason="./atlas bench installs GNU time")


@pytest.fixture(scope="module")
def point() -> Any:
    with contextlib.chdir(ROOT):
        return bench.table_6()


def test_the_point_is_that_of_the_paper(point: Any) -> None:
    """Table 6's setting as the paper prints it: (100M, 10M, 2M, R50), B 200, W_R 44, N 134, F 12, OFF 1 s."""
    links = point["links"]
    on_the_way = [point["sources"][0]["access"], links["bottleneck"], links["egress"]]
    assert [link["rate_bit_per_s"] for link in on_the_way] == [100e6, 10e6, 2e6]
    assert links["bottleneck"]["buffer_packets"] == 200
    assert point["sources"][0]["tcp"]["rwnd_packets"] == 44
    assert point["sources"][0]["count"] == 134
    workload = point["sources"][0]["workload"]
    size = workload["file_size"]
    assert (size["distribution"], size["mean_packets"], size["minimum_packets"]) == ("exponential", 12, 3)
    assert workload["off_time"] == {"distribution": "exponential", "mean_s": 1}
    assert point["stop"]["connections"] == 800_000


def test_starting_up_does_not_count(point: Any) -> None:
    """Half a second to start, then a microsecond a packet: a million packets a second."""

    def run(shorter: Any, watch: bench.Command) -> bench.Cost:
        packets = 10 * shorter["stop"]["connections"]
        return bench.Cost(packets, 0.5 + packets / 1e6, 1000 + packets, "")

    cost = bench.net(bench.Program("any", "1", (0.01, 1), (0, 0), run), point)
    assert cost.packets == 8_000_000 - 80_000
    assert cost.packets / cost.cpu_s == pytest.approx(1e6)
    assert cost.peak_memory_bytes == 1000 + 8_000_000


def test_counts_are_those_of_packets(point: Any) -> None:
    """A million instructions to start, then 600 a packet with 5 mispredictions and 3 misses of a cache."""

    def run(shorter: Any, watch: bench.Command) -> bench.Cost:
        assert watch == bench.CALLGRIND
        packets = 10 * shorter["stop"]["connections"]
        messages = (
            "==1== Events    : Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n"
            f"==1== Collected : {10**6 + 600 * packets} 9 9 7 {2 * packets} {packets} 0 0 0 9 {4 * packets} 9"
            f" {packets}\n==1==\n"
        )
        return bench.Cost(packets, 1, 1, messages)

    program = bench.Program("any", "1", (0, 0), (0.01, 0.02), run)
    assert bench.counts_per_packet(program, point) == {
        "instructions_per_packet": 600,
        "mispredictions_per_packet": 5,
        "l1_misses_per_packet": 3,
        "ll_misses_per_packet": 0,
    }


def test_a_row_is_of_the_median(point: Any) -> None:
    costs = [bench.Cost(1000, cpu_s, memory, "") for cpu_s, memory in [(2.0, 5), (1.0, 7), (4.0, 6)]]
    row = bench.row("any", "1", "table-06", point, costs, {"instructions_per_packet": 600})
    assert (row["cpu_s_low"], row["cpu_s"], row["cpu_s_high"]) == (1, 2, 4)
    assert row["packets_per_core_second"] == 500
    assert row["peak_memory_bytes"] == 7
    assert (row["repeats"], row["instructions_per_packet"]) == (3, 600)


@GNU_TIME
def test_a_program_that_fails_is_told_with_its_last_line() -> None:
    with pytest.raises(EngineError, match=r"^bench: sh -c .*: no such packet$"):
        bench.account(("sh", "-c", "echo begin >&2; echo no such packet >&2; exit 3"))


@pytest.mark.parametrize(
    ("script", "last"), [("echo no such package >&2; exit 1", "no such package"), ("exit 3", "exit status 3")]
)
def test_a_program_that_cannot_tell_its_version_is_told_in_one_line(script: str, last: str) -> None:
    with pytest.raises(EngineError) as error:
        bench.output_of("sh", "-c", script)
    assert str(error.value) == f"bench: sh -c {script}: {last}"


@GNU_TIME
def test_memory_and_output_are_those_of_the_process() -> None:
    """32 MiB of digits in a process that needs a few MiB itself."""
    output, _, _, memory = bench.account(("/usr/bin/python3", "-c", "print(len(bytearray(b'0') * 2**25))"))
    assert output == f"{2**25}\n"
    assert 2**25 < memory < 2**26
