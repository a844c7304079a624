"""`./atlas` where something is in its way: one line says what, and what helps."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from handmade import say

ROOT = Path(__file__).parents[2]
NOBODY = 65534


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree in which set-up has nothing to do; snakemake and cmake only tell how they are called."""
    root = tmp_path / "tree"
    (root / "envs").mkdir(parents=True)
    shutil.copy(ROOT / "atlas", root / "atlas")
    for name in ("debian.txt", "debian-linux.txt", "debian-wasm.txt"):
        (root / "envs" / name).write_text("coreutils\n")
    (root / "envs/requirements.txt").touch()
    venv = root / ".venv"
    say(venv / "bin/snakemake", 'echo "snakemake, cache in ${XDG_CACHE_HOME-home}"')
    say(venv / "bin/python", "")
    done = subprocess.run("sha256sum", input="", capture_output=True, text=True, check=True)
    (venv / "requirements.sha256").write_text(done.stdout)
    (venv / "pyvenv.cfg").write_text(f"command = /usr/bin/python3 -m venv --clear {venv}\n")
    say(tmp_path / "bin/cmake", 'case "$*" in *preset*) echo "cmake $*" ;; esac')
    build = root / "build/release"
    say(root / "workflow/engines/linux/uml/build.sh", 'echo "kernel"; mkdir -p "$1"; echo new >"$1/linux"')
    say(build / "linux/linux", "exit 0")
    (root / "workflow/engines/CMakePresets.json").touch()
    (build / "build.ninja").touch()
    (build / "CMakeCache.txt").write_text(f"CMAKE_CACHEFILE_DIR:INTERNAL={build}\n")
    return root


def call(tree: Path, *words: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    path = f"{tree.parent}/bin:{os.environ['PATH']}"
    command = [*before, "env", f"PATH={path}", "./atlas", *words]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def reproduce(tree: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Return what a run says that builds no kernel."""
    (tree / ".atlas").mkdir(exist_ok=True)
    if os.access(tree / ".atlas", os.W_OK):
        (tree / ".atlas/without-linux").touch()
    return call(tree, "reproduce", before=before)


def test_setup_and_reproduction_build_the_kernel_unless_they_are_told_not_to(tree: Path) -> None:
    kernel = tree / "build/uml/linux"
    assert call(tree, "reproduce").stdout == "kernel\nsnakemake, cache in home\n"
    assert kernel.exists()
    assert call(tree, "setup", "--without-linux").stdout == ""
    assert not kernel.exists()
    assert call(tree, "reproduce").stdout == "snakemake, cache in home\n"
    assert call(tree, "setup").stdout == "kernel\n"
    assert call(tree, "setup", "--with-linux").returncode == 1


def test_a_kernel_is_out_of_the_pipelines_sight_while_it_does_not_run(tree: Path) -> None:
    kernel, engine = tree / "build/uml/linux", tree / "build/release/linux/linux"
    call(tree, "setup")
    say(tree / "workflow/engines/linux/uml/build.sh", "exit 0")
    say(engine, "echo it does not start here >&2; exit 1")
    done = call(tree, "setup")
    assert (done.returncode, done.stderr, kernel.exists()) == (0, "it does not start here\n", False)
    say(engine, "exit 0")
    assert (call(tree, "setup").stderr, kernel.exists()) == ("", True)


@pytest.mark.parametrize(("status", "setup"), [(3, 0), (1, 1)])
def test_a_kernel_that_cannot_be_had_here_stops_nothing(tree: Path, status: int, setup: int) -> None:
    say(tree / "workflow/engines/linux/uml/build.sh", f"exit {status}")
    assert call(tree, "setup").returncode == setup


def test_a_first_question_waits_for_nothing_that_it_does_not_need(tree: Path) -> None:
    say(tree.parent / "bin/cmake", 'echo "cmake $*"')
    (tree / "envs/debian.txt").write_text("coreutils\n\n# The reference engine\nno-such-package\n")
    done = call(tree, "ask")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "cmake --build build/release --target packetsim fixed_point -- --quiet\n"
    # The others are configured when they are built: ns-3 may be there by then.
    assert not (tree / "build/release/build.ninja").exists()
    say(tree / "build/release/packetsim/packetsim", "")
    assert call(tree, "ask").stdout == ""


def test_a_second_run_is_refused_at_once(tree: Path) -> None:
    """Two that begin in the same moment: the lock of the one is there before Snakemake's is."""
    assert reproduce(tree).stdout == "snakemake, cache in home\n"
    with (tree / ".atlas/run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = reproduce(tree)
    assert done.returncode == 1
    assert done.stderr == "atlas: another run is at work in this directory: wait for it or stop it\n"


def test_tables_of_another_configuration_are_not_checked(tree: Path) -> None:
    """Nor is anything of them made again."""
    (tree / "results").mkdir()
    (tree / "results/studies.csv").write_text("study,digest\n")
    (tree / ".atlas").mkdir()
    (tree / ".atlas/without-linux").touch()
    assert "snakemake" in call(tree, "check").stdout
    say(tree / ".venv/bin/python", "echo they are of another >&2; exit 1")
    done = call(tree, "check")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "they are of another\n")


def test_without_a_home_snakemake_keeps_its_files_here(tree: Path) -> None:
    done = reproduce(tree, "env", "--unset=XDG_CACHE_HOME", "HOME=/nonexistent")
    assert done.stdout == f"snakemake, cache in {tree}/.atlas/cache\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("file", [".atlas", ".atlas/setup.lock"])
def test_a_folder_of_root_is_one_line(tree: Path, file: str) -> None:
    (tree / ".atlas").mkdir()
    (tree / ".atlas/setup.lock").touch()
    for folder in (tree, *tree.parents[:3]):
        folder.chmod(0o755)
    shutil.chown(tree, NOBODY)
    shutil.chown(tree / ".atlas", NOBODY if file != ".atlas" else 0)
    done = reproduce(tree, "setpriv", f"--reuid={NOBODY}", "--clear-groups")
    assert done.returncode == 1
    assert done.stderr.startswith(f"atlas: {tree}/{file} belongs to root: ")
    assert done.stderr.count("\n") == 1


def test_a_tree_that_was_moved_is_configured_again(tree: Path) -> None:
    assert "cmake" not in reproduce(tree).stdout
    moved = tree.rename(tree.with_name("moved"))
    # Its own .venv is another test's matter.
    (moved / ".venv/pyvenv.cfg").write_text(f"command = /usr/bin/python3 -m venv --clear {moved}/.venv\n")
    done = reproduce(moved)
    assert "atlas: configuring the simulators (release)\ncmake --fresh -S workflow/engines" in done.stdout
