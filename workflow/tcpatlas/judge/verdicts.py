"""Simulates the cases of a suite and decides them by interval, question by question, as they come."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from typing import Any, cast

from tcpatlas.ask.simulation import cores
from tcpatlas.base.engine_call import engine_command
from tcpatlas.base.errors import AtlasError, EngineError, NotOfferedError
from tcpatlas.base.statistics import Interval, t_interval
from tcpatlas.claims.verdict import Estimate, Truth, both
from tcpatlas.judge.expression import REFERENCE, Expression
from tcpatlas.judge.suite import DURATION, REPAIRS, TIMES_TO, Case, Question, Suite, Tcp, cases
from tcpatlas.points.kinds.dumbbell_runs import capacity, round_trip
from tcpatlas.points.types import Point
from tcpatlas.runs.documents import Replications, Run, Value
from tcpatlas.runs.replications import point_hash
from tcpatlas.runs.simulate import Waiting, simulate

# An engine leaves these out of a run, or of a group, of which nothing arrived.
_RATES = ("goodput", "throughput", "goodput_share")


@dataclass(frozen=True)
class Answer:
    """A controller's number in one case, with its interval; None where its runs give no such number.

    A controller that ends a run, by a crash or by what is no window, fails; `problem` is the run's own line.
    `over` is the mean of the question's `over`; `window` the first run's trace, where the network has one.
    """

    case: Case
    interval: Interval | None
    truth: Truth
    problem: str = ""
    over: float | None = None
    window: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class _Made:
    """What the runs of a network give: each metric's values, and the first run's window in packets by s."""

    values: Mapping[str, list[float]] = field(default_factory=dict)
    window: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class Answered:
    """A question with the answers of one controller, or the reason why it was not asked of it."""

    name: str
    question: Question
    controller: str
    answers: Sequence[Answer] = ()
    refused: str = ""

    @property
    def verdict(self) -> str:
        """`holds` in all cases, `fails` in one or more, else `undecided`; or `not asked`."""
        if self.refused:
            return "not asked"
        whole: Truth = "holds"
        for answer in self.answers:
            whole = both(whole, answer.truth)
        return whole

    @property
    def decisive(self) -> Answer | None:
        """The case that is furthest on the wrong side of the threshold, or nearest to it."""
        known = [answer for answer in self.answers if answer.interval]
        sign = 1 if self.question.at_most is not None else -1
        # A case that decides the verdict comes before any other.
        return max(
            known,
            key=lambda one: (one.truth == self.verdict, sign * cast(Interval, one.interval).mean),
            default=None,
        )


def decided(question: Question, interval: Interval | None) -> Truth:
    """Return the verdict on a mean by its interval: on one side of the threshold, or across it."""
    if interval is None:
        return "undecided"
    ours = Estimate(*(Decimal(repr(number)) for number in (interval.mean, interval.low, interval.high)))
    if question.at_most is not None:
        return ours.at_most(Decimal(str(question.at_most)))
    return ours.at_least(Decimal(str(question.at_least)))


def derived(point: Mapping[str, Any], run: Run) -> Mapping[str, Value]:
    """Return what the judge adds to a run's metrics."""
    made: dict[str, Value] = {DURATION: {"unit": "s", "value": run["simulated_s"]}}
    groups = [f"[{group['name']}]" for group in point["sources"]]
    rates = {f"{rate}{group}" for rate in _RATES for group in ("", *(groups if len(groups) > 1 else ()))}
    made |= {name: {"unit": "packets/s", "value": 0.0} for name in rates - run["metrics"].keys()}
    if (again := _trace(run, "sent_again")) is not None:
        made[REPAIRS] = {"unit": "packets/s", "value": len(again) / float(point["stop"]["duration_s"])}
    if samples := _trace(run, "window"):
        filled = bdp(point)
        # A window that never comes so far takes at least as long as the run.
        last = float(point["stop"].get("duration_s", run["simulated_s"]))
        made |= {
            name: {"unit": "s", "value": next((t for t, window in samples if window >= share * filled), last)}
            for name, share in TIMES_TO.items()
        }
    return made


def bdp(point: Mapping[str, Any]) -> float:
    """Return the bandwidth-delay product of the first source, in packets."""
    return capacity(point) * round_trip(point, point["sources"][0]) / (8 * float(point["packet_bytes"]))


def _trace(run: Run | Replications, kind: str) -> list[tuple[float, float]] | None:
    """Return the first source's trace of a kind, in packets against s since the warm-up; None without one."""
    found = next((trace for name, trace in run.get("traces", {}).items() if name.startswith(kind)), None)
    return list(zip(found["time_s"], found["value"], strict=True)) if found else None


