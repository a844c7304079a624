"""The Linux engine as the pipeline and a user call it: points, refusals, and what is left when it is killed.

The environment may name the program (LINUX_ENGINE) and User-Mode Linux (TCP_ATLAS_UML); otherwise they are
where the build leaves them. Tests are skipped where the program is not built; those that run it also where
there is no User-Mode Linux.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from processes import BUILD, all_end, descendants, virtual, wait_until

PROGRAM = os.environ.get("LINUX_ENGINE", str(BUILD / "release/linux/linux"))
pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")
MSS = 524

# Set 9 of report C-2002-13.
POINT: dict[str, Any] = {
    "schema": "tcp-atlas/point/3",
    "kind": "dumbbell",
    "study": "test",
    "set": "set-9",
    "point": "all",
    "parameters": {},
    "links": {
        "bottleneck": {
            "rate_bit_per_s": 500000,
            "delay_s": 0.2,
            "loss_probability": 0.025,
            "queue": "drop-tail",
            "buffer_packets": 4,
        },
        "egress": {"rate_bit_per_s": 1e12, "delay_s": 0},
    },
    "return_delay_s": 0.2,
    "packet_bytes": 576,
    "ack_bytes": 0,
    "sources": [
        {
            "name": "sources",
            "count": 1,
            "workload": {"kind": "bulk"},
            "tcp": {
                "variant": "newreno",
                "rwnd_packets": 64,
                "initial_window_packets": 2,
                "min_rto_s": 0.609216,  # 200 ms more than the empty path takes
                "max_rto_s": 120,
            },
            "access": {"rate_bit_per_s": 1e12, "delay_s": 0},
            "extra_delay_s": 0,
        }
    ],
    "stop": {"transfer_packets": 600},
    "probes": [{"kind": "filter-log"}],
    "replications": {"minimum": 2, "maximum": 2, "targets": {}},
    "seed": 1,
}


SOURCES = Path(__file__).parents[2] / "workflow/engines/linux/uml"


def stamp() -> str:
    """Return what build.sh calls this configuration, patch and Reno, by its own command."""
    command = re.findall(r"^stamp=\$\((.*)\)$", (SOURCES / "build.sh").read_text(), re.MULTILINE)[0]
    return subprocess.run(
        ["bash", "-c", command.replace("$here", str(SOURCES))], capture_output=True, text=True, check=True
    ).stdout


def write_point(folder: Path, **changes: Any) -> Path:
    """Write the point, with changes of its source's TCP, its bottleneck or its length; return the file."""
    point = copy.deepcopy(POINT)
    for key, value in changes.items():
        for part in (point["sources"][0]["tcp"], point["links"]["bottleneck"], point["stop"]):
            if key in part:
                part[key] = value
    file = folder / "point.json"
    file.write_text(json.dumps(point))
    return file


def call(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *map(str, words)], env=os.environ | variables, capture_output=True, text=True, check=False
    )


def simulate(point: Path, seed: int, name: str = "run.json") -> dict[str, Any]:
    out = point.with_name(name)
    result = call("--point", point, "--seed", seed, "--out", out)
    assert (result.returncode, result.stderr) == (0, "")
    run: dict[str, Any] = json.loads(out.read_text())
    return run


def metrics(run: dict[str, Any]) -> dict[str, float]:
    return {name: metric["value"] for name, metric in run["metrics"].items()}


@virtual
def test_check_passes_where_user_mode_linux_runs() -> None:
    assert (call("--check").returncode, call("--check").stderr) == (0, "")


