"""A seeded mistake can be made as long as the text that it replaces is in its file, once."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MUTATIONS = yaml.safe_load((ROOT / "tests/mutations/mutations.yaml").read_text())


@pytest.mark.parametrize("name", MUTATIONS)
def test_what_a_mutation_replaces_is_there_once(name: str) -> None:
    mutation = MUTATIONS[name]
    assert (ROOT / mutation["file"]).read_text().count(mutation["old"]) == 1
