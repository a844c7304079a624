"""The command `simulate` when it is interrupted or killed, and with several engines at the same time."""

import os
import signal

import pytest
from driver import OUT, Driver
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


# The command line for a caller who waits, with two replications at the same time.
TWO_AT_ONCE = """
import sys
from functools import partial
from tcpatlas import cli
from tcpatlas.runs import simulate
waiting = simulate.Waiting(None, 2, lambda *_: {}, lambda *_: None)
simulate.simulate = partial(simulate.simulate, waiting=waiting)
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
    driver: Driver,
) -> None:
    driver.edit_point(replications={"minimum": 6, "maximum": 6, "targets": {}})
    driver.mode("fail and hang")
    _, messages = (process := driver.started("-c", TWO_AT_ONCE)).communicate(timeout=120)
    assert process.returncode == 1
    assert "the second fails" in messages
    assert driver.calls() == 2
    driver.mode("")
    assert driver.run() == 0
    # One of the two was kept, unless the second to be called was the first to be numbered.
    assert driver.calls() in (2 + 5, 2 + 6)