@pytest.mark.parametrize(
    ("kernel", "stamped", "says"),
    [
        (None, False, "is not built"),
        ("/bin/true", False, "is of other sources"),
        ("/bin/true", True, "did not start"),
    ],
)
def test_check_says_what_is_missing(tmp_path: Path, kernel: str | None, stamped: bool, says: str) -> None:
    uml = tmp_path / "linux"
    if kernel is not None:
        shutil.copy(kernel, uml)
    if stamped:
        (tmp_path / "stamp").write_text(stamp())
    result = call("--check", TCP_ATLAS_UML=str(uml))
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert says in result.stderr
    assert "the other engines run without it" in result.stderr


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"variant": "tahoe"},
            "tcp.variant: is 'tahoe'; one of newreno, linux-2.4, linux-6.1, linux-reno, linux-bbr",
        ),
        ({"max_rto_s": 64}, "tcp.max_rto_s: 120, as the kernel has it"),
        ({"queue": "fair-shared"}, "links.bottleneck.queue: one of drop-tail"),
        ({"buffer_packets": 1}, "links.bottleneck.buffer_packets: from 2"),
    ],
)
def test_a_point_that_cannot_be_emulated_is_one_line(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    point = write_point(tmp_path, **changes)
    result = call("--point", point, "--seed", 1, "--out", tmp_path / "run.json")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert f"{point}: {says}" in result.stderr
    assert list(tmp_path.iterdir()) == [point]


TAKES = yaml.safe_load((SOURCES.parent / "engine.yaml").read_text())["takes"][0]["only"]
BEYOND = [
    (path, bound + step)
    for path, values in TAKES.items()
    if isinstance(values, dict) and path != "groups"
    for end, bound in values.items()
    for step in [1 if end == "most" else -1]
]


@pytest.mark.parametrize(("path", "value"), BEYOND)
def test_the_program_too_refuses_what_is_beyond_a_range(tmp_path: Path, path: str, value: float) -> None:
    """The program checks what engine.yaml says: Snakemake reads the one, a person calls the other."""
    *folders, name = path.split(".")
    point = copy.deepcopy(POINT)
    place: Any = point
    for folder in folders:
        place = place[folder][0] if isinstance(place[folder], list) else place[folder]
    place[name] = value
    if name == "count":
        del point["stop"]["transfer_packets"]
        point |= {"probes": [], "stop": {"duration_s": 1, "warmup_s": 0}}
    file = tmp_path / "point.json"
    file.write_text(json.dumps(point))
    result = call("--point", file, "--seed", 1, "--out", tmp_path / "run.json")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert name in result.stderr
    assert list(tmp_path.iterdir()) == [file]


@virtual
@pytest.mark.parametrize("variant", ["newreno", "linux-2.4", "linux-6.1", "linux-reno"])
def test_a_seed_repeats_every_byte(tmp_path: Path, variant: str) -> None:
    point = write_point(tmp_path, variant=variant)
    one, other = simulate(point, 7), simulate(point, 8, "other.json")
    simulate(point, 7, "again.json")
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    assert one["metrics"] != other["metrics"]
    counters = one["counters"]
    assert counters["packets_sent"] == sum(
        counters[f"packets_{fate}"] for fate in ("delivered", "dropped", "lost", "in_flight")
    )


@virtual
def test_a_transfer_without_losses_is_as_fast_as_its_window(tmp_path: Path) -> None:
    """A window of 8 packets goes round in the empty path's time, and what its receiver makes of it.

    It waits for a second packet or for its timer, which is 40 ms and a tick of 10 ms.
    """
    point = write_point(
        tmp_path, loss_probability=0, buffer_packets=20, rwnd_packets=8, transfer_packets=4000
    )
    found = metrics(simulate(point, 1))
    one = 0.4 + 576 * 8 / 500000
    latest = one + 0.05
    assert found["loss_ratio"] == found["loss_estimate"] == 0
    assert one < found["rtt_sample_mean"] < latest
    # Handshake, slow start and closing are below 2 % of 4,000 packets.
    assert 0.98 * 8 / latest < found["goodput"] < 8 / one
    # An acknowledgement of two lets one packet go beside 6 others, and one beside 7.
    assert 7 < found["outstanding_mean"] < 8


@virtual
def test_losses_are_as_frequent_as_asked_for(tmp_path: Path) -> None:
    run = simulate(write_point(tmp_path, transfer_packets=5000), 3)
    counters = run["counters"]
    carried = counters["packets_sent"] - counters["packets_dropped"]
    # Four standard deviations of a binomial variable.
    assert abs(counters["packets_lost"] / carried - 0.025) < 4 * (0.025 * 0.975 / carried) ** 0.5


@virtual
@pytest.mark.skipif(shutil.which("tcptrace") is None, reason="tcptrace is not installed")
@pytest.mark.parametrize("variant", ["newreno", "linux-2.4"])
def test_tcptrace_reads_the_same_in_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(log))
    found = metrics(simulate(write_point(tmp_path, variant=variant, transfer_packets=3000), 11))
    report = subprocess.run(
        ["tcptrace", "-lrW", "-n", log / "sender.pcap"], capture_output=True, text=True, check=True
    ).stdout
    rows = re.findall(r"^ +([A-Za-z0-9 -]+):\s+([0-9.]+)", report, flags=re.MULTILINE)
    theirs = {name.strip(): float(value) for name, value in reversed(rows)}  # the sender's column
    sent = theirs["actual data pkts"]
    assert found["goodput"] == pytest.approx(theirs["throughput"] / MSS, abs=0.5 / MSS + 1e-6)
    assert found["send_throughput"] == pytest.approx(sent / theirs["data xmit time"], rel=1e-5)
    assert found["loss_by_triplicates"] == theirs["triple dupacks"] / sent
    assert found["loss_by_post_loss"] == theirs["post-loss acks"] / sent
    # Tcptrace has one sample more, that of SYN.
    assert found["rtt_sample_mean"] == pytest.approx(theirs["RTT avg"] / 1e3, rel=1e-3)
    # It counts a byte more than is outstanding, and takes a sample at each pure ACK as well.
    assert found["outstanding_mean"] == pytest.approx(theirs["avg owin"] / MSS, rel=5e-3)


