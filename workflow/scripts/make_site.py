"""Write the pages of the site and have MkDocs build them (`./atlas site`).

The pages are those of docs/. A line `<!-- site: NAME ARGUMENTS -->` in one of them is replaced by what
`Site.filled` returns for it; what a page links to outside of docs/ comes along.
"""

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import site_tables
import yaml

from tcpatlas import __version__

ROOT = Path(__file__).resolve().parents[2]
# Pages from outside of docs/ that no link has to ask for.
ALSO = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "SUPPORT.md")
# What a run leaves for readers, with what a link to it says.
RESULTS = {
    "explore.html": "Explore every number",
    "lab.html": "Simulate a link in your browser",
    "report.pdf": "Read the report (PDF)",
}
HELP = ("ask", "compare", "infer", "bench")
# Of a table in miniature.
MOST_ROWS = 14
_LETTERS = {
    "rho": "\N{GREEK SMALL LETTER RHO}",
    "gamma": "\N{GREEK SMALL LETTER GAMMA}",
    "beta": "β",
    "tau": "τ",
}
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")


def rows_with(page: str, column: str) -> Iterator[dict[str, str]]:
    """Yield the rows of those tables of a page that have this column."""
    for table in tables((ROOT / page).read_text("utf-8")):
        if table and column in table[0]:
            yield from table


@dataclass(frozen=True)
class Counts:
    """The number of an item's numbers, or sentences, with each verdict."""

    all: int
    good: int
    rest: tuple[tuple[str, int], ...]


def tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables of a page, as rows by the heads of their columns."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = (
            [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
        )
        yield [dict(zip(head, row, strict=True)) for row in rows]


def counts(row: Mapping[str, str], good: str) -> Counts:
    """Return the counts of one row, whose columns behind `all` are verdicts."""
    heads = list(row)
    verdicts = heads[heads.index("all") + 1 :] if "all" in heads else heads[2:]
    by_verdict = {verdict: int(row[verdict]) for verdict in verdicts if row[verdict]}
    every = int(row["all"] if "all" in row else row[heads[1]])
    return Counts(every, by_verdict.pop(good, 0), tuple(by_verdict.items()))


def finding(numbers: Counts | None, sentences: Counts | None) -> str:
    """Return the verdicts on an item, in a line."""
    counted = (("printed numbers reproduced", numbers), ("sentences that hold", sentences))
    return "; ".join(f"{what}: {count.good} of {count.all}" for what, count in counted if count)


def verdict_on(counted: Sequence[Counts]) -> tuple[str, str]:
    """Return the look and the words of the badge of an item."""
    good, every = sum(count.good for count in counted), sum(count.all for count in counted)
    if good == every:
        return "good", "✓ all"
    if good:
        return "some", "◐ in part"
    if {verdict for count in counted for verdict, _ in count.rest} <= {"undecided", "unavailable"}:
        return "open", "? open"
    return "none", "\N{MULTIPLICATION SIGN} none"


def label(name: str) -> str:
    """Return what the paper calls an item, from the item's name; nothing if it has no number there."""
    match = re.fullmatch(r"(figure|table|text)-([0-9][0-9.]*)", name)
    if not match:
        return ""
    return f"{match[1].replace('text', 'section').capitalize()} {match[2].lstrip('0')}"


def symbols(title: str) -> str:
    """Return a title as HTML, with letters for the names of letters."""
    title = html.escape(title, quote=False)
    for name, letter in _LETTERS.items():
        title = re.sub(rf"\b{name}(?=\b|_)", letter, title)
    return re.sub(r"\b(\w)_(\w+)", r"\1<sub>\2</sub>", title)


def miniature(page: str) -> str:
    """Return the first rows of the first table of a page, in one line and without links."""
    match = re.search(r"<table>.*?</table>", page, re.DOTALL)
    if not match:
        return ""
    head, *rows = re.split(r"(?=<tr)", re.sub(r"\s*\n\s*", " ", re.sub(r"</?a\b[^>]*>", "", match[0])))
    return "".join([head, *rows[:MOST_ROWS]]) + ("" if len(rows) <= MOST_ROWS else "</tbody></table>")


def paper_labels() -> dict[str, str]:
    """Return what the menu of the site calls each paper, in its order."""
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    (papers,) = (entry["Papers"] for entry in menu if "Papers" in entry)
    return {Path(page).stem: label for entry in papers for label, page in entry.items()}


