"""Applies one seeded mistake after the other to a copy of the tree, and says which suite notices.

    .venv/bin/python tests/mutations/run.py [--out FILE] [NAME ...]

Exit status 1 if a mutation passes that is not known to change nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
ENGINES = Path("workflow/engines")
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".atlas", ".snakemake", ".venv", ".*_cache", "__pycache__", "build", "results"
)
PYTHON = ROOT / ".venv/bin/python"
R_TEST = """
source("workflow/figures/bin/load.R"); library(ggplot2); library(testthat); tcpatlas$figures <- figures
Sys.setenv(NOT_CRAN = "true")
tests <- "workflow/figures/tests/testthat"
test_dir(tests, filter = "^%s$", env = new.env(parent = tcpatlas), reporter = "check")
"""


class Copy:
    """A copy of the tree in which one file is mutated at a time."""

    def __init__(self, root: Path) -> None:
        shutil.copytree(ROOT, root, symlinks=True, ignore=NOT_COPIED)
        (root / ".venv").symlink_to(ROOT / ".venv")
        self.root = root

    def call(self, *command: str | Path) -> tuple[bool, str]:
        """Run a command in the copy; return whether it succeeded, and what it said."""
        environment = os.environ | {"PYTHONPATH": str(self.root / "workflow"), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            command, cwd=self.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return done.returncode == 0, done.stdout + done.stderr

    def unit(self, files: str) -> tuple[bool, str]:
        """Run files of unit tests up to the first test that fails."""
        return self.call(
            PYTHON,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            *(f"tests/unit/{file}" for file in files.split()),
        )

    def compiled(self, source: str, program: str, *libraries: str) -> tuple[bool, str]:
        """Compile one source with the kit, and with packetsim's library if it simulates points."""
        folders = ["kit/[!tm]*/*.cpp"]
        if "run/simulate.hpp" in (self.root / ENGINES / source).read_text():
            folders.append("packetsim/src/run/**/*.cpp")
        parts = [path for folder in folders for path in (self.root / ENGINES).glob(folder)]
        files = [
            ENGINES / source,
            ENGINES / "kit/main/run.cpp",
            *(path.relative_to(self.root) for path in parts),
        ]
        objects = [Path("build") / f"{'-'.join(file.parts)}.o" for file in files]
        (self.root / program).parent.mkdir(parents=True, exist_ok=True)
        include = [f"-I{ENGINES / folder}" for folder in ("", "packetsim/src", "packetsim/tests")]
        ccache = [shutil.which("ccache")] if shutil.which("ccache") else []
        options = ["-std=c++20", "-O1", '-DPACKETSIM_VERSION="0"', *include, "-c", "-o"]

        def compile_one(made: Path, file: Path) -> tuple[bool, str]:
            return self.call(*filter(None, ccache), "g++", *options, made, file)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            failed = [output for done, output in threads.map(compile_one, objects, files) if not done]
        return (False, failed[0]) if failed else self.call("g++", *objects, *libraries, "-o", program)

    def cpp(self, source: str) -> tuple[bool, str]:
        """Compile one source of tests, and run it."""
        done, output = self.compiled(source, "build/tests", "-lgtest_main", "-lgtest")
        return self.call("build/tests", "--gtest_brief=1") if done else (done, output)

    def queue(self, name: str) -> tuple[bool, str]:
        """Compare a queue of packetsim's with its script, packet by packet."""
        program = "build/release/packetsim/queue_decisions"
        done, output = self.compiled("packetsim/tests/queue_decisions.cpp", program)
        words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        words += ["tests/engines/test_managed_queues.py", "-k", f"[{name}-"]
        return self.call(PYTHON, *words) if done else (done, output)

    def r(self, name: str) -> tuple[bool, str]:
        """Run the tests of one file."""
        return self.call("Rscript", "-e", R_TEST % name)


