"""What the judge writes: judge.json for programs, and a report of two pages that a person reads first."""

import html
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpatlas.base.engine_call import engine_arguments
from tcpatlas.base.statistics import Interval
from tcpatlas.judge.chart import COLOURS, Line, chart
from tcpatlas.judge.suite import Suite, spoken
from tcpatlas.judge.verdicts import Answer, Answered
from tcpatlas.pages import shell
from tcpatlas.runs.replications import point_hash, replication_seed

VERDICTS = {"fails": "fail", "undecided": "undecided", "holds": "hold", "not asked": "not asked"}
# A line over fewer cases shows nothing that a number does not.
_FEWEST_PLACES = 3


def number(interval: Interval | None) -> str:
    """Return a mean with the half-width of its interval."""
    if interval is None:
        return "no number"
    if interval.half_width == 0:
        return f"{interval.mean:.3g}"
    return f"{interval.mean:.3g} ± {interval.half_width:.1g}"


def bound(one: Answered) -> str:
    """Return the threshold in words."""
    asked = one.question
    unit = "" if asked.unit == "1" else f" {asked.unit}"
    return (
        f"at most {asked.at_most}{unit}" if asked.at_most is not None else f"at least {asked.at_least}{unit}"
    )


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
    return f"{number(decisive.interval)}{where} ({bound(one)}{of})"


def counts(answers: Sequence[Answered]) -> str:
    """Return how many questions have each verdict."""
    found = [answer.verdict for answer in answers]
    return ", ".join(
        f"{found.count(verdict)} {many}" for verdict, many in VERDICTS.items() if verdict in found
    )


def document(
    controller: str, suite: Suite, name: str, answers: Mapping[str, Sequence[Answered]], work: Path
) -> dict[str, Any]:
    """Return what judge.json holds: every question, its cases, and the same of the baselines."""
    questions = []
    for place, one in enumerate(answers[controller]):
        asked = one.question.model_dump(
            mode="json", exclude={"override", "sweep", "each_rival"}, exclude_none=True
        )
        baselines = {
            other: {
                "verdict": these[place].verdict,
                "cases": [_case(each, work, suite.engine) for each in these[place].answers],
            }
            for other, these in answers.items()
            if other != controller
        }
        refused = {"reason": one.refused} if one.refused else {}
        cases = [_case(answer, work, suite.engine) for answer in one.answers]
        questions.append(
            {
                "name": one.name,
                **asked,
                "verdict": one.verdict,
                **refused,
                "cases": cases,
                "baselines": baselines,
            }
        )
    return {
        "schema": "tcp-atlas/judge/1",
        "controller": controller,
        "suite": name,
        "confidence": float(suite.confidence),
        "replications": suite.replications,
        "questions": questions,
        "not_asked": [each.model_dump() for each in suite.not_asked],
    }


def _case(answer: Answer, work: Path, engine: str) -> dict[str, Any]:
    interval = answer.interval
    numbers = {} if interval is None else {"value": interval.mean, "low": interval.low, "high": interval.high}
    problem = {"problem": answer.problem} if answer.problem else {}
    return {
        "case": answer.case.label,
        "verdict": answer.truth,
        **numbers,
        **problem,
        "again": again(answer, work, engine),
    }


def again(answer: Answer, work: Path, engine: str) -> str:
    """Return the command that repeats the first replication of a case."""
    point = answer.case.point
    folder = work / point_hash(point.document)[:12] / point.study / point.set / point.name / engine
    seed = replication_seed(point.document, 1)
    return shlex.join(
        [f"build/release/{engine}/{engine}", *engine_arguments(folder / "point.json", seed, Path("run.json"))]
    )


