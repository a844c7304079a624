"""The engine linux as the pipeline and a user call it: set-up, refusals, and how a guest ends that fails."""

import copy
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from linux_guest import POINT, PROGRAM, SOURCES, TAKES, bulk, call, changed, dumbbell, refusal, write_point
from processes import all_end, descendants, parents, virtual, wait_until

from tcpatlas.base.engine_call import engine_arguments

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")


def stamp() -> str:
    """Return what build.sh calls this configuration, patch and Reno, by its own command."""
    command = re.findall(r"^stamp=\$\((.*)\)$", (SOURCES / "build.sh").read_text(), re.MULTILINE)[0]
    return subprocess.run(
        ["bash", "-c", command.replace("$here", str(SOURCES))], capture_output=True, text=True, check=True
    ).stdout


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
            "tcp.variant: is 'tahoe'; one of newreno, ",
        ),
        ({"max_rto_s": 59}, "tcp.max_rto_s: at least 60 (RFC 6298, rule 2.5); the kernel's is 120"),
        ({"queue": "fair-shared"}, "links.bottleneck.queue: one of drop-tail"),
        ({"buffer_packets": 1}, "links.bottleneck.buffer_packets: from 2"),
    ],
)
def test_a_point_that_cannot_be_emulated_is_one_line(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    assert f"{tmp_path}/point.json: {says}" in refusal(changed(**changes), tmp_path)


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
    if "return" in folders:
        back = {"rate_bit_per_s": 1e6, "buffer_packets": 50, "loss_probability": 0}
        point["links"]["return"], point["ack_bytes"] = back, 40
    for folder in folders:
        place = place[folder][0] if isinstance(place[folder], list) else place[folder]
    place[name] = value
    if name == "count":
        del point["stop"]["transfer_packets"]
        point |= {"probes": [], "stop": {"duration_s": 1, "warmup_s": 0}}
    assert name in refusal(point, tmp_path)


def start(tmp_path: Path, *before: str, **changes: Any) -> subprocess.Popen[str]:
    """Begin a transfer that would take long, with a folder of its own for what it leaves."""
    (tmp_path / "tmp").mkdir()
    point = write_point(tmp_path, transfer_packets=2000000, **changes)
    words = engine_arguments(point, 1, tmp_path / "run.json")
    return subprocess.Popen(
        [*before, PROGRAM, *words],
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.PIPE,
        text=True,
    )


def ends_in_one_line(tmp_path: Path, process: subprocess.Popen[str]) -> str:
    """Wait for its end, of which one line tells, and which leaves nothing behind; return the line."""
    try:
        messages = process.communicate(timeout=300)[1]
    finally:
        process.kill()
    assert (process.returncode, messages.count("\n")) == (1, 1), messages
    assert not (tmp_path / "run.json").exists()
    assert list((tmp_path / "tmp").iterdir()) == []
    return messages


@virtual
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_killed_transfer(tmp_path: Path, end: signal.Signals) -> None:
    with start(tmp_path) as process:
        assert wait_until(lambda: any((tmp_path / "tmp").glob("**/started")))
        time.sleep(0.2)
        group = descendants(process.pid)
        assert len(group) > 1
        process.send_signal(end)
    assert process.returncode != 0
    assert all_end(group), "processes are left"
    assert not (tmp_path / "run.json").exists()
    if end != signal.SIGKILL:
        assert list((tmp_path / "tmp").iterdir()) == []


@virtual
def test_a_guest_that_is_killed_ends_in_one_line(tmp_path: Path) -> None:
    with start(tmp_path) as process:
        assert wait_until(lambda: any((tmp_path / "tmp").glob("**/started")))
        (guest,) = (child for child, parent in parents().items() if parent == process.pid)
        os.kill(guest, signal.SIGKILL)
        assert "User-Mode Linux was stopped" in ends_in_one_line(tmp_path, process)


@virtual
def test_a_guest_that_hangs_ends_in_one_line(tmp_path: Path) -> None:
    """Stopped, it takes no processor time, of which there is a limit; it is ended after half a minute."""
    with start(tmp_path) as process:
        assert wait_until(lambda: any((tmp_path / "tmp").glob("**/started")))
        (guest,) = (child for child, parent in parents().items() if parent == process.pid)
        group = descendants(process.pid)
        os.kill(guest, signal.SIGSTOP)
        assert "had done nothing for 30 seconds" in ends_in_one_line(tmp_path, process)
    assert all_end(group), "processes are left"


@virtual
def test_a_guest_without_end_ends_with_its_processor_time(tmp_path: Path) -> None:
    with start(tmp_path, "prlimit", "--cpu=2") as process:
        assert "User-Mode Linux was stopped" in ends_in_one_line(tmp_path, process)


@virtual
def test_a_guest_without_memory_ends_in_one_line(tmp_path: Path) -> None:
    """Forty thousand sources with ten packets each in one buffer."""
    group = bulk("many", 40_000, "linux-cubic", {"initial_window_packets": 10})
    stop = {"duration_s": 20, "warmup_s": 0}
    point = dumbbell(group, stop=stop, rate_bit_per_s=1e9, buffer_packets=100_000)
    assert "the guest's memory, 1 GB, is too small" in refusal(point, tmp_path)


@virtual
def test_the_kernel_answers_about_a_link_of_ones_own(tmp_path: Path) -> None:
    """One flow fills a link of 5 Mbit/s; CUBIC and fq-codel as they are called elsewhere."""
    root = SOURCES.parents[3]
    network = ("--rate", "5 Mbit/s", "--rtt", "20 ms", "--tcp", "cubic", "--queue", "fq-codel")
    done = subprocess.run(
        [sys.executable, "-m", "tcpatlas.ask", "--engine", "linux", *network, "--csv"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = {row["metric"]: row for row in csv.DictReader(done.stdout.splitlines())}
    assert rows["utilisation"]["source"] == "linux"
    assert float(rows["utilisation"]["value"]) > 0.9


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


@pytest.mark.parametrize(
    ("kernel", "stamps", "status"), [("linux", "stamp", 0), ("refused", "stamp", 0), ("COPYING", "failed", 3)]
)
def test_a_kernel_is_built_once(tmp_path: Path, kernel: str, stamps: str, status: int) -> None:
    (tmp_path / stamps).write_text(stamp())
    (tmp_path / kernel).touch(mode=0o755)
    result = build(tmp_path, os.environ["PATH"])
    assert (result.returncode, "did not compile here before" in result.stderr) == (status, status == 3)
    assert {path.name for path in tmp_path.iterdir()} == {stamps, kernel}


@pytest.mark.parametrize("folder", ["uml", "u m:l"])
def test_a_step_that_fails_is_the_reason(tmp_path: Path, folder: str) -> None:
    """Also where the kernel's own scripts could not work, and another folder is found for them."""
    (tmp_path / "bin").mkdir()
    for name in ("gcc", "make", "flex", "bison", "bc", "m4", "patch", "xz"):
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\necho 'x.c: error: no room' >&2\nexit 1\n")
        program.chmod(0o755)
    result = build(tmp_path / folder, f"{tmp_path}/bin:{os.environ['PATH']}")
    assert result.returncode == 3
    assert result.stderr.startswith(
        "virtual time: not built: the compiler failed: x.c: error: no room; the other"
    )
    assert result.stderr.count("\n") == 1
    assert not list(Path("/var/tmp").glob("tcp-atlas-kernel.*"))
