"""A scenario of the user's own: no code, no published numbers, and yet simulated and predicted."""

import shutil
import tarfile
from pathlib import Path

import pytest
from browser import Browser
from tree import Tree

# Braces are wildcards to Snakemake, and this is the end of the document to LaTeX.
TITLE = r"My {link} \end{document} & 5 %"


@pytest.fixture(scope="module")
def my_link(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree in which the first example has run, under a title that is hard to print."""
    tree = Tree(tmp_path_factory.mktemp("own") / "tree").keeps_its_own_replications()
    tree.take_engines()
    tree.replace(
        "scenarios/examples/my-link.yaml", "title: An office behind a 20 Mbit/s line", f"title: '{TITLE}'"
    )
    return run(tree, "my-link")


def run(tree: Tree, *studies: str, until: tuple[str, ...] = ()) -> Tree:
    files = ",".join(f"scenarios/examples/{study}.yaml" for study in studies)
    rules = ("--until", *until) if until else ()
    tree.make("--config", f"scenarios=[{files}]", "scale=smoke", *rules)
    return tree


def is_answered(tree: Tree, study: str, sets: tuple[str, ...], metric: str, models: tuple[str, ...]) -> None:
    results = tree.root / "results"
    for name in sets:
        assert (results / f"figures/{study}/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / f"tables/{study}/{name}.html").stat().st_size > 0
    rows = []
    for table in ("observations", "predictions"):
        rows += [row for row in tree.rows(f"studies/{study}/{table}.csv") if row["metric"] == metric]
    engines = ("packetsim", *(f"model:{model}" for model in models))
    assert {(row["set"], row["engine"]) for row in rows} == {
        (f"{study}/{name}", engine) for name in sets for engine in engines
    }


def test_an_example_is_answered_whatever_its_title(my_link: Tree) -> None:
    is_answered(my_link, "my-link", ("people", "buffer"), "goodput_per_connection", ("engset",))
    assert (my_link.root / "results/report.pdf").read_bytes().startswith(b"%PDF")
    report = (my_link.root / "results/report.html").read_text()
    assert "My {link}" in report.replace("\\u2060", "").replace("\u2060", "")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_the_page_shows_its_figures_and_tables_at_once(my_link: Tree, tmp_path: Path) -> None:
    browser = Browser(tmp_path)
    try:
        browser.open((my_link.root / "results/explore.html").as_uri())
        browser.until("document.querySelectorAll('#items .curves svg').length === 2")
        assert browser.value("document.querySelectorAll('#items table').length") == 2
        assert browser.value("getComputedStyle(document.getElementById('now-link')).display") == "none"
    finally:
        browser.close()


def test_an_unpacked_archive_is_whole_and_of_what_it_was(my_link: Tree, tmp_path: Path) -> None:
    """On a machine that has compiled after it was packed."""
    my_link.output("./atlas", "archive", str(tmp_path / "mine.tgz"))
    with tarfile.open(tmp_path / "mine.tgz") as archive:
        archive.extractall(tmp_path)
    tree = Tree(tmp_path / "tcp-atlas", is_there=True)
    tree.take_engines()
    mine = ("--config", "scenarios=scenarios/examples/my-link.yaml")
    # The laboratory is made of a program that is compiled here, and the page to explore holds it.
    assert tree.due(*mine, "scale=smoke") <= {"all", "build_module", "lab", "explore"}
    assert tree.due(*mine, "scale=quick") > {"simulate", "compare", "report_pdf"}


@pytest.mark.slow
def test_the_other_examples_are_answered_together(built_tree: Tree) -> None:
    studies = ("lossy-link", "web-users")
    run(
        built_tree,
        *studies,
        until=tuple(f"{study}_{kind}" for study in studies for kind in ("figures", "tables")),
    )
    is_answered(built_tree, "lossy-link", ("loss",), "goodput", ("markov", "floyd_fall", "padhye"))
    is_answered(built_tree, "web-users", ("users",), "goodput_per_connection", ())


@pytest.mark.slow
def test_a_run_that_was_killed_while_it_drew_and_typeset_ends_with_the_same_bytes(my_link: Tree) -> None:
    """LaTeX leaves a part of its .aux, R and Python leave files under other names."""
    results = my_link.root / "results"
    pictures = [results / "report.pdf", *results.glob("figures/*/*.pdf")]
    before = {path: path.read_bytes() for path in pictures}
    for path in pictures:
        path.unlink()
    aux = results / "report/latex/report.aux"
    text = aux.read_bytes()
    aux.write_bytes(text[: text.index(b"newlabel") + 20])
    left = [results / "figures/my-link/.partial-1a.pdf", results / "studies/my-link/.partial-2b"]
    for path in left:
        path.touch()
    run(my_link, "my-link")
    assert {path: path.read_bytes() == before[path] for path in pictures} == dict.fromkeys(pictures, True)
    assert not any(path.exists() for path in left)


def test_a_longer_sweep_simulates_only_what_is_new(my_link: Tree) -> None:
    before = my_link.kept()
    assert len(before) == 8 * 2
    my_link.replace("scenarios/examples/my-link.yaml", "[20, 40, 60, 80]", "[20, 40, 60, 80, 100]")
    arguments = (
        "--until",
        "simulate",
        "--config",
        "scenarios=scenarios/examples/my-link.yaml",
        "scale=smoke",
    )
    my_link.make(*arguments)
    after = my_link.kept()
    assert len(after) == 9 * 2
    assert {path: after[path] for path in before} == before
