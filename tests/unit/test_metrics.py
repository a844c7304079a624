"""The file of all metrics: its entries have the keys that they may have."""

import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import cases

from tcpatlas.answers.metrics import catalogue, entries_of, entry_name
from tcpatlas.base.errors import ConfigError

BASELINE = Path(__file__).parents[2] / "config/baseline"
ENGINES = Path(__file__).parents[2] / "workflow/engines"


@cases("metrics.an_entry_with_a_wrong_key_is_refused")
def test_an_entry_with_a_wrong_key_is_refused(tmp_path: Path, entry: str, says: str) -> None:
    file = tmp_path / "metrics.yaml"
    file.write_text(f"queue: {entry}\n")
    with pytest.raises(ConfigError) as error:
        entries_of(file)
    assert str(error.value).startswith(f"workflow/metrics.yaml: {says}")


def named_by_engines() -> set[str]:
    """Return the words that stand in quotes in the code of the engines."""
    files = (file for file in ENGINES.rglob("*.[ch]pp") if "tests" not in file.parts)
    return {word for file in files for word in re.findall(r'"([a-z0-9_]+)"', file.read_text())}


def test_who_gives_a_metric_is_as_in_the_accepted_numbers() -> None:
    tables = [pd.read_csv(file, dtype=str) for file in BASELINE.glob("*/*.csv")]
    accepted = pd.concat([table[["metric", "engine"]] for table in tables]).drop_duplicates()
    by_models = accepted["engine"].str.startswith("model:")
    engines_give = {entry_name(name) for name in accepted.loc[~by_models, "metric"]}
    models_give = {entry_name(name) for name in accepted.loc[by_models, "metric"]}
    given_by = {name for name, entry in catalogue().items() if "by" in entry}
    assert not given_by & engines_give
    # What an engine gives since is among the accepted numbers once these are accepted again.
    assert (models_give - engines_give - named_by_engines()) & catalogue().keys() <= given_by
