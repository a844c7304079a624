"""The driver of replications for a caller who waits: a deadline, parallel runs, metrics of its own."""

import json
import math
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from driver import POINTS, Driver

from tcpatlas.runs.documents import Replications
from tcpatlas.runs.simulate import Waiting, simulate

QUIET = Waiting(None, 1, lambda _point, _run: {}, lambda *_: None)


def made(driver: Driver, waiting: Waiting, **bounds: Any) -> Replications:
    (point, *_) = json.loads((driver.root / POINTS).read_text())["points"]
    replications = {"minimum": 4, "maximum": 40, "targets": {"goodput_per_connection": {}}} | bounds
    command = [str(driver.engine), str(driver.root)]
    cache = driver.root / "cache"
    (result,) = simulate(
        [point | {"replications": replications}], "packetsim", command, cache, waiting=waiting
    )
    return result


def test_a_deadline_ends_a_point_with_three_replications(
    driver: Driver, capsys: pytest.CaptureFixture[str]
) -> None:
    # A target of half-width 0 is never reached.
    result = made(driver, replace(QUIET, deadline=time.monotonic() - 1))
    assert len(result["seeds"]) == driver.calls() == 3
    assert capsys.readouterr().err == ""


def test_several_replications_run_at_once_and_their_order_is_kept(driver: Driver) -> None:
    alone = made(driver, QUIET, maximum=6)
    assert len(alone["seeds"]) == 6
    for file in (driver.root / "cache").rglob("*.json"):
        file.unlink()
    (driver.root / "calls").unlink()
    driver.mode("three at once")
    assert made(driver, replace(QUIET, at_once=3), maximum=6) == alone


def test_a_metric_that_the_caller_derives_can_be_a_target(driver: Driver) -> None:
    def derived(_point: Mapping[str, Any], run: Any) -> Mapping[str, Any]:
        speed = run["metrics"]["goodput_per_connection"]["value"]
        return {"queueing_delay_mean": {"unit": "s", "value": math.trunc(speed / 1e6)}}

    # It is 0 in all runs: precise as soon as there is an interval.
    targets = {"queueing_delay_mean": {"absolute": 0.1}}
    result = made(driver, replace(QUIET, derive=derived), targets=targets)
    assert result["metrics"]["queueing_delay_mean"]["values"] == [0, 0, 0, 0]


def test_the_caller_may_have_enough_before_the_targets_hold(driver: Driver) -> None:
    assert len(made(driver, replace(QUIET, enough=lambda runs: len(runs) == 7))["seeds"]) == 7
