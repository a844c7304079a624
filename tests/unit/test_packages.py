"""tests/packages.yaml: how many lines each package may have, and which suites a change needs."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from changed import PACKAGES, covers, suites_of  # noqa: E402

CODE = re.compile(
    r"\.(py|c|h|[ch]pp|R|m?js|tcl|smk|sh|cmake)$|(^|/)(CMakeLists\.txt|Snakefile|atlas)$|^\.ci/run$"
)


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("the tree is no repository")
    return [file for file in done.stdout.splitlines() if (ROOT / file).is_file()]


def package_of(file: str) -> str:
    return next(name for name, package in PACKAGES["ceilings"].items() if covers(package, file))


def ceiling(package: dict[str, Any]) -> int:
    raised = package.get("raised")
    if not raised:
        return int(package["lines"])
    assert f"{raised['lines']:,}" in (ROOT / raised["by"]).read_text("utf-8"), raised
    return int(raised["lines"])


def test_no_package_has_more_lines_than_its_ceiling() -> None:
    """All lines of tracked files of code, with tests, comments and blank lines; data is no code."""
    lines: Counter[str] = Counter()
    for file in filter(CODE.search, tracked()):
        lines[package_of(file)] += len((ROOT / file).read_text("utf-8").splitlines())
    assert lines.keys() == PACKAGES["ceilings"].keys()
    above = {
        name: f"{lines[name]:,} lines, at most {ceiling(package):,}"
        for name, package in PACKAGES["ceilings"].items()
        if lines[name] > ceiling(package)
    }
    assert above == {}


@pytest.mark.parametrize(
    ("files", "suites"),
    [
        ([], set()),
        (["workflow/engines/packetsim/src/tcp/cubic.hpp"], {"cpp-packetsim", "engines"}),
        (["workflow/engines/linux/uml/link.c", "docs/asking.md"], {"cpp-linux", "engines", "python"}),
        (["workflow/engines/kit/point/point.cpp"], {"cpp-release", "engines"}),
        (["workflow/figures/R/theme.R"], {"r", "pipeline"}),
        (["envs/requirements.txt", "README.md"], {"all", "python"}),
        (["atlas"], {"all"}),
    ],
)
def test_a_change_needs_the_suites_of_its_package(files: list[str], suites: set[str]) -> None:
    assert suites_of(files) == suites


def test_each_row_of_the_table_covers_a_file_and_names_suites_of_atlas() -> None:
    files = tracked()
    allowed = re.search(r'package_suites="(.+?)"', (ROOT / "atlas").read_text("utf-8"))
    assert allowed is not None
    for row in PACKAGES["changed"]:
        for pattern in row["files"]:
            assert any(covers({"files": [pattern]}, file) for file in files), pattern
        assert set(row["suites"]) <= {"r", "python", "pipeline", "cpp-release", *allowed[1].split()}
