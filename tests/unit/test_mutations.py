"""The script of seeded mistakes: it tells those that tests notice from those that no test does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MUTATIONS = """\
interval-without-its-degree-of-freedom:
  file: workflow/tcpatlas/base/statistics.py
  old: stdtrit(n - 1, (1 + confidence) / 2)
  new: stdtrit(n, (1 + confidence) / 2)
  unit: [test_statistics.py]
what-no-test-can-see:
  file: workflow/tcpatlas/base/statistics.py
  old: stdtrit(n - 1, (1 + confidence) / 2)
  new: stdtrit(-1 + n, (1 + confidence) / 2)
  unit: [test_statistics.py]
what-is-gone:
  file: workflow/tcpatlas/base/statistics.py
  old: a line that was here once
  new: another
  unit: [test_statistics.py]
"""


def mutate(tmp_path: Path, *names: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "mutations.yaml").write_text(MUTATIONS)
    script = ROOT / "tests/mutations/run.py"
    command = [sys.executable, str(script), "--list", str(tmp_path / "mutations.yaml"), *names]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_mistake_is_told_from_what_no_test_sees(tmp_path: Path) -> None:
    done = mutate(tmp_path, "interval-without-its-degree-of-freedom", "what-no-test-can-see")
    assert done.returncode == 1
    caught, escaped, summary = done.stdout.splitlines()
    assert "interval-without-its-degree-of-freedom: tests/unit/test_statistics.py::test_" in caught
    assert escaped.startswith("what-no-test-can-see: NOT CAUGHT")
    assert summary == "1 passed, 1 failed"


def test_a_mistake_that_can_no_longer_be_made_is_named(tmp_path: Path) -> None:
    done = mutate(tmp_path, "what-is-gone")
    assert done.returncode == 1
    assert "what-is-gone: the old text is 0 times in workflow/tcpatlas/base/statistics.py" in done.stderr
