"""The engine of this machine's own TCP in real time: beside virtual time, and where a machine forbids it.

Where the machine is busy, the emulator is late and refuses the run: the test is then skipped.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from linux_guest import metrics, simulate, write_point
from processes import BUILD, all_end, descendants, parents, virtual, wait_until

from tcpatlas.base.statistics import Interval, t_interval
from tcpatlas.runs.call import engine_arguments

PROGRAM = os.environ.get("LINUX_LIVE_ENGINE", str(BUILD / "release/linux_live/linux_live"))
pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux_live is not built")
CAN_UNSHARE = subprocess.run(["unshare", "-Urn", "true"], capture_output=True, check=False).returncode == 0
unshared = pytest.mark.skipif(not CAN_UNSHARE, reason="user namespaces are forbidden here")
tun = pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TUN devices here")


def live(test: Callable[..., None]) -> Callable[..., None]:
    marked: Callable[..., None] = unshared(tun(test))
    return marked


def call(point: Path, seed: int, *before: str) -> subprocess.CompletedProcess[str]:
    words = engine_arguments(point, seed, point.with_name("live.json"))
    return subprocess.run([*before, PROGRAM, *words], capture_output=True, text=True, check=False)


def simulate_live(point: Path, seed: int) -> dict[str, Any]:
    result = call(point, seed)
    if result.returncode == os.EX_UNAVAILABLE:
        pytest.skip(result.stderr)
    assert (result.returncode, result.stderr) == (0, "")
    run: dict[str, Any] = json.loads(point.with_name("live.json").read_text())
    return run


def overlap(one: Interval, other: Interval) -> bool:
    return one.low <= other.high and other.low <= one.high


@live
@virtual
def test_real_and_virtual_time_agree_within_their_intervals(tmp_path: Path) -> None:
    """Three short transfers over the link of set 9 each, by two kernels that are set alike."""
    point = write_point(tmp_path, variant="linux-reno", transfer_packets=60)
    runs = [(simulate_live(point, seed), simulate(point, seed)) for seed in (1, 2, 3)]
    assert {run["engine"] for run, _ in runs} == {"linux_live"}
    for name in ("goodput", "rtt_sample_mean", "outstanding_mean"):
        intervals = [
            t_interval([metrics(run)[name] for run in each], 0.95) for each in zip(*runs, strict=True)
        ]
        assert overlap(*intervals), (name, intervals)


def packets(log: Path) -> list[tuple[int, int]]:
    """Return the size of each packet, and the last byte of its source address."""
    content, at, sizes = log.read_bytes(), 24, []
    while at < len(content):
        _, _, captured, size = struct.unpack_from("<IIII", content, at)
        sizes.append((size, content[at + 16 + 15]))
        at += 16 + captured
    return sizes


@live
def test_logs_and_counters_tell_of_the_same_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = tmp_path / "logs"
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(logs))
    counters = simulate_live(write_point(tmp_path, variant="linux-reno", transfer_packets=60), 1)["counters"]
    sent, received = packets(logs / "sender.pcap"), packets(logs / "receiver.pcap")
    assert sum(source == 1 for _, source in sent) == counters["packets_sent"]
    assert sum(source == 1 for _, source in received) == counters["packets_delivered"]
    assert max(size for size, _ in sent) == 576


@live
def test_a_late_emulator_is_refused(tmp_path: Path) -> None:
    point = write_point(tmp_path, variant="linux-reno", loss_probability=0, transfer_packets=8)
    words = engine_arguments(point, 1, tmp_path / "run.json")
    with subprocess.Popen([PROGRAM, *words], stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            # The emulator is the parent of both hosts.
            group, tree = descendants(process.pid), parents()
            for emulator in [one for one in group if sum(tree.get(other) == one for other in group) == 2]:
                try:
                    os.kill(emulator, signal.SIGSTOP)
                    time.sleep(0.03)
                    os.kill(emulator, signal.SIGCONT)
                except ProcessLookupError:
                    break
            time.sleep(0.003)
        assert process.stderr is not None
        line = process.stderr.read()
    assert (process.returncode, len(line.splitlines())) == (os.EX_UNAVAILABLE, 1), line
    assert "too busy" in line
    assert list(tmp_path.iterdir()) == [point]


@live
@pytest.mark.parametrize(
    ("options", "first", "says"),
    [
        ("-Urm", "mount -t tmpfs none /dev/net", "/dev/net/tun"),
        ("-Ur", "echo 0 >/proc/sys/user/max_user_namespaces", "namespaces"),
    ],
)
def test_a_machine_that_forbids_it_is_one_line(tmp_path: Path, options: str, first: str, says: str) -> None:
    point = write_point(tmp_path, variant="linux-reno")
    result = call(point, 1, "unshare", options, "sh", "-c", f'{first} && exec "$0" "$@"')
    assert result.returncode == os.EX_UNAVAILABLE
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert says in result.stderr
    assert list(tmp_path.iterdir()) == [point]


@live
def test_a_killed_run_leaves_nothing_and_has_failed(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    point = write_point(tmp_path, variant="linux-reno", transfer_packets=100000)
    words = engine_arguments(point, 1, tmp_path / "run.json")
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen([PROGRAM, *words], env=environment, stderr=subprocess.DEVNULL) as process:
        assert wait_until(lambda: len(descendants(process.pid)) == 5 or process.poll() is not None)
        if process.poll() == os.EX_UNAVAILABLE:
            pytest.skip("the machine forbids it")
        group = descendants(process.pid)
        process.terminate()
    assert process.returncode == 1
    assert all_end(group)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "run.json").exists()


def test_only_settings_that_every_kernel_has_are_taken(tmp_path: Path) -> None:
    point = write_point(tmp_path, variant="newreno")
    result = call(point, 1)
    assert (result.returncode, result.stderr) == (
        1,
        f"{point}: tcp.variant: in real time one of linux-reno\n",
    )
