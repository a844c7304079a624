"""`./atlas` where something is in its way: one line says what, and what helps."""

import fcntl
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import cases
from handmade import adopt_programs_of, say

from tcpatlas.base import environment

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
    adopt_programs_of(tmp_path / "bin", root)
    venv = root / ".venv"
    say(venv / "bin/snakemake", 'echo "snakemake, home $HOME"')
    say(venv / "bin/python", "")
    (venv / "lib/python3.11/site-packages").mkdir(parents=True)
    shutil.copy(ROOT / "envs/tcp_atlas_start.py", root / "envs")
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
    return subprocess.run([*before, "./atlas", *words], cwd=tree, capture_output=True, text=True, check=False)


def reproduce(tree: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Return what a run says that builds no kernel."""
    (tree / ".atlas").mkdir(exist_ok=True)
    if os.access(tree / ".atlas", os.W_OK):
        (tree / ".atlas/without-linux").touch()
    return call(tree, "reproduce", before=before)


def test_setup_and_reproduction_build_the_kernel_unless_they_are_told_not_to(tree: Path) -> None:
    kernel = tree / "build/uml/linux"
    snakemake = f"snakemake, home {tree}/.atlas/home\n"
    assert call(tree, "reproduce").stdout == f"kernel\n{snakemake}"
    assert kernel.exists()
    assert call(tree, "setup", "--without-linux").stdout == ""
    assert not kernel.exists()
    assert call(tree, "reproduce").stdout == snakemake
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
    assert "snakemake" in reproduce(tree).stdout
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
    moved = tree.rename(tree.with_name("mein büro"))
    # Its own .venv is another test's matter.
    (moved / ".venv/pyvenv.cfg").write_text(f"command = /usr/bin/python3 -m venv --clear {moved}/.venv\n")
    done = reproduce(moved)
    assert "atlas: configuring the simulators (release)\ncmake --fresh -S workflow/engines" in done.stdout


@cases("atlas.the_last_line_of_a_setup_that_fails_is_the_reason")
def test_the_last_line_of_a_setup_that_fails_is_the_reason(
    tree: Path, program: str, says: str, last: str
) -> None:
    """What goes on beside it ends later, and may say more."""
    shutil.rmtree(tree / "build")
    say(tree.parent / program, f"printf '{says}\n' >&2; exit 1")
    other = "bin/cmake" if "uml" in program else "tree/workflow/engines/linux/uml/build.sh"
    say(tree.parent / other, "sleep 0.5; echo this goes on")
    done = call(tree, "setup")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"atlas: {last}")


def test_packages_that_cannot_be_installed_are_the_reason_too(tree: Path) -> None:
    (tree / ".venv/requirements.sha256").unlink()
    say(tree.parent / "bin/env", "echo ERROR: no route >&2; exit 1")
    done = call(tree, "setup")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "atlas: pip install failed: ERROR: no route",
    )


def test_files_of_tomorrow_are_dated_now(tree: Path) -> None:
    """Sources, which ninja would configure again for ever, and what was made, which no edit would renew."""
    for file in ("atlas", "build/release/build.ninja"):
        os.utime(tree / file, (time.time() + 86400, time.time() + 86400))
    done = call(tree, "setup")
    assert "atlas: 2 files are dated in the future, such as ./" in done.stdout
    assert (tree / "atlas").stat().st_mtime <= time.time()
    assert "future" not in call(tree, "setup").stdout


def test_atlas_and_the_rules_read_one_description_of_the_environment(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = dict.fromkeys(
        ("HOME", "USER", "R_LIBS", "MAKEFLAGS", "GIT_DIR", "TEXMFHOME", "LC_TIME"), "/x y*{z}"
    )
    given |= {"PATH": os.environ["PATH"], "CCACHE_DIR": "/ccache", "TCP_ATLAS_CACHE": "", "PYTHONPATH": "/p"}
    say(tree / ".venv/bin/snakemake", "env -0 >environment")
    (tree / ".atlas").mkdir()
    (tree / ".atlas/without-linux").touch()
    subprocess.run(["./atlas", "reproduce"], cwd=tree, env=given, capture_output=True, check=True)
    monkeypatch.setattr(environment, "TREE", tree)
    monkeypatch.setattr(environment, "FILE", tree / "envs/environment.txt")
    found = (tree / "environment").read_text().rstrip("\0").split("\0")
    made = dict(variable.split("=", 1) for variable in found)
    own = ("_", "PWD", "OLDPWD", "SHLVL", "TCP_ATLAS_BEGAN")  # bash's, and when the run began
    assert {name: value for name, value in made.items() if name not in own} == environment.changed(given)


@pytest.fixture
def tested(tree: Path) -> Path:
    """A tree in which the programs of the tests only note how they are called."""
    for name in ("debian-browser.txt", "debian-lint.txt", "site.txt"):
        (tree / "envs" / name).touch()
    site = shutil.copytree(tree / ".venv", tree / "build/site/venv")
    (site / "pyvenv.cfg").write_text(f"command = /usr/bin/python3 -m venv --clear {site}\n")
    say(tree / ".venv/bin/python", f'echo "$*" >>{tree}/calls')
    for tool in ("ctest", "Rscript", "shellcheck", "clang-format"):
        say(tree.parent / "bin" / tool, "")
    for tool in ("ruff", "mypy", "snakefmt"):
        say(tree / ".venv/bin" / tool, "")
    return tree


@pytest.mark.parametrize(
    ("words", "marker", "suites"),
    [
        ((), "not slow", {"pipeline", "cpp-release", "r", "python"}),
        (("--all",), "", {"pipeline", "cpp-release", "cpp-sanitize", "lint", "r", "python"}),
        (("python",), "not slow", {"python"}),
        (("cpp-packetsim", "cpp-linux", "engines"), "not slow", {"cpp-packetsim", "cpp-linux", "engines"}),
    ],
)
def test_a_tier_of_tests_is_some_suites_and_pytests_marker(
    tested: Path, words: tuple[str, ...], marker: str, suites: set[str]
) -> None:
    done = call(tested, "test", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {file.stem for file in (tested / "build/test-reports").glob("*.status")} == suites
    called = [line for line in (tested / "calls").read_text().splitlines() if line.startswith("-m pytest")]
    assert len(called) == len(suites & {"pipeline", "python", "engines"})
    assert all(line.startswith(f"-m pytest -m {marker} --numprocesses 2 ") for line in called)


@pytest.mark.parametrize(
    ("needed", "suites"),
    [
        ("cpp-linux engines", {"cpp-linux", "engines"}),
        ("all", {"pipeline", "cpp-release", "r", "python"}),
        ("", set()),
    ],
)
def test_a_change_is_tested_by_the_suites_that_it_needs(tested: Path, needed: str, suites: set[str]) -> None:
    say(tested / ".venv/bin/python", f'case $1 in *changed.py) echo "{needed}" ;; esac')
    done = call(tested, "test", "--changed", "HEAD~3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {file.stem for file in (tested / "build/test-reports").glob("*.status")} == suites


def test_nothing_is_tested_where_setup_fails(tested: Path) -> None:
    say(tested.parent / "bin/cmake", "echo no disk >&2; exit 1")
    done = call(tested, "test")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "atlas: the build failed (release): no disk",
    )
    assert not (tested / "calls").exists()


def test_an_unknown_suite_is_one_line(tested: Path) -> None:
    done = call(tested, "test", "--all", "pythn")
    assert done.returncode == 1
    assert done.stderr.startswith("atlas: test: unknown suite pythn; allowed: pipeline, cpp-release, ")


@cases("atlas.the_help_of_a_command_is_one_screen_and_does_nothing")
def test_the_help_of_a_command_is_one_screen_and_does_nothing(tree: Path, command: str) -> None:
    before = sorted(tree.rglob("*"))
    done = call(tree, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"usage: ./atlas {command} [ARGUMENTS]"
    assert lines[2].startswith(f"  {command}")
    assert len(lines) <= 24
    assert sorted(tree.rglob("*")) == before
