"""Put the numbers and the picture of the last full run into README.md (`./atlas readme`).

The text between the markers in README.md is generated.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import write_atomically
from tcpatlas.config import load_project
from tcpatlas.project import Project

BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"
VERDICTS = ("reproduced", "deviates", "inconsistent", "unavailable")
STATEMENT_VERDICTS = ("holds", "fails", "inconsistent", "unavailable")
EQUIVALENCE_VERDICTS = ("agrees", "differs")


def claims_table(project: Project, claims: pd.DataFrame) -> str:
    """Return a Markdown table: the claims of each item by verdict."""
    rows: list[Sequence[str]] = [("item", "what it is", *VERDICTS), ("---", "---", *["---:"] * len(VERDICTS))]
    for item in (one for one in project.all_items if one.numbers):
        verdicts = claims.loc[(claims["paper"] == item.paper) & (claims["item"] == item.name), "verdict"]
        counts = [str((verdicts == verdict).sum() or "") for verdict in VERDICTS]
        rows.append((f"`{item.paper}/{item.name}`", item.title, *counts))
    sums = [str((claims["verdict"] == verdict).sum()) for verdict in VERDICTS]
    rows.append(("all", "", *sums))
    return markdown(rows)


def summary_table(title: str, table: pd.DataFrame, verdicts: Sequence[str]) -> str:
    """Return a Markdown table of one row: how many rows of a result have each verdict."""
    counts = [str((table["verdict"] == verdict).sum()) for verdict in verdicts]
    return markdown([(title, *verdicts), ("---", *["---:"] * len(verdicts)), ("all", *counts)])


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return the lines of a Markdown table, whose first two rows are its heading and its alignment."""
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def refresh(readme: Path, results: Path, picture: Path) -> None:
    """Rewrite the block in `readme`, copy the scorecard's picture; ConfigError unless at paper scale."""
    project = load_project(results / "config.json")
    if project.scale != "paper":
        raise ConfigError(results / "config.json", "scale", f"{project.scale} proves nothing", "paper")
    before, _, rest = readme.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ConfigError(readme, "", "the markers are missing", f"{BEGIN} and {END}")
    claims, statements, equivalence = (
        pd.read_csv(results / f"{name}.csv", dtype=str) for name in ("claims", "statements", "equivalence")
    )
    tables = (
        claims_table(project, claims),
        summary_table("checks of statements", statements, STATEMENT_VERDICTS),
        summary_table("comparisons of ns-3 and packetsim", equivalence, EQUIVALENCE_VERDICTS),
    )
    table = "\n\n".join(tables)
    picture.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(results / "scorecard.png", picture)
    write_atomically(readme, f"{before}{BEGIN}\n{table}\n{END}{after}")


if __name__ == "__main__":
    try:
        refresh(Path("README.md"), Path("results"), Path("docs/images/scorecard.png"))
    except (AtlasError, OSError) as error:
        sys.exit(str(error))
