"""The results of a whole run, and what a second one does."""

import csv
import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml
from tree import ROOT, Tree

# As fixed in the project's design, in this order.
CLAIM_COLUMNS = [
    "claim", "paper", "item", "point", "metric", "unit", "published", "kind", "engine", "value", "ci_low",
    "ci_high", "relative_error", "tolerance", "verdict", "note",
]  # fmt: skip
VERDICTS = {
    "reproduced", "deviates", "undecided", "inconsistent", "not-reproducible", "unavailable", "smoke",
}  # fmt: skip


@pytest.fixture(scope="module")
def items(smoke: Tree) -> dict[str, str]:
    """The kind of each `<paper>/<item>` of the run's papers."""
    return {
        f"{paper}/{item}": spec["kind"]
        for paper in smoke.papers
        for item, spec in yaml.safe_load((ROOT / f"scenarios/papers/{paper}/items.yaml").read_text())[
            "items"
        ].items()
    }


def printed_rows(item: str) -> list[dict[str, str]]:
    """The rows of an item's published table that this machine can answer; none where it has no numbers."""
    file = ROOT / "scenarios/papers" / f"{item}.csv"
    return list(csv.DictReader(file.open())) if file.exists() else []


def modification_times(tree: Tree) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (tree.root / "results").rglob("*") if path.is_file()}


def test_the_claims_have_the_fixed_columns_and_verdicts(smoke: Tree) -> None:
    claims = smoke.rows("claims.csv")
    assert list(claims[0])[: len(CLAIM_COLUMNS)] == CLAIM_COLUMNS
    assert {claim["verdict"] for claim in claims} <= VERDICTS


def test_no_simulation_is_judged_at_smoke_scale(smoke: Tree) -> None:
    verdicts = {claim["verdict"] for claim in smoke.rows("claims.csv") if claim["engine"] == "packetsim"}
    assert verdicts
    assert verdicts <= {"smoke", "inconsistent", "not-reproducible", "unavailable"}


def test_no_interval_reaches_across_the_edge_of_a_tolerance_that_decided(smoke: Tree) -> None:
    decided = [claim for claim in smoke.rows("claims.csv") if claim["verdict"] in ("reproduced", "deviates")]
    assert decided
    for claim in decided:
        low, high, published, tolerance = (
            float(claim[column] or claim["value"])
            for column in ("ci_low", "ci_high", "published", "tolerance")
        )
        # The file has binary fractions of what was judged exactly.
        slack = 1e-9 * max(abs(published), tolerance)
        if claim["verdict"] == "reproduced":
            assert published - tolerance - slack <= low <= high <= published + tolerance + slack, claim
            assert published == 0 or tolerance < abs(published), claim
        else:
            assert high < published - tolerance + slack or low > published + tolerance - slack, claim


def test_every_printed_number_is_a_claim(smoke: Tree, items: dict[str, str]) -> None:
    claims = smoke.rows("claims.csv")
    assert {claim["paper"] for claim in claims} == set(smoke.papers)
    for item in items:
        answered = [claim for claim in claims if f"{claim['paper']}/{claim['item']}" == item]
        printed = printed_rows(item)
        assert len(answered) >= len(printed), item
        assert {claim["published"] for claim in answered if claim["verdict"] != "unavailable"} <= {
            row["published"] for row in printed
        }, item


def test_every_item_is_drawn_or_tabulated(smoke: Tree, items: dict[str, str]) -> None:
    for item, kind in items.items():
        endings = {"figure": ("pdf", "svg", "png", "csv"), "table": ("tex", "html", "csv")}[kind]
        for ending in endings:
            assert (smoke.root / f"results/{kind}s/{item}.{ending}").stat().st_size > 0, item


def shows_something(smoke: Tree, item: str) -> bool:
    """Say whether an item has more to show than the words that there is nothing."""
    table = smoke.root / f"results/tables/{item}.csv"
    if table.exists():
        heading, *rows = csv.reader(table.open())
        return heading != [""] or len(rows) > 1
    layers = {row["layer"] for row in smoke.rows(f"figures/{item}.csv")}
    return any(not layer.endswith(("text", "axis", "title")) for layer in layers)


def test_the_pdf_report_shows_every_item(smoke: Tree, items: dict[str, str]) -> None:
    report = smoke.root / "results/report.pdf"
    text = subprocess.run(
        ["pdftotext", "-layout", report, "-"], capture_output=True, text=True, check=True
    ).stdout
    for heading in ("Published numbers", "Findings"):
        assert heading in text
    unbroken = "".join(text.split())  # a name may be broken at the end of a line
    for item in items:
        assert item in unbroken or not shows_something(smoke, item), item


def test_no_page_of_the_pdf_report_reaches_into_its_foot(smoke: Tree) -> None:
    log = smoke.root / "results/report/latex/report.log"
    assert "Overfull \\vbox" not in log.read_text(errors="replace")


def test_the_html_report_holds_every_item(smoke: Tree, items: dict[str, str]) -> None:
    text = (smoke.root / "results/report.html").read_text()
    assert text.lstrip().lower().startswith("<!doctype html>")
    for item in items:
        assert item in text


def test_what_made_the_results_is_recorded(smoke: Tree) -> None:
    provenance = json.loads((smoke.root / "results/provenance.json").read_text())
    assert provenance["scale"] == "smoke"
    assert provenance["engines"]["packetsim"]
    assert provenance["packages"]["snakemake"]


