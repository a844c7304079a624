"""Replies of engines and models to a printed number or sentence: who may reply, and whose reply counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tcpatlas.answers.answer import Answer, Answers
from tcpatlas.answers.derived import ENDS, Metric, in_unit, interval
from tcpatlas.answers.source import Relation, Source
from tcpatlas.claims.conservation import excess
from tcpatlas.claims.subject import Subject
from tcpatlas.points import engines


class NobodyAnswersError(ValueError):
    """No source gives the metric at any point of the set; `metrics` are those that are given."""

    def __init__(self, problem: str, metrics: Iterable[str]) -> None:
        super().__init__(problem)
        self.metrics = sorted(metrics)


@dataclass(frozen=True)
class Scale:
    """The length of our runs relative to the authors', and whether they are too short for verdicts."""

    too_short: bool
    length: float = 1

    @property
    def may_lack(self) -> bool:
        """Say whether our runs may be too short for rare events that the authors' runs have."""
        return self.too_short or self.length < 1


@dataclass(frozen=True)
class Reply:
    """The reply of an engine or model; empty if the machine `lacks` something for it. Only one reply counts.

    `refused` says why it is not judged: the runs behind it contradict themselves.
    """

    source: Source
    metric: Metric
    counts: bool
    lacks: str = ""
    refused: str = ""

    def refusal(self, subject: Subject, scale: Scale) -> str:
        """Return why the number decides nothing; empty if it may decide.

        Runs that are alike by chance may differ in a longer run, so such a number decides only if the runs
        together are as long as the authors'. An event that none of them saw happens less than 3.7 times in
        that length, with 97.5 % confidence.
        """
        engine = self.source.measured_by
        if self.refused or not engine or not self.metric or {"exact", "band"} & self.metric.keys():
            return self.refused
        if self.metric.get("ci_low") is None:
            return "the runs behind it give no interval"
        runs = self.metric.get("runs", 1)
        share = runs * scale.length * subject.set.engines.get(engine, 1)
        # At a confidence of 0, no interval has a width.
        wide = self.metric["ci_low"] < self.metric["ci_high"] or not self.metric.get("confidence", 1)
        if wide or share >= 1:
            return ""
        return f"all {runs} runs are alike, and together {share:.0%} as long as the authors'"

    def numbers(self, unit: str) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        """Return the value and the ends of its interval in a unit, None where there is none; UnitError."""
        ends = interval(self.metric)
        low, high = (in_unit(self.metric, end, unit) if end in ends else None for end in ENDS)
        return in_unit(self.metric, "value", unit), low, high


def replies_to(subject: Subject, answers: Answers, scale: Scale) -> list[Reply]:
    """Return the replies of all eligible sources, with those that only lack something on this machine.

    Raises what `_eligible` raises.
    """
    eligible = _eligible(subject, answers, may_lack=scale.may_lack)
    metrics = {answer.source: subject.metric_by(answer.source, answers) or {} for answer in eligible}
    best = best_placed([answer for answer in eligible if metrics[answer.source]] or eligible)
    replies = [
        Reply(
            answer.source,
            metrics[answer.source],
            answer is best,
            refused=_refused(subject, answer.source.measured_by, answers),
        )
        for answer in eligible
    ]
    return replies + [
        Reply(Source("simulation", engine), {}, not replies and place == 0, engines.why_left_out(engine))
        for place, engine in enumerate(subject.left_out)
    ]


def _refused(subject: Subject, engine: str, answers: Answers) -> str:
    """Return why an engine's runs at the points of a subject cannot be believed; nothing if they can."""
    source = Source("simulation", engine)
    runs = (answers.at(at, source) for at in subject.places)
    return next((reason for answer in runs if answer and (reason := excess(answer))), "")


def _eligible(subject: Subject, answers: Answers, *, may_lack: bool) -> list[Answer]:
    """Return the answers at the first point: of models for a model's number, of engines for the others.

    Models fed with measurements of runs come before those that are not; an error map answers, for the
    engine, whether errors lie in its bands. Only sources that give the quantity at some point of the set are
    asked. NobodyAnswersError if there are none, unless runs are shorter than the authors' (rare events may
    be missing) or engines are left out.
    """
    by_itself: Relation = (
        "error" if subject.quantity.is_error else "model" if subject.kind == "model" else "simulation"
    )
    before: Mapping[str, tuple[Relation, ...]] = {"model": ("fed",), "simulation": ("band",)}
    for kind in (*before.get(by_itself, ()), by_itself):
        of_set = answers.of_set(subject.set.full_name)
        of_kind = [answer for answer in of_set if answer.source.relation == kind]
        giving = {answer.source for answer in of_kind if any(map(answer.find, subject.quantities(answer)))}
        if subject.reference is not None:
            giving &= {answer.source for answer in of_kind if answer.find(subject.reference)}
        if giving:
            break
    if not giving and may_lack and kind != "model":
        giving = {answer.source for answer in of_kind}
    if not giving and not subject.left_out:
        names = (subject.quantity, subject.reference)
        asked = " and ".join(name.full_name for name in names if name is not None)
        problem = f"nobody gives {asked} in {subject.set.full_name}"
        raise NobodyAnswersError(problem, {metric for answer in of_kind for metric in answer.metrics})
    return [
        answer for answer in of_kind if answer.point.name == subject.point.name and answer.source in giving
    ]


def best_placed(answers: Sequence[Answer]) -> Answer | None:
    """Return the answer that counts among several: that of the first engine of its set."""

    def place(answer: Answer) -> int:
        engines = [*answer.set.engines, answer.source.measured_by]
        return engines.index(answer.source.measured_by)

    return min(answers, key=place, default=None)
