"""The closing lines of `./atlas test`."""

import subprocess
import sys
from pathlib import Path

SUMMARY = Path(__file__).parents[1] / "summary.py"

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="test_fine" time="2.5"/>
<testcase classname="tests.a" name="test_wrong"><failure message="assert 1 == 2&#10;more"/></testcase>
<testcase classname="tests.b" name="test_left_out"><skipped message="no disk"/></testcase>
</testsuite></testsuites>"""


def test_a_failed_test_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "unit.xml").write_text(REPORT)
    (tmp_path / "unit.status").write_text("1\n")
    (tmp_path / "silent.status").write_text("1\n")
    (tmp_path / "unit.seconds").write_text("61.5 50.1 10.2\n")
    (tmp_path / "compile.seconds").write_text("30.0 55.0 1.0\n")
    command = [sys.executable, SUMMARY, tmp_path, "--slowest", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "FAILED unit: tests.a: test_wrong: assert 1 == 2",
        "    2.5 s  unit: tests.a: test_fine",
        "                    clock     cores",
        "compile              30 s      56 s",
        "silent                                0 passed, 1 failed",
        "unit                 62 s      60 s   1 passed, 1 failed, 1 skipped",
        "1 passed, 2 failed, 1 skipped",
    ]
