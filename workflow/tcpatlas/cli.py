"""The commands of `python -m tcpatlas`: each one step of the pipeline."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpatlas.base import command
from tcpatlas.base.command import positive
from tcpatlas.base.version import VERSION
from tcpatlas.config.load import (
    CONFIG_FILE,
    check_digest,
    check_tables,
    load_project,
    write_project,
    written_project,
)
from tcpatlas.config.project import Project

if TYPE_CHECKING:
    from tcpatlas.pipeline.by_verdict import Simulate
    from tcpatlas.points.documents import PointSet
    from tcpatlas.runs.documents import Replications

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status. User errors are one line on standard error."""
    options = _parser().parse_args(arguments)
    task: Command = options.command
    return command.run(lambda: task(options), "interrupted; the next run goes on from here")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tcpatlas", description=__doc__)
    parser.add_argument("--version", action="version", version=f"tcpatlas {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, help_text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_text, description=help_text)
        sub.set_defaults(command=command)
        return sub

    def add_results(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--results",
            type=Path,
            default=Path("results"),
            help="folder of the output (default: %(default)s)",
        )

    def add_digest(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--digest", help="of the points, which are then not validated again; other ones are refused"
        )
        sub.add_argument("--made-of", help="digest of all that the output is made of, which it then says")

    def add_of_project(name: str, command: Command, help_text: str) -> argparse.ArgumentParser:
        sub = add(name, command, help_text)
        sub.add_argument("--config", default=CONFIG_FILE, help="configuration (default: %(default)s)")
        return add_of_results(sub)

    def add_of_results(sub: argparse.ArgumentParser) -> argparse.ArgumentParser:
        sub.add_argument(
            "--root", type=Path, default=Path(), help="folder that names of scenarios are relative to"
        )
        add_results(sub)
        return sub

    def add_study_digest(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--digest", help="of the study and its configuration; another one is refused")

    add_of_project("check", _check, "check configuration, scenarios and published numbers")
    sub = add_of_project("plan", _plan, "say how many runs there are and what they should cost")
    sub.add_argument(
        "--cores", type=positive, default=os.cpu_count(), help="cores to reckon with (default: all)"
    )
    add_of_project("expand", _expand, "write the points of all sets, and the configuration in force")
    sub = add_of_results(add("compare", _compare, "write a study's tables to results/studies/<study>/"))
    sub.add_argument("--study", help="name of the study (default: every study)")
    add_study_digest(sub)
    sub = add_of_results(add("error-map", _error_map, "write a study's error maps to results/error-maps/"))
    sub.add_argument("--study", required=True, help="name of the study")
    add_study_digest(sub)
    sub = add_of_results(
        add("again", _again, "write a study's verdicts of another TCP to results/now/<study>/")
    )
    sub.add_argument("--study", help="name of the study (default: join all in results/now.csv)")
    add_study_digest(sub)
    add_of_results(add("gather", _gather, "join the tables of all studies: results/<table>.csv"))
    add_of_results(add("scale", _scale, "say of which scale the tables are"))
    add_of_results(add("provenance", _provenance, "write provenance.json: versions, commit, machine, seed"))
    add_of_results(add("crate", _crate, "write ro-crate-metadata.json: what ran, where, and its results"))
    sub = add_of_results(add("baseline", _baseline, "show what moved against the accepted numbers"))
    choice = sub.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="exit 1 if anything moved")
    choice.add_argument("--accept", action="store_true", help="then accept the new numbers")
    sub.add_argument(
        "--points", action="store_true", help="write the points of figures that moved to results/moved/"
    )

    sub = add("simulate", _simulate, "simulate points: independent replications until the targets hold")
    sub.add_argument(
        "--share",
        nargs=4,
        action="append",
        required=True,
        metavar=("FILE", "FIRST", "LAST", "LENGTH"),
        help="of a file of points those from FIRST, from 0, to before LAST, and a factor on run lengths, "
        "for a slow engine: below 1, only the least replications are made",
    )
    sub.add_argument("--engine", required=True, help="name of the engine")
    sub.add_argument(
        "--engine-command", required=True, type=shlex.split, help="how to call it, e.g. build/packetsim"
    )
    add_results(sub)
    sub.add_argument("--out", type=Path, required=True, help="file to write, a line for each point")
    add_digest(sub)
    sub.add_argument("--confidence", type=float, default=0.95, help="of the intervals (default: %(default)s)")
    sub.add_argument("--root", type=Path, default=Path(), help="folder of the project")
    sub.add_argument("--by-verdict", metavar="STUDY", help="make as many replications as its verdicts need")

    sub = add("lab", _lab, "write the laboratory, a page that simulates in a browser")
    sub.add_argument("--module", type=Path, required=True, help="packetsim as WebAssembly")
    sub.add_argument("--out", type=Path, required=True, help="the page")

    add("generate", _generate, "write the files that follow from others: JSON Schemas, literal versions")

    sub = add("predict", _predict, "predict the points of sets by a model")
    sub.add_argument("--model", required=True, help="name of the model")
    sub.add_argument("--points", type=Path, nargs="+", required=True, help="files of points, one a set")
    add_digest(sub)
    sub.add_argument(
        "--runs",
        type=Path,
        nargs="*",
        default=[],
        help="files of runs at these points, for a model that says something of what engines measured",
    )
    sub.add_argument("--out", type=Path, required=True, help="file to write, a line for each set")
    return parser


def _project(options: argparse.Namespace) -> Project:
    return load_project(options.config, options.root)


def _written(options: argparse.Namespace) -> Project:
    """Return the project of the results; ConfigError if their tables belong to another one."""
    project = written_project(options.results, options.root)
    check_tables(project, options.results)
    return project


def _all_written(options: argparse.Namespace) -> Project:
    """Return the project that was written last; its tables may be missing."""
    return written_project(options.results, options.root)


def _written_study(options: argparse.Namespace) -> Project:
    """Return the project of one study, or of all; ConfigError if --digest differs."""
    names = [] if options.study is None else [options.study]
    project = written_project(options.results, options.root, *names)
    for study in project.studies:
        check_digest(project.digest(study), options.digest)
    return project


def _points(file: Path, digest: str | None) -> PointSet:
    """Return the points of a set; points with a digest are trusted to have been validated."""
    from tcpatlas.points.documents import read_points

    return read_points(file, trusted=digest is not None)


def _check(options: argparse.Namespace) -> int:
    project = _project(options)
    print(
        f"OK: scale {project.scale}, studies {len(project.studies)}, sets {len(project.sets)}, "
        f"points {len(project.points)}, published items {len(project.all_items)}, "
        f"printed numbers {sum(len(item.numbers) for item in project.all_items)}, "
        f"statements {sum(len(item.statements) for item in project.all_items)}"
    )
    return 0


def _plan(options: argparse.Namespace) -> int:
    from tcpatlas.pipeline.plan import plan

    print(plan(_project(options), options.cores))
    return 0


def _expand(options: argparse.Namespace) -> int:
    write_project(_project(options), options.results)
    return 0


def _compare(options: argparse.Namespace) -> int:
    from tcpatlas.pipeline.compare import write_tables

    project = _written_study(options)
    for study in project.studies:
        write_tables(project, study, options.results)
    return 0


def _error_map(options: argparse.Namespace) -> int:
    from tcpatlas.pipeline.compare import map_errors

    project = _written_study(options)
    map_errors(project, project.studies[0], options.results)
    return 0


def _gather(options: argparse.Namespace) -> int:
    from tcpatlas.pipeline.compare import gather

    gather([study.name for study in _all_written(options).studies], options.results)
    return 0


def _again(options: argparse.Namespace) -> int:
    from tcpatlas.pipeline.now import join, write_reevaluation

    if options.study is None:
        join(_all_written(options), options.results)
        return 0
    (study,) = written_project(options.results, options.root, options.study).again
    assert study.again is not None
    project = written_project(options.results, options.root, study.again.source)
    check_digest(project.digest(study), options.digest)
    write_reevaluation(project, study, project.studies[0], options.results)
    return 0


def _scale(options: argparse.Namespace) -> int:
    print(_written(options).scale)
    return 0


def _provenance(options: argparse.Namespace) -> int:
    from tcpatlas.base.files import to_json, write_atomically
    from tcpatlas.metadata.provenance import provenance

    write_atomically(
        options.results / "provenance.json", to_json(provenance(_written(options), options.results))
    )
    return 0


def _crate(options: argparse.Namespace) -> int:
    from tcpatlas.metadata.crate import write_crate

    write_crate(_written(options), options.results)
    return 0


def _baseline(options: argparse.Namespace) -> int:
    from tcpatlas.regression.baseline import accept, baseline_path, moved
    from tcpatlas.regression.items import accept_items, moved_items, write_points

    project = _written(options)
    differences, unknown = moved(project, options.results)
    items = moved_items(project, options.results)
    for difference in (*differences, *items.lines):
        print(difference)
    if unknown:
        print(f"no accepted numbers yet: {', '.join(unknown)}")
    if items.unknown:
        print(f"no accepted figures, tables and verdicts yet: {', '.join(items.unknown)}")
    if items.left_out:
        print(f"not compared, for want of an engine that repeats its numbers: {', '.join(items.left_out)}")
    count = len(differences) + len(items.lines)
    print(f"moved: {count}" if count else "nothing moved")
    if options.points:
        write_points(items, options.results / "moved")
    if options.accept:
        accept(project, options.results)
        accept_items(project, options.results)
        print(f"accepted in {baseline_path(project)}")
    return 1 if options.check and count else 0


def _simulate(options: argparse.Namespace) -> int:
    from tcpatlas.base.files import write_atomically
    from tcpatlas.runs.cache import cache_folder
    from tcpatlas.runs.made_of import recorded
    from tcpatlas.runs.simulate import simulate
    from tcpatlas.runs.store import digest, to_line

    points, lengths = [], {}
    for file, first, last, length in options.share:
        asked = _points(Path(file), options.digest)
        points += asked["points"][int(first) : int(last)]
        lengths[asked["set"]] = float(length)
    check_digest(digest(points), options.digest)

    def replications(points: Sequence[Any], confidence: float) -> Iterator[Replications]:
        return simulate(
            points,
            options.engine,
            options.engine_command,
            options.results / "work",
            confidence,
            lengths,
            cache=cache_folder(options.results),
        )

    if options.by_verdict is None:
        made: Iterable[Replications] = replications(points, options.confidence)
    else:
        made = _by_verdict(options, replications)
    write_atomically(options.out, recorded("".join(map(to_line, made)), options.made_of))
    return 0


def _by_verdict(options: argparse.Namespace, simulate: Simulate) -> Iterable[Replications]:
    from tcpatlas.pipeline.by_verdict import simulate_by_verdict
    from tcpatlas.pipeline.now import reevaluation_of
    from tcpatlas.runs.predict import predictions_of

    (study,) = written_project(options.results, options.root, options.by_verdict).again
    assert study.again is not None
    project = written_project(options.results, options.root, study.again.source)
    source = project.studies[0]
    asked, items = reevaluation_of(project, study, source, options.results)
    return simulate_by_verdict(
        asked,
        items,
        lambda runs: predictions_of(study, source, runs),
        options.engine,
        simulate,
        options.confidence,
    )


def _lab(options: argparse.Namespace) -> int:
    from tcpatlas.base.files import write_atomically
    from tcpatlas.pages.laboratory import page

    write_atomically(options.out, page(options.module.read_bytes()))
    return 0


def _generate(options: argparse.Namespace) -> int:
    from tcpatlas.metadata.generated import write

    write(Path(__file__).resolve().parents[2])
    return 0


def _predict(options: argparse.Namespace) -> int:
    from tcpatlas.base.files import write_atomically
    from tcpatlas.runs.made_of import recorded
    from tcpatlas.runs.predict import predict
    from tcpatlas.runs.store import digest, read_runs

    sets = [_points(file, options.digest) for file in options.points]
    check_digest(digest(point for scenario_set in sets for point in scenario_set["points"]), options.digest)
    predictions = predict(options.model, sets, read_runs(options.runs))
    write_atomically(options.out, recorded(predictions, options.made_of))
    return 0
