"""The closing lines of `./atlas test`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SUMMARY = Path(__file__).parents[1] / "summary.py"

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="test_fine"/>
<testcase classname="tests.a" name="test_wrong"><failure message="assert 1 == 2&#10;more"/></testcase>
<testcase classname="tests.b" name="test_left_out"><skipped message="no disk"/></testcase>
</testsuite></testsuites>"""


def test_a_failed_test_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "unit.xml").write_text(REPORT)
    (tmp_path / "unit.status").write_text("1\n")
    (tmp_path / "silent.status").write_text("1\n")
    done = subprocess.run([sys.executable, SUMMARY, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "FAILED unit: tests.a: test_wrong: assert 1 == 2",
        "silent       0 passed, 1 failed",
        "unit         1 passed, 1 failed, 1 skipped",
        "1 passed, 2 failed, 1 skipped",
    ]