@dataclass
class Judge:
    """Runs points once each, on all cores; what a machine has run before comes from its cache."""

    suite: Suite
    file: str
    rivals: Mapping[str, Tcp]
    work: Path
    cache: Path | None
    told: Callable[[int], None] = lambda _: None
    _started: dict[str, Future[_Made]] = field(default_factory=dict)
    _over: bool = False

    def answers(self, asked: Sequence[tuple[str, Tcp]]) -> Iterator[Answered]:
        """Yield what each controller in turn answers to each question, in the suite's order.

        Raises AtlasError for a controller or a rival of which no question can be asked, before anything runs.
        """
        questions = self.suite.questions
        beside = [name for name, question in questions.items() if question.each_rival]
        for label, tcp in {**self.rivals, **dict(asked)}.items():
            names = [*questions] if label in dict(asked) else beside
            made = (self._cases(name, tcp) for name in names)
            refused = list(takewhile(lambda these: isinstance(these, str), made))
            if refused and len(refused) == len(names):
                raise AtlasError(f"{label}: {refused[0]}")
        with ThreadPoolExecutor(cores()) as threads:
            try:
                plan = [
                    (name, label, self._cases(name, tcp))
                    for label, tcp in asked
                    for name in self.suite.questions
                ]
                for _, _, these in plan:
                    for case in these if isinstance(these, list) else ():
                        self._start(threads, case.point)
                        if case.reference:
                            self._start(threads, case.reference)
                for name, label, these in plan:
                    question = self.suite.questions[name]
                    if isinstance(these, str):
                        yield Answered(name, question, label, refused=these)
                    else:
                        # All cases of a question are meant to hold together, at the suite's confidence.
                        confidence = 1 - (1 - float(self.suite.confidence)) / max(len(these), 1)
                        try:
                            answers = [self._answer(question, case, confidence) for case in these]
                        except NotOfferedError as refusal:
                            line = str(refusal).partition("\n")[0]
                            yield Answered(name, question, label, refused=line.rpartition(".json: ")[2])
                        else:
                            yield Answered(name, question, label, answers)
            finally:
                self._over = True

    @property
    def points(self) -> int:
        """How many points there are to run."""
        return len(self._started)

    def _cases(self, name: str, tcp: Tcp) -> list[Case] | str:
        try:
            return cases(self.suite, name, tcp, self.rivals, self.file)
        except AtlasError as error:
            return str(error).partition(f"questions.{name}: ")[2] or str(error)

    def _start(self, threads: ThreadPoolExecutor, point: Point) -> None:
        key = point_hash(point.document)
        if key not in self._started:
            self._started[key] = threads.submit(self._run, point, key)

    def _run(self, point: Point, key: str) -> _Made:
        if self._over:
            return _Made()
        waiting = Waiting(None, 1, derived, lambda *_: None)
        made = next(
            simulate(
                [cast(Any, point.document)], self.suite.engine, engine_command(self.suite.engine),
                self.work / key[:12], waiting=waiting, cache=self.cache,
            )
        )  # fmt: skip
        self.told(sum(future.done() for future in self._started.values()) + 1)
        values = {name: metric["values"] for name, metric in made["metrics"].items()}
        return _Made(values, _trace(made, "window") or ())

    def _answer(self, question: Question, case: Case, confidence: float) -> Answer:
        try:
            made = self._started[point_hash(case.point.document)].result()
        except NotOfferedError:
            raise  # which packetsim knows of a library once it has loaded it
        except EngineError as error:
            libraries = [group.get("tcp", {}).get("library") for group in case.point.document["sources"]]
            if not any(libraries):
                raise
            return Answer(case, None, "fails", str(error).partition("\n")[0])
        columns = dict(made.values)
        if case.reference:
            other = self._started[point_hash(case.reference.document)].result()
            columns |= {REFERENCE + name: values for name, values in other.values.items()}

        def mean(text: str) -> Interval | None:
            expression = Expression(text)
            rows = [
                {
                    name: columns[name][number]
                    for name in expression.metrics
                    if len(columns.get(name, ())) > number
                }
                for number in range(self.suite.replications)
            ]
            values = [value for row in rows if (value := expression(row)) is not None]
            return t_interval(values, confidence) if len(values) == len(rows) else None

        interval = mean(question.metric)
        over = mean(question.over.metric) if question.over else None
        return Answer(
            case, interval, decided(question, interval), over=over.mean if over else None, window=made.window
        )
