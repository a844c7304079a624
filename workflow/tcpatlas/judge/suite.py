"""Suites of questions, config/judge/*.yaml or anyone's file: sentences, networks, metrics and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len, Lt
from pydantic import Field, model_validator

from tcpatlas.answers.metrics import catalogue
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.base.repository import TREE
from tcpatlas.base.validation import Model, Name, Number, Text, problem, read
from tcpatlas.judge.expression import REFERENCE, Expression, ExpressionError, bare
from tcpatlas.library import points_of
from tcpatlas.points.parts.external import variant_keys
from tcpatlas.points.parts.tcp import SELECTIVE
from tcpatlas.points.types import Point

FOLDER = Path("config/judge")
# What the judge adds to an engine's metrics: the time of a whole run, and, with the probe `window-trace`,
# the time after the warm-up until the first source's window is 60, 80, 90 % of the bandwidth-delay product,
# and, with `recovery-trace`, the packets a second that it sends again.
DURATION = "duration"
TIMES_TO = {f"time_to_{percent}": percent / 100 for percent in (60, 80, 90)}
REPAIRS = "repairs"
OWN = (DURATION, *TIMES_TO, REPAIRS)
# What ends the name of an RFC's variant; without it packetsim has the windows of Linux, which machines have.
RFC = "-rfc"
JUDGED, RIVAL = "judged", "rival"
# Of all questions alike, so that those of one network share its runs.
SET = "judge"
Tcp = Mapping[str, Any]
Engine = Literal["packetsim", "linux"]


class Over(Model):
    """What a chart has along its axis: an expression, and what it is called, with its unit."""

    metric: Text
    called: Text


class Question(Model):
    """A sentence that can be true or false of a controller, with all that decides it.

    `metric` is an expression (`Expression`) over the metrics of each run; the mean over replications is
    compared with `at_most` or `at_least`; `called` is what charts call it; with `over`, a chart has it over
    another expression. In `override`, values by dotted path of the suite's base, the
    variants `judged` and `rival` stand for the controllers. With `each_rival` the question is asked beside
    each of them.
    """

    ask: Text
    source: Text
    threshold: Text
    metric: Text
    called: Text | None = None
    over: Over | None = None
    unit: Text = "1"
    at_most: Number | None = None
    at_least: Number | None = None
    override: dict[str, Any] = Field(default_factory=dict)
    sweep: dict[str, Annotated[list[Any], Len(1)]] = Field(default_factory=dict)
    each_rival: bool = False

    def quantity(self) -> str:
        """Return what a chart calls the metric, with its unit."""
        title = catalogue()[self.metric]["title"] if self.metric in catalogue() else self.metric
        return (self.called or title) + ("" if self.unit == "1" else f", {self.unit}")

    @model_validator(mode="after")
    def _decidable(self) -> Question:
        if (self.at_most is None) == (self.at_least is None):
            raise problem("at_most and at_least: one of them, and not both")
        try:
            metrics = Expression(self.metric).metrics
            others = Expression(self.over.metric).metrics if self.over else set()
        except ExpressionError as error:
            raise problem(f"metric: {error}") from None
        for name in sorted({*metrics, *others}):
            if bare(name) not in catalogue() and bare(name) not in OWN:
                raise problem(
                    f"metric: {bare(name)!r} is unknown; {', '.join(OWN)}, or one of workflow/metrics.yaml"
                )
        if any(path.endswith("library") for path in self.sweep):
            raise problem("sweep: library: a suite is data, and names no code")
        if not metrics:
            raise problem(f"metric: {self.metric!r} names no metric")
        if any(name.startswith(REFERENCE) for name in metrics) and not self.each_rival:
            raise problem("metric: reference. needs each_rival: true")
        return self


class NotAsked(Model):
    """A question that the networks cannot express, and why."""

    question: Text
    reason: Text


class Suite(Model):
    """A suite: its questions by name, in the order in which they are asked, and the engine that answers.

    `figures` are the questions that a report has charts of, in this order; by default all. `engines` has what
    another engine needs changed, by dotted path of the base.
    """

    title: Text
    about: Text
    engine: Engine = "packetsim"
    confidence: Annotated[Number, Gt(0), Lt(1)] = Field(default=0.95)
    replications: Annotated[int, Ge(2), Le(100)]
    seed: Annotated[int, Ge(0)] = 1
    base: dict[str, Any]
    engines: dict[Engine, dict[str, Any]] = Field(default_factory=dict)
    questions: Annotated[dict[Name, Question], Len(1)]
    figures: list[Name] = Field(default_factory=list)
    not_asked: list[NotAsked] = Field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """One network of a question, with the judged controller and with the rival in its place."""

    question: str
    rival: str
    point: Point
    reference: Point | None = None
    setting: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What tells the case from the others of its question, on one line."""
        parts = [f"beside {self.rival}"] if self.rival else []
        return ", ".join(parts + [f"{spoken(key)} {value}" for key, value in self.setting.items()])


