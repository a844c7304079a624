"""Makes the tables of results of a study from its runs, predictions and printed numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tcpatlas.answers.answer import Answer, Answers
from tcpatlas.answers.headline_metrics import usual
from tcpatlas.answers.source import Source
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import to_csv, write_atomically
from tcpatlas.claims.causes import CAUSE_COLUMNS, cause_rows, explained
from tcpatlas.claims.documents import DeviationSpec, Items, Labels, ToleranceSpec
from tcpatlas.claims.equivalence import EQUIVALENCE_COLUMNS, equivalence_rows
from tcpatlas.claims.numbers import CLAIM_COLUMNS, claim_rows
from tcpatlas.claims.paper import Paper, read_paper
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import Scale
from tcpatlas.claims.sentences import STATEMENT_COLUMNS, statement_rows
from tcpatlas.claims.tables import (
    COLUMNS,
    RELATIONS,
    Row,
    distribution_rows,
    metric_rows,
    point_rows,
    trace_rows,
)
from tcpatlas.config.project import Project
from tcpatlas.points.engines import all_engines as engines
from tcpatlas.points.engines import why_left_out
from tcpatlas.points.types import ScenarioSet, Study
from tcpatlas.runs.answers import read_answers
from tcpatlas.trust.measured import has_map, measured_maps, tests
from tcpatlas.trust.stored import maps_file, read_maps

ALL_COLUMNS: Mapping[str, Sequence[str]] = {
    **COLUMNS,
    "claims": (*CLAIM_COLUMNS, "cause"),
    "statements": (*STATEMENT_COLUMNS, "cause"),
    "causes": CAUSE_COLUMNS,
    "equivalence": EQUIVALENCE_COLUMNS,
    "studies": (
        *("study", "title", "question", "paper", "folder", "digest"),
        *("authors", "year", "published_as", "link"),
    ),
    "items": (
        *("study", "item", "title", "kind", "sets", "page", "appendix", "numbers", "statements", "metrics"),
        "caption",
        "missing",
    ),
    "labels": ("study", "kind", "name", "title", "symbol", "unit"),
    "tolerances": ("study", "item", "kind", "metric", "where", "width", "reason", "deviation"),
}


def study_folder(results: Path, study: str) -> Path:
    """Return the folder of a study's tables."""
    return results / "studies" / study


def write_tables(project: Project, study: Study, results: Path) -> None:
    """Write the tables of one study; ConfigError where an answer is missing or does not fit."""
    answers = read_answers(study, results, project.config["confidence"])
    if has_map(study):
        answers += list(tests(answers, read_maps(maps_file(results / "error-maps", study.name))))
    paper = read_paper(study, project.root)
    tables = compare(paper, answers, project.run_scale)
    tables["studies"] = [_study_row(study, paper.folder.described) | {"digest": project.digest(study)}]
    texts = {name: to_csv(columns, tables[name]) for name, columns in ALL_COLUMNS.items()}
    for name, text in texts.items():
        write_atomically(study_folder(results, study.name) / f"{name}.csv", text)


def compare(paper: Paper, answers: Sequence[Answer], scale: Scale) -> dict[str, Iterable[Row]]:
    """Return the rows of each table of a study; ConfigError where an answer is missing or does not fit."""
    study, items, causes = paper.study, paper.items, paper.causes
    all_answers = Answers(answers)
    return {
        "points": point_rows(study),
        **{table: metric_rows(table, answers) for table in RELATIONS},
        "distributions": distribution_rows(answers),
        "traces": trace_rows(answers),
        "claims": explained(claim_rows(items, all_answers, scale), causes, study),
        "statements": explained(statement_rows(items, all_answers, scale), causes, study),
        "causes": cause_rows(study, causes),
        "equivalence": equivalence_rows(paper.agreements, answers, scale),
        "items": _item_rows(study, items, answers),
        "labels": _label_rows(study, paper.folder.described),
        "tolerances": _rule_rows(study, items),
    }


def map_errors(project: Project, study: Study, results: Path) -> None:
    """Write the error maps of one study; ConfigError where an answer is missing or does not fit."""
    answers = read_answers(study, results, project.config["confidence"])
    maps = measured_maps(study, answers, scale=project.scale, seed=project.config["seed"])
    write_atomically(maps_file(results / "error-maps", study.name), maps)


def gather(studies: Iterable[str], results: Path) -> None:
    """Join the tables of the studies: `results/<table>.csv`, with one header each."""
    for name, columns in ALL_COLUMNS.items():
        header = f"{','.join(columns)}\n"
        texts = [(study_folder(results, study) / f"{name}.csv").read_text("utf-8") for study in studies]
        write_atomically(
            results / f"{name}.csv", header + "".join(text.removeprefix(header) for text in texts)
        )


