"""The Linux engine as a user meets it: runs, refusals, and what is left of it when it is killed.

The environment may name the program (SEAWIND) and User-Mode Linux (TCP_ATLAS_UML); otherwise they are where
the build leaves them. Tests are skipped where the program is not built, and those of one way to run it where
the machine forbids user namespaces, has no TUN devices, or has no User-Mode Linux.
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

import pytest
from processes import KERNEL, SEAWIND, all_end, descendants, parents, virtual, wait_until

FAILED, UNAVAILABLE, TOO_LATE = 1, 3, 4
SET_9 = ["rate=500000", "mtu=576", "loss=0.025"]
LIVE = ["stack=2002-abc"]
CAN_UNSHARE = subprocess.run(["unshare", "-Urn", "true"], capture_output=True, check=False).returncode == 0
pytestmark = pytest.mark.skipif(not os.access(SEAWIND, os.X_OK), reason="seawind is not built")
unshared = pytest.mark.skipif(not CAN_UNSHARE, reason="user namespaces are forbidden here")
tun = pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TUN devices here")


def live(test: Callable[..., None]) -> Callable[..., None]:
    marked: Callable[..., None] = unshared(tun(test))
    return marked


Result = subprocess.CompletedProcess[str]


def execute(command: list[object]) -> Result:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def seawind(*words: object) -> Result:
    return execute([SEAWIND, *words])


def network_namespaces(processes: set[int]) -> set[str]:
    found = set()
    for process in processes:
        try:
            found.add(str(Path(f"/proc/{process}/ns/net").readlink()))
        except OSError:
            continue
    return found


def packets(log: Path) -> list[tuple[int, int]]:
    """Return the size of each packet, and the last byte of its source address."""
    content, at, found = log.read_bytes(), 24, []
    while at < len(content):
        _, _, captured, size = struct.unpack_from("<IIII", content, at)
        found.append((size, content[at + 16 + 15]))
        at += 16 + captured
    return found


def check_run(out: Path) -> None:
    """The logs, the counters and the list of drops tell of the same packets."""
    outcome = json.loads((out / "run.json").read_text())
    at_sender, at_receiver = packets(out / "sender.pcap"), packets(out / "receiver.pcap")
    for host, name, here, there in (
        (1, "from_sender", at_sender, at_receiver),
        (2, "from_receiver", at_receiver, at_sender),
    ):
        assert sum(source == host for _, source in here) == outcome[name]["offered"]
        assert sum(source == host for _, source in there) == outcome[name]["delivered"]
        drops = (out / "drops.csv").read_text()
        for where, counter in (("queue", "dropped_by_queue"), ("link", "lost_on_link")):
            rows = [row.split(",") for row in drops.splitlines()]
            assert [row[1] + row[4] for row in rows].count(name[5:] + where) == outcome[name][counter]
    assert max(size for size, _ in at_sender) == outcome["settings"]["mtu"]


def check_refusal(result: Result, status: int, out: Path, *words: str) -> None:
    """One line with these words, and nothing left beside it."""
    assert result.returncode == status, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    for word in words:
        assert word in result.stderr
    assert list(out.parent.iterdir()) == []


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs" / "out"


@pytest.mark.parametrize("word", ["loss=1", "loss=-0.1", "mtu=67", "queue=0", "rate=0", "speed=1"])
def test_bad_input_is_one_line(out: Path, word: str) -> None:
    check_refusal(seawind("live", out, word), FAILED, out, word)


def test_an_existing_directory_is_kept(out: Path) -> None:
    out.mkdir()
    result = seawind("live", out)
    assert result.returncode == FAILED
    assert "exists already" in result.stderr
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.parametrize(
    ("kernel", "word"), [("/nowhere/linux", "/nowhere/linux"), ("/bin/true", "did not start")]
)
def test_a_kernel_that_does_not_boot_is_one_line(out: Path, kernel: str, word: str) -> None:
    check_refusal(seawind("virtual", kernel, out), UNAVAILABLE, out, word)


@virtual
def test_a_seed_repeats_every_byte(out: Path) -> None:
    found = []
    for name, seed in (("one", 7), ("two", 7), ("other", 8)):
        run = out.with_name(name)
        result = seawind("virtual", KERNEL, run, *SET_9, "bytes=100000", f"seed={seed}")
        assert (result.returncode, result.stderr) == (0, "")
        check_run(run)
        found.append({path.name: path.read_bytes() for path in run.iterdir()})
    one, two, other = found
    assert set(one) == {"sender.pcap", "receiver.pcap", "tcp_info.csv", "drops.csv", "run.json"}
    assert one == two
    assert one["sender.pcap"] != other["sender.pcap"]


@virtual
@pytest.mark.parametrize("stack", ["2002", "2002-abc", "today"])
def test_all_stacks_run(out: Path, stack: str) -> None:
    words = [*SET_9, "bytes=50000", "transfers=2", f"stack={stack}", "sack=0"]
    assert seawind("virtual", KERNEL, out, *words).returncode == 0
    check_run(out)


@live
def test_a_live_run(out: Path) -> None:
    words = ["rate=10000000", "mtu=1500", "delay=0.01", "loss=0.01", "bytes=200000", *LIVE]
    result = seawind("live", out, *words)
    if result.returncode == TOO_LATE:
        pytest.skip(result.stderr)
    assert (result.returncode, result.stderr) == (0, "")
    check_run(out)


@live
def test_a_late_emulator_is_refused(out: Path) -> None:
    words = ["live", str(out), "rate=5000000", "delay=0.01", "loss=0", "bytes=20000", *LIVE]
    with subprocess.Popen([SEAWIND, *words], stderr=subprocess.PIPE, text=True) as process:
        assert wait_until(lambda: len(descendants(process.pid)) == 5 or process.poll() is not None)
        if process.poll() is not None:
            pytest.skip("the run was over before its processes were found")
        group, tree = descendants(process.pid), parents()
        (emulator,) = (one for one in group if sum(tree.get(other) == one for other in group) == 2)
        while process.poll() is None:
            try:
                os.kill(emulator, signal.SIGSTOP)
                time.sleep(0.03)
                os.kill(emulator, signal.SIGCONT)
            except ProcessLookupError:
                break
            time.sleep(0.003)
        assert process.stderr is not None
        line = process.stderr.read()
    check_refusal(Result([], process.returncode, "", line), TOO_LATE, out, "too busy")


@live
def test_a_missing_tun_device_is_one_line(out: Path) -> None:
    hidden = 'mount -t tmpfs none /dev/net && exec "$0" live "$1" stack=2002-abc'
    result = execute(["unshare", "-Urm", "sh", "-c", hidden, SEAWIND, out])
    check_refusal(result, UNAVAILABLE, out, "/dev/net/tun", "No such file")


@live
def test_forbidden_namespaces_are_one_line(out: Path) -> None:
    forbidden = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" live "$1"'
    result = execute(["unshare", "-Ur", "sh", "-c", forbidden, SEAWIND, out])
    check_refusal(result, UNAVAILABLE, out, "namespaces")


def check_kill(words: list[str], processes: int, end: signal.Signals, out: Path) -> None:
    own = network_namespaces({os.getpid()})
    with subprocess.Popen([SEAWIND, *words], stderr=subprocess.DEVNULL) as process:
        assert wait_until(lambda: len(descendants(process.pid)) >= processes)
        group = descendants(process.pid)
        hosts = network_namespaces(group) - own
        process.send_signal(end)
    assert all_end(group), "processes are left"
    # A TUN device is gone with its namespace, a namespace with its last process.
    assert not network_namespaces(set(parents())) & hosts
    assert not out.exists()
    if end == signal.SIGTERM:
        assert list(out.parent.iterdir()) == []


ENDS = pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])


@live
@ENDS
def test_nothing_is_left_of_a_live_run(out: Path, end: signal.Signals) -> None:
    check_kill(["live", str(out), "bytes=10000000", *LIVE], 5, end, out)


@virtual
@ENDS
def test_nothing_is_left_of_a_run_in_virtual_time(tmp_path: Path, end: signal.Signals) -> None:
    # Without PTRACE_O_EXITKILL a guest process outlives its kernel in one run of thirty.
    for run in range(15):
        out = tmp_path / str(run) / "out"
        out.parent.mkdir()
        check_kill(["virtual", KERNEL, str(out), "bytes=1000000000"], 5, end, out)
