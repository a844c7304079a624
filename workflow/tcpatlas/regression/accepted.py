"""The files of accepted numbers, `config/baseline/<scale>/<study>.csv`: observations, sorted, a row each."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text

KEY = ["set", "point", "engine", "metric"]
NUMBERS = ["value", "ci_low", "ci_high", "replications"]
COLUMNS = [*KEY, "unit", *NUMBERS]


def read_table(path: Path) -> pd.DataFrame:
    """Return the rows of a table as text; ConfigError unless it has the columns of `KEY`, unit and value."""
    text = read_text(path, path)
    try:
        table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ConfigError(
            path, "", f"is no table: {str(error).strip()}", f"needed: {', '.join(COLUMNS)}"
        ) from None
    missing = [column for column in (*KEY, "unit", "value") if column not in table]
    if missing:
        raise ConfigError(path, missing[0], "the column is missing", f"needed: {', '.join(COLUMNS)}")
    return table.reindex(columns=[*COLUMNS, *table.columns.difference(COLUMNS)], fill_value="")


def checked(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Return the table; ConfigError, naming the row, for a cell that is not a number, or a duplicate row."""
    for column in NUMBERS:
        numbers = pd.to_numeric(table[column], errors="coerce")
        wrong = numbers.isna() & (table[column].ne("") | (column == "value"))
        if wrong.any():
            row = table[wrong].iloc[0]
            problem = f"{row[column]!r} is not a number"
            raise ConfigError(path, f"{_place(row)}: {column}", problem, "a number is allowed")
    twice = table.duplicated(KEY)
    if twice.any():
        raise ConfigError(path, _place(table[twice].iloc[0]), "is there twice", "each metric once")
    return table


def accepted_text(table: pd.DataFrame) -> str:
    """Return the file of a study's rows; their order does not depend on which engines there are."""
    return table[COLUMNS].sort_values(KEY).to_csv(index=False, lineterminator="\n")


def _place(row: pd.Series[str]) -> str:
    return f"{row['set']}/{row['point']}: {row['metric']} by {row['engine']}"
