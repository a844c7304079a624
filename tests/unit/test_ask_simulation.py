"""`./atlas ask`: how long its runs are, and the metrics that people ask of them."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from ask_link import asked, point

from tcpatlas.answers import headline_metrics
from tcpatlas.ask import path, question, simulation

ROOT = Path(__file__).parents[2]


def test_queueing_delays_are_those_of_the_queue_that_arrivals_find() -> None:
    # 1500 B at 50 Mbit/s take 0.24 ms; an arrival finds 0, 1, 2 packets in 90, 4, 6 % of cases.
    run = {"metrics": {}, "distributions": {"queue_by_arrival": {"probability": [0.90, 0.04, 0.06]}}}
    values = headline_metrics.answered(point(), run)
    assert values["queueing_delay_mean"] == pytest.approx(0.16 * 0.24e-3)
    assert values["queueing_delay_95"] == pytest.approx(2 * 0.24e-3)


def test_users_of_endless_transfers_share_the_goodput_in_bits() -> None:
    # 4000 packets/s of 12,000 bits among 60 users.
    run = {"metrics": {"goodput": {"unit": "packets/s", "value": 4000}}, "distributions": {}}
    assert headline_metrics.answered(point(file=None), run)["goodput_per_user"] == pytest.approx(800_000)


def test_the_speed_of_a_group_is_shared_by_its_users() -> None:
    network = {"rate": "50 Mbit/s", "rtt": "20 ms", "tcp": "4 cubic, 1 newreno"}
    (asked,) = question.from_options(network).points
    metrics = {"goodput": 5000.0, "goodput[cubic]": 4500.0, "goodput[newreno]": 500.0}
    run = {"metrics": {name: {"value": value} for name, value in metrics.items()}, "distributions": {}}
    speeds = headline_metrics.answered(asked.document, run)
    # 1500 B are 12,000 bit.
    assert speeds["goodput_per_user[cubic]"] == pytest.approx(4500 / 4 * 12000)
    assert speeds["goodput_per_user[newreno]"] == pytest.approx(500 * 12000)


def test_a_usual_run_lets_every_source_warm_up() -> None:
    # Of 1180 connections, 200,000 packets' worth and three of each source, a quarter.
    assert simulation.usual_run(point())["stop"] == {"connections": 885, "warmup_connections": 295}


def test_a_run_that_must_be_short_keeps_some_warmup_and_connections() -> None:
    usual = simulation.usual_run(point())
    assert simulation.fitted(usual, 1e9)["stop"] == usual["stop"]
    # Six connections of each of 60 sources, two of them warm-up, however little time there is.
    assert simulation.fitted(usual, 1)["stop"] == {"connections": 240, "warmup_connections": 120}
    endless = simulation.fitted(point(file=None), 1)["stop"]
    assert endless == {"duration_s": 30, "warmup_s": 10}


def test_a_rate_that_goes_by_a_clock_has_the_run_that_its_file_says(tmp_path: Path) -> None:
    file = tmp_path / "steps.yaml"
    scenario = yaml.safe_load((ROOT / "scenarios/examples/bufferbloat.yaml").read_text())
    steps = [{"at": "10 s", "rate": "1 Mbit/s"}, {"at": "250 s", "rate": "5 Mbit/s"}]
    scenario["base"]["links"]["bottleneck"]["rate_steps"] = steps
    scenario["base"]["stop"] = {"duration": "180 s", "warmup": "20 s"}
    file.write_text(yaml.safe_dump({**scenario, "sets": {"one": {"title": "One"}}}))
    document = question.from_file(str(file)).points[0].document
    assert simulation.fitted(simulation.usual_run(document), 1)["stop"] == document["stop"]
    assert path.late_steps(document) == (200, 250)


class Simulator:
    """A simulator that takes a tenth of a second for a trial, and notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, command: list[str], *_: object) -> str:
        self.asked.append(json.loads(Path(command[command.index("--point") + 1]).read_text()))
        time.sleep(0.1)
        return ""


def test_a_trial_counts_the_packets_of_a_run_and_not_how_often_they_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two trials at once, of 100,000 packets in a tenth of a second or more: up to 2 million a second."""
    simulator = Simulator()
    monkeypatch.setattr(simulation, "failure", simulator)
    speed = simulation._speed("packetsim", simulation.usual_run(point()), tmp_path, 2)
    assert {sum(point["stop"].values()) for point in simulator.asked} == {500}
    assert 0.3e6 < speed < 2.1e6


def test_runs_are_so_short_that_eight_fit_with_room_to_spare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One second at 10 million packets a second: a run has a fourteenth of them."""
    planned: list[Any] = []

    def simulate(points: Any, *_: object, **__: object) -> list[Any]:
        planned.extend(points)
        return [{"seeds": [], "metrics": {}}]

    monkeypatch.setattr(simulation, "_speed", lambda *_: 10e6)
    monkeypatch.setattr(simulation, "simulate", simulate)
    simulation.simulated("packetsim", [asked()], 0.02, 1.0, tmp_path)
    # Files of 200 packets: 3571 connections of 236,000 in the usual run, which may be longer.
    assert sum(planned[0]["stop"].values()) == pytest.approx(10e6 / 14 / 200, rel=0.02)


@pytest.mark.parametrize(
    ("queue", "packets", "reached"),
    [
        ("codel", 42, False),
        ("codel", 43, True),
        ("pie", 125, False),
        ("pie", 127, True),
        ("drop-tail", 2, True),
    ],
)
def test_a_queue_whose_target_no_packet_waits_for_is_told(queue: str, packets: int, reached: bool) -> None:
    """5 and 15 ms are 41.7 and 125 packets of 1,500 bytes at 100 Mbit/s, and one more is in service."""
    bottleneck = {"queue": queue, "buffer_packets": packets, "rate_bit_per_s": 100e6}
    found = path.unreached_target({"packet_bytes": 1500, "links": {"bottleneck": bottleneck}})
    assert (found is None) == reached
