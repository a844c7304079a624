"""The counts of README.md and docs/results.md: each printed number and each sentence once."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
from conftest import cases
from handmade import DEMO, Results

from tcpatlas.regression.drawn import read_accepted

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "workflow/scripts"))
    import refresh_readme

    return refresh_readme


def claims(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """Return claims of these papers and verdicts, counted or not; all are replications."""
    table = pd.DataFrame(rows, columns=["paper", "verdict", "counted"], dtype=str)
    return table.assign(**{"class": "replication"})


CLAIMS = claims(
    ("engset", "reproduced", "true"),
    ("engset", "deviates", "false"),
    ("engset", "not-reproducible", "true"),
    ("compound", "undecided", "true"),
    ("compound", "reproduced", "true"),
)


def statements(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """Return rows of these sentences, all of one paper, with their verdicts, counted or not."""
    table = pd.DataFrame(rows, columns=["statement", "verdict", "counted"], dtype=str)
    return table.assign(paper="engset")


# Figures of cost that nobody measures again: a number of minutes or hours, of gigabytes, or of seconds taken.
COST = re.compile(
    r"\b(?:\d[\d.,]*|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|some|few)\s+"
    r"(?:(?:core-|CPU\s|processor\s)?(?:minutes?|hours?)|GB)\b"
    r"|\b(?:takes?|took|in)\s+(?:about\s|some\s|a\s)?(?:[\d.,]+|few|two|three|five|ten|twenty)\s+seconds?\b"
)
# Not costs, but what somebody has chosen: a job's share of a run, a limit, how long `ask` simulates.
CHOSEN = ("about a minute", "two seconds", "at most 2 GB", "1 GB of memory", "an hour of processor time")
CHOSEN += ("'1 minute'", "timeout: 90 minutes", "a million need 10 GB")
# What the projects whose cells `bbr` answers say of themselves, and the title that it gives the page.
CHOSEN += ("26 hours in a minute", "in 26 hours", "8.5 hours", "18 hours")


def test_what_things_cost_is_measured_or_not_said() -> None:
    """`./atlas readme` writes the block of costs."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("workflow/engines/*/README.md")]
    files += [ROOT / name for name in ("atlas", "Dockerfile", "docs/ci/gitlab-ci.yml")]
    found = []
    for path in files:
        text = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", "", path.read_text(), flags=re.DOTALL)
        for chosen in CHOSEN:
            text = text.replace(chosen, "")
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in COST.finditer(text)]
    assert found == []


def test_costs_are_those_of_the_last_run(script: ModuleType, tmp_path: Path) -> None:
    for name, text in {
        "costs.tsv": "setup\t480\ntest\t600\nsetup\t300\nreproduce\t1080\n",
        "results/benchmarks/compare/engset.tsv": "s\th:m:s\n90.0\t0:01:30\n",
        "results/benchmarks/simulate/engset/packetsim-1.tsv": "s\th:m:s\n150.0\t0:02:30\n",
        "results/logs/simulate/engset/packetsim-1.log": "replication 1, 0.1 M packets, 0.1 s\n",
        "results/provenance.json": '{"commit": {"date": "2026-11-28"}, '
        '"machine": {"cpu": "A CPU", "cores": 2, "memory_bytes": 8e9}}',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    table, _, machine = script.cost_table(tmp_path / "results", tmp_path / "costs.tsv").rpartition("\n\n")
    assert cells(table)[2:] == [
        ["`./atlas setup`", "5 minutes", ""],
        ["`./atlas test`", "10 minutes", ""],
        ["`./atlas reproduce`, with an empty cache", "18 minutes", ""],
        ["`./atlas reproduce`: 2 jobs", "4 minutes of one core", "0.0 GB"],
    ]
    assert machine == "Measured on A CPU, 2 cores, 8 GB (2026-11-28)."
    (tmp_path / "results/logs/simulate/engset/packetsim-1.log").write_text(
        "0.1 M packets, kept; targets hold"
    )
    assert "jobs" not in script.cost_table(tmp_path / "results", tmp_path / "costs.tsv")


ACCEPTED = ROOT / "config/baseline/paper/items"


def accepted(table: str, *names: str, told: str = "verdict") -> pd.DataFrame:
    """Return the rows whose verdicts are accepted, or what else is, with the cells that name their lines."""
    rows = []
    for column in (column for path in sorted(ACCEPTED.glob("*.csv")) for column in read_accepted(path)):
        if column.key[0] == table and column.key[-1] == told:
            for counted in column.kept[0].split(", "):
                count, value = counted.split(" ", 1)
                row = dict(zip(names, column.key[3].split(", "), strict=True)) | {told: value}
                rows += [row] * int(count)
    return pd.DataFrame(rows)


@pytest.mark.skipif(not (ACCEPTED / "now.csv").exists(), reason="no verdicts have been accepted yet")
def test_it_says_what_was_accepted(script: ModuleType) -> None:
    """Else: ./atlas readme."""
    keys = ("paper", "item", "metric", "kind", "class", "engine", "counted")
    claims, powers = (accepted("claims", *keys, told=told) for told in ("verdict", "power"))
    sentences = accepted("statements", "paper", "item", "statement", "engine", "counted")
    (now,) = (column.kept[0] for column in read_accepted(ACCEPTED / "now.csv") if column.key[-1] == "text")
    readme = (ROOT / "README.md").read_text()
    tables = script.number_table(claims), script.sentence_table(sentences)
    tables += (script.findings(claims),)
    windows = claims.loc[claims["counted"] == "simulated", "verdict"]
    page = " ".join((ROOT / "docs/papers/rfc9438.md").read_text().split())
    assert f"{(windows == 'reproduced').sum()} of the {len(windows)} windows" in page
    lines = {line for table in tables for line in table.splitlines() if line.startswith("|")}
    assert lines <= set(readme.splitlines())
    for text in (script.power(powers), now):
        assert " ".join(text.split()) in " ".join(readme.split())


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_a_row_for_the_numbers_of_each_paper_without_verdicts_that_none_has(script: ModuleType) -> None:
    assert cells(script.number_table(CLAIMS)) == [
        ["paper", "printed numbers", "reproduced", "undecided", "not reproducible"],
        ["---", "---:", "---:", "---:", "---:"],
        ["`engset`", "2", "1", "", "1"],
        ["`compound`", "2", "1", "1", ""],
        ["all", "4", "2", "1", "1"],
    ]


def test_a_row_for_the_sentences_of_each_paper(script: ModuleType) -> None:
    sentences = statements(("s1", "holds", "true"), ("s1", "fails", "true"), ("s2", "holds", "true"))
    assert cells(script.sentence_table(sentences))[2:] == [
        ["`engset`", "2", "1", "1"],
        ["all", "2", "1", "1"],
    ]


def test_the_findings_are_counted_by_how_the_paper_came_to_its_numbers(script: ModuleType) -> None:
    table, text = script.findings(CLAIMS.assign(kind=["model"] * 3 + ["simulation"] * 2)).split("\n\n")
    models, simulations = script.KINDS["model"], script.KINDS["simulation"]
    assert cells(table)[2:] == [[models, "1 of 2", "50 %"], [simulations, "1 of 2", "50 %"]]
    assert text == "In 0 places a paper contradicts itself."


def test_what_is_no_replication_is_counted_apart(script: ModuleType) -> None:
    """As the picture has it, which shows what is replicated of each paper."""
    kinds = {"class": ["arithmetic", "replication", "formula", "formula", "replication"]}
    rows = CLAIMS.assign(kind="model", **kinds)
    simulated = rows.iloc[[2, 3, 4]].assign(counted="simulated")
    table, _ = script.findings(pd.concat([rows, simulated])).split("\n\n")
    assert cells(table)[2:] == [
        [script.KINDS["model"], "1 of 1", "100 %"],
        [script.APART["arithmetic"], "1 of 1", "100 %"],
        [script.APART["formula"], "0 of 2", "1 of 3 windows by simulation, too"],
    ]
    names = [row[0] for row in cells(script.number_table(rows))[2:]]
    assert names == [
        "`compound`",
        script.APART["arithmetic"],
        "`engset`: formulas",
        "`compound`: formulas",
        "all",
    ]


def test_power_counts_what_a_result_20_percent_off_would_have_passed(script: ModuleType) -> None:
    """Zeros, and counts of a few, too: a fifth of these is less than one."""
    rows = CLAIMS.assign(power=["20 %", "none", "none", None, "one"])
    rows.loc[2, "class"] = "arithmetic"
    assert script.power(rows).startswith("Of the 2 in the first four rows, 1 would have come out")


def test_the_pictures_and_links_of_the_readme_are_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not target.startswith("https://"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_a_row_for_each_pair_of_engines_without_what_no_rule_judges(script: ModuleType) -> None:
    rows = [("ns3", "packetsim", verdict) for verdict in ("agrees", "differs", "agrees", "smoke", "")]
    table = pd.DataFrame(rows, columns=["engine", "reference", "verdict"], dtype=str)
    assert script.equivalence_table(table).splitlines()[2:] == ["| ns3 with packetsim | 3 | 2 | 1 |"]


@cases("readme.a_sentence_is_as_its_worst_case")
def test_a_sentence_is_as_its_worst_case(script: ModuleType, verdicts: list[str], expected: str) -> None:
    rows = statements(*[("s", verdict, "true") for verdict in verdicts], ("s", "fails", "false"))
    assert list(script.counted_sentences(rows)["verdict"]) == [expected]


def test_the_script_of_the_readme_recounts_the_numbers(tmp_path: Path) -> None:
    """It is the only Python in README.md, and five lines long."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line]) == 5
    (tmp_path / "results").mkdir()
    CLAIMS.to_csv(tmp_path / "results/claims.csv", index=False)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    header, _, *rows = (line.split() for line in run.stdout.splitlines())
    assert header == ["verdict", "not-reproducible", "reproduced", "undecided", "all"]
    assert rows == [
        ["compound", "0", "1", "1", "2"],
        ["engset", "1", "1", "0", "2"],
        ["all", "1", "2", "1", "4"],
    ]


def test_a_printed_number_counts_once(results: Results) -> None:
    results.workspace.print_rows(
        "simulation,goodput_per_connection,kbit/s,563.1,,,82",
        "model,goodput_per_connection,kbit/s,563.1,,the row above,82",
        more="repeats",
    )
    counted = {name: claim["counted"] for name, claim in results.claims().items()}
    assert counted == {f"{DEMO}/1/packetsim": "true", f"{DEMO}/2/model:parrot": "false"}


def test_every_test_that_a_page_names_is_there() -> None:
    pages = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    named = {path for page in pages for path in re.findall(r"(?<![\w/])tests/[\w/]+\.py", page.read_text())}
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
