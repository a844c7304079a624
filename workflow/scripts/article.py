"""Write one study's results as an article of at most six pages (`./atlas article PAPER`).

In the form of ReScience C: what was published, what came out item by item, why the rest deviates, what of it
holds with the TCP of today. The prose is the report's (paper/sections/), every number is from the results.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
from refresh_readme import NUMBERS, counted_numbers, counted_sentences

from tcpatlas.base import command
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import write_atomically
from tcpatlas.claims.reevaluation import SENTENCE

ROOT = Path(__file__).resolve().parents[2]
MOST_PAGES = 6
# Heads of columns, in two lines.
_HEADS = {"inconsistent": "incon-\\\\sistent", "not-reproducible": "not repro-\\\\ducible"}
# What is said of one sentence and of several that have a verdict.
SENTENCES = {
    "holds": ("holds", "hold"),
    "fails": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
    "inconsistent": ("contradicts the paper", "contradict the paper"),
    "unavailable": ("could not be tested", "could not be tested"),
}
TODAY = {
    "still holds": ("still holds", "still hold"),
    "no longer": ("no longer holds", "no longer hold"),
    "reversed": ("is reversed", "are reversed"),
    "engines differ": ("differs by packetsim and by the kernel", "differ by packetsim and by the kernel"),
    "undecided": ("is undecided", "are undecided"),
}
# Sentences that fail and pictures that are shown, if there is room for so many.
MOST_SENTENCES, MOST_PICTURES = 10, 3


# Letters that LaTeX takes for its own; the papers' symbols: "W_R", "rho_0", "w_max", "gamma".
_GREEK = "alpha|beta|eta|gamma|lambda|mu|nu|rho|tau"
_SPECIAL = re.compile(
    rf"(?<!\w)(?:({_GREEK}|[A-Za-z])_(max|min|th|\w{{1,2}})|({_GREEK}))(?!\w)|[&%$#_{{}}^~\\]"
)


def tex(text: str) -> str:
    """Return a text of the results for LaTeX; paper/article.tex knows the letters that are not ASCII."""
    special = {"^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}

    def typeset(found: re.Match[str]) -> str:
        letter, below, alone = found.groups()
        if alone or (letter and len(letter) > 1):
            letter = f"\\{alone or letter}"
        if not letter:
            return special.get(found[0], f"\\{found[0]}")
        return rf"${letter}_{{\mathrm{{{below}}}}}$" if below else f"${letter}$"

    return _SPECIAL.sub(typeset, text)


def code(name: str) -> str:
    """Return an item's name, which stays on its line."""
    return rf"\mbox{{\texttt{{{name}}}}}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], columns: str) -> str:
    """Return a table that breaks over pages."""
    lines = [" & ".join(cells) + r" \\" for cells in rows]
    top = " & ".join(rf"\textbf{{{cell}}}" for cell in head) + r" \\ \midrule\endhead"
    return "\n".join(
        [
            rf"{{\footnotesize\setlength{{\tabcolsep}}{{4pt}}\begin{{longtable}}{{{columns}}}\toprule",
            top,
            *lines,
            r"\bottomrule\end{longtable}}",
        ]
    )


def said(verdicts: Iterable[str], words: Mapping[str, tuple[str, str]]) -> str:
    """Return "3 hold, 1 fails and 2 are undecided"."""
    counts = Counter(verdicts)
    parts = [f"{counts[of]} {words[of][counts[of] > 1]}" for of in words if counts[of]]
    return " and ".join(", ".join(parts).rsplit(", ", 1)) if len(parts) > 1 else parts[0]


