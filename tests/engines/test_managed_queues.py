"""packetsim's actively managed queues against plain scripts of their RFCs: every packet, event by event."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable

import pytest
from processes import BUILD
from queue_scripts import QUEUES, SECOND, Arrival, Event

PROGRAM = BUILD / "release/packetsim/queue_decisions"
SERVICE = 1_200_000_000  # of 1500 bytes at 10 Mbit/s

needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the simulators' tests are not built")


def steady(draw: random.Random, load: float, seconds: float, marks: float) -> list[Arrival]:
    """Return Poisson arrivals of eight flows at a constant load."""
    time, arrivals = 0.0, []
    while (time := time + draw.expovariate(load / SERVICE)) < seconds * SECOND:
        arrivals.append((round(time), draw.randrange(8), draw.random() < marks))
    return arrivals


def waves(draw: random.Random, seconds: float, marks: float) -> list[Arrival]:
    """Return bursts of up to 80 packets of a flow at once, with pauses: queues fill, drain and stand idle."""
    time, arrivals = 0, []
    while time < seconds * SECOND:
        flow = draw.randrange(8)
        for _ in range(draw.randrange(1, 80)):
            time += draw.randrange(SERVICE)
            arrivals.append((time, flow if draw.random() < 0.8 else draw.randrange(8), draw.random() < marks))
        time += round(draw.expovariate(1 / 0.1) * SECOND)
    return arrivals


CASES: dict[str, Callable[[random.Random], list[Arrival]]] = {
    "overload": lambda draw: steady(draw, 1.1, 20, 0),
    "overload, all understand marks": lambda draw: steady(draw, 1.05, 20, 1),
    "half understand marks": lambda draw: steady(draw, 1.2, 10, 0.5),
    "light load": lambda draw: steady(draw, 0.7, 10, 0),
    "waves": lambda draw: waves(draw, 20, 0.3),
}


@needs_program
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("buffer", [40, 1000])
@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_decides_as_its_rfc(queue: str, buffer: int, case: str) -> None:
    arrivals = CASES[case](random.Random(f"{queue}, {buffer}"))
    lines = "".join(f"{time} {flow} {int(marks)}\n" for time, flow, marks in arrivals)
    arguments = [PROGRAM, queue, str(buffer), str(SERVICE), "5"]
    answer = subprocess.run(arguments, input=lines, capture_output=True, text=True, check=True).stdout
    events = [line.split() for line in answer.splitlines()]
    ours: list[Event] = [(int(time), what, int(number)) for time, what, number in events]
    theirs = list(QUEUES[queue](buffer, SERVICE, 5).replay(arrivals))
    assert len(theirs) == len(arrivals)
    assert ours == theirs


@needs_program
@pytest.mark.parametrize("queue", QUEUES)
def test_recorded_arrivals_reach_each_rule(queue: str) -> None:
    """The comparison above says nothing of a queue that drops and marks nothing."""
    seen = set()
    for case in CASES.values():
        arrivals = case(random.Random(f"{queue}, 1000"))
        seen |= {what for _, what, _ in QUEUES[queue](1000, SERVICE, 5).replay(arrivals)}
    assert seen == {"left", "marked", "dropped"}