class Site:
    """The pages under way from docs/ to a folder."""

    def __init__(self, pages: Path, results: Path) -> None:
        self.pages, self.results = pages, results
        self.waiting = [path.relative_to(ROOT) for path in sorted((ROOT / "docs").rglob("*.md"))]
        self.waiting += [Path(name) for name in ALSO]
        self.done: set[Path] = set()
        self.labels = paper_labels()
        self.papers: dict[str, dict[str, Any]] = {
            name: yaml.safe_load((ROOT / f"scenarios/papers/{name}/items.yaml").read_text("utf-8"))
            for name in self.labels
        }
        self.numbers, self.sentences = (
            {row["item"].strip("`"): counts(row, verdict) for row in rows_with("docs/results.md", verdict)}
            for verdict in ("reproduced", "hold")
        )

    def write(self) -> None:
        """Write every page and what it shows."""
        shutil.rmtree(self.pages, ignore_errors=True)
        shutil.copytree(ROOT / "docs", self.pages, ignore=shutil.ignore_patterns("*.md"))
        for name in RESULTS:
            if (self.results / name).exists():
                shutil.copy(self.results / name, self.pages / name)
        while self.waiting:
            source = self.waiting.pop()
            # docs/README.md is the index for those who read the folder; the site has its navigation.
            if source in self.done or source == Path("docs/README.md"):
                continue
            self.done.add(source)
            text = (ROOT / source).read_text("utf-8")
            text = re.sub(
                r"^<!-- site: (.+) -->$", lambda match: self.filled(match[1]), text, flags=re.MULTILINE
            )
            out = self.pages / self.place(source)
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(_LINK.sub(partial(self.link, source), text), "utf-8")

    @staticmethod
    def place(source: Path) -> Path:
        """Return where on the site a file of the repository is."""
        if source in (Path("docs/README.md"), Path("docs/index.md")):
            return Path("index.md")
        return source.relative_to("docs") if source.is_relative_to("docs") else Path("repository") / source

    def link(self, source: Path, match: re.Match[str]) -> str:
        """Return a link of the page `source` as it is on the site; of a folder without a page, its text."""
        shown, target = match[1], match[2]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        there = Path(os.path.normpath(source.parent / path))
        if (ROOT / there).is_dir():
            there /= "README.md"
            if not (ROOT / there).exists():
                return shown.strip("[]")
        if not (ROOT / there).exists():
            return match[0]  # what a run makes; of anything else MkDocs complains
        if there.suffix == ".md":
            self.waiting.append(there)
        elif not there.is_relative_to("docs"):
            copy = self.pages / self.place(there)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / there, copy)
        way = os.path.relpath(self.place(there), self.place(source).parent)
        return f"{shown}({way}{'#' if anchor else ''}{anchor})"

    def filled(self, call: str) -> str:
        """Return what the line `<!-- site: CALL -->` stands for."""
        name, *arguments = call.split()
        fillers: dict[str, Callable[..., str]] = {
            "results": self.doors,
            "findings": self.findings,
            "counts": self.paper_counts,
            "items": self.paper_items,
            "gallery": self.gallery,
            "commands": self.commands,
            "version": lambda: __version__,
            "models": site_tables.models,
            "engines": site_tables.engines,
        }
        return fillers[name](*arguments)

    def doors(self) -> str:
        """Return links to the last run's results, or how to make them."""
        there = [f"[{title}]({name})" for name, title in RESULTS.items() if (self.pages / name).exists()]
        if not there:
            return (
                "`./atlas reproduce` makes the report and a page to explore every number; they belong here."
            )
        return " · ".join(there)

    @staticmethod
    def findings() -> str:
        """Return the counts of the README's opening."""
        readme = (ROOT / "README.md").read_text("utf-8")
        (text,) = re.findall(r"<!-- findings: begin -->\n(.*?)\n<!-- findings: end -->", readme, re.DOTALL)
        return str(text)

    @staticmethod
    def paper_counts(paper: str) -> str:
        """Return the verdicts on a paper's numbers and sentences, from the README's tables."""
        counted_rows = [
            counts(row, verdict)
            for verdict in ("reproduced", "hold")
            for row in rows_with("README.md", verdict)
            if row.get("paper", "").startswith(f"`{paper}`")
        ]
        if not counted_rows:
            return "Its numbers are not among the accepted ones yet; `./atlas reproduce` computes them."
        numbers, sentences = counted_rows

        def rest(counted: Counts) -> str:
            counts = ", ".join(f"{verdict}: {number}" for verdict, number in counted.rest)
            return f" ({counts})" if counts else ""

        return (
            f"**{numbers.good} of {numbers.all} printed numbers are reproduced**{rest(numbers)}. "
            f"**{sentences.good} of {sentences.all} sentences hold**{rest(sentences)}. "
            "[What these words mean](../verdict.md)."
        )

    def items(self, paper: str) -> Iterator[tuple[str, str, str]]:
        """Yield name, title (HTML) and finding of the items of a paper that are counted."""
        for name, item in self.papers[paper]["items"].items():
            numbers, sentences = self.numbers.get(f"{paper}/{name}"), self.sentences.get(f"{paper}/{name}")
            if numbers or sentences:
                number, title = label(name), symbols(item["title"])
                shown = title if not number or title.startswith("Figures ") else f"{number}: {title}"
                yield name, shown, finding(numbers, sentences)

    def paper_items(self, paper: str) -> str:
        """Return a table of a paper's items."""
        rows = [f"| {title} | {outcome} |" for _, title, outcome in self.items(paper)]
        return "\n".join(["| table, figure or section | finding |", "|---|---|", *rows])

    def causes(self, paper: str, item: str) -> list[str]:
        """Return why numbers or sentences of an item deviate, as far as one cause covers several."""
        path = ROOT / f"scenarios/papers/{paper}/causes.yaml"
        if not path.exists():
            return []
        causes = (yaml.safe_load(path.read_text("utf-8")) or {}).get("causes", {})
        return [
            cause["text"]
            for cause in causes.values()
            if "{" not in cause["text"]
            and any(
                item in setting.get("items", ())
                for setting in [*cause.get("numbers", ()), *cause.get("statements", ())]
            )
        ]

    def gallery(self) -> str:
        """Return a card for each counted item, by paper."""
        parts = []
        for paper, label in self.labels.items():
            year = self.papers[paper]["publication"]["year"]
            cards = [self.card(paper, *item) for item in self.items(paper)]
            parts.append(f"## {label}, {year}\n\n[About this paper](papers/{paper}.md)\n")
            parts.append("\n".join(['<div class="cards">', *cards, "</div>\n"]))
        return "\n".join(parts)

    def card(self, paper: str, name: str, title: str, outcome: str) -> str:
        """Return one card."""
        key = f"{paper}/{name}"
        both = [counted for counted in (self.numbers.get(key), self.sentences.get(key)) if counted]
        state, badge = verdict_on(both)
        picture = self.thumbnail(paper, name)
        kind, ending = ("figures", "pdf") if self.is_figure(paper, name) else ("tables", "html")
        causes = "".join(f"<p>{html.escape(text, quote=False)}</p>" for text in self.causes(paper, name))
        lines = [
            f'<div class="card" id="{paper}-{name}">',
            picture,
            f'<p class="finding"><span class="badge {state}">{badge}</span> {outcome}</p>',
            f'<p class="what">{title}</p>',
            f"<details><summary>Why not all of it?</summary>{causes}</details>"
            if causes and state != "good"
            else "",
            f"<details><summary>Make it yourself</summary><code>.venv/bin/snakemake --cores 2 "
            f"results/{kind}/{paper}/{name}.{ending}</code></details>",
            "</div>",
        ]
        return "\n".join(line for line in lines if line)

    def is_figure(self, paper: str, name: str) -> bool:
        """Return whether the item is drawn rather than set as a table."""
        return bool(self.papers[paper]["items"][name].get("kind", "figure") == "figure")

    def thumbnail(self, paper: str, name: str) -> str:
        """Return a figure, or a table in miniature, copied from the results; empty if there is none."""
        kind, ending = ("figures", "png") if self.is_figure(paper, name) else ("tables", "html")
        made = self.results / f"{kind}/{paper}/{name}.{ending}"
        if not made.exists():
            return ""
        copy = self.pages / f"gallery/{paper}/{name}.{ending}"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, copy)
        at = copy.relative_to(self.pages).as_posix()
        description = html.escape(f"{paper}, {name}")
        if ending == "png":
            return f'<a href="{at}"><img src="{at}" alt="{description}" loading="lazy"></a>'
        table = miniature(made.read_text("utf-8"))
        picture = f'<div aria-hidden="true">{table}</div>'
        return f'<a class="miniature" href="{at}" aria-label="{description}">{picture}</a>'

    @staticmethod
    def commands() -> str:
        """Return what the commands say of themselves."""

        def says(*words: str) -> str:
            run = subprocess.run(
                ["./atlas", *words],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, "COLUMNS": "90"},
            )
            return f"```text\n{run.stdout.strip()}\n```\n"

        parts = ["## All commands\n", says("help")]
        for command in HELP:
            parts += [f"## ./atlas {command}\n", says(command, "--help")]
        return "\n".join(parts)


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(prog="./atlas site", description="Build the site of docs/ and results/.")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "results", help="folder of results (default: results)"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build/site", help="where to build (default: build/site)"
    )
    parser.add_argument(
        "--mkdocs", type=Path, default=ROOT / "build/site/venv/bin/mkdocs", help=argparse.SUPPRESS
    )
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    Site(out / "pages", arguments.results.resolve()).write()
    config = out / "mkdocs.yml"
    config.write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {out / 'pages'}\nsite_dir: {out / 'html'}\n", "utf-8"
    )
    command = [arguments.mkdocs, "build", "--strict", "--clean", "--config-file", config]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"{built.stdout}{built.stderr}atlas: site: MkDocs found mistakes: see above")
    print(f"atlas: wrote {os.path.relpath(out / 'html/index.html')}")


if __name__ == "__main__":
    main()
