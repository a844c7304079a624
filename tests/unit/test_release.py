"""The statements that a release makes more than once are the same everywhere."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tcpatlas import __version__
from tcpatlas.base.files import read_yaml

ROOT = Path(__file__).parents[2]
CITATION = read_yaml(ROOT / "CITATION.cff", "CITATION.cff")


def test_the_version_is_that_of_the_citation() -> None:
    assert str(CITATION["version"]) == __version__
    process = subprocess.run(["./atlas", "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout == f"TCP Atlas {__version__}\n"


@pytest.mark.parametrize(
    ("file", "form"),
    [
        ("workflow/figures/DESCRIPTION", r"^Version: (\S+)$"),
        ("docs/in-a-container.md", r"tcp-atlas[:-](\d+\.\d+\.\d+)"),
    ],
)
def test_a_literal_version_is_that_of_the_citation(file: str, form: str) -> None:
    stated = re.findall(form, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert stated
    assert set(stated) == {__version__}


def test_the_base_of_the_image_is_named_by_digest() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    bases = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    assert bases == ["${BASE}"]
    assert re.search(r"^ARG BASE=debian@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)


def test_codemeta_is_made_of_the_citation() -> None:
    codemeta = json.loads((ROOT / "codemeta.json").read_text("utf-8"))
    for key, other in (("name", "title"), ("version", "version"), ("keywords", "keywords")):
        assert codemeta[key] == CITATION[other]
    assert codemeta["description"].split() == CITATION["abstract"].split()


def test_every_licence_that_a_file_has_is_in_the_folder_of_licences() -> None:
    named = set(re.findall(r'License-Identifier = "(.+)"', (ROOT / "REUSE.toml").read_text("utf-8")))
    assert named == {path.stem for path in (ROOT / "LICENSES").iterdir()}
