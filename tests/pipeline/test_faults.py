"""Runs that are killed or disturbed: the next one ends with the same bytes, or a line says why not.

TCP_ATLAS_NIGHTLY=1 asks for a hundred moments in place of five.
"""

import os
import random
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tree import ROOT, Outcome, Tree

pytestmark = pytest.mark.slow

ARGUMENTS = (
    "--until",
    "simulate",
    "predict",
    "--config",
    "scenarios=scenarios/examples/my-link.yaml",
    "scale=smoke",
)
MOMENTS = 100 if os.getenv("TCP_ATLAS_NIGHTLY") else 5
DAY_S = 24 * 3600
NOBODY = 65534


def made(tree: Tree) -> dict[str, bytes]:
    """Return what a run is for: a line for each point, simulated and predicted."""
    folders = (tree.root / "results" / folder for folder in ("runs", "predictions"))
    files = (path for folder in folders for path in folder.rglob("*.jsonl"))
    return {str(path.relative_to(tree.root)): path.read_bytes() for path in files}


def unlock(tree: Tree) -> None:
    """Remove the lock that a killed run has left, as ./atlas reproduce does."""
    for lock in (tree.root / ".snakemake/locks").glob("*"):
        lock.unlink()


def run(tree: Tree) -> Outcome:
    """Run to the end."""
    unlock(tree)
    return tree.snakemake(*ARGUMENTS)


def finishes_with(tree: Tree, expected: dict[str, bytes]) -> None:
    """Assert that the next run ends well, and has made these bytes."""
    done = run(tree)
    assert done.returncode == 0, done.stdout + done.stderr
    assert made(tree) == expected


@pytest.fixture
def built_tree(built_tree: Tree) -> Tree:
    """A tree whose replications are its own: others' would take the place of what is disturbed."""
    return built_tree.keeps_its_own_replications()


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], float]:
    """The results of a run that nothing disturbs, and how long it takes in seconds."""
    tree = Tree(tmp_path_factory.mktemp("undisturbed") / "tree").keeps_its_own_replications()
    tree.take_engines()
    began = time.monotonic()
    done = run(tree)
    assert done.returncode == 0, done.stdout + done.stderr
    return made(tree), time.monotonic() - began


def test_kills_at_random_moments_change_no_byte(
    built_tree: Tree, undisturbed: tuple[dict[str, bytes], float]
) -> None:
    expected, duration_s = undisturbed
    moments = random.Random(1)
    for _ in range(MOMENTS):
        unlock(built_tree)
        with built_tree.started("--cores", "2", *ARGUMENTS) as process:
            try:
                process.wait(duration_s * moments.random())
            except subprocess.TimeoutExpired:
                continue
    finishes_with(built_tree, expected)


@pytest.mark.parametrize("interruption", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_run_stops_and_resumes(
    built_tree: Tree, undisturbed: tuple[dict[str, bytes], float], interruption: signal.Signals
) -> None:
    expected, _ = undisturbed
    with built_tree.started("--cores", "2", *ARGUMENTS) as process:
        while not list((built_tree.root / "results").glob("work/*/*/*/packetsim/*")):
            assert process.poll() is None
            time.sleep(0.02)
        # As a terminal has it: Ctrl-C is for all processes of the group.
        if interruption == signal.SIGINT:
            os.killpg(process.pid, interruption)
        else:
            process.send_signal(interruption)
        process.wait(60)
    finishes_with(built_tree, expected)


def test_a_clock_that_jumps_changes_no_byte(
    built_tree: Tree, undisturbed: tuple[dict[str, bytes], float]
) -> None:
    """Every second file that was made, the scenario and a source are of tomorrow or of yesterday."""
    expected, _ = undisturbed
    assert run(built_tree).returncode == 0
    results = sorted(path for path in (built_tree.root / "results").rglob("*") if path.is_file())
    for days, files in (
        (1, results[::4]),
        (-1, results[1::4]),
        (
            1,
            [
                built_tree.root / file
                for file in ("scenarios/examples/my-link.yaml", "workflow/tcpatlas/runs/store.py")
            ],
        ),
    ):
        for path in files:
            now = path.stat().st_mtime
            os.utime(path, (now + days * DAY_S, now + days * DAY_S))
    # A job that is made of a source of tomorrow could not end.
    refused = run(built_tree).stderr.splitlines()[-1]
    assert refused.startswith(
        "2 files are dated in the future, such as scenarios/examples/my-link.yaml; run: find"
    )
    built_tree.output("bash", "-c", refused.partition("run: ")[2])
    finishes_with(built_tree, expected)


@pytest.fixture
def disk(built_tree: Tree) -> Iterator[Callable[[str], None]]:
    """A disk at results/: a call mounts it with its options, another one again with what it holds."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    results = built_tree.root / "results"
    results.mkdir()

    def mount(options: str) -> None:
        kind = f"remount,{options}" if results.is_mount() else options
        command = ["mount", "-t", "tmpfs", "-o", kind, "tmpfs", str(results)]
        mounted = subprocess.run(command, capture_output=True, text=True)
        if mounted.returncode != 0:
            pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")

    yield mount
    if results.is_mount():
        subprocess.run(["umount", str(results)], check=True)


def test_results_that_cannot_be_written_are_one_line(built_tree: Tree, disk: Callable[[str], None]) -> None:
    disk("ro")
    done = run(built_tree)
    assert done.returncode != 0
    complaints = [line for line in done.stderr.splitlines() if "results" in line and "Read-only" in line]
    assert len(complaints) == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_a_disk_that_is_full_at_any_moment_leaves_no_half_result(
    built_tree: Tree, disk: Callable[[str], None], undisturbed: tuple[dict[str, bytes], float]
) -> None:
    """The disk grows from run to run: each ends with one line, and leaves whole files."""
    expected, _ = undisturbed
    full = 0
    for step in range(MOMENTS):
        disk(f"size={40 + 160 * step // MOMENTS}k")
        done = run(built_tree)
        if done.returncode != 0:
            full += 1
            # The log gives the reason, if there was room for it.
            assert re.search(r"No space left on device|its disk has 0\.\d MB left", done.stderr), done.stderr
        for file, content in made(built_tree).items():
            assert content == expected[file]
    assert full >= MOMENTS // 2
    disk("size=64m")
    finishes_with(built_tree, expected)


def test_a_path_with_spaces_and_umlauts_another_locale_and_no_root(
    undisturbed: tuple[dict[str, bytes], float],
) -> None:
    expected, _ = undisturbed
    with tempfile.TemporaryDirectory(prefix="tcp atlas ") as folder:
        Path(folder).chmod(0o755)
        tree = Tree(Path(folder) / "Größe und Maß")
        tree.take_engines()
        environment = [
            "env",
            "LC_ALL=tr_TR.UTF-8",
            "LANG=tr_TR.UTF-8",
            "TZ=Asia/Kathmandu",
            "HOME=/nonexistent",
        ]
        as_user: list[str] = []
        if os.geteuid() == 0:
            as_user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            if subprocess.run([*as_user, "test", "-x", ROOT / ".venv/bin/snakemake"], check=False).returncode:
                pytest.skip("a user who is not root may not read this tree")
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", folder], check=True)
        tree.output(*environment, *as_user, ".venv/bin/snakemake", "--cores", "2", *ARGUMENTS)
        assert made(tree) == expected