def spoken(path: str) -> str:
    """Return what a swept path is called."""
    *_, whose, last = ["", *path.split(".")]
    known = {
        "buffer_bdp": "buffer in BDP",
        "loss": "random loss",
        "return.loss": "loss on the way back",
        "return.rate": "rate of the way back",
        "reordering.delay": "packets late by",
        "jitter.standard_deviation": "jitter",
        "off_time.mean": "pause",
    }
    return known.get(f"{whose}.{last}", known.get(last, last.replace("_", " ")))


def named(name: str, engine: str) -> dict[str, str]:
    """Return the keys of `tcp` for a controller's name: `cubic` is Linux's, `cubic-rfc` the RFC's."""
    variant = name.removesuffix(RFC)
    if engine != "packetsim" or variant not in SELECTIVE:
        return variant_keys(name)
    return {"variant": variant} if name.endswith(RFC) else {"variant": variant, "rules": "linux"}


def suites() -> list[str]:
    """Return the names of the suites that the project has."""
    return sorted(file.stem for file in (TREE / FOLDER).glob("*.yaml"))


def suite_of(name: str) -> tuple[Suite, str]:
    """Return a suite by its name or file, and what messages call it; AtlasError for what is wrong in it.

    Its networks are made with CUBIC beside Reno, so that a mistake shows before anything runs.
    """
    path = Path(name)
    if not name.endswith((".yaml", ".yml")):
        if name not in suites():
            raise AtlasError(f"--suite: {name!r} is unknown; a file.yaml, or one of: {', '.join(suites())}")
        path = TREE / FOLDER / f"{name}.yaml"
        name = str(FOLDER / path.name)
    suite = read(Suite, read_yaml(path, name), name)
    for question in suite.questions:
        cases(suite, question, {"variant": "cubic"}, {"newreno-sack": {"variant": "newreno-sack"}}, name)
    return suite, name


def asked_of(suite: Suite, engine: Engine) -> Suite:
    """Return the same questions for another engine."""
    changes = suite.engines.get(engine, {})
    questions = {
        name: each.model_copy(update={"override": changes | each.override})
        for name, each in suite.questions.items()
    }
    return suite.model_copy(update={"engine": engine, "questions": questions})


def cases(suite: Suite, name: str, judged: Tcp, rivals: Mapping[str, Tcp], file: str) -> list[Case]:
    """Return the cases of a question; raises AtlasError for a controller that a network cannot have."""
    question = suite.questions[name]
    compared = any(metric.startswith(REFERENCE) for metric in Expression(question.metric).metrics)
    result: list[Case] = []
    for rival, tcp in rivals.items() if question.each_rival else [("", judged)]:
        if compared and tcp == judged:
            continue  # the two networks are the same one
        points = _points(suite, name, judged, tcp, file)
        references: Sequence[Point | None] = (
            _points(suite, name, tcp, tcp, file) if compared else [None] * len(points)
        )
        # As people wrote them: points have SI numbers.
        settings = [
            dict(zip(question.sweep, values, strict=True)) for values in product(*question.sweep.values())
        ]
        result += [
            Case(name, rival, point, reference, setting)
            for point, reference, setting in zip(points, references, settings, strict=True)
        ]
    return result


def _points(suite: Suite, name: str, judged: Tcp, rival: Tcp, file: str) -> list[Point]:
    question = suite.questions[name]
    base: dict[str, Any] = deepcopy(suite.base)
    for path, value in question.override.items():
        *parents, last = path.split(".")
        place = base
        for key in parents:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise ConfigError(
                    file, f"questions.{name}.override.{path}", f"{key!r} holds no keys", "a path of the base"
                )
        place[last] = deepcopy(value)
    sweep = {"sweep": {"grid": question.sweep}} if question.sweep else {}
    try:
        base = _with(base, {JUDGED: judged, RIVAL: rival})
    except AtlasError as error:
        raise AtlasError(f"{file}: questions.{name}: {error}") from None
    scenario = {
        "title": SET,
        "base": base,
        "sets": {SET: {"title": SET, **sweep}},
    }
    try:
        return points_of(scenario, suite.replications, 1, suite.seed, engine=suite.engine)
    except ConfigError as error:
        raise AtlasError(f"{file}: questions.{name}: {str(error).removeprefix('scenario: ')}") from None


def _with(value: Any, controllers: Mapping[str, Tcp]) -> Any:
    """Return a copy in which controllers stand where their roles are named as a variant."""
    if isinstance(value, list):
        return [_with(each, controllers) for each in value]
    if not isinstance(value, dict):
        return value
    if "library" in value:
        raise AtlasError("library: a suite is data, and names no code")
    inner = {key: _with(each, controllers) for key, each in value.items()}
    role = inner.get("variant")
    return inner | dict(controllers[role]) if isinstance(role, str) and role in controllers else inner
