"""`./atlas ask`: answer a question about a user's link."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tcpatlas.ask import trace
from tcpatlas.ask.arguments import ENGINES, NETWORK, PRECISE, parser
from tcpatlas.ask.progress import Progress
from tcpatlas.ask.question import Question, from_file, from_options
from tcpatlas.ask.simulation import Simulated, given, simulated
from tcpatlas.base import command
from tcpatlas.base.engine_call import libraries_allowed
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.statistics import Interval
from tcpatlas.points.parts.external import is_library
from tcpatlas.points.types import Point
from tcpatlas.runs.documents import Run

if TYPE_CHECKING:
    from rich.console import Console

# Of a quick answer: seconds from the start of the program to its end, what is left of them for the printing,
# and how exact it tries to be.
SECONDS = {"packetsim": 2.0, "linux": 10.0}
_SECONDS_PER_FURTHER_POINT = 0.2
_MOST_SECONDS = 10.0
_PRINTING = 0.3
# However long Python took to start: on a busy machine that alone is a second.
_LEAST_SECONDS = 0.8
HALF_WIDTH = 0.02
# When ./atlas began this process, in seconds since 1970.
_ASKED = "TCP_ATLAS_ASKED"
_PLOTS = (".svg", ".pdf", ".png")


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer the question; return the exit status."""
    options = parser().parse_args(arguments)
    return command.run(lambda: answer(options))


def answer(options: argparse.Namespace) -> int:
    """Answer the question of some options; returns 0."""
    question = question_of(options)
    # Who names a library on the command line allows it.
    allowed = options.allow_library or any(map(is_library, (options.tcp or "").replace(",", " ").split()))
    with libraries_allowed(allowed), tempfile.TemporaryDirectory() as folder:
        if options.find is None:
            _answer(options, question, Path(folder))
        else:
            _find(options, question, Path(folder))
    return 0


def question_of(options: argparse.Namespace) -> Question:
    """Return the question that options ask; raises AtlasError where they contradict each other."""
    if options.find is not None and options.such_that is None:
        raise AtlasError("--find: to what end? e.g. --such-that 'speed >= 1 Mbit/s'")
    if options.such_that is not None and options.find is None:
        raise AtlasError("--such-that: of what? e.g. --find users")
    for name in ("precise", "why", "plot", "trace"):
        if options.find is not None and getattr(options, name):
            raise AtlasError(f"--{name}: not with --find, which simulates a value until its side is clear")
    if options.plot and Path(options.plot).suffix not in _PLOTS:
        raise AtlasError(f"--plot {options.plot}: which format? A name that ends in {', '.join(_PLOTS)}")
    if options.trace and Path(options.trace).suffix not in trace.FORMATS:
        raise AtlasError(
            f"--trace {options.trace}: which format? A name that ends in {', '.join(trace.FORMATS)}"
        )
    if options.find is not None and options.engine != ENGINES[0]:
        raise AtlasError(
            f"--find: not with --engine {options.engine}, which takes seconds for each value tried"
        )
    network = {name: getattr(options, name) for name in NETWORK}
    if options.scenario is None:
        return from_options(network, options.find, options.engine)
    beside = [f"--{name}" for name, value in network.items() if value is not None]
    if beside and not Path(options.scenario).is_file():
        number = f"{beside[0]} '{network[beside[0].removeprefix('--')]} {options.scenario}'"
        raise AtlasError(f"{options.scenario}: no such file; or quote a number with its unit: {number}")
    if beside:
        raise AtlasError(f"{beside[0]}: is there beside {options.scenario}; a file or options, not both")
    return from_file(options.scenario, options.engine)


