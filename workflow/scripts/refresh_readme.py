"""Put what the last run found, and cost, in README.md, results.md and then-and-now.md (`./atlas readme`).

What stands between the markers is written by this script, never by hand.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import string
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import read_json, write_atomically
from tcpatlas.config.load import load_project
from tcpatlas.config.project import Project

CLAIMS, FINDINGS, NOW, COSTS, HEADLINES = "claims", "findings", "now", "costs", "headlines"
# What `./atlas` adds a line to when a command that began with nothing is done: the command, and its seconds.
RECORDED = Path(".atlas/costs.tsv")
# The column of each verdict on a number, in order.
NUMBERS = {
    name: name.replace("-", " ")
    for name in ("reproduced", "deviates", "undecided", "inconsistent", "not-reproducible", "unavailable")
}
ENGINES = ("agrees", "differs")
NOW_VERDICTS = ("still holds", "no longer", "reversed", "engines differ", "undecided", "does not apply")
_COLUMNS = 98
_COLUMNS_OF_TEXT = 120
# A sentence has the first of these that one of its cases has.
SENTENCES = ("fails", "undecided", "holds", "inconsistent", "unavailable")
# The column of each verdict on a sentence, in order.
VERBS = {
    "holds": "hold",
    "fails": "fail",
    "undecided": "undecided",
    "inconsistent": "inconsistent",
    "unavailable": "unavailable",
}
# Where a paper's numbers come from.
KINDS = {
    "model": "numbers computed from models",
    "simulation": "simulations",
    "measurement": "measurements on machines of their time",
    "redone": "BBR's figures, as two public projects redid them",
}
# Classes that are no replication.
APART = {
    "arithmetic": "numbers that follow from other printed numbers",
    "formula": "formulas of a standard (RFC 9438)",
}
# The question of the README's terminal picture.
QUESTION = shlex.split("--rate '50 Mbit/s' --rtt '20 ms' --users 60 --file '300 kB' --buffer '64 packets'")


def counted_numbers(claims: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each printed number: the one by its best-placed engine or model."""
    return claims[claims["counted"] == "true"]


