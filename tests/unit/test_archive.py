"""`./atlas archive`: what it packs in a tree that is no repository, and what a run that ends early leaves."""

import shutil
import signal
import subprocess
import tarfile
from pathlib import Path

import pytest
from handmade import adopt_programs_of, say
from waiting import is_alive, wait_for

ROOT = Path(__file__).parents[2]
PYTHON = ".venv/bin/python"  # says of which scale the tables are


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "results").mkdir(parents=True)
    shutil.copy(ROOT / "atlas", root / "atlas")
    (root / "Snakefile").write_text("")
    adopt_programs_of(tmp_path / "bin", root)
    (root / "results/studies.csv").write_text("study,digest\n")
    say(root / PYTHON, "echo smoke")
    (root / "results/ro-crate-metadata.json").write_text("{}")
    return root


def test_tables_of_another_configuration_are_not_packed(tree: Path) -> None:
    say(tree / PYTHON, "echo they are of another >&2; exit 1")
    done = archive(tree)
    assert (done.returncode, done.stderr) == (1, "they are of another\n")
    assert not list(tree.glob("tcp-atlas*"))


def archive(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["./atlas", "archive", *arguments], cwd=tree, capture_output=True, text=True, check=False
    )


SOURCES = {
    "atlas",
    "envs/environment.txt",
    "Snakefile",
    "results/studies.csv",
    "results/ro-crate-metadata.json",
}


@pytest.mark.parametrize("name", ["tcp-atlas-smoke.tar.gz", "mine.tgz", "results/mine.tgz"])
def test_archives_are_not_packed_into_archives(tree: Path, name: str) -> None:
    (tree / "tcp-atlas-paper.tar.gz.partial").write_text("left by a killed run")
    for _ in range(2):
        done = archive(tree, name)
        assert (done.returncode, done.stderr) == (0, "")
        with tarfile.open(tree / name) as file:
            assert {name.removeprefix("tcp-atlas/") for name in file.getnames()} == SOURCES
    assert not list(tree.rglob(f"{Path(name).name}.partial"))


def test_a_tar_that_fails_leaves_no_file(tree: Path) -> None:
    say(tree.parent / "bin/tar", "echo half; echo no space left >&2; exit 2")
    done = archive(tree)
    assert done.returncode == 1
    assert done.stderr == "no space left\natlas: archive: tar failed: see above\n"
    assert not list(tree.glob("tcp-atlas*"))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_no_file_and_no_tar(tree: Path, how: signal.Signals) -> None:
    say(tree.parent / "bin/tar", "echo half; echo $$ >../tar; exec sleep 600")
    process = subprocess.Popen(
        ["./atlas", "archive"],
        cwd=tree,
        # A job in a shell's background ignores SIGINT, and what it starts inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    process_file = tree.parent / "tar"
    wait_for(lambda: process_file.exists() and bool(process_file.read_text()))
    assert list(tree.glob("*.partial"))
    process.send_signal(how)
    assert process.wait(60) != 0
    assert not list(tree.glob("tcp-atlas*"))
    wait_for(lambda: not is_alive(int(process_file.read_text())))