def _answer(options: argparse.Namespace, question: Question, folder: Path) -> None:
    from tcpatlas.ask import rows
    from tcpatlas.ask.answer import Predicted, answer_of, predicted
    from tcpatlas.base.files import to_csv
    from tcpatlas.trust.error_map import ErrorMap
    from tcpatlas.trust.stored import accepted_maps

    points = question.points

    def models() -> tuple[list[Predicted], list[ErrorMap]]:
        quick = not options.precise
        return [predicted(point.document, quick=quick) for point in points], accepted_maps()

    # Models compute while the simulator runs; those of --precise may run a simulator themselves.
    with ThreadPoolExecutor(1) as background:
        if options.precise:
            runs = _simulated(question.engine, points, PRECISE, None, folder)
            computed = background.submit(models)
        else:
            computed = background.submit(models)
            usual = SECONDS[question.engine]
            most = min(usual + _SECONDS_PER_FURTHER_POINT * (len(points) - 1), max(usual, _MOST_SECONDS))
            seconds = max(most - _PRINTING - _age(), _LEAST_SECONDS)
            runs = _simulated(question.engine, points, HALF_WIDTH, seconds, folder)
        predictions, maps = computed.result()
    half_width = PRECISE if options.precise else HALF_WIDTH
    answers = [answer_of(run, models, maps) for run, models in zip(runs, predictions, strict=True)]
    if options.json:
        print(rows.as_json(question.title, answers, question.assumed), end="")
    elif options.csv:
        print(to_csv(rows.COLUMNS, rows.rows(answers)), end="")
    else:
        from tcpatlas.ask.show import Effort, show

        show(_console(), question, answers, Effort(_age(), half_width), options.why)
    if options.trace:
        trace.trace(question, Path(options.trace), folder)
    if options.plot:
        from tcpatlas.ask.plot import plot

        plot(question.title, answers, Path(options.plot))


def _simulated(
    engine: str, points: Sequence[Point], half_width: float, seconds: float | None, folder: Path
) -> list[Simulated]:
    """Return the points, simulated as by `simulated`, with a line of how far that is if it takes long."""
    places = {(point.set, point.name): place for place, point in enumerate(points, 1)}
    with Progress(f"simulating by {engine}") as line:

        def progress(run: Run, number: int, missed: Mapping[str, Interval | None]) -> None:
            point = f"point {places[run['set'], run['point']]} of {len(points)}, " if len(points) > 1 else ""
            wide = f", {', '.join(missed)} not yet exact enough" if seconds is None and missed else ""
            line.text = f"simulating by {engine}: {point}simulation {number}{wide}"

        return simulated(engine, points, half_width, seconds, folder, progress=progress)


def _find(options: argparse.Namespace, question: Question, folder: Path) -> None:
    from tcpatlas.ask import target
    from tcpatlas.ask.answer import predicted
    from tcpatlas.ask.show import window_limit
    from tcpatlas.base.files import to_csv, to_json

    first = question.points[0]
    parameter = target.parameter_of(first, options.find)
    wanted = target.Target.of(options.such_that, first.document, given(question.engine, first, folder))
    start = target.start_of(first, parameter)
    limits: dict[int, int | None] = {}
    with Progress(f"searching the {options.find}") as line:
        simulation = target.by_simulation(question, parameter, wanted, folder, limits, line)
        results = {question.engine: target.search(parameter, wanted, simulation, start)}
    meets = results[question.engine].meets
    models = predicted(parameter.at(question, meets).document)
    metrics = {
        model: target.by_model(question, parameter, wanted, model)
        for model, values in models.values.items()
        if wanted.metric in values
    }
    found, failed = target.search_models(parameter, wanted, metrics, meets)
    results |= found
    rarer = target.with_longer_pauses(question, parameter, wanted, found)
    if options.json or options.csv:
        table = list(target.rows(parameter, wanted, results))
        document = {"question": question.title, "assumed": list(question.assumed), "answers": table}
        print(to_json(document) if options.json else to_csv(target.COLUMNS, table), end="")
        return
    console = _console()
    title = f"{question.title}: {options.find} such that {wanted.text}"
    lines = ["", title, "", *target.lines(parameter, wanted, results), ""]
    if window := limits[meets]:
        limit = window_limit(window, "--window" if question.options is not None else "tcp.rwnd")
        lines += [f"There it is {limit}.", ""]
    if rarer:
        lines += [rarer, ""]
    if question.assumed:
        lines += [f"Assumed: {', '.join(question.assumed)}.", ""]
    lines += [
        f"! the model {model} failed ({reason})" for model, reason in {**models.failed, **failed}.items()
    ]
    for each in lines:
        console.print(f"  {each}" if each else "", highlight=False, soft_wrap=True)


def _console() -> Console:
    from rich.console import Console

    return Console()


def _age() -> float:
    """Return the seconds since `./atlas` began this process; elsewhere since this process began."""
    if asked := os.environ.pop(_ASKED, ""):
        return max(time.time() - float(asked), 0.0)
    if not (stat := Path("/proc/self/stat")).exists():
        return time.process_time()
    ticks = stat.read_text().rpartition(")")[2].split()[19]
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(ticks) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
