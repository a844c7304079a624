"""The command `simulate` when it is interrupted or killed, and with several engines at the same time."""

from __future__ import annotations

import os
import shutil
import signal

import pytest
from driver import CACHE, OUT, Driver
from handmade import in_real_time
from waiting import is_alive, wait_for


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_kill_and_resume(driver: Driver, how: signal.Signals) -> None:
    """A killed driver leaves whole replications and no result; the next one makes only what is missing."""
    driver.edit_point(replications={"minimum": 2, "maximum": 2, "targets": {}})
    assert driver.run() == 0
    (driver.root / OUT).unlink()
    driver.edit_point(replications={"minimum": 4, "maximum": 4, "targets": {}})
    driver.mode("hang")
    process = driver.started("-m", "tcpatlas")
    pid_file = driver.root / "pid"
    wait_for(lambda: pid_file.exists() and bool(pid_file.read_text()))
    engine = int(pid_file.read_text())
    process.send_signal(how)
    assert process.wait(timeout=300) != 0
    if how is signal.SIGKILL:
        os.kill(engine, signal.SIGKILL)
    wait_for(lambda: not is_alive(engine))
    assert not (driver.root / OUT).exists()
    assert driver.calls() == 3
    driver.mode("")
    assert driver.run() == 0
    assert driver.calls() == 5
    assert len(driver.result()["seeds"]) == 4


def test_an_engine_in_real_time_makes_replications_at_once(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the three waits until all have begun; what comes of them is as if one came after the other."""
    assert driver.run() == 0
    one_by_one = driver.result()
    shutil.rmtree(driver.root / CACHE)
    (driver.root / "calls").unlink()
    driver.mode("three at once")
    in_real_time(monkeypatch, "packetsim", at_once=3)
    assert driver.run() == 0
    assert driver.calls() == 3
    assert driver.result() == one_by_one


# The command line with an engine that makes two replications at once.
TWO_AT_ONCE = """
import sys
from tcpatlas import cli
from tcpatlas.points.engines import all_engines
engines = all_engines()
engines["packetsim"] = engines["packetsim"].model_copy(update={"real_time": True, "at_once": 2})
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_engines_that_run_at_once_end_with_the_driver(driver: Driver, how: signal.Signals) -> None:
    driver.edit_point(replications={"minimum": 6, "maximum": 6, "targets": {}})
    driver.mode("hang")
    process = driver.started("-c", TWO_AT_ONCE)
    pids = driver.root / "pids"
    wait_for(lambda: pids.exists() and pids.read_text().count("\n") == 2)
    process.send_signal(how)
    # Each of the engines would go on for ten minutes.
    _, messages = process.communicate(timeout=120)
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[how]
    assert "Traceback" not in messages
    assert not any(is_alive(int(pid)) for pid in pids.read_text().split())
    assert driver.calls() == 2


def test_an_error_cancels_what_has_not_begun_and_keeps_what_is_done(
    driver: Driver, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.edit_point(replications={"minimum": 6, "maximum": 6, "targets": {}})
    driver.mode("fail and hang")
    in_real_time(monkeypatch, "packetsim", at_once=2)
    assert driver.run() == 1
    assert "the second fails" in capsys.readouterr().err
    assert driver.calls() == 2
    driver.mode("")
    assert driver.run() == 0
    # One of the two was kept, unless the second to be called was the first to be numbered.
    assert driver.calls() in (2 + 5, 2 + 6)
