"""docs/artifact.md has a claim of every study with accepted numbers, and its commands make what it names."""

import re
from pathlib import Path

from tcpatlas.base.files import read_yaml
from tcpatlas.config.load import load_project

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| .+ \| `(?P<item>[^`]+)` \| `(?P<command>[^`]+)` \|$", re.MULTILINE)


def test_every_accepted_study_has_a_claim_and_every_claim_an_item_and_its_file() -> None:
    project = load_project("config/config.yaml", ROOT)
    items = {f"{item.paper}/{item.name}": item for item in project.all_items}
    claimed = set()
    for row in ROW.finditer((ROOT / "docs/artifact.md").read_text("utf-8")):
        name, target = row["item"], row["command"].removeprefix("P ")
        if name.startswith("results/"):
            assert target in (name, "./atlas reproduce"), row[0]
            continue
        assert name in items, f"docs/artifact.md: no item {name}; one of: {', '.join(sorted(items))}"
        folder, suffix = ("tables", "html") if items[name].kind == "table" else ("figures", "pdf")
        assert target == f"results/{folder}/{name}.{suffix}", row[0]
        claimed.add(name.split("/")[0])
    accepted = {file.stem for file in (ROOT / "config/baseline/paper/items").glob("*.csv")}
    assert claimed >= {study.name for study in project.studies if study.paper} & accepted


def test_there_is_a_letter_to_the_authors_of_every_paper() -> None:
    page = (ROOT / "docs/questions-to-authors.md").read_text("utf-8")
    letters = re.findall("^## (.+)$", page, re.MULTILINE)
    papers = read_yaml(ROOT / "CITATION.cff", "CITATION.cff")["references"]
    assert papers
    for paper in papers:
        first = paper["authors"][0]["family-names"]
        assert any(letter.startswith(first) and str(paper["year"]) in letter for letter in letters), first