SUITES: dict[str, Callable[[Copy, str], tuple[bool, str]]] = {
    "unit": Copy.unit,
    "cpp": Copy.cpp,
    "queue": Copy.queue,
    "r": Copy.r,
}
MARKS = {"unit": "FAILED ", "queue": "FAILED ", "cpp": "[  FAILED  ] ", "r": "Failure ("}


def main() -> int:
    """Run what is asked for; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    mutations_yaml = Path(__file__).parent / "mutations.yaml"
    parser.add_argument("--list", type=Path, default=mutations_yaml, help="what mutations there are")
    parser.add_argument("--out", type=Path, help="write the table of docs/mutations.md here")
    parser.add_argument("names", nargs="*", help="mutations (default: all)")
    asked = parser.parse_args()
    mutations: dict[str, dict[str, Any]] = yaml.safe_load(asked.list.read_text())
    unknown = set(asked.names) - set(mutations)
    if unknown:
        parser.error(f"no such mutation: {', '.join(sorted(unknown))}; allowed: {', '.join(mutations)}")
    chosen = {name: one for name, one in mutations.items() if not asked.names or name in asked.names}
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder) / "tree")
        # Each suite has to pass without the mutation, or its failure would show nothing.
        sound = {
            suite: _run(copy, *suite) for suite in dict.fromkeys(_suite(choice) for choice in chosen.values())
        }
        for (kind, what), (passed, output) in sound.items():
            if not passed:
                print(f"{kind} {what} fails without a mutation:\n{output[-2000:]}", file=sys.stderr)
                return 1
        rows = [_try(copy, name, one) for name, one in chosen.items()]
    if asked.out:
        asked.out.write_text(_page(chosen, rows))
    escaped = [
        name
        for (name, one), row in zip(chosen.items(), rows, strict=True)
        if not row and "equivalent" not in one
    ]
    print(f"{len(rows) - len(escaped)} passed, {len(escaped)} failed")
    return 1 if escaped else 0


def _suite(mutation: dict[str, Any]) -> tuple[str, str]:
    kind = next(kind for kind in SUITES if kind in mutation)
    what = mutation[kind]
    return kind, " ".join(what) if isinstance(what, list) else what


def _run(copy: Copy, kind: str, what: str) -> tuple[bool, str]:
    return SUITES[kind](copy, what)


def _try(copy: Copy, name: str, mutation: dict[str, Any]) -> str:
    """Return what caught a mutation; nothing if nothing did."""
    file = copy.root / mutation["file"]
    text = file.read_text()
    if text.count(mutation["old"]) != 1:
        raise SystemExit(
            f"{name}: the old text is {text.count(mutation['old'])} times in {mutation['file']}, not once"
        )
    kind, what = _suite(mutation)
    began = time.monotonic()
    file.write_text(text.replace(mutation["old"], mutation["new"]))
    passed, output = _run(copy, kind, what)
    file.write_text(text)
    lines = [line for line in output.splitlines() if MARKS[kind] in line] or output.strip().splitlines()[-1:]
    caught = (
        "" if passed else lines[0].partition(MARKS[kind])[2] if kind in ("unit", "queue", "cpp") else lines[0]
    )
    print(f"{name}: {caught or 'NOT CAUGHT'} ({time.monotonic() - began:.0f} s)", flush=True)
    return caught.partition(" - ")[0].strip() if kind in ("unit", "queue") else caught.strip()


def _page(chosen: dict[str, dict[str, Any]], rows: list[str]) -> str:
    lines = ["| Mutation | In | Caught by |", "|---|---|---|"]
    for (name, one), caught in zip(chosen.items(), rows, strict=True):
        noticed = f"`{caught}`" if caught else f"nothing: {one.get('equivalent', 'not caught')}"
        place = one["file"].removeprefix("workflow/")
        lines.append(f"| {name.replace('-', ' ')} | `{place}` | {noticed.replace('|', ' ')} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
