"""The command `ask`: options, time limits and output."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tcpatlas.ask import show, target
from tcpatlas.ask.answer import answer_of, predicted
from tcpatlas.ask.arguments import NETWORK, PRECISE
from tcpatlas.ask.question import COMMAND_LINE, Question, from_file, from_options
from tcpatlas.ask.simulation import Simulated
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import to_json
from tcpatlas.trust.stored import accepted_maps

PROGRAM = Path("build/release/packetsim/packetsim")
# What a quick answer takes, from the start of the program, and how exact it tries to be.
SECONDS = 1.3
HALF_WIDTH = 0.02


def run(options: argparse.Namespace) -> int:
    """Answer the question; returns 0."""
    if not PROGRAM.is_file():
        raise AtlasError(f"{PROGRAM} is missing; run ./atlas setup")
    given = {name: getattr(options, name) for name in NETWORK}
    question = _question(options, given)
    if (options.find is None) != (options.such_that is None):
        lacking = "--find" if options.find is None else "--such-that"
        raise ConfigError(COMMAND_LINE, lacking, "is missing", "--find and --such-that go together")
    if options.find is not None and options.precise:
        allowed = (
            "one of the two: a search simulates each value until it is clear on which side of TARGET it is"
        )
        raise ConfigError(COMMAND_LINE, "--precise", "is there beside --find", allowed)
    with tempfile.TemporaryDirectory() as folder:
        if options.find is not None:
            _find(options, question, Path(folder))
        else:
            _answer(options, question, Path(folder))
    return 0


def _question(options: argparse.Namespace, given: dict[str, str | None]) -> Question:
    if options.scenario is None:
        return from_options(given)
    network = [f"--{name}" for name, value in given.items() if value is not None]
    if network:
        raise ConfigError(COMMAND_LINE, network[0], "is there beside FILE", "a FILE or options, not both")
    return from_file(options.scenario)


def _answer(options: argparse.Namespace, question: Question, folder: Path) -> None:
    half_width = PRECISE if options.precise else HALF_WIDTH
    limit = None if options.precise else SECONDS
    asked = [
        (one.name, Simulated(point.document, PROGRAM, folder))
        for one in question.sets
        for point in one.points
    ]
    points = [point for _, point in asked]
    quiet = Console(stderr=True, quiet=not options.precise)
    with Progress(console=quiet, transient=True) as progress:
        task = progress.add_task("simulating", total=len(points))
        while unfinished := [point for point in points if not _enough(point, half_width, limit)]:
            done = sum(point.progress(half_width) for point in unfinished)
            progress.update(task, completed=len(points) - len(unfinished) + done)
            for point in unfinished:
                point.replicate()
    maps = accepted_maps()
    answers = [answer_of(name, point, maps, quick=not options.precise) for name, point in asked]
    if options.json:
        print(show.as_json(question, answers), end="")
    elif options.csv:
        print(show.to_csv(show.COLUMNS, show.rows(answers)), end="")
    else:
        least, most = (bound(point.replications for point in points) for bound in (min, max))
        runs = f"{least}" if least == most else f"{least} to {most}"
        reached = (
            f"every interval is within ±{half_width:.1%} of its value"
            if all(point.precise(half_width) for point in points)
            else f"2 seconds were up; --precise takes the time that ±{PRECISE:.1%} needs"
        )
        closing = f"{runs} simulations a point; {reached}. {_age():.1f} s."
        show.show(Console(), question, answers, closing)


def _enough(point: Simulated, half_width: float, limit: float | None) -> bool:
    """Say whether a point is precise enough or, with an interval at least, out of time."""
    late = limit is not None and _age() > limit
    return point.replications >= 2 and (late or point.settled(half_width))


def _age() -> float:
    """Return the seconds since this process started, the loading of its modules included."""
    ticks = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(ticks) / os.sysconf("SC_CLK_TCK")


def _find(options: argparse.Namespace, question: Question, folder: Path) -> None:
    parameter, wanted = target.parameter_of(question, options.find), target.Target.of(options.such_that)
    start = target.start_of(question, parameter)
    simulation = target.by_simulation(question, parameter, wanted, PROGRAM, folder)
    found = {"packetsim": target.search(parameter, wanted, simulation, start)}
    point = question.point({parameter.path: parameter.written(found["packetsim"].meets)}).document
    models = predicted(point)
    left_out = dict(models.left_out)
    for model, values in models.values.items():
        if wanted.metric in values:
            metric = target.by_model(question, parameter, wanted, model)
            try:
                found[model] = target.search(parameter, wanted, metric, found["packetsim"].meets)
            except (AtlasError, ValueError) as error:
                left_out[model] = str(error)
    if options.json or options.csv:
        rows = target.rows(options.find, parameter, wanted, found)
        print(to_json({"answers": rows}) if options.json else show.to_csv(target.COLUMNS, rows), end="")
        return
    console = Console()
    console.print(f"[bold]{question.title}: {options.find} such that {wanted.text}[/bold]", highlight=False)
    for source, one in found.items():
        most = "at most" if one.meets < one.fails else "at least"
        console.print(
            f"{source:>11}  {most} {one.meets} {parameter.unit} "
            f"({show.text(wanted.metric, one.at_meets)}; "
            f"at {one.fails}: {show.text(wanted.metric, one.at_fails)})",
            highlight=False,
        )
    for line in show.left_out([left_out]):
        console.print(f"[dim]{line}[/dim]", highlight=False)
