"""Judges the runs of a study that re-evaluates another one: results/now/<study>/."""

from dataclasses import replace
from pathlib import Path

from tcpatlas.answers.answer import Answers
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_csv_rows, to_csv, write_atomically
from tcpatlas.claims.outcome import OriginalVerdicts
from tcpatlas.claims.paper import read_paper
from tcpatlas.claims.published import Item
from tcpatlas.claims.reevaluation import NOW_COLUMNS, Reevaluation, with_agreement
from tcpatlas.claims.tables import COLUMNS, RELATIONS, Row, metric_rows
from tcpatlas.config.project import Project
from tcpatlas.pipeline import now_figure, now_findings
from tcpatlas.pipeline.compare import study_folder
from tcpatlas.pipeline.now_figure import figure_rows, read_panels
from tcpatlas.pipeline.now_findings import finding_rows
from tcpatlas.pipeline.now_summary import MAIN, summary
from tcpatlas.points.scenario_file import read_reevaluation
from tcpatlas.points.types import Study
from tcpatlas.runs.answers import read_answers


def now_file(results: Path, study: str) -> Path:
    """Return the file of a study's verdicts."""
    return results / "now" / study / "verdicts.csv"


def reevaluation_of(
    project: Project, study: Study, source: Study, results: Path
) -> tuple[Reevaluation, tuple[Item, ...]]:
    """Return a study's re-evaluation, still without answers, and its source's items.

    ConfigError if the file of the study has changed since.
    """
    derived = read_reevaluation(project.root, study.file)
    if derived is None:
        raise ConfigError(study.file, "again", "is gone", "run again: every run reads it anew")
    items = read_paper(source, project.root).items
    then = OriginalVerdicts.read(
        *(
            read_csv_rows(study_folder(results, source.name) / name)
            for name in ("statements.csv", "claims.csv")
        )
    )
    return Reevaluation(study, derived, Answers(), then, project.run_scale), items


def write_reevaluation(project: Project, study: Study, source: Study, results: Path) -> None:
    """Write the verdicts of a study on the sentences and numbers of its source, and what it measured.

    ConfigError where an answer is missing or does not fit; errors of `reevaluation_of`.
    """
    asked, items = reevaluation_of(project, study, source, results)
    answers = read_answers(study, results, project.config["confidence"])
    rows = replace(asked, answers=Answers(answers, source.name)).rows(items)
    write_atomically(now_file(results, study.name), to_csv(NOW_COLUMNS, rows))
    measured = [row for table in RELATIONS for row in metric_rows(table, answers)]
    write_atomically(results / "now" / study.name / "measured.csv", to_csv(COLUMNS["errors"], measured))


def join(project: Project, results: Path) -> None:
    """Join the verdicts of the studies, with the agreement of engines (results/now.csv), and summarise them.

    A paper's study with the most rows comes first, then CUBIC's. The points of the report's figure are
    results/now_figure.csv, the findings results/now_findings.csv; runs too short to judge have no findings.
    """
    studies = sorted(study.name for study in project.again)
    tables = [read_csv_rows(now_file(results, study)) for study in studies]
    tables.sort(key=lambda table: (-len(table), all(row["tcp"] != MAIN for row in table)))
    rows: list[Row] = [row for table in tables for row in table]
    rows = sorted(with_agreement(rows), key=lambda row: str(row["paper"]))
    write_atomically(results / "now.csv", to_csv(NOW_COLUMNS, rows))
    write_atomically(results / "now.txt", f"{summary(rows, project.config['now'])}\n")
    panels = read_panels(project.root)
    shown = list(figure_rows(panels, project.studies, project.again, results))
    write_atomically(results / "now_figure.csv", to_csv(now_figure.COLUMNS, shown))
    sentences = finding_rows(panels, shown) if project.scale != "smoke" else ()
    write_atomically(results / "now_findings.csv", to_csv(now_findings.COLUMNS, sentences))