def test_every_job_is_logged_and_measured(smoke: Tree) -> None:
    results = smoke.root / "results"
    for step in ("simulate", "predict", "tables", "compare"):
        assert list((results / "logs").glob(f"{step}*"))
        assert list((results / "benchmarks").glob(f"{step}*"))


def test_a_second_run_does_nothing(smoke: Tree) -> None:
    before = modification_times(smoke)
    again = smoke.snakemake(*smoke.asked)
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr
    assert modification_times(smoke) == before


def test_another_scenario_is_due_beside_the_results_of_the_papers(smoke: Tree) -> None:
    shutil.copy(smoke.root / "scenarios/examples/my-link.yaml", smoke.root / "due.yaml")
    planned = smoke.snakemake("--dry-run", "--config", "scenarios=due.yaml", "scale=smoke")
    assert "Simulating due by packetsim" in planned.stdout + planned.stderr


def test_what_a_failed_job_has_removed_is_missed(smoke: Tree) -> None:
    """Snakemake gives a job's missing files as its reason, which the profile keeps quiet."""
    removed = (
        "results/runs/seawind/packetsim-1.jsonl",
        "results/predictions/fixed-point/local_loop.jsonl",
        "results/tables/seawind/table-7.2.html",
        "build/release/fixed_point/fixed_point",
    )
    paths = [smoke.root / file for file in removed]
    aside = [path.rename(path.with_suffix(".aside")) for path in paths]
    planned = smoke.snakemake("--dry-run", "--quiet", "progress", *smoke.asked)
    for path, kept in zip(paths, aside, strict=True):
        kept.rename(path)
    missing = re.findall(r"Missing output files: ([^;\n]+)", planned.stdout + planned.stderr)
    assert {file for files in missing for file in files.split(", ")} == set(removed)


def test_one_item_can_be_asked_for(smoke: Tree) -> None:
    item = smoke.root / "results/figures/fixed-point/figure-07.pdf"
    item.unlink()
    smoke.make(*smoke.asked, "--", str(item.relative_to(smoke.root)))
    assert item.read_bytes().startswith(b"%PDF")


def test_the_numbers_are_the_accepted_ones(smoke: Tree) -> None:
    done = smoke.snakemake(*smoke.asked, "--", "regression")
    accept = "If this is meant: ./atlas test --all pipeline; ./atlas baseline build/smoke/results"
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{accept}"


def test_the_archive_holds_sources_accepted_numbers_and_every_file_of_the_crate(
    smoke: Tree, items: dict[str, str], tmp_path: Path
) -> None:
    archive = tmp_path / "archive.tar.gz"
    smoke.output("./atlas", "archive", str(archive))
    with tarfile.open(archive) as file:
        names = {name.removeprefix("tcp-atlas/") for name in file.getnames()}
        crate = json.load(file.extractfile("tcp-atlas/results/ro-crate-metadata.json"))  # type: ignore[arg-type]
    assert {
        "atlas",
        "workflow/Snakefile",
        "config/baseline/smoke/engset.csv",
        "envs/requirements.txt",
    } <= names
    parts = [entity["@id"] for entity in crate["@graph"] if entity["@type"] in ("File", ["File"])]
    assert len(parts) > len(items)
    assert [part for part in parts if f"results/{part}" not in names] == []


# Of a figure, what it draws instead; each stays below the other's title.
SWAPPED = {
    "figure-15": (
        'plot_against_capacity(data, "queue_mean", "Mean backlog (packets)")',
        'plot_against_capacity(data, "utilisation", "Mean backlog (packets)")',
    ),
    "figure-14": (
        'plot_against_capacity(data, "utilisation", "Throughput over capacity")',
        'plot_against_capacity(data, "queue_mean", "Throughput over capacity")',
    ),
}


@pytest.mark.slow
def test_figures_that_show_something_else_under_their_titles_have_moved(new_tree: Tree, smoke: Tree) -> None:
    skipped = shutil.ignore_patterns("work", "runs", "report*", "logs")
    shutil.copytree(smoke.root / "results", new_tree.root / "results", ignore=skipped)
    baseline = ("env", "PYTHONPATH=workflow", ".venv/bin/python", "-m", "tcpatlas", "baseline")
    new_tree.output(*baseline, "--accept")
    new_tree.output(*baseline, "--check")
    for old, new in SWAPPED.values():
        new_tree.replace("workflow/figures/studies/compound.R", old, new)
    of = ("--study", "compound", "--kind", "figure", "--items", ",".join(SWAPPED))
    to = ("--out", "results/figures/compound")
    new_tree.output("Rscript", "workflow/figures/bin/render.R", *of, *to)
    checked = new_tree.run(*baseline, "--check", "--points")
    assert checked.returncode == 1
    moved = [line for line in checked.stdout.splitlines() if line.startswith("compound/")]
    for item in SWAPPED:
        assert any(line.startswith(f"compound/{item}, part 1, ") and ", y: point " in line for line in moved)
    assert all(line.startswith(tuple(f"compound/{item}, part 1, " for item in SWAPPED)) for line in moved)
    pictures = new_tree.run("Rscript", "workflow/figures/bin/moved.R").stdout
    assert all(f"results/moved/compound/{item}.png" in pictures for item in SWAPPED)
