"""`./atlas judge`: asks a congestion control the questions of a suite."""

from __future__ import annotations

import difflib
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from tcpatlas.ask.progress import Progress
from tcpatlas.ask.simulation import one_run
from tcpatlas.base.command import Parser, run
from tcpatlas.base.engine_call import libraries_allowed
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import to_json, write_atomically
from tcpatlas.base.repository import COMMAND
from tcpatlas.controllers.embedded import embedded, is_class
from tcpatlas.judge.kernel import link
from tcpatlas.judge.paper import pdf
from tcpatlas.judge.report import Report, counts, document, page, said
from tcpatlas.judge.suite import FOLDER, RFC, Engine, Suite, Tcp, asked_of, named, suite_of, suites
from tcpatlas.judge.verdicts import Answered, Judge
from tcpatlas.points.engines import taken_by_dumbbells
from tcpatlas.points.parts.external import is_library, is_module, variant_keys
from tcpatlas.runs.cache import cache_folder
from tcpatlas.runs.qlog import SUFFIX, logged, qlog

_OUT = Path("build/judge")
_RIVALS = "cubic,newreno-sack,bbr"


def main(arguments: Sequence[str]) -> int:
    """Run the command; 0 if no question fails, 1 if one does, 2 if it cannot be asked."""
    parser = Parser(
        prog=f"{COMMAND} judge",
        description="Ask a congestion control the questions of a suite (docs/judge.md).",
        epilog="exit status: 0 no question fails, 1 one fails, 2 it cannot run",
    )
    parser.add_argument(
        "controller",
        help="a variant (cubic, newreno-sack, bbr, ... as in Linux; cubic-rfc, ... as in the RFCs), "
        "a shared object (./my.so), a class in Python (my.py:Mine) or a kernel's tcp_foo.c",
    )
    parser.add_argument(
        "--suite",
        help=f"one of {', '.join(suites())} ({FOLDER}), or a file.yaml (default: quick; kernel of a .c)",
    )
    parser.add_argument("--engine", choices=get_args(Engine), help="that answers (default: the suite's)")
    parser.add_argument("--against", default=_RIVALS, help=f"rivals (default: {_RIVALS})")
    parser.add_argument(
        "--baselines",
        default="cubic,newreno-sack",
        help="asked the same, to compare; '' for none (default: cubic,newreno-sack)",
    )
    parser.add_argument("--parameters", default="", help="of a shared object: beta=0.7,c=0.4")
    parser.add_argument("--only", help="questions of the suite, with commas between them (default: all)")
    parser.add_argument("--qlog", action="store_true", help="write a run of each question as qlog, too")
    parser.add_argument("--out", help=f"folder of the report (default: {_OUT}/CONTROLLER-SUITE)")
    options = parser.parse_args(arguments)
    try:
        of_kernel = is_module(options.controller)
        suite, file = suite_of(options.suite or ("kernel" if of_kernel else "quick"))
        if options.engine:
            suite = asked_of(suite, options.engine)
        if of_kernel and suite.engine != "linux":
            raise AtlasError(f"{options.controller}: a kernel's code is asked by a suite of the engine linux")
        if options.only:
            suite = _fewer(suite, _names(options.only), file)
        only = f"-{'+'.join(suite.questions)}" if options.only else ""
        out = Path(options.out or _OUT / f"{Path(options.controller).stem}-{Path(file).stem}{only}")
        library = embedded(options.controller, out) if is_class(options.controller) else options.controller
        rivals: dict[str, Tcp] = {
            name: _named("--against: ", name, suite.engine) for name in _names(options.against)
        }
        parameters = _parameters(options.parameters, library)
        asked: dict[str, Tcp] = {options.controller: _controller(str(library), suite.engine) | parameters}
        asked |= {name: _named("--baselines: ", name, suite.engine) for name in _names(options.baselines)}
        # The suite was read without: it may name no library, only who gives the command may.
        with libraries_allowed("library" in asked[options.controller]):
            return _judged(suite, file, asked, rivals, out, options)
    except AtlasError as error:
        print(f"atlas: judge: {error}", file=sys.stderr)
        return 2


