"""The closing lines of `./atlas test`: names the failed tests and adds up the JUnit files of all suites.

Called as `summary.py FOLDER`: `FOLDER/SUITE.status` says how a suite exited, `FOLDER/SUITE.xml` is what it
reported. A suite that reports nothing, or that failed without a failed test, counts as one failed test.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree


def outcome(case: ElementTree.Element) -> str:
    """Return "failed", "skipped" or "passed" for a `testcase` element."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def count(report: Path, status: int) -> Counter[str]:
    """Return how many tests of a suite passed, failed and were skipped."""
    try:
        counts = Counter(outcome(case) for case in ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        counts = Counter()
    if not counts or (status != 0 and not counts["failed"]):
        counts["failed"] += 1
    return counts


def failures(report: Path) -> list[str]:
    """Return the names of a suite's failed tests, each with the first line of its message."""
    try:
        cases = [case for case in ElementTree.parse(report).iter("testcase") if outcome(case) == "failed"]
    except (OSError, ElementTree.ParseError):
        return []
    lines = []
    for case in cases:
        cause = next(child for child in case if child.tag in {"failure", "error"})
        message = cause.get("message", "").partition("\n")[0]
        lines.append(f"{case.get('classname')}: {case.get('name')}: {message}")
    return lines


def words(counts: Counter[str]) -> str:
    """Return `N passed, N failed`, and how many were skipped if any were."""
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    return text + (f", {counts['skipped']} skipped" if counts["skipped"] else "")


def main(folder: Path) -> int:
    """Print the failed tests, a line for each suite and the sum; return 1 if anything failed."""
    total: Counter[str] = Counter()
    for report in sorted(folder.glob("*.xml")):
        for line in failures(report):
            print(f"FAILED {report.stem}: {line}")
    for status in sorted(folder.glob("*.status")):
        counts = count(status.with_suffix(".xml"), int(status.read_text()))
        print(f"{status.stem:<12} {words(counts)}")
        total += counts
    print(words(total))
    return 1 if total["failed"] or not total else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
