"""What the judge writes: judge.json for programs, and the report as a page; `paper` has the same on paper."""

import html
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcpatlas.base.engine_call import engine_arguments
from tcpatlas.base.repository import COMMAND, program
from tcpatlas.base.statistics import Interval
from tcpatlas.judge.chart import COLOURS, Curve, Line, Picture, chart, curves, svg
from tcpatlas.judge.suite import RFC, Suite, Tcp, spoken
from tcpatlas.judge.verdicts import Answer, Answered, bdp
from tcpatlas.pages import shell
from tcpatlas.runs.replications import point_hash, replication_seed

VERDICTS = {"fails": "fail", "undecided": "undecided", "holds": "hold", "not asked": "not asked"}
# A line over fewer cases shows nothing that a number does not.
_FEWEST_PLACES = 3
# A half-width that begins with less has two digits.
_TWO_DIGITS = 3
# A half-width that is a smaller part of its mean is not said.
_NARROW = 1e-4
_DIGITS = 3
# A curve has so many places, for which paper has room.
_PLACES = 300


@dataclass(frozen=True)
class Report:
    """A controller and baselines (`answers` has all of them), asked the same questions in the same order."""

    controller: str
    suite: Suite
    file: str
    answers: Mapping[str, Sequence[Answered]]
    work: Path
    parameters: str = ""
    asked: Mapping[str, Tcp] = field(default_factory=dict)
    rivals: Mapping[str, Tcp] = field(default_factory=dict)
    against: str = ""
    engine: str | None = None

    @property
    def ours(self) -> Sequence[Answered]:
        """The controller's answers."""
        return self.answers[self.controller]

    @property
    def baselines(self) -> Mapping[str, Sequence[Answered]]:
        """The others' answers."""
        return {name: these for name, these in self.answers.items() if name != self.controller}

    @property
    def order(self) -> Sequence[int]:
        """The places of the questions, those that fail first."""
        return sorted(range(len(self.ours)), key=lambda place: list(VERDICTS).index(self.ours[place].verdict))

    @property
    def method(self) -> str:
        """How verdicts are made, beside whom, and whose variants these are: of Linux or of the RFCs."""
        known = {**self.asked, **self.rivals}
        linux = [name for name, tcp in known.items() if tcp.get("rules") == "linux"]
        rfc = [name for name in known if name.endswith(RFC)]
        whose = [f"of {', '.join(linux)} as in Linux 6.1"] * bool(linux)
        whose += [f"of {', '.join(rfc)} as in the RFCs"] * bool(rfc)
        windows = f"Windows {', '.join(whose)}. " if whose else ""
        rivals = f"Rivals: {', '.join(self.rivals)}. " if self.rivals else ""
        return (
            f"{rivals}{windows}"
            f"{self.suite.about} {self.suite.replications} runs of each network. Intervals are of "
            f"{float(self.suite.confidence):.0%} for all cases of a question together; a question holds or "
            "fails where whole intervals lie on one side of its threshold."
        )

    def beside(self, place: int) -> str:
        """Return what the baselines answer to a question."""
        return "; ".join(
            f"{other}: {these[place].verdict}, {said(these[place]).partition(' (')[0]}"
            for other, these in self.baselines.items()
        )

    def repeat(self, name: str) -> str:
        """Return the command that asks one question again."""
        path = Path(self.file)
        suite = path.stem if path.parent == Path("config/judge") else self.file
        given = ["--parameters", self.parameters] if self.parameters else []
        given += ["--against", self.against] if self.against else []
        given += ["--engine", self.engine] if self.engine else []
        return shlex.join([COMMAND, "judge", self.controller, *given, "--suite", suite, "--only", name])

    def again(self, answer: Answer) -> str:
        """Return the command that repeats the first replication of a case."""
        point, engine = answer.case.point, self.suite.engine
        folder = self.work / point_hash(point.document)[:12] / point.study / point.set / point.name / engine
        seed = replication_seed(point.document, 1)
        arguments = engine_arguments(folder / "point.json", seed, Path("run.json"))
        return shlex.join([str(program(engine)), *arguments])

    def charts(self) -> Iterator[tuple[Picture, str]]:
        """Yield the charts, each with what its numbers are; of the suite's `figures`, or of all questions."""
        places = {one.name: place for place, one in enumerate(self.ours)}
        shown = self.suite.figures or places
        for name in shown:
            if name in places:
                yield from self._charts(places[name])

    def _charts(self, place: int) -> Iterator[tuple[Picture, str]]:
        """Yield charts of windows, or over the last of what is swept for each rival and value of the rest."""
        one = self.ours[place]
        yield from self._windows(place)
        if not one.question.sweep:
            return
        *_, key = one.question.sweep

        def rest(answer: Answer) -> str:
            values = {other: value for other, value in answer.case.setting.items() if other != key}
            parts = [one.name, f"beside {answer.case.rival}" if answer.case.rival else ""]
            return ", ".join(
                [part for part in parts if part] + [f"{spoken(a)} {b}" for a, b in values.items()]
            )

        for label in dict.fromkeys(rest(answer) for answer in one.answers):
            these = [answer.case.setting[key] for answer in one.answers if rest(answer) == label]
            if len(these) < _FEWEST_PLACES:
                continue
            lines = [
                Line(name, [each.interval for each in asked[place].answers if rest(each) == label])
                for name, asked in self.answers.items()
            ]
            limit = one.question.at_most if one.question.at_most is not None else one.question.at_least
            if one.question.over is None:
                picture = chart(spoken(key), [str(each) for each in these], lines, float(limit or 0), label)
                yield picture, one.question.quantity()
                continue
            plane = [
                Curve(
                    name,
                    [
                        (each.over, each.interval.mean)
                        for each in asked[place].answers
                        if rest(each) == label and each.interval and each.over is not None
                    ],
                    dotted=True,
                )
                for name, asked in self.answers.items()
            ]
            yield (
                curves(one.question.over.called, plane, float(limit or 0), label),
                f"{one.question.quantity()}; {spoken(key)} {', '.join(map(str, these))}",
            )

    def _windows(self, place: int) -> Iterator[tuple[Picture, str]]:
        """Yield a chart of the first runs' windows for each case of a question whose networks have them."""
        windows = {
            name: {each.case.label: _thinned(each.window) for each in asked[place].answers}
            for name, asked in self.answers.items()
        }
        for answer in self.ours[place].answers:
            # A baseline that is the rival has none beside itself.
            lines = [Curve(name, of.get(answer.case.label, ())) for name, of in windows.items()]
            if answer.window:
                label = ", ".join(part for part in (answer.case.question, answer.case.label) if part)
                yield (
                    curves("time, s", lines, bdp(answer.case.point.document), label),
                    "window in packets, first run; dashed: the bandwidth-delay product",
                )


