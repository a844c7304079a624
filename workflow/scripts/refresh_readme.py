"""Put the counts and the picture of the last full run into README.md and docs/results.md (`./atlas readme`).

What stands between the markers is written by this script, never by hand.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import write_atomically
from tcpatlas.config import load_project
from tcpatlas.project import Project

BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"
NUMBERS = ("reproduced", "deviates", "undecided", "inconsistent", "not-reproducible", "unavailable")
ENGINES = ("agrees", "differs")
# A sentence has the first of these that one of its cases has.
SENTENCES = ("fails", "undecided", "holds", "inconsistent", "unavailable")
# The same columns for both.
ROWS = {
    "printed numbers": NUMBERS,
    "sentences": ("holds", "fails", "undecided", "inconsistent", "", "unavailable"),
}
HEADINGS = (
    "reproduced, holds",
    "deviates, fails",
    "undecided",
    "inconsistent",
    "not reproducible",
    "unavailable",
)


def counted_numbers(claims: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each printed number: the one by its best-placed engine or model."""
    return claims[claims["counted"] == "true"]


def counted_sentences(statements: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each sentence, with the verdict on all its cases by the best-placed engine."""
    rows = statements[statements["counted"] == "true"]
    ordered = rows.sort_values("verdict", key=lambda column: column.map(SENTENCES.index), kind="stable")
    return ordered.drop_duplicates("statement")


def summary(claims: pd.DataFrame, statements: pd.DataFrame) -> str:
    """Return a Markdown table: of each paper and of all, printed numbers and sentences by verdict."""
    counted = {"printed numbers": counted_numbers(claims), "sentences": counted_sentences(statements)}
    papers = list(dict.fromkeys([*claims["paper"], *statements["paper"]]))
    lines: list[Sequence[str]] = [("paper", "", "all", *HEADINGS)]
    for paper in (*papers, "all"):
        for what, rows in counted.items():
            verdicts = rows["verdict"] if paper == "all" else rows.loc[rows["paper"] == paper, "verdict"]
            lines.append((paper, what, str(len(verdicts)), *_counts(verdicts, ROWS[what])))
    return _markdown(lines, left=2)


def long_table(project: Project, claims: pd.DataFrame, statements: pd.DataFrame) -> str:
    """Return a Markdown table: for each item what it is, who answers, and the counts."""
    lines: list[Sequence[str]] = [("item", "what it is", "ours from", "", "all", *HEADINGS)]
    counted = {"printed numbers": counted_numbers(claims), "sentences": counted_sentences(statements)}
    for item in project.all_items:
        for what, rows in counted.items():
            own = rows[(rows["paper"] == item.paper) & (rows["item"] == item.name)]
            if len(own):
                engines = ", ".join(sorted(set(own["engine"].dropna())))
                counts = _counts(own["verdict"], ROWS[what])
                lines.append(
                    (f"`{item.paper}/{item.name}`", item.title, engines, what, str(len(own)), *counts)
                )
    return _markdown(lines, left=4)


def equivalence_table(equivalence: pd.DataFrame) -> str:
    """Return a Markdown table: of each pair of engines, how many judged comparisons agree."""
    judged = equivalence[equivalence["verdict"].isin(ENGINES)]
    lines: list[Sequence[str]] = [("comparisons of engines", "all", *ENGINES)]
    for (engine, reference), rows in judged.groupby(["engine", "reference"]):
        lines.append((f"{engine} with {reference}", str(len(rows)), *_counts(rows["verdict"], ENGINES)))
    return _markdown(lines, left=1)


def _counts(verdicts: pd.Series[str], shown: Iterable[str]) -> list[str]:
    return [str((verdicts == verdict).sum() or "") for verdict in shown]


def _markdown(lines: Sequence[Sequence[str]], left: int) -> str:
    rule = ["---"] * left + ["---:"] * (len(lines[0]) - left)
    return "\n".join(f"| {' | '.join(row)} |" for row in (lines[0], rule, *lines[1:]))


def refresh(readme: Path, details: Path, results: Path, picture: Path) -> None:
    """Rewrite the blocks in both files, copy the scorecard's picture; ConfigError unless at paper scale."""
    project = load_project(results / "config.json")
    if project.scale != "paper":
        raise ConfigError(results / "config.json", "scale", f"{project.scale} proves nothing", "paper")
    claims, statements, equivalence = (
        pd.read_csv(results / f"{name}.csv", dtype=str) for name in ("claims", "statements", "equivalence")
    )
    tables = (summary(claims, statements), equivalence_table(equivalence))
    texts = {
        readme: _with_block(readme, "\n\n".join(tables)),
        details: _with_block(details, long_table(project, claims, statements)),
    }
    picture.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "scorecard.png", picture)
    for path, text in texts.items():
        write_atomically(path, text)


def _with_block(path: Path, block: str) -> str:
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ConfigError(path, "", "the markers are missing", f"{BEGIN} and {END}")
    return f"{before}{BEGIN}\n{block}\n{END}{after}"


if __name__ == "__main__":
    try:
        refresh(
            Path("README.md"), Path("docs/results.md"), Path("results"), Path("docs/images/scorecard.png")
        )
    except (AtlasError, OSError) as error:
        sys.exit(str(error))
