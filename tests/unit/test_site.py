"""The site of docs/: it builds without a warning, with results or none, and no link or anchor is dead."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MKDOCS = ROOT / "build/site/venv/bin/mkdocs"
# The server's own page; its links are those of the site's root.
NOT_FOUND = "404.html"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    sys.path.insert(0, str(ROOT / "workflow/scripts"))
    import make_site

    sys.path.pop(0)
    return make_site


class Page(HTMLParser):
    """The links and the anchors of a page, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.targets.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def build(out: Path, results: Path) -> Path:
    """Build the site with these results; return its folder."""
    if not MKDOCS.exists():
        pytest.skip("MkDocs is not installed: ./atlas site installs it")
    command = [sys.executable, ROOT / "workflow/scripts/make_site.py", "--out", out, "--results", results]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site where nothing was reproduced yet."""
    folder = tmp_path_factory.mktemp("bare")
    return build(folder / "site", folder / "no-results")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site beside results of which one figure and one table are there."""
    folder = tmp_path_factory.mktemp("full")
    figure = folder / "results/figures/engset/figure-12.png"
    figure.parent.mkdir(parents=True)
    figure.write_bytes(b"a picture")
    table = folder / "results/tables/engset/table-06.html"
    table.parent.mkdir(parents=True)
    rows = "\n".join(
        f'<tr><td>row {number}</td><td><a href="https://example.org">1</a></td></tr>' for number in range(40)
    )
    table.write_text(f"<p>whole</p>\n<table>\n<thead></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n")
    for name in ("explore.html", "lab.html", "report.pdf"):
        (folder / "results" / name).write_text("<p>what a run made</p>")
    return build(folder / "site", folder / "results")


def dead_links(site: Path) -> list[str]:
    """Return the links inside of a site that lead nowhere."""
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != NOT_FOUND}
    dead = []
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            anchors = pages[there].anchors if there in pages else ()
            if not there.is_file() or (anchor and there in pages and anchor not in anchors):
                dead.append(f"{path.relative_to(site)}: {target}")
    return dead


@pytest.mark.parametrize("site", ["bare", "full"])
def test_no_link_and_no_anchor_is_dead(site: str, request: pytest.FixtureRequest) -> None:
    assert dead_links(request.getfixturevalue(site)) == []


def test_a_dead_link_and_a_dead_anchor_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h2 id="x"></h2><a href="b.html"></a><a href="#y"></a><a href="a.html#x"></a>'
    )
    assert dead_links(tmp_path) == ["a.html: b.html", "a.html: #y"]


def test_a_reader_s_browser_fetches_nothing_from_elsewhere(bare: Path) -> None:
    for path in bare.rglob("*.html"):
        text = path.read_text("utf-8")
        assert 'src="http' not in text, path.name
        assert 'rel="stylesheet" href="http' not in text, path.name


def test_every_page_of_the_docs_is_on_the_site(bare: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        at = page.relative_to(ROOT / "docs").with_suffix(".html")
        at = at.with_name("index.html") if at.name == "README.html" else at
        assert (bare / at).is_file(), at


def test_every_note_is_in_the_index_of_decisions() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text("utf-8")
    for note in (ROOT / "docs/decisions").glob("*.md"):
        assert note.name == "README.md" or f"]({note.name})" in index, note.name


def test_nothing_on_a_page_is_left_to_be_filled_in(bare: Path) -> None:
    for path in bare.rglob("*.html"):
        assert "<!-- site:" not in path.read_text("utf-8"), path.name


def test_the_gallery_has_a_card_for_every_counted_item(bare: Path) -> None:
    cards = {anchor for anchor in Page(bare / "gallery.html").anchors if "-" in anchor}
    results = (ROOT / "docs/results.md").read_text("utf-8")
    for paper in (path.name for path in (ROOT / "scenarios/papers").iterdir()):
        items = yaml.safe_load((ROOT / f"scenarios/papers/{paper}/items.yaml").read_text("utf-8"))["items"]
        counted = {name for name in items if f"| `{paper}/{name}` |" in results}
        assert counted
        assert {f"{paper}-{name}" for name in counted} <= cards


def test_results_are_shown_where_there_are_some(bare: Path, full: Path) -> None:
    picture = "gallery/engset/figure-12.png"
    assert picture in Page(full / "gallery.html").targets
    assert picture not in Page(bare / "gallery.html").targets
    for name in ("explore.html", "lab.html", "report.pdf"):
        assert name in Page(full / "index.html").targets
        assert name not in Page(bare / "index.html").targets


def test_a_table_is_shown_in_miniature_and_whole(script: ModuleType, bare: Path, full: Path) -> None:
    whole = "gallery/engset/table-06.html"
    assert whole in Page(full / "gallery.html").targets
    assert whole not in Page(bare / "gallery.html").targets
    assert (full / whole).read_text("utf-8").startswith("<p>whole</p>")
    text = (full / "gallery.html").read_text("utf-8")
    card = text[text.index('id="engset-table-06"') :].partition('<p class="finding">')[0]
    assert card.count("<tr") == script.MOST_ROWS == card.count("</tr>")
    assert card.count("<table") == card.count("</table>") == card.count("</tbody>") == 1
    assert "example.org" not in card


def test_models_and_engines_are_those_of_the_tree(bare: Path) -> None:
    text = (bare / "simulators-and-models.html").read_text("utf-8")
    for row in ("markov", "shared_bottleneck", "packetsim", "linux-bbr"):
        assert row in text


def test_the_citations_are_those_of_citation_cff() -> None:
    cited = (ROOT / "docs/cite.md").read_text("utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    for reference in citation["references"]:
        assert f"{{{{{' '.join(reference['title'].split())}}}}}" in cited
        assert all(author["family-names"] in cited for author in reference["authors"])


def test_a_model_answers_what_its_paper_is_about(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a site is built from any folder
    tables = script.site_tables
    titles = [(title, experiment) for title, experiment, _ in tables.NETWORKS]
    answered = {
        model: [titles[at] for at, cell in enumerate(cells) if cell]
        for model, cells in tables.answered().items()
    }
    assert answered["shared_bottleneck"] == [("Tahoe beside cross traffic", "altman")]
    assert answered["padhye"] == [("with random loss", "one")]
    assert answered["engset"] == [("users who fetch files", "files")]
    assert answered["local_loop"] == [("a local loop", "loop")]


def test_the_commands_are_those_of_atlas_help(bare: Path) -> None:
    text = (bare / "command-line.html").read_text("utf-8")
    for words in ("reproduce [snakemake arguments]", "--such-that TARGET", "--throughput", "bench --micro"):
        assert words in text


def test_a_finding_in_words(script: ModuleType) -> None:
    numbers, sentences = script.Counts(3, 1, (("deviates", 2),)), script.Counts(1, 1, ())
    assert script.finding(numbers, None) == "printed numbers reproduced: 1 of 3"
    assert (
        script.finding(numbers, sentences)
        == "printed numbers reproduced: 1 of 3; sentences that hold: 1 of 1"
    )


def test_every_paper_is_in_the_menu_and_one_without_accepted_numbers_says_so(script: ModuleType) -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["references"]
    labels = script.paper_labels()
    assert len(labels) == len(cited)
    assert labels.keys() <= {path.parent.name for path in ROOT.glob("scenarios/papers/*/scenario.yaml")}
    assert "not among the accepted ones" in script.Site.paper_counts("a-new-one")
