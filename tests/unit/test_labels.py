"""The words of items.yaml on the paper itself, of its captions and of its labels, as results give it."""

from pathlib import Path

import yaml
from handmade import Results

ROOT = Path(__file__).resolve().parents[2]


def test_the_paper_its_captions_and_labels_are_in_the_tables(results: Results) -> None:
    results.workspace.item["caption"] = "How to read $N$."
    results.workspace.items.update(
        publication={"authors": ["Erlang", "Engset"], "year": 1917, "title": "Telephones"},
        labels={
            "metrics": {"loss_ratio": {"title": "Loss", "symbol": "$L$", "unit": "%"}},
            "parameters": {"sources.count": {"title": "users"}},
            "values": {"tahoe": "old Tahoe"},
        },
    )
    results.claims()
    (study,) = results.table("studies")
    assert (study["authors"], study["year"], study["published_as"]) == (
        "Erlang; Engset",
        "1917",
        "Telephones",
    )
    assert results.table("items")[0]["caption"] == "How to read $N$."
    labels = [
        (row["kind"], row["name"], row["title"], row["symbol"], row["unit"])
        for row in results.table("labels")
    ]
    assert [label for label in labels if label[0] != "sources"] == [
        ("metrics", "loss_ratio", "Loss", "$L$", "%"),
        ("parameters", "sources.count", "users", "", ""),
        ("values", "tahoe", "old Tahoe", "", ""),
    ]
    assert ("sources", "packetsim", "packetsim", "", "") in labels


def test_every_publication_is_cited() -> None:
    """CITATION.cff lists the papers that items.yaml names."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]
    authors_of = {
        reference["title"]: [author["family-names"] for author in reference["authors"]] for reference in cited
    }
    files = sorted(ROOT.glob("scenarios/*/*/items.yaml"))
    publications = [one for file in files if (one := yaml.safe_load(file.read_text()).get("publication"))]
    assert {publication["title"] for publication in publications} == authors_of.keys()
    for publication in publications:
        assert authors_of[publication["title"]] == publication["authors"]
