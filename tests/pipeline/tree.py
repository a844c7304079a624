"""A copy of the project's tree in which a test can run what a user would, and break what it likes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tcpatlas.base.files import read_csv_rows

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".atlas", ".snakemake", ".venv", ".*_cache", "__pycache__", "build", "results"
)

# An engine, but it waits while the file `hold` is there and a condition is true.
HELD_ENGINE = """\
#!/bin/sh
cd "{root}"
while [ -e hold ] && {condition}; do
  touch held
  sleep 0.1
done
exec "{engine}" "$@"
"""

Outcome = subprocess.CompletedProcess[str]


class Tree:
    """A copy of the project's tree, or one that is there, to run commands in; none builds a kernel."""

    def __init__(self, root: Path, *, is_there: bool = False) -> None:
        if not is_there:
            shutil.copytree(ROOT, root, symlinks=True, ignore=NOT_COPIED)
        (root / ".venv").symlink_to(ROOT / ".venv")
        (root / ".atlas").mkdir()
        (root / ".atlas/without-linux").touch()
        self.root = root
        self.environment = dict(os.environ)
        # What a run is asked for, and its papers; a folder without a scenario is no part of a run of all.
        self.asked: tuple[str, ...] = ("--config", "scale=smoke")
        self.papers = tuple(file.parent.name for file in (ROOT / "scenarios/papers").glob("*/scenario.yaml"))

    def keeps_its_own_replications(self) -> Tree:
        """Neither use nor fill the cache of this machine; return the tree."""
        self.environment["TCP_ATLAS_CACHE"] = "off"
        return self

    def kept(self) -> dict[Path, int]:
        """Return the replications that it has kept on its own; one that is made again is another inode."""
        return {path: path.stat().st_ino for path in (self.root / "results/cache").glob("*/*.json.gz")}

    def run(self, *command: str, path: str = "") -> Outcome:
        """Run a command in the tree; `path` is searched for programs first."""
        first = {"PATH": f"{path}:{os.environ['PATH']}"} if path else {}
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment | first,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def snakemake(self, *arguments: str) -> Outcome:
        """Run Snakemake as a user would who has not activated .venv."""
        return self.run(".venv/bin/snakemake", "--cores", "2", *arguments)

    def output(self, *command: str, path: str = "") -> str:
        """Run a command that must succeed; return what it says."""
        done = self.run(*command, path=path)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make(self, *arguments: str) -> None:
        """Run Snakemake, which must succeed."""
        done = self.snakemake(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr

    def due(self, *arguments: str) -> set[str]:
        """Return the rules of which a run of Snakemake would have jobs."""
        said = self.output(".venv/bin/snakemake", "--cores", "2", "--dry-run", *arguments)
        table = said.partition("Job stats:")[2].partition("\ntotal")[0]
        return set(re.findall(r"^(\S+) +\d+$", table, re.MULTILINE))

    def rows(self, table: str) -> list[dict[str, str]]:
        """Return the rows of a table in results/."""
        return read_csv_rows(self.root / "results" / table)

    def take_engines(self) -> None:
        """Copy the engines that are built in the tree itself."""
        for engine in (ROOT / "build/release").glob("*/*"):
            if engine.name == engine.parent.name and engine.is_file():
                copy = self.root / engine.relative_to(ROOT)
                copy.parent.mkdir(parents=True)
                shutil.copy(engine, copy)

    @contextmanager
    def started(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start Snakemake in a process group of its own, all of which is killed in the end."""
        process = subprocess.Popen(
            [".venv/bin/snakemake", *arguments],
            cwd=self.root,
            env=self.environment,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                assert process.poll() is not None
            process.wait()

    @contextmanager
    def held(self, condition: str = "true") -> Iterator[Tree]:
        """Let packetsim, which is built, wait until the file `hold` is gone; the file `held` says so.

        It does so only where a condition of the shell is true in the tree.
        """
        engine = self.root / "build/release/packetsim/packetsim"
        itself = engine.rename(engine.with_name("packetsim-itself"))
        engine.write_text(HELD_ENGINE.format(root=self.root, condition=condition, engine=itself))
        engine.chmod(0o755)
        (self.root / "hold").touch()
        try:
            yield self
        finally:
            itself.rename(engine)

    def replace(self, file: str, old: str, new: str) -> None:
        """Edit a file of the tree; the old text must be there."""
        text = (self.root / file).read_text()
        assert old in text
        (self.root / file).write_text(text.replace(old, new, 1))
