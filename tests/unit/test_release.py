"""The statements that a release makes more than once are the same everywhere."""

import re
import subprocess
from pathlib import Path

from tcpatlas import __version__
from tcpatlas.base.files import read_yaml
from tcpatlas.metadata import generated

ROOT = Path(__file__).parents[2]
CITATION = read_yaml(ROOT / "CITATION.cff", "CITATION.cff")
SCENARIO = "workflow/schemas/scenario.schema.json"


def test_the_version_is_that_of_the_citation() -> None:
    assert str(CITATION["version"]) == __version__
    process = subprocess.run(["./atlas", "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout == f"TCP Atlas {__version__}\n"
    changes = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert changes[0] == __version__


def test_the_base_of_the_image_is_named_by_digest() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    bases = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    assert bases == ["${BASE}"]
    assert re.search(r"^ARG BASE=debian@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)


def test_what_is_generated_is_of_its_sources() -> None:
    assert generated.stale(ROOT) == [], "python -m tcpatlas generate writes them anew"


def test_what_is_generated_is_noticed_when_its_source_changes(tmp_path: Path) -> None:
    for file in [
        "CITATION.cff",
        "codemeta.json",
        "docs/api.md",
        "docs/metrics.md",
        "workflow/metrics.yaml",
        SCENARIO,
        *map(str, generated.VERSIONS),
        *(f"workflow/tcpatlas/{file}" for file in generated.PUBLIC),
    ]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / file).read_text("utf-8")
        (tmp_path / file).write_text(
            text.replace("version: 1.", "version: 9.") if file == "CITATION.cff" else text
        )
    (tmp_path / SCENARIO).write_text("{}")
    assert set(map(str, generated.stale(tmp_path))) == {
        "codemeta.json",
        SCENARIO,
        *map(str, generated.VERSIONS),
    }
    generated.write(tmp_path)
    assert generated.stale(tmp_path) == []


def test_every_licence_that_a_file_has_is_in_the_folder_of_licences() -> None:
    named = set(re.findall(r'License-Identifier = "(.+)"', (ROOT / "REUSE.toml").read_text("utf-8")))
    assert named == {path.stem for path in (ROOT / "LICENSES").iterdir()}


def test_packetsim_has_the_notice_of_each_library_that_is_compiled_into_it() -> None:
    engines = ROOT / "workflow/engines"
    lists = [(engines / folder / "CMakeLists.txt").read_text("utf-8") for folder in ("kit", "packetsim")]
    found = set(re.findall(r"find_package\((\w+)", "".join(lists))) - {"benchmark"}
    notices = (engines / "packetsim/THIRD-PARTY.txt").read_text("utf-8")
    assert found
    assert [name for name in found if not re.search(rf"\b{name}\b.*\nCopyright \d{{4}}", notices)] == []