@virtual
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_killed_transfer(tmp_path: Path, end: signal.Signals) -> None:
    (tmp_path / "tmp").mkdir()
    point = write_point(tmp_path, transfer_packets=2000000)
    words = ["--point", str(point), "--seed", "1", "--out", str(tmp_path / "run.json")]
    temporary = tmp_path / "tmp"
    with subprocess.Popen([PROGRAM, *words], env=os.environ | {"TMPDIR": str(temporary)}) as process:
        assert wait_until(lambda: any(temporary.glob("**/started")))
        time.sleep(0.2)
        group = descendants(process.pid)
        assert len(group) > 1
        process.send_signal(end)
    assert process.returncode != 0
    assert all_end(group), "processes are left"
    assert not (tmp_path / "run.json").exists()
    if end != signal.SIGKILL:
        assert list((tmp_path / "tmp").iterdir()) == []


def build(out: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(shutil.which("bash")), SOURCES / "build.sh", out],
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_machine_without_the_tools_is_told_in_one_line(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("cat", "cut", "dirname", "mkdir", "nproc", "readlink", "rm", "sha256sum", "uname"):
        (programs / name).symlink_to(str(shutil.which(name)))
    result = build(tmp_path / "uml", str(programs))
    assert (result.returncode, len(result.stderr.splitlines())) == (3, 1), result.stderr
    assert "the other engines run without it" in result.stderr


@pytest.mark.parametrize(("kernel", "status"), [("linux", 0), ("refused", 3)])
def test_a_kernel_is_built_once(tmp_path: Path, kernel: str, status: int) -> None:
    (tmp_path / "stamp").write_text(stamp())
    (tmp_path / kernel).touch(mode=0o755)
    result = build(tmp_path, os.environ["PATH"])
    assert (result.returncode, "does not run here" in result.stderr) == (status, status == 3)
    assert {path.name for path in tmp_path.iterdir()} == {"stamp", kernel}


def dumbbell(*groups: dict[str, Any], stop: dict[str, Any], **bottleneck: Any) -> dict[str, Any]:
    """Return a point of 10 Mbit/s and 50 ms, with 1,500 bytes a packet."""
    point = copy.deepcopy(POINT)
    point["links"]["bottleneck"] = {
        "rate_bit_per_s": 1e7,
        "delay_s": 0.01,
        "loss_probability": 0,
        "queue": "drop-tail",
        "buffer_packets": 42,
    } | bottleneck
    source = point["sources"][0] | {"workload": {"kind": "bulk", "start_spread_s": 1}}
    point["sources"] = [
        source | group | {"tcp": source["tcp"] | {"min_rto_s": 1, "rwnd_packets": 1000} | group["tcp"]}
        for group in groups
    ]
    return point | {"return_delay_s": 0.04, "packet_bytes": 1500, "stop": stop, "probes": []}


def bulk(name: str, count: int, variant: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "count": count, "tcp": {"variant": variant}} | more


def simulate_point(
    folder: Path, point: dict[str, Any], seed: int = 1, name: str = "run.json"
) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    file = folder / "point.json"
    file.write_text(json.dumps(point))
    return simulate(file, seed, name)


ON_OFF = {
    "kind": "on-off",
    "file_size": {"distribution": "exponential", "mean_packets": 12, "minimum_packets": 1},
    "off_time": {"distribution": "exponential", "mean_s": 1},
}


def web(count: int, variant: str) -> dict[str, Any]:
    return {
        "name": "web",
        "count": count,
        "workload": ON_OFF,
        "tcp": {"variant": variant, "rwnd_packets": 64, "initial_window_packets": 2},
    }


@virtual
def test_many_flows_repeat_every_byte_elsewhere_and_on_another_processor(tmp_path: Path) -> None:
    point = dumbbell(
        bulk("cubic", 8, "linux-cubic"),
        bulk("bbr", 4, "linux-bbr"),
        web(10, "linux-reno"),
        stop={"duration_s": 10, "warmup_s": 2},
    )
    simulate_point(tmp_path / "here", point)
    there = tmp_path / "a folder with a longer name"
    there.mkdir()
    (there / "point.json").write_text(json.dumps(point))
    words = ["--point", there / "point.json", "--seed", 1, "--out", there / "run.json"]
    last = max(os.sched_getaffinity(0))
    temporary = there / "tmp"
    temporary.mkdir()
    subprocess.run(
        ["taskset", "-c", str(last), "setarch", "-R", PROGRAM, *map(str, words)],
        env=os.environ | {"TMPDIR": str(temporary)},
        check=True,
    )
    assert (tmp_path / "here/run.json").read_bytes() == (there / "run.json").read_bytes()
    simulate_point(tmp_path / "other", point, seed=2)
    assert (tmp_path / "here/run.json").read_bytes() != (tmp_path / "other/run.json").read_bytes()


@virtual
def test_a_window_of_a_thousand_packets_is_in_flight(tmp_path: Path) -> None:
    """What limits the window is the receiver's, not the guest's memory; and the same seed repeats the run."""
    point = dumbbell(bulk("one", 1, "newreno"), stop={"transfer_packets": 4000}, buffer_packets=2000)
    point["return_delay_s"] = 1.99
    point["sources"][0]["tcp"]["min_rto_s"] = 3
    point["probes"] = [{"kind": "filter-log"}]
    run = simulate_point(tmp_path, point)
    simulate_point(tmp_path, point, name="again.json")
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    assert run["counters"]["packets_dropped"] == 0
    assert metrics(run)["queue_max"] < 1000
    # 1,000 packets a round trip of 2 s at most, 833 a second by the link: the log sees the window full.
    simulate_point(tmp_path, point)
    assert metrics(run)["outstanding_mean"] > 500


@virtual
def test_packets_on_the_link_are_of_full_size(tmp_path: Path) -> None:
    """Nothing larger than a packet passes: 8,333 of 1,500 bytes a second at 100 Mbit/s, and no more."""
    point = dumbbell(
        bulk("cubic", 5, "linux-cubic"),
        stop={"duration_s": 5, "warmup_s": 5},
        rate_bit_per_s=1e8,
        buffer_packets=400,
    )
    found = metrics(simulate_point(tmp_path, point))
    assert found["throughput"] == pytest.approx(1e8 / (8 * 1500), rel=2e-3)
    assert found["utilisation"] > 0.999


@virtual
def test_a_full_link_is_shared_and_its_packets_accounted_for(tmp_path: Path) -> None:
    point = dumbbell(
        bulk("near", 5, "linux-reno"),
        bulk("far", 5, "linux-reno", extra_delay_s=0.1),
        stop={"duration_s": 60, "warmup_s": 20},
    )
    run = simulate_point(tmp_path, point)
    found, counters = metrics(run), run["counters"]
    assert counters["packets_sent"] == sum(
        counters[f"packets_{fate}"] for fate in ("delivered", "dropped", "lost", "in_flight")
    )
    assert found["goodput[near]"] > 1.5 * found["goodput[far]"]
    # Goodput, and what the packets' order holds back at either end of the time.
    assert found["goodput"] == pytest.approx(1e7 / 12000, rel=0.02)
    # The way without waiting, and the mean wait.
    wait = found["rtt_path_mean[near]"] - (0.05 + 0.0012)
    assert found["rtt_path_mean[far]"] - found["rtt_path_mean[near]"] == pytest.approx(0.1, abs=0.01)
    assert 0.5 * found["queue_mean"] * 0.0012 < wait < 1.1 * found["queue_mean"] * 0.0012


@virtual
def test_on_off_sources_do_as_those_of_the_simulator(tmp_path: Path) -> None:
    """Few losses: an ON time is slow start's. The kernel adds a handshake, and packets without data."""
    program = BUILD / "release/packetsim/packetsim"
    if not program.exists():
        pytest.skip("packetsim is not built")
    point = dumbbell(web(20, "newreno"), stop={"connections": 4000, "warmup_connections": 200})
    run = simulate_point(tmp_path, point)
    subprocess.run(
        [program, "--point", tmp_path / "point.json", "--seed", "1", "--out", tmp_path / "simulated.json"],
        check=True,
    )
    ours, theirs = metrics(run), metrics(json.loads((tmp_path / "simulated.json").read_text()))
    assert run["counters"]["connections_completed"] == 4200
    assert ours["file_size_mean"] == pytest.approx(theirs["file_size_mean"], rel=0.01)
    handshake = 0.05
    assert ours["on_time"] - handshake == pytest.approx(theirs["on_time"], rel=0.15)


@virtual
def test_random_losses_are_where_the_simulators_have_them(tmp_path: Path) -> None:
    """The first packets of a transfer are data in order: the n-th is lost by the n-th draw of the stream."""
    point = dumbbell(bulk("one", 1, "newreno"), stop={"transfer_packets": 3000}, loss_probability=0.01)
    run = simulate_point(tmp_path, point)
    carried = run["counters"]["packets_sent"] - run["counters"]["packets_dropped"]
    assert abs(run["counters"]["packets_lost"] / carried - 0.01) < 4 * (0.01 * 0.99 / carried) ** 0.5


@virtual
@pytest.mark.parametrize("variant", TAKES["sources.tcp.variant"])
def test_every_variant_fills_the_link(tmp_path: Path, variant: str) -> None:
    point = dumbbell(bulk("one", 2, variant), stop={"duration_s": 20, "warmup_s": 10})
    assert metrics(simulate_point(tmp_path, point))["utilisation"] > 0.8


def shares(folder: Path, **bottleneck: Any) -> dict[str, float]:
    """Return what CUBIC and BBR get side by side on 50 Mbit/s and 40 ms."""
    start = {"workload": {"kind": "bulk", "start_spread_s": 1}}
    point = dumbbell(
        bulk("cubic", 1, "linux-cubic") | start,
        bulk("bbr", 1, "linux-bbr") | start,
        stop={"duration_s": 40, "warmup_s": 20},
        rate_bit_per_s=5e7,
        **bottleneck,
    )
    point["return_delay_s"] = 0.03
    return metrics(simulate_point(folder, point))


@virtual
@pytest.mark.parametrize("queue", ["cake", "fq", "fq-codel"])
def test_flow_queueing_shares_evenly(tmp_path: Path, queue: str) -> None:
    found = shares(tmp_path, queue=queue, buffer_packets=1000)
    assert found["goodput[bbr]"] == pytest.approx(found["goodput[cubic]"], rel=0.1)
    assert found["utilisation"] > 0.95


@virtual
def test_a_short_buffer_is_bbrs(tmp_path: Path) -> None:
    """Ware et al. (2019): beside a loss-based flow BBR takes most of a link with a buffer of one BDP."""
    found = shares(tmp_path, buffer_packets=167)
    assert found["goodput[bbr]"] > 3 * found["goodput[cubic]"]


@virtual
@pytest.mark.parametrize(("queue", "target"), [("codel", 0.005), ("pie", 0.015), ("red", None)])
def test_a_managed_queue_is_short(tmp_path: Path, queue: str, target: float | None) -> None:
    """One CUBIC flow fills a drop-tail buffer of two BDP; a managed one stays near its target."""
    more = {} if target is None else {"target_s": target}
    point = dumbbell(
        bulk("cubic", 1, "linux-cubic"),
        stop={"duration_s": 40, "warmup_s": 20},
        queue=queue,
        buffer_packets=84,
        **more,
    )
    found = metrics(simulate_point(tmp_path, point))
    assert found["queue_mean"] * 0.0012 < 1.5 * (target or 0.015)
    assert found["utilisation"] > 0.85


@virtual
def test_a_target_is_heeded(tmp_path: Path) -> None:
    def queue(target: float, interval: float) -> float:
        bottleneck = {"queue": "codel", "buffer_packets": 1000, "target_s": target, "interval_s": interval}
        point = dumbbell(
            bulk("cubic", 4, "linux-cubic"), stop={"duration_s": 40, "warmup_s": 20}, **bottleneck
        )
        return metrics(simulate_point(tmp_path, point))["queue_mean"] * 0.0012

    assert queue(0.04, 0.8) > 2 * queue(0.005, 0.1)


@virtual
def test_marked_packets_are_not_dropped(tmp_path: Path) -> None:
    """With ECN fq-codel marks where it would drop (RFC 8290, section 4.2)."""
    start = {"workload": {"kind": "bulk", "start_spread_s": 1}}
    found = {}
    for ecn in (False, True):
        group = bulk("cubic", 2, "linux-cubic") | start
        group["tcp"] |= {"ecn": ecn}
        point = dumbbell(
            group, stop={"duration_s": 20, "warmup_s": 10}, queue="fq-codel", buffer_packets=1000
        )
        found[ecn] = metrics(simulate_point(tmp_path, point))["drop_ratio"]
    assert found[True] == 0 < found[False]


@virtual
def test_selective_acknowledgements_repair_a_burst_of_losses_sooner(tmp_path: Path) -> None:
    found = {}
    for sack in (True, False):
        group = bulk("one", 1, "linux-cubic")
        group["tcp"] |= {"sack": sack}
        point = dumbbell(group, stop={"transfer_packets": 3000}, buffer_packets=20)
        found[sack] = metrics(simulate_point(tmp_path, point))["goodput"]
    assert found[False] < found[True]


@virtual
@pytest.mark.parametrize(("timestamps", "header"), [(True, 52), (False, 40)])
def test_time_stamps_are_twelve_bytes_of_a_packet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timestamps: bool, header: int
) -> None:
    """20 of IP, 20 of TCP, 12 of the option (RFC 7323); the log says where packets of 1,500 bytes begin."""
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    group = bulk("one", 1, "linux-cubic")
    group["tcp"] |= {"timestamps": timestamps}
    point = dumbbell(group, stop={"transfer_packets": 10}) | {"probes": [{"kind": "filter-log"}]}
    simulate_point(tmp_path / "run", point)
    content, at, begins = (tmp_path / "log/sender.pcap").read_bytes(), 24, []
    while at < len(content):
        captured, size = struct.unpack_from("<II", content, at + 8)
        if size == 1500:
            begins.append(struct.unpack_from(">I", content, at + 16 + 24)[0])
        at += 16 + captured
    assert {later - before for before, later in itertools.pairwise(begins)} == {1500 - header}