def _controller(name: str, engine: str) -> dict[str, Any]:
    """Return the TCP of a controller: a variant's name, a shared object, or a file of a kernel's."""
    if not is_library(name) and not is_module(name):
        return _named("", name, engine)
    if not Path(name).is_file():
        raise AtlasError(f"{name}: there is no such file")
    if is_module(name):
        link(Path(name))
    return variant_keys(str(Path(name).resolve()))


def _named(option: str, name: str, engine: str) -> dict[str, str]:
    """Return the keys of `tcp` for a variant's name; AtlasError where the engine has none of that name."""
    known = [each for each in taken_by_dumbbells(engine, "sources.tcp.variant") if each != "external"]
    if not is_library(name) and name.removesuffix(RFC) not in known:
        spelled = name.lower().replace("_", "-")
        close = difflib.get_close_matches(spelled, known, n=1)
        likely = f". Did you mean {close[0]}?" if close else f"; one of: {', '.join(known)}"
        raise AtlasError(f"{option}{name!r} is no variant of {engine}{likely}")
    return named(name, engine)


def _logged(report: Report, folder: Path) -> list[str]:
    """Write the first replication of the case that decides each question; return the files' names."""
    names = []
    for one in report.ours:
        if one.decisive:
            point = one.decisive.case.point.document
            engine = report.suite.engine
            traces = one_run(engine, logged(engine, point), report.work / "qlog")
            title = f"{report.controller}: {one.question.ask}"
            names.append(f"{one.name}{SUFFIX}")
            write_atomically(folder / names[-1], qlog(traces, point["packet_bytes"], title))
    return names


def _fewer(suite: Suite, names: Sequence[str], file: str) -> Suite:
    """Return a suite with some of its questions."""
    for name in names:
        if name not in suite.questions:
            raise AtlasError(
                f"--only: {name!r} is no question of {file}; one of: {', '.join(suite.questions)}"
            )
    return suite.model_copy(update={"questions": {name: suite.questions[name] for name in names}})


def _parameters(text: str, controller: Path | str) -> dict[str, dict[str, float]]:
    """Return the key of a controller's `tcp` with parameters; none if the text is empty."""
    if text and not is_library(str(controller)):
        raise AtlasError(f"--parameters: of a shared object alone; {controller} is none")
    pairs = [(each.partition("=")[0].strip(), each.partition("=")[2]) for each in _names(text)]
    try:
        return {"parameters": {name: float(value) for name, value in pairs}} if text else {}
    except ValueError:
        raise AtlasError(f"--parameters: {text!r} is no list of numbers; e.g. beta=0.7,c=0.4") from None


def _names(text: str) -> list[str]:
    return [name for name in (part.strip() for part in text.split(",")) if name]


def _judged(
    suite: Suite, file: str, asked: dict[str, Tcp], rivals: dict[str, Tcp], out: Path, options: Namespace
) -> int:
    controller = next(iter(asked))
    answers: dict[str, list[Answered]] = {name: [] for name in asked}
    work = out / "points"
    with Progress("planning") as progress:
        judge = Judge(suite, file, rivals, work, cache_folder(out))
        judge.told = lambda done: setattr(progress, "text", f"{done} of {judge.points} networks")
        for one in judge.answers(list(asked.items())):
            answers[one.controller].append(one)
            if one.controller == controller:
                print(f"{one.verdict:9}  {one.name}: {said(one)}", flush=True)
    against = options.against if options.against != _RIVALS else ""
    report = Report(
        controller, suite, file, answers, work, options.parameters, asked, rivals, against, options.engine
    )
    write_atomically(out / "judge.json", to_json(document(report)))
    write_atomically(out / "report.html", page(report))
    files = ["report.html", "judge.json"]
    printed = pdf(report)
    if printed is not None:
        (out / "report.pdf").write_bytes(printed)
        files.insert(1, "report.pdf")
    if options.qlog:
        files += [f"qlog/{name}" for name in _logged(report, out / "qlog")]
    for name, these in answers.items():
        print(f"{name}: {counts(these)}")
    print(", ".join(f"{out}/{name}" for name in files))
    return int(any(one.verdict == "fails" for one in report.ours))


if __name__ == "__main__":
    sys.exit(run(lambda: main(sys.argv[1:])))