def _study_row(study: Study, described: Items | None) -> Row:
    row: Row = {
        "study": study.name,
        "title": study.title,
        "question": study.question,
        "paper": study.paper or "",
        "folder": study.folder,
    }
    if described is None or (publication := described.publication) is None:
        return row
    return row | {
        "authors": "; ".join(publication.authors),
        "year": publication.year,
        "published_as": publication.title,
        "link": publication.link,
    }


def _label_rows(study: Study, described: Items | None) -> Iterator[Row]:
    """Yield the names of the study's sources in figures and tables, and its other own names."""
    labels = described.labels if described is not None else Labels()
    for kind, entries in (("metrics", labels.metrics), ("parameters", labels.parameters)):
        for name, label in entries.items():
            yield {"study": study.name, "kind": kind, "name": name, **label.model_dump()}
    titles = {name: engine.title for name, engine in engines().items()} | labels.sources
    sources = {
        source.name: source.title(titles) for scenario_set in study.sets for source in _sources(scenario_set)
    }
    for kind, named in (("sources", labels.sources | sources), ("values", labels.values)):
        for name, title in named.items():
            yield {"study": study.name, "kind": kind, "name": name, "title": title}


def _sources(scenario_set: ScenarioSet) -> Iterator[Source]:
    """Yield the sources that may answer a set: its engines, present or missing, and its models."""
    engines = (*scenario_set.engines, *scenario_set.left_out)
    for engine in engines:
        yield Source("simulation", engine)
    for model in scenario_set.models:
        yield Source("model", model=model)
        for engine in engines:
            yield Source("fed", model=model, fed_by=engine)
            yield Source("error", model=model, against=engine)


def _item_rows(study: Study, items: Sequence[Item], answers: Sequence[Answer]) -> Iterator[Row]:
    """Yield the items to render; in a study without items each set is a figure and a table."""
    for item in items:
        yield {
            "study": study.name,
            "item": item.name,
            "title": item.title,
            "kind": item.kind,
            "sets": " ".join(scenario_set.name for scenario_set in item.sets),
            "page": item.page,
            "appendix": "true" if item.appendix else "false",
            "numbers": len(item.numbers),
            "statements": len(item.statements),
            "caption": item.caption,
            "missing": "; ".join(_missing(item.sets)),
        }
    if not study.folder:
        shown = {
            scenario_set.name: " ".join(_shown_metrics(study, scenario_set, answers))
            for scenario_set in study.sets
        }
        for kind in ("figure", "table"):
            for scenario_set in study.sets:
                yield {
                    "study": study.name,
                    "item": scenario_set.name,
                    "title": scenario_set.title,
                    "kind": kind,
                    "sets": scenario_set.name,
                    "appendix": "false",
                    "numbers": 0,
                    "statements": 0,
                    "metrics": shown[scenario_set.name],
                }


def _missing(sets: Iterable[ScenarioSet]) -> Iterator[str]:
    """Yield why each engine is left out of the sets."""
    for engine in dict.fromkeys(engine for scenario_set in sets for engine in scenario_set.left_out):
        yield why_left_out(engine)


def _shown_metrics(study: Study, one: ScenarioSet, answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return the metrics in the figure and table of a set: its own, or what people ask about a link.

    ConfigError if no source gives one of its own. Empty if the set gives none of the usual ones.
    """
    measured = {name for answer in answers if answer.set.name == one.name for name in answer.metrics}
    for index, name in enumerate(one.metrics):
        if name not in measured:
            where = f"sets.{one.name}.metrics[{index}]"
            allowed = f"one of: {', '.join(sorted(measured))}"
            raise ConfigError(study.file, where, f"nobody gives {name!r} at any point of the set", allowed)
    return one.metrics or usual(measured)


def _rule_rows(study: Study, items: Sequence[Item]) -> Iterator[Row]:
    """Yield the tolerances of each item with their reasons, then its reasons of deviations."""
    for item in items:
        entries: list[ToleranceSpec | DeviationSpec] = [*item.rules.tolerances, *item.rules.deviations]
        for entry in entries:
            where = "; ".join(f"{path}: {', '.join(values)}" for path, values in entry.where.written.items())
            row: Row = {
                "study": study.name,
                "item": item.name,
                "kind": entry.kind,
                "metric": entry.metric,
                "where": where,
            }
            if isinstance(entry, DeviationSpec):
                yield row | {"deviation": entry.note}
            else:
                yield row | {"width": _width(entry), "reason": entry.reason}


def _width(entry: ToleranceSpec) -> str:
    """Describe a tolerance: the largest of its parts applies."""
    words = [] if entry.absolute is None else [str(entry.absolute)]
    if entry.relative is not None:
        words.append(f"{float(100 * entry.relative):g} % of the number")
    if entry.printed_digits:
        words.append("half of the last printed digit")
    if entry.trials is not None:
        words.append(f"sampling error of {entry.trials} events")
    if entry.one_run:
        words.append(
            f"sampling error of {f'a mean of {entry.one_run} runs' if entry.one_run > 1 else 'one run'}"
        )
    return " or ".join(words)