@virtual
def test_the_trace_of_a_window_is_a_saw(tmp_path: Path) -> None:
    """Reno halves: between losses the window grows to what the path and the buffer hold, 42 + 42 packets."""
    point = dumbbell(
        bulk("reno", 1, "linux-reno"), stop={"duration_s": 60, "warmup_s": 30}, buffer_packets=42
    )
    point["probes"] = [{"kind": "window-trace"}]
    window = simulate_point(tmp_path, point)["traces"]["window"]["value"]
    assert max(window) == pytest.approx(84, abs=6)
    assert min(window[len(window) // 10 :]) == pytest.approx(42, abs=6)


@virtual
def test_every_receiver_has_an_egress_link_of_its_own(tmp_path: Path) -> None:
    """Three of 2 Mbit/s behind 10 Mbit/s carry 6 Mbit/s; a fast access link changes nothing."""
    point = dumbbell(
        bulk("three", 3, "linux-cubic", access={"rate_bit_per_s": 1e8, "delay_s": 0}),
        stop={"duration_s": 20, "warmup_s": 10},
    )
    point["links"]["egress"] = {"rate_bit_per_s": 2e6, "delay_s": 0.001}
    found = metrics(simulate_point(tmp_path, point))
    assert found["goodput"] == pytest.approx(3 * 2e6 / 12000, rel=0.01)
    assert found["drop_ratio"] == 0