def page(controller: str, suite: Suite, answers: Mapping[str, Sequence[Answered]], work: Path) -> str:
    """Return the report as one HTML file that needs no other."""
    ours = answers[controller]
    e = html.escape
    order = sorted(range(len(ours)), key=lambda place: list(VERDICTS).index(ours[place].verdict))
    head = (
        f"<h1>{e(controller)}: {e(counts(ours))}</h1><p>{e(suite.about)} {suite.replications} runs of each "
        "network. "
        f"Intervals are of {float(suite.confidence):.0%} for all cases of a question together; a question "
        "holds or fails where whole intervals lie on one side of its threshold.</p>"
    )
    beside = "".join(
        f"<p class=small>{e(other)}, asked the same: {e(counts(these))}.</p>"
        for other, these in answers.items()
        if other != controller
    )
    rows = "".join(_question(place, controller, answers, work, suite.engine) for place in order)
    charts = "".join(_charts(place, controller, answers) for place in range(len(ours)))
    legend = "".join(
        f'<span><span class=key style="background:{COLOURS[place % len(COLOURS)]}"></span>{e(name)}</span>'
        for place, name in enumerate(answers)
    )
    missing = "".join(
        f"<li>{e(each.question)} <span class=small>{e(each.reason)}.</span></li>" for each in suite.not_asked
    )
    body = (
        f"{head}{beside}<h2>Questions</h2>{rows}<h2>Figures</h2><p class='small legend'>{legend}</p>"
        "<p class=small>Bars are intervals; the dashed line is the threshold.</p>"
        f"<div class=charts>{charts}</div><h2>Not asked</h2><ul>{missing}</ul>"
    )
    return shell.page(f"{e(controller)}: {e(suite.title)}", "judge.css", body)


def _question(
    place: int, controller: str, answers: Mapping[str, Sequence[Answered]], work: Path, engine: str
) -> str:
    one, e = answers[controller][place], html.escape
    others = "; ".join(
        f"{other}: {these[place].verdict}, {said(these[place]).partition(' (')[0]}"
        for other, these in answers.items()
        if other != controller
    )
    cases = "".join(
        f"<tr><td>{e(each.case.label) or 'one case'}<td class={each.truth}>{each.truth}"
        f"<td>{e(each.problem) or number(each.interval)}<td><code>{e(again(each, work, engine))}</code>"
        for each in one.answers
    )
    table = (
        f"<details><summary>{len(one.answers)} case{'s' * (len(one.answers) > 1)}, and how to repeat them"
        f"</summary><div class=scroll><table>"
        f"<tr><th>Case<th>Verdict<th>{e(one.question.metric)}<th>Again{cases}</table></div></details>"
    )
    return (
        f"<div class=question id={one.name}><p class='verdict {one.verdict.replace(' ', '-')}'>"
        f"{one.verdict}</p><div>"
        f"<p><b>{e(one.question.ask)}</b></p><p>{e(said(one))}.</p><p class=small>{e(others)}</p>"
        f"<p class=small>{e(one.question.source)}. Threshold: {e(one.question.threshold)}.</p>"
        f"{table if one.answers else ''}</div></div>"
    )


def _charts(place: int, controller: str, answers: Mapping[str, Sequence[Answered]]) -> str:
    """Return the charts of a question, one beside each rival; none where one axis cannot show its cases."""
    one = answers[controller][place]
    parts = []
    for rival in dict.fromkeys(answer.case.rival for answer in one.answers):
        these = [answer.case.setting for answer in one.answers if answer.case.rival == rival]
        if len(these) < _FEWEST_PLACES or len(these[0]) != 1:
            continue
        (key,) = these[0]
        lines = [
            Line(name, [each.interval for each in asked[place].answers if each.case.rival == rival])
            for name, asked in answers.items()
        ]
        label = f"{one.name}{f', beside {rival}' if rival else ''}"
        limit = one.question.at_most if one.question.at_most is not None else one.question.at_least
        places = [str(each[key]) for each in these]
        picture = chart(spoken(key), places, lines, float(limit or 0), label)
        unit = "" if one.question.unit == "1" else f", {one.question.unit}"
        caption = html.escape(one.question.metric + unit)
        parts.append(
            f"<figure><h3>{html.escape(label)}</h3>{picture}<figcaption>{caption}</figcaption></figure>"
        )
    return "".join(parts)
