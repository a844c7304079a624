"""The report on paper: two pages to read first, then each question with number, interval, source, command."""

import shutil
import subprocess
import tempfile
from itertools import groupby, islice
from pathlib import Path

from tcpatlas.base.errors import AtlasError
from tcpatlas.base.repository import TREE
from tcpatlas.judge.chart import COLOURS, tikz
from tcpatlas.judge.report import VERDICTS, Report, counts, said

_TEMPLATE = TREE / "paper/judge.tex"
_FIGURES = 15
_SPECIAL = {
    **{each: f"\\{each}" for each in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "±": r"$\pm$", "*": r"$\times$", "-": "{-}", '"': "{''}",
}  # fmt: skip
# Said of a verdict where the questions that have it begin.
_HEADINGS = {
    "fails": "What fails",
    "undecided": "What more runs would decide",
    "holds": "What holds",
    "not asked": "What this controller cannot be asked",
}


def pdf(report: Report) -> bytes | None:
    """Return the report as a PDF; None where there is no LaTeX, AtlasError where it fails."""
    if not shutil.which("pdflatex"):
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(_TEMPLATE, folder / "report.tex")
        (folder / "body.tex").write_text(body(report), "utf-8")
        command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode:
            said_so = [line for line in done.stdout.splitlines() if line.startswith("!")]
            raise AtlasError(f"report.pdf: LaTeX says: {next(iter(said_so), 'nothing')}")
        return (folder / "report.pdf").read_bytes()


def body(report: Report) -> str:
    """Return what `paper/judge.tex` puts on its pages."""
    parts = [
        _call("front", report.controller, report.suite.title, counts(report.ours), report.method),
        "".join(_call("beside", name, counts(these)) for name, these in report.baselines.items()),
        _glance(report),
        *(
            _call("short", one.name, one.verdict, one.question.ask, said(one))
            for one in (report.ours[place] for place in report.order)
            if one.verdict in ("fails", "undecided")
        ),
        r"\figures",
        "".join(
            rf"\key{{c{place % len(COLOURS)}}}{{{escaped(name)}}}"
            for place, name in enumerate(report.answers)
        )
        + r"\par",
        *(
            rf"\chart{{{escaped(picture.label)}}}{{{escaped(what)}}}{{{tikz(picture, escaped)}}}"
            for picture, what in islice(report.charts(), _FIGURES)
        ),
        r"\details",
    ]
    for name, places in groupby(report.order, lambda place: report.ours[place].verdict):
        parts.append(_call("heading", _HEADINGS[name]))
        parts += [_question(report, place) for place in places]
    parts.append(_call("heading", "What no network here can ask"))
    parts += [_call("missing", each.question, each.reason) for each in report.suite.not_asked]
    return "\n".join(parts)


def _glance(report: Report) -> str:
    """Return all verdicts, a row for each question."""
    rows = [
        _call("row", report.ours[place].name)
        + "".join(
            rf"\decided{{{these[place].verdict.replace(' ', '-')}}}" for these in report.answers.values()
        )
        for place in report.order
    ]
    head = _call("row", "") + "".join(_call("column", name) for name in report.answers)
    return "\n".join([r"\begin{glance}", *(rf"{row}\par" for row in [head, *rows]), r"\end{glance}"])


def _question(report: Report, place: int) -> str:
    one = report.ours[place]
    return _call(
        "question", one.name, VERDICTS[one.verdict], one.question.ask, said(one), report.beside(place),
        one.question.source, one.question.threshold, one.question.metric, report.repeat(one.name),
    )  # fmt: skip


def _call(name: str, *arguments: str) -> str:
    return rf"\{name}" + "".join(f"{{{escaped(each)}}}" for each in arguments)


def escaped(text: str) -> str:
    """Return a text as LaTeX sets it."""
    return "".join(_SPECIAL.get(letter, letter if letter.isascii() else "?") for letter in text)
