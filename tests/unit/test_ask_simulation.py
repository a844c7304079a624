"""`./atlas ask`: how long its runs are, and the metrics that people ask of them."""

from __future__ import annotations

import pytest
from ask_link import point

from tcpatlas import everyday
from tcpatlas.ask import question, simulation


def test_queueing_delays_are_those_of_the_queue_that_arrivals_find() -> None:
    # 1500 B at 50 Mbit/s take 0.24 ms; an arrival finds 0, 1, 2 packets in 90, 4, 6 % of cases.
    run = {"metrics": {}, "distributions": {"queue_by_arrival": {"probability": [0.90, 0.04, 0.06]}}}
    values = everyday.answered(point(), run)
    assert values["queueing_delay_mean"] == pytest.approx(0.16 * 0.24e-3)
    assert values["queueing_delay_95"] == pytest.approx(2 * 0.24e-3)


def test_users_of_endless_transfers_share_the_goodput_in_bits() -> None:
    # 4000 packets/s of 12,000 bits among 60 users.
    run = {"metrics": {"goodput": {"unit": "packets/s", "value": 4000}}, "distributions": {}}
    assert everyday.answered(point(file=None), run)["goodput_per_user"] == pytest.approx(800_000)


def test_the_speed_of_a_group_is_shared_by_its_users() -> None:
    asked = question.from_options({"rate": "50 Mbit/s", "rtt": "20 ms", "tcp": "4 cubic, 1 newreno"}).points[
        0
    ]
    metrics = {"goodput": 5000.0, "goodput[cubic]": 4500.0, "goodput[newreno]": 500.0}
    run = {"metrics": {name: {"value": value} for name, value in metrics.items()}, "distributions": {}}
    given = everyday.answered(asked.document, run)
    # 1500 B are 12,000 bit.
    assert given["goodput_per_user[cubic]"] == pytest.approx(4500 / 4 * 12000)
    assert given["goodput_per_user[newreno]"] == pytest.approx(500 * 12000)


def test_a_usual_run_lets_every_source_warm_up() -> None:
    assert simulation.usual_run(point())["stop"] == {"connections": 1000, "warmup_connections": 180}


def test_a_run_that_must_be_short_keeps_some_warmup_and_connections() -> None:
    usual = simulation.usual_run(point())
    assert simulation.fitted(usual, 1e9)["stop"] == usual["stop"]
    # Six connections of each of 60 sources, two of them warm-up, however little time there is.
    assert simulation.fitted(usual, 1)["stop"] == {"connections": 240, "warmup_connections": 120}
    endless = simulation.fitted(point(file=None), 1)["stop"]
    assert endless == {"duration_s": 30, "warmup_s": 10}
