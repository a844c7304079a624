"""The templates of docs/ci keep between runs what the tests read, and run all of these."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def values(data: object, key: str) -> list[str]:
    """Return what a key has, wherever it is: a list's entries and a text's lines."""
    if isinstance(data, list):
        return [value for part in data for value in values(part, key)]
    if not isinstance(data, dict):
        return []
    here = data.get(key, [])
    own = here.split() if isinstance(here, str) else here if isinstance(here, list) else []
    return own + values(list(data.values()), key)


@pytest.mark.parametrize(("template", "key"), [("github-actions.yml", "path"), ("gitlab-ci.yml", "paths")])
def test_what_is_slow_to_make_is_kept(template: str, key: str) -> None:
    text = (ROOT / "docs/ci" / template).read_text()
    kept = set(values(yaml.safe_load(text), key))
    assert {".venv", "build/uml"} <= kept
    for variable in ("CCACHE_DIR", "TCP_ATLAS_CACHE"):
        (folder,) = re.findall(rf"{variable}: \$.*/(build/\w+)$", text, re.MULTILINE)
        assert folder in kept
    assert "./atlas test --all" in text
    assert (ROOT / ".ci/run").read_text().endswith("exec ./atlas test --all\n")