def _thinned(course: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """Return fewer places of a course."""
    return course[:: max(len(course) // _PLACES, 1)]


def number(interval: Interval | None) -> str:
    """Return a mean with the half-width of its interval, as many digits as that allows."""
    if interval is None:
        return "no number"
    size, half = abs(interval.mean), interval.half_width
    if half <= _NARROW * size:
        return _rounded(interval.mean, _DIGITS - 1 - math.floor(math.log10(size)) if size else 0)
    # Two digits of 0.14, one of 0.3.
    first = math.floor(math.log10(half))
    digits = -first + (half < _TWO_DIGITS * 10**first)
    return f"{_rounded(interval.mean, digits)} ± {_rounded(half, digits)}"


def _rounded(value: float, digits: int) -> str:
    return f"{round(value, digits):.{max(digits, 0)}f}"


def bound(one: Answered) -> str:
    """Return the threshold in words."""
    asked, unit = one.question, _unit(one)
    return f"at least {asked.at_least}{unit}" if asked.at_most is None else f"at most {asked.at_most}{unit}"


def _unit(one: Answered) -> str:
    return "" if one.question.unit == "1" else f" {one.question.unit}"


def said(one: Answered) -> str:
    """Return the number that decides a question, where it was measured, and the threshold."""
    if one.refused:
        return one.refused
    broken = [answer for answer in one.answers if answer.problem]
    if broken:
        return f"{broken[0].case.label or 'one case'}: {broken[0].problem}"
    decisive = one.decisive
    if decisive is None:
        return "its runs give no such number"
    where = f", {decisive.case.label}" if decisive.case.label else ""
    more = sum(answer.truth == one.verdict for answer in one.answers)
    of = f"; so in {more} of {len(one.answers)} cases" if len(one.answers) > 1 else ""
    return f"{number(decisive.interval)}{_unit(one)}{where} ({bound(one)}{of})"


def counts(answers: Sequence[Answered]) -> str:
    """Return how many questions have each verdict."""
    found = [answer.verdict for answer in answers]
    return ", ".join(
        f"{found.count(verdict)} {many}" for verdict, many in VERDICTS.items() if verdict in found
    )


def document(report: Report) -> dict[str, Any]:
    """Return what judge.json holds: every question, its cases, and the same of the baselines."""
    questions = []
    for place, one in enumerate(report.ours):
        asked = one.question.model_dump(
            mode="json", exclude={"override", "sweep", "each_rival"}, exclude_none=True
        )
        baselines = {
            other: {
                "verdict": these[place].verdict,
                "cases": [_case(each, report) for each in these[place].answers],
            }
            for other, these in report.baselines.items()
        }
        refused = {"reason": one.refused} if one.refused else {}
        questions.append(
            {
                "name": one.name,
                **asked,
                "verdict": one.verdict,
                **refused,
                "repeat": report.repeat(one.name),
                "cases": [_case(answer, report) for answer in one.answers],
                "baselines": baselines,
            }
        )
    return {
        "schema": "tcp-atlas/judge/1",
        "controller": report.controller,
        "tcp": {name: dict(tcp) for name, tcp in {**report.asked, **report.rivals}.items()},
        "suite": report.file,
        "confidence": float(report.suite.confidence),
        "replications": report.suite.replications,
        "questions": questions,
        "not_asked": [each.model_dump() for each in report.suite.not_asked],
    }


def _case(answer: Answer, report: Report) -> dict[str, Any]:
    interval = answer.interval
    numbers = {} if interval is None else {"value": interval.mean, "low": interval.low, "high": interval.high}
    problem = {"problem": answer.problem} if answer.problem else {}
    return {
        "case": answer.case.label,
        "verdict": answer.truth,
        **numbers,
        **problem,
        "again": report.again(answer),
    }


def page(report: Report) -> str:
    """Return the report as one HTML file that needs no other."""
    e = html.escape
    head = f"<h1>{e(report.controller)}: {e(counts(report.ours))}</h1><p>{e(report.method)}</p>"
    beside = "".join(
        f"<p class=small>{e(other)}, asked the same: {e(counts(these))}.</p>"
        for other, these in report.baselines.items()
    )
    rows = "".join(_question(place, report) for place in report.order)
    charts = "".join(
        f"<figure><h3>{e(picture.label)}</h3>{svg(picture)}<figcaption>{e(what)}</figcaption></figure>"
        for picture, what in report.charts()
    )
    legend = "".join(
        f'<span><span class=key style="background:{COLOURS[place % len(COLOURS)]}"></span>{e(name)}</span>'
        for place, name in enumerate(report.answers)
    )
    missing = "".join(
        f"<li>{e(each.question)} <span class=small>{e(each.reason)}.</span></li>"
        for each in report.suite.not_asked
    )
    body = (
        f"{head}{beside}<h2>At a glance</h2>{_glance(report)}<h2>Figures</h2>"
        f"<p class='small legend'>{legend}</p>"
        "<p class=small>Bars are intervals; the dashed line is the threshold.</p>"
        f"<div class=charts>{charts}</div><h2>Questions</h2>{rows}<h2>Not asked</h2><ul>{missing}</ul>"
    )
    return shell.page(f"{e(report.controller)}: {e(report.suite.title)}", "judge.css", body)


def _glance(report: Report) -> str:
    """Return a table of all verdicts."""
    e = html.escape
    heads = "".join(f"<th>{e(name)}" for name in report.answers)
    rows = "".join(
        f"<tr><td><a href='#{report.ours[place].name}'>{report.ours[place].name}</a>"
        + "".join(
            f"<td class='{these[place].verdict.replace(' ', '-')}'>{these[place].verdict}"
            for these in report.answers.values()
        )
        for place in report.order
    )
    return f"<div class='scroll glance'><table><tr><th>Question{heads}{rows}</table></div>"


def _question(place: int, report: Report) -> str:
    one, e = report.ours[place], html.escape
    cases = "".join(
        f"<tr><td>{e(each.case.label) or 'one case'}<td class={each.truth}>{each.truth}"
        f"<td>{e(each.problem) or number(each.interval)}<td><code>{e(report.again(each))}</code>"
        for each in one.answers
    )
    table = (
        f"<details><summary>{len(one.answers)} case{'s' * (len(one.answers) > 1)}, and how to repeat them"
        f"</summary><p class=small>{e(one.question.metric)}; all of them: "
        f"<code>{e(report.repeat(one.name))}</code></p><div class=scroll><table>"
        f"<tr><th>Case<th>Verdict<th>Number<th>Again{cases}</table></div></details>"
    )
    return (
        f"<div class=question id={one.name}><p class='verdict {one.verdict.replace(' ', '-')}'>"
        f"{one.verdict}</p><div>"
        f"<p><b>{e(one.question.ask)}</b></p><p>{e(said(one))}.</p>"
        f"<p class=small>{e(report.beside(place))}</p>"
        f"<p class=small>{e(one.question.source)}. Threshold: {e(one.question.threshold)}.</p>"
        f"{table if one.answers else ''}</div></div>"
    )