def counted_sentences(statements: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each sentence, with the verdict on all its cases by the best-placed engine."""
    rows = statements[statements["counted"] == "true"]
    ordered = rows.sort_values("verdict", key=lambda column: column.map(SENTENCES.index), kind="stable")
    return ordered.drop_duplicates("statement")


def findings(claims: pd.DataFrame) -> str:
    """Return a Markdown table of the verdicts on printed numbers, and in how many places papers err.

    A row for each kind of publication; arithmetic and the formulas of standards have rows of their own.
    """
    rows = counted_numbers(claims)
    simulated = claims.loc[claims["counted"] == "simulated", "verdict"]
    lines: list[Sequence[str]] = [("what was published", "reproduced", "")]
    parts = [
        (words, rows["class"].eq("replication") & rows["kind"].eq(kind)) for kind, words in KINDS.items()
    ]
    parts += [(words, rows["class"] == name) for name, words in APART.items()]
    for words, part in parts:
        verdicts = rows.loc[part, "verdict"]
        if len(verdicts):
            also = f"{_of(simulated)} windows by simulation, too" if words == APART["formula"] else ""
            lines.append((words, _of(verdicts), also or f"{100 * (verdicts == 'reproduced').mean():.0f} %"))
    contradictions = (rows["verdict"] == "inconsistent").sum()
    text = f"In {contradictions} places a paper contradicts itself."
    return f"{_markdown(lines, left=1)}\n\n{text}"


def power(claims: pd.DataFrame) -> str:
    """Return how many of the reproduced numbers would be so with a result 20 % off, in a sentence."""
    could = claims.loc[(claims["counted"] == "true") & (claims["class"] == "replication"), "power"].dropna()
    wide, few = (could == "none").sum(), could.isin(["zero", "one"]).sum()
    text = (
        f"Of the {len(could)} in the first four rows, {wide + few} would have come out even if our result "
        f"were 20 % off: the tolerances of {wide} are that wide, and {few} are zeros or counts so small that "
        "20 % is less than one."
    )
    return "\n".join(textwrap.wrap(text, _COLUMNS_OF_TEXT))


def _of(verdicts: pd.Series[str]) -> str:
    return f"{(verdicts == 'reproduced').sum()} of {len(verdicts)}"


def number_table(claims: pd.DataFrame) -> str:
    """Return a Markdown table: the printed numbers by verdict.

    A row for what is replicated of each paper, as in the picture; for what follows from other printed
    numbers; for the formulas of standards; and for all.
    """
    rows = counted_numbers(claims)
    names = rows["paper"].map("`{}`".format)
    apart = {"arithmetic": APART["arithmetic"], "formula": names + ": formulas"}
    for name, words in apart.items():
        names = names.mask(rows["class"] == name, words)
    rows = rows.assign(paper=names).sort_values("class", key=lambda column: column.isin(apart), kind="stable")
    return _by_paper("printed numbers", rows, NUMBERS)


def sentence_table(statements: pd.DataFrame) -> str:
    """Return a Markdown table: of each paper and of all, the sentences by verdict."""
    rows = counted_sentences(statements)
    return _by_paper("sentences", rows.assign(paper=rows["paper"].map("`{}`".format)), VERBS)


def _by_paper(what: str, rows: pd.DataFrame, verdicts: Mapping[str, str]) -> str:
    """Return a row for each paper and one for all; verdicts that nothing has are left out."""
    there = [verdict for verdict in verdicts if (rows["verdict"] == verdict).any()]
    lines: list[Sequence[str]] = [("paper", what, *(verdicts[verdict] for verdict in there))]
    for paper in dict.fromkeys(rows["paper"]):
        of_paper = rows.loc[rows["paper"] == paper, "verdict"]
        lines.append((paper, str(len(of_paper)), *_counts(of_paper, there)))
    lines.append(("all", str(len(rows)), *_counts(rows["verdict"], there)))
    return _markdown(lines, left=1)


def item_tables(project: Project, claims: pd.DataFrame, statements: pd.DataFrame) -> str:
    """Return Markdown tables: for each item with printed numbers, and for each with sentences, the counts."""
    tables = []
    for what, rows, verdicts in (
        ("Printed numbers", counted_numbers(claims), NUMBERS),
        ("Sentences", counted_sentences(statements), VERBS),
    ):
        there = [verdict for verdict in verdicts if (rows["verdict"] == verdict).any()]
        lines: list[Sequence[str]] = [
            ("item", "content", "computed by", "all", *(verdicts[verdict] for verdict in there))
        ]
        for item in project.all_items:
            of_item = rows[(rows["paper"] == item.paper) & (rows["item"] == item.name)]
            if len(of_item):
                sources = ", ".join(sorted(set(of_item["engine"].dropna())))
                counts = _counts(of_item["verdict"], there)
                lines.append((f"`{item.paper}/{item.name}`", item.title, sources, str(len(of_item)), *counts))
        tables.append(f"## {what}\n\n{_markdown(lines, left=3)}")
    return "\n\n".join(tables)


def equivalence_table(equivalence: pd.DataFrame) -> str:
    """Return a Markdown table: of each pair of engines, how many judged comparisons agree."""
    judged = equivalence[equivalence["verdict"].isin(ENGINES)]
    lines: list[Sequence[str]] = [("comparisons of engines", "all", *ENGINES)]
    for (engine, reference), rows in judged.groupby(["engine", "reference"]):
        lines.append((f"{engine} with {reference}", str(len(rows)), *_counts(rows["verdict"], ENGINES)))
    return _markdown(lines, left=1)


def cost_table(results: Path, recorded: Path) -> str:
    """Return a Markdown table of what commands took on this machine, and what the jobs of the last run did.

    Jobs that found replications of an earlier run in the cache took less than they cost: then those are left
    out. A whole run is recorded only if it found none.
    """
    lines: list[Sequence[str]] = [("command", "time", "disk")]
    texts = recorded.read_text("utf-8").splitlines() if recorded.exists() else ()
    for command, seconds in dict(text.split("\t") for text in texts).items():
        state = ", with an empty cache" if command == "reproduce" else ""
        lines.append((f"`./atlas {command}`{state}", f"{int(seconds) / 60:.0f} minutes", ""))
    jobs = [pd.read_csv(path, sep="\t")["s"] for path in sorted(results.glob("benchmarks/**/*.tsv"))]
    logs = results.glob("logs/simulate/*/*.log")
    if not any(", kept" in path.read_text("utf-8") for path in logs):
        size = sum(path.stat().st_size for path in results.rglob("*") if path.is_file())
        minutes = pd.concat(jobs).sum() / 60
        lines.append(
            (
                f"`./atlas reproduce`: {len(jobs)} jobs",
                f"{minutes:.0f} minutes of one core",
                f"{size / 1e9:.1f} GB",
            )
        )
    if len(lines) == 1:
        return "Nothing has been measured yet."
    made = read_json(results / "provenance.json")
    machine, commit = made["machine"], made["commit"] or {"date": "no commit"}
    where = f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / 1e9:.0f} GB"
    return f"{_markdown(lines, left=1)}\n\nMeasured on {where} ({commit['date']})."


def now_headlines(findings_of_panels: pd.DataFrame, made: str) -> str:
    """Return what a reader of each paper is to know first, as a list in Markdown, and when it was `made`."""
    items = (
        textwrap.fill(line, _COLUMNS_OF_TEXT, initial_indent="- ", subsequent_indent="  ")
        for line in findings_of_panels["headline"].dropna()
    )
    return "\n".join([*items, "", f"In parentheses are 95 % intervals; the runs are of {made}."])


def now_findings(findings_of_panels: pd.DataFrame) -> str:
    """Return what each panel of the picture shows, as a list in Markdown, with the panel's letter."""
    letters = string.ascii_lowercase
    lines = [
        f"**({letter}) {row['question']}** {row['finding']}"
        for letter, (_, row) in zip(letters, findings_of_panels.iterrows(), strict=False)
    ]
    return "\n".join(
        textwrap.fill(line, _COLUMNS_OF_TEXT, initial_indent="- ", subsequent_indent="  ") for line in lines
    )


def now_tables(now: pd.DataFrame) -> str:
    """Return Markdown tables of what still holds: counts, then each paper's sentences that can be asked."""
    counted = now[now["counted"] == "true"]
    there = [verdict for verdict in NOW_VERDICTS if (counted["verdict"] == verdict).any()]
    lines: list[Sequence[str]] = [("paper", "with", "asked of it", *there)]
    for (paper, tcp, what), rows in counted.groupby(["paper", "tcp", "what"], sort=False):
        lines.append((f"`{paper}`", tcp, f"{what}s", *_counts(rows["verdict"], there)))
    tables = [_markdown(lines, left=3)]
    asked = now[(now["what"] == "sentence") & (now["verdict"] != "does not apply")]
    for paper, rows in asked.groupby("paper", sort=False):
        who = rows["tcp"] + ", " + rows["engine"]
        names = list(dict.fromkeys(who))
        lines = [("sentence", *names)]
        for _, same in rows.groupby("statement", sort=False):
            cells = {
                name: _now_cell(row) for name, (_, row) in zip(who[same.index], same.iterrows(), strict=True)
            }
            lines.append((same["text"].iloc[0].replace("|", "\\|"), *(cells.get(name, "") for name in names)))
        tables.append(f"## `{paper}`\n\n{_markdown(lines, left=len(lines[0]))}")
    return "\n\n".join([*tables, _not_asked(now)])


def _not_asked(now: pd.DataFrame) -> str:
    """Return the sentences and numbers that are not re-evaluated, by paper, each with its reason."""
    rows = now[now["verdict"] == "does not apply"]
    lines: list[tuple[str, ...]] = [("paper", "sentence, or number", "why it is not asked")]
    for paper, what, text, reason in rows[["paper", "what", "text", "reason"]].itertuples(index=False):
        name = f"`{text.partition('[')[0]}`" if what == "number" else text
        lines.append((f"`{paper}`", *(cell.replace("|", "\\|") for cell in (name, reason))))
    lines = list(dict.fromkeys(lines))
    return f"## Not asked\n\n{_markdown(lines, left=3)}"


def _now_cell(row: pd.Series[str]) -> str:
    """Return a verdict, and in how many cases a sentence fails or is undecided, or what each engine says."""
    if pd.isna(row["reason"]):
        return row["verdict"]
    return f"{row['verdict']}{'' if row['reason'].startswith('in ') else ':'} {row['reason']}"


def _counts(verdicts: pd.Series[str], shown: Iterable[str]) -> list[str]:
    return [str((verdicts == verdict).sum() or "") for verdict in shown]


def _markdown(lines: Sequence[Sequence[str]], left: int) -> str:
    rule = ["---"] * left + ["---:"] * (len(lines[0]) - left)
    return "\n".join(f"| {' | '.join(row)} |" for row in (lines[0], rule, *lines[1:]))


def refresh(readme: Path, details: Path, then_and_now: Path, results: Path, pictures: Path) -> None:
    """Rewrite the blocks in all files, copy the pictures; ConfigError unless at paper scale.

    What still holds stays as it is where the run left it out.
    """
    project = load_project(results / "config.json")
    if project.scale != "paper":
        raise ConfigError(results / "config.json", "scale", f"{project.scale} proves nothing", "paper")
    claims, statements, equivalence = (
        pd.read_csv(results / f"{name}.csv", dtype=str) for name in ("claims", "statements", "equivalence")
    )
    tables = (number_table(claims), sentence_table(statements), equivalence_table(equivalence))
    texts = {
        readme: _with_block(readme, CLAIMS, "\n\n".join(tables)),
        details: _with_block(details, CLAIMS, item_tables(project, claims, statements)),
    }
    texts[readme] = _with_block(readme, FINDINGS, f"{findings(claims)}\n{power(claims)}", texts[readme])
    texts[readme] = _with_block(readme, COSTS, cost_table(results, RECORDED), texts[readme])
    if project.config["now"] != "off":
        commit = read_json(results / "provenance.json")["commit"] or {"date": "no commit"}
        told = f"{(results / 'now.txt').read_text('utf-8').strip()} Results of {commit['date']}."
        block = "\n".join(textwrap.wrap(told, _COLUMNS_OF_TEXT))
        texts[readme] = _with_block(readme, NOW, block, texts[readme])
        now = pd.read_csv(results / "now.csv", dtype=str)
        findings_of_panels = pd.read_csv(results / "now_findings.csv", dtype=str)
        block = f"{now_findings(findings_of_panels)}\n\n{now_tables(now)}"
        texts[then_and_now] = _with_block(then_and_now, NOW, block)
        headlines = now_headlines(findings_of_panels, commit["date"])
        texts[then_and_now] = _with_block(then_and_now, HEADLINES, headlines, texts[then_and_now])
        shutil.copy(results / "report/now.png", pictures / "then-and-now.png")
    shutil.copy(results / "scorecard.png", pictures / "scorecard.png")
    for path, text in texts.items():
        write_atomically(path, text)


def terminal_picture(out: Path) -> None:
    """Ask the README's question in a terminal, and draw what it shows as SVG."""
    command = ["./atlas", "ask", *QUESTION]
    environment = os.environ | {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(_COLUMNS)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AtlasError(done.stderr.strip())
    console = Console(record=True, width=_COLUMNS, file=io.StringIO())
    console.print(Text(f"$ {shlex.join(command)}"), highlight=False)
    console.print(Text.from_ansi(done.stdout.rstrip("\n")), highlight=False)
    # The fonts of whoever looks at it; none is fetched.
    form = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    write_atomically(out, console.export_svg(title="./atlas ask", code_format=form, unique_id="ask"))


def _with_block(path: Path, name: str, block: str, text: str | None = None) -> str:
    """Return a file's text, or another one, with a block between the markers of that name."""
    first, last = (f"<!-- {name}: {edge} -->" for edge in ("begin", "end"))
    before, _, rest = (path.read_text("utf-8") if text is None else text).partition(first)
    _, end, after = rest.partition(last)
    if not end:
        raise ConfigError(path, "", "the markers are missing", f"{first} and {last}")
    return f"{before}{first}\n{block}\n{last}{after}"


if __name__ == "__main__":
    try:
        refresh(
            Path("README.md"),
            Path("docs/results.md"),
            Path("docs/then-and-now.md"),
            Path("results"),
            Path("docs/images"),
        )
        terminal_picture(Path("docs/images/ask.svg"))
    except (AtlasError, OSError) as error:
        sys.exit(str(error))
