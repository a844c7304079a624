"""From runs, predictions and printed numbers to the four tables of results."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpatlas.base.files import write_atomically
from tcpatlas.claims.claims import CLAIM_COLUMNS, claim_rows
from tcpatlas.claims.observations import (
    DISTRIBUTION_COLUMNS,
    OBSERVATION_COLUMNS,
    TRACE_COLUMNS,
    distribution_rows,
    observation_rows,
    read_answers,
    trace_rows,
)
from tcpatlas.project import Project


def compare(project: Project, results: Path) -> None:
    """Write the four tables into `results`; ConfigError where an answer is missing or does not fit."""
    answers = read_answers(project, results)
    tables: Mapping[str, tuple[Sequence[str], Iterable[Mapping[str, Any]]]] = {
        "observations.csv": (OBSERVATION_COLUMNS, observation_rows(answers)),
        "distributions.csv": (DISTRIBUTION_COLUMNS, distribution_rows(answers)),
        "traces.csv": (TRACE_COLUMNS, trace_rows(answers)),
        "claims.csv": (CLAIM_COLUMNS, claim_rows(project, answers)),
    }
    texts = {name: to_csv(columns, rows) for name, (columns, rows) in tables.items()}
    for name, text in texts.items():
        write_atomically(results / name, text)


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; None is an empty cell, and every float reads back as it was."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
