"""The closing lines of `./atlas test`: names the failed tests, and adds up the JUnit files of all suites.

`FOLDER/SUITE.status` says how a suite exited, `FOLDER/SUITE.xml` is what it reported, and
`FOLDER/STEP.seconds` how long it or a part of it took: by the clock, and of the processors (user, system).
A suite that reports nothing, or that failed without a failed test, counts as one failed test.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree


def cases(report: Path) -> list[ElementTree.Element]:
    """Return the `testcase` elements of a suite's report; none if there is no report."""
    try:
        return list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []


def outcome(case: ElementTree.Element) -> str:
    """Return "failed", "skipped" or "passed" for a `testcase` element."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def count(report: Path, status: int) -> Counter[str]:
    """Return how many tests of a suite passed, failed and were skipped."""
    counts = Counter(map(outcome, cases(report)))
    if not counts or (status != 0 and not counts["failed"]):
        counts["failed"] += 1
    return counts


def failures(report: Path) -> Iterator[str]:
    """Yield the names of a suite's failed tests, each with the first line of its message."""
    for case in cases(report):
        if outcome(case) == "failed":
            cause = next(child for child in case if child.tag in {"failure", "error"})
            message = cause.get("message", "").partition("\n")[0]
            yield f"{case.get('classname')}: {case.get('name')}: {message}"


def words(counts: Counter[str]) -> str:
    """Return `N passed, N failed`, and how many were skipped if any were."""
    text = f"{counts['passed']} passed, {counts['failed']} failed"
    return text + (f", {counts['skipped']} skipped" if counts["skipped"] else "")


def spent(file: Path) -> str:
    """Return the seconds of a step by the clock and of the processors; blanks if it did not end."""
    try:
        clock, user, system = map(float, file.read_text().split()[-3:])
    except (OSError, ValueError):
        return " " * 19
    return f"{clock:7.0f} s {user + system:7.0f} s"


def slowest(folder: Path, number: int) -> Iterator[str]:
    """Yield the tests that took longest, of all suites, with their seconds by the clock."""
    timed = [
        (float(case.get("time", 0)), f"{report.stem}: {case.get('classname')}: {case.get('name')}")
        for report in folder.glob("*.xml")
        for case in cases(report)
    ]
    for seconds, name in sorted(timed, reverse=True)[:number]:
        yield f"{seconds:7.1f} s  {name}"


def main(folder: Path, number: int) -> int:
    """Print the failed and the slowest tests, a line for each step, and the sum; return 1 after a failure."""
    total: Counter[str] = Counter()
    for report in sorted(folder.glob("*.xml")):
        for line in failures(report):
            print(f"FAILED {report.stem}: {line}")
    for line in slowest(folder, number):
        print(line)
    print(f"{'':16}{'clock':>9} {'cores':>9}")
    for step in sorted({file.stem for file in folder.glob("*") if file.suffix in {".seconds", ".status"}}):
        status = folder / f"{step}.status"
        counts = count(folder / f"{step}.xml", int(status.read_text())) if status.exists() else Counter()
        print(f"{step:<16}{spent(folder / f'{step}.seconds')}   {words(counts) if counts else ''}".rstrip())
        total += counts
    print(words(total))
    return 1 if total["failed"] or not total else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="show the N slowest tests too")
    options = parser.parse_args()
    sys.exit(main(options.folder, options.slowest))
