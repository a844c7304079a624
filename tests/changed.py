"""The suites of `./atlas test` that what changed needs, by tests/packages.yaml: changed.py [BASE].

`BASE` is a commit; by default that at which this branch left main of the origin, or the local main. Changes
are those since then, with what is not committed. Prints `all` where no row covers a file, nothing where
nothing changed.
"""

import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
PACKAGES: dict[str, Any] = yaml.safe_load((ROOT / "tests/packages.yaml").read_text("utf-8"))


def covers(row: Mapping[str, Sequence[str]], file: str) -> bool:
    """Return whether a file fits one of a row's patterns."""
    return any(fnmatchcase(file, pattern) for pattern in row["files"])


def suites_of(files: Iterable[str]) -> set[str]:
    """Return the suites that changed files need; `all` among them where no row covers a file."""
    rows = [next((row for row in PACKAGES["changed"] if covers(row, file)), None) for file in files]
    return {suite for row in rows for suite in (row["suites"] if row else ["all"])}


def git(*words: str) -> str:
    """Return what git says; raises SystemExit, in one line, where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"atlas: test --changed: git {words[0]}: {done.stderr.strip().splitlines()[0]}")
    return done.stdout


def changed_since(base: str) -> list[str]:
    """Return the files that differ from a commit, and those that git does not know."""
    differing = git("diff", "--name-only", "--no-renames", "--end-of-options", base)
    return [*differing.splitlines(), *git("ls-files", "--others", "--exclude-standard").splitlines()]


def base_of_branch() -> str:
    """Return the commit at which this branch left main."""
    mains = git("branch", "--all", "--format=%(refname:short)", "--list", "origin/main", "main").split()
    main = "origin/main" if "origin/main" in mains else "main"
    return git("merge-base", "HEAD", main).strip()


if __name__ == "__main__":
    needed = suites_of(changed_since(sys.argv[1] if len(sys.argv) > 1 else base_of_branch()))
    print("all" if "all" in needed else " ".join(sorted(needed)))