class Article:
    """The parts of the article on one study."""

    def __init__(self, study: str, results: Path) -> None:
        self.study, self.results = study, results

        def read(name: str) -> pd.DataFrame:
            file = results / f"{name}.csv"
            if not file.is_file():
                raise AtlasError(f"{file}: no such file; run ./atlas reproduce")
            return pd.read_csv(file, dtype=str, keep_default_na=False)

        studies = read("studies")
        papers = studies[studies["authors"] != ""]
        if study not in set(papers["study"]):
            raise AtlasError(
                f"article: {study!r} is no paper of {results}; one of: {', '.join(papers['study'])}"
            )
        self.about = papers[papers["study"] == study].iloc[0]
        self.numbers, self.sentences = (
            rows[rows["paper"] == study]
            for rows in (counted_numbers(read("claims")), counted_sentences(read("statements")))
        )
        if (self.numbers["verdict"] == "smoke").any():
            raise AtlasError(
                f"article: {results} has runs that are too short to judge by; take scale=quick or paper"
            )
        causes, items = read("causes"), read(f"studies/{study}/items")
        self.causes, self.items = causes[causes["study"] == study], items
        now = read("now") if (results / "now.csv").is_file() else pd.DataFrame({"paper": []})
        self.now = now[now["paper"] == study]

    def parts(self, pictures: int) -> str:
        """Return the definitions that paper/article.tex puts in."""
        year = f" ({self.about['year']})" if self.about["year"] else ""
        link = rf" \url{{{self.about['link']}}}" if self.about["link"] else ""
        authors = tex(self.about["authors"].replace("; ", ", "))
        title = tex(self.about["published_as"])
        texts = {
            "title": title,
            "study": self.study,
            "short": title if len(title) < 90 else self.study,
            "field": "Computer Networks",
            "original": rf"{authors}{year}, \emph{{{title}}}.{link}",
            "abstract": self.abstract(),
            "prose": f"sections/{self.study}",
            "results": self.by_item(),
            "figures": "\n".join(self.pictures(pictures)),
            "reasons": self.reasons(),
            "sentences": self.failing(),
            "today": self.today(),
        }
        return "\n".join(rf"\newcommand{{\article{name}}}{{{text}}}" for name, text in texts.items())

    def abstract(self) -> str:
        """Return the counts, in sentences."""
        by_class = self.numbers.groupby("class")["verdict"]
        parts = []
        for name, words in (
            ("replication", "printed numbers that we replicate"),
            ("arithmetic", "numbers that follow from other printed ones"),
            ("formula", "numbers that follow from the standard's formulas"),
        ):
            if name in by_class.groups:
                verdicts = by_class.get_group(name)
                rest = [
                    f"{(verdicts == verdict).sum()} {words_of.replace('deviates', 'deviating')}"
                    for verdict, words_of in NUMBERS.items()
                    if verdict != "reproduced" and (verdicts == verdict).any()
                ]
                told = f"{(verdicts == 'reproduced').sum()} of {len(verdicts)} {words} are reproduced"
                parts.append(f"{told} ({', '.join(rest)})." if rest else f"{told}.")
        holds = (self.sentences["verdict"] == "holds").sum()
        sentences = f"{holds} of {len(self.sentences)} sentences that can be checked hold."
        return " ".join([r"\abstractmethod{}", *parts, sentences if len(self.sentences) else ""])

    def by_item(self) -> str:
        """Return the counts of each figure and table."""
        there = [verdict for verdict in NUMBERS if (self.numbers["verdict"] == verdict).any()]
        rows = []
        for item in self.items.itertuples():
            verdicts = self.numbers.loc[self.numbers["item"] == item.item, "verdict"]
            if len(verdicts):
                counts = [str((verdicts == verdict).sum() or "") for verdict in there]
                rows.append([code(item.item), tex(item.title), str(len(verdicts)), *counts])
        heads = [rf"\shortstack[r]{{{_HEADS.get(verdict, NUMBERS[verdict])}}}" for verdict in there]
        columns = rf"l >{{\raggedright\arraybackslash}}p{{{117 - 14 * len(there)}mm}} r{'r' * len(there)}"
        head = ["item", "content", "numbers", *heads]
        return (
            f"\\Needspace{{8\\baselineskip}}\\section{{Results, item by item}}\n{table(head, rows, columns)}"
        )

    def pictures(self, most: int) -> Iterator[str]:
        """Yield the figures with most printed numbers."""
        counts = self.numbers["item"].value_counts()
        figures = self.items[self.items["kind"] == "figure"]
        order = figures["item"].map(counts).fillna(0).sort_values(ascending=False, kind="stable").index
        for index in order[:most]:
            item = figures.loc[index]
            caption = rf"\textbf{{{tex(item['title'])}}} ({code(item['item'])})."
            yield (
                r"\begin{figure}[H]\centering"
                rf"\articlepicture{{figures/{self.study}/{item['item']}.pdf}}"
                rf"\caption{{{caption}}}\label{{fig:{self.study}/{item['item']}}}\end{{figure}}"
            )

    def reasons(self) -> str:
        """Return why numbers and sentences deviate, and what is open."""
        rows = []
        for open_ones in (False, True):
            for cause in self.causes.itertuples():
                explained = [
                    str((of["cause"] == cause.cause).sum() or "") for of in (self.numbers, self.sentences)
                ]
                if any(explained) and bool(cause.tried) == open_ones:
                    tried = rf" \emph{{Open; tried:}} {tex(cause.tried)}" if cause.tried else ""
                    rows.append([f"{tex(cause.text)}{tried}", *explained])
        bad = self.numbers[(self.numbers["verdict"] == "deviates") & (self.numbers["cause"] == "")]
        if len(bad):
            rows.append(["No cause was found.", str(len(bad)), ""])
        if not rows:
            return ""
        columns = r">{\raggedright\arraybackslash}p{122mm} r r"
        return "\\Needspace{8\\baselineskip}\\section{What deviates, and why}\n" + table(
            ["cause", "numbers", "sentences"], rows, columns
        )

    def failing(self) -> str:
        """Return the sentences of the paper that fail."""
        if not len(self.sentences):
            return ""
        told = said(self.sentences["verdict"], SENTENCES)
        failing = self.sentences[self.sentences["verdict"] == "fails"]
        listed = "".join(
            rf"\item {tex(row.text[:1].upper() + row.text[1:])} ({code(row.item)})"
            for row in failing.head(MOST_SENTENCES).itertuples()
        )
        more = f" Of those that fail, the first {MOST_SENTENCES}:" if len(failing) > MOST_SENTENCES else ""
        items = rf"\begin{{failing}}{listed}\end{{failing}}" if listed else ""
        those = more or (" These fail:" if listed else "")
        all_of_them = f"Of {len(self.sentences)} sentences that can be checked, {told}."
        return f"\\section{{The paper's sentences}}\n{all_of_them}{those}\n{items}"

    def today(self) -> str:
        """Return what of it still holds with CUBIC and BBR."""
        if not len(self.now):
            return ""
        rows = self.now[(self.now["counted"] == "true") & (self.now["what"] == SENTENCE)]
        asked = rows[rows["verdict"] != "does not apply"]
        if not len(asked):
            return ""
        told = [
            f"With {tcp}, of {len(of_tcp)} that can be asked, {said(of_tcp['verdict'], TODAY)}."
            for tcp, of_tcp in asked.groupby("tcp")
        ]
        return (
            "\\section{With the TCP of today}\nWe tested the same sentences again on the same networks. "
            + " ".join(told)
        )

    def metadata(self) -> str:
        """Return ReScience's metadata.yaml, of which only authors know the rest."""
        form = (ROOT / "paper/rescience.yaml").read_text("utf-8")
        return form.format(**self.about)


