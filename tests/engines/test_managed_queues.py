"""packetsim's queues and links against plain scripts of their definitions: every packet, event by event."""

import random
import subprocess
from collections.abc import Callable

import pytest
from processes import BUILD
from queue_scripts import QUEUES
from queue_scripts.fifo import Arrival, Event
from queue_scripts.link import SECOND, Link

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


# Steps, and a bucket of a rate and a burst. At 10, 5, 20 and 4 Mbit/s a packet takes whole microseconds,
# and so do its tokens at 8 and 2 Mbit/s.
STEPS = [
    (1_234_567_890_123, 5 * 10**6),
    (2_000_000_000_001, 20 * 10**6),
    (2_000_100_000_000, 4 * 10**6),
    (2_000_200_000_003, 10 * 10**6),
    (6_000_000_000_000, 4 * 10**6),
    (9_876_543_210_987, 20 * 10**6),
]
LINKS: dict[str, tuple[list[tuple[int, int]], tuple[int, int] | None]] = {
    "constant": ([], None),
    "steps": (STEPS, None),
    "bucket": ([], (8 * 10**6, 60000)),
    "small bucket": ([], (2 * 10**6, 1500)),
    "steps and bucket": (STEPS, (8 * 10**6, 30000)),
}


def decided(queue: str, buffer: int, link: str, arrivals: list[Arrival]) -> list[Event]:
    """Return what packetsim's queue does."""
    steps, bucket = LINKS[link]
    words = [f"{at / SECOND!r}:{rate}" for at, rate in steps]
    words += [f"bucket:{bucket[0]}:{bucket[1]}"] if bucket else []
    lines = "".join(f"{time} {flow} {int(marks)}\n" for time, flow, marks in arrivals)
    arguments = [PROGRAM, queue, str(buffer), str(SERVICE), "5", *words]
    answer = subprocess.run(arguments, input=lines, capture_output=True, text=True, check=True).stdout
    events = [line.split() for line in answer.splitlines()]
    return [(int(time), what, int(number)) for time, what, number in events]


def scripted(queue: str, buffer: int, link: str, arrivals: list[Arrival]) -> list[Event]:
    """Return what the script does."""
    return list(QUEUES[queue](buffer, Link(12000 * SECOND // SERVICE, *LINKS[link]), 5).replay(arrivals))


RUNS = [
    *(("constant", buffer, case) for buffer in (40, 1000) for case in CASES),
    *(
        (link, 40, case)
        for link in LINKS
        if link != "constant"
        for case in ("half understand marks", "waves")
    ),
]


@needs_program
@pytest.mark.parametrize(("link", "buffer", "case"), RUNS)
@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_decides_as_its_definition(queue: str, link: str, buffer: int, case: str) -> None:
    arrivals = CASES[case](random.Random(f"{queue}, {buffer}"))
    theirs = scripted(queue, buffer, link, arrivals)
    assert len(theirs) == len(arrivals)
    assert decided(queue, buffer, link, arrivals) == theirs


@needs_program
@pytest.mark.parametrize("queue", QUEUES)
def test_recorded_arrivals_reach_each_rule(queue: str) -> None:
    """The comparison above says nothing of a queue that drops and marks nothing."""
    seen = set()
    for case in CASES.values():
        arrivals = case(random.Random(f"{queue}, 1000"))
        seen |= {what for _, what, _ in scripted(queue, 100, "constant", arrivals)}
    marks = {"marked"} if queue.removesuffix("-rfc") in ("codel", "pie", "red", "fq-codel", "step") else set()
    assert seen == {"left", "dropped"} | marks