def typeset(article: Article, out: Path) -> int:
    """Write the PDF, with as many figures as six pages hold; return its pages. Raises AtlasError."""
    folder = article.results.resolve() / "articles" / article.study
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "TEXINPUTS": f"{folder}:{ROOT / 'paper'}:{article.results.resolve()}:"}
    options = ["-norc", "-pdf", "-g", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error"]
    for pictures in range(MOST_PICTURES, -1, -1):
        write_atomically(folder / "article-parts.tex", article.parts(pictures))
        call = ["latexmk", *options, f"-outdir={folder / 'latex'}", str(ROOT / "paper/article.tex")]
        done = subprocess.run(call, env=environment, capture_output=True, text=True, errors="replace")
        log = folder / "latex/article.log"
        if done.returncode:
            wrong = re.search(r"^.*:\d+: .*$", done.stdout, re.MULTILINE)
            raise AtlasError(f"article: LaTeX: {wrong[0] if wrong else done.stderr.strip()[-200:]} ({log})")
        (pages,) = re.findall(
            r"Output written on .*\((\d+) pages?", log.read_text("utf-8", "replace").replace("\n", "")
        )
        if int(pages) <= MOST_PAGES:
            out.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / "latex/article.pdf", out)
            write_atomically(out.with_name(f"{article.study}-metadata.yaml"), article.metadata())
            return int(pages)
    raise AtlasError(f"article: {pages} pages without a figure; at most {MOST_PAGES}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = command.Parser(prog="./atlas article", description=__doc__)
    parser.add_argument("paper", help="short name, e.g. seawind")
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="of a run (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, help="the PDF (default: results/articles/PAPER.pdf)")
    options = parser.parse_args(arguments)

    def write() -> int:
        out = options.out or options.results / f"articles/{options.paper}.pdf"
        pages = typeset(Article(options.paper, options.results), out)
        print(f"wrote {out}, {pages} pages, and {options.paper}-metadata.yaml beside it")
        return 0

    return command.run(write)


if __name__ == "__main__":
    sys.exit(main())
