"""A paper's sentences and numbers, judged once more of another TCP: the rows of now.csv.

docs/decisions/then-and-now.md defines the verdicts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Literal

from tcpatlas.claims.answers import Answers
from tcpatlas.claims.claims import REPLICATION, author_scatter
from tcpatlas.claims.derived import in_unit
from tcpatlas.claims.documents import Comparison, TrendStatement, Unmeasured
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.rows import PublishedNumber
from tcpatlas.claims.source import Source
from tcpatlas.claims.statements import Case, Statement
from tcpatlas.claims.subject import Subject
from tcpatlas.claims.tables import Row, float_or_none, yes_or_no
from tcpatlas.claims.verdict import Estimate, Predicate, Truth, holds, judge
from tcpatlas.points.again import NOT_NAMED
from tcpatlas.points.scenario_file import DerivedScenario
from tcpatlas.points.types import Again, Study

Verdict = Literal["still holds", "no longer", "reversed", "undecided", "does not apply", "smoke"]

NOW_COLUMNS = (
    *("paper", "statement", "tcp", "engine", "verdict", "reason"),
    *("what", "item", "text", "then", "cases", "set", "point", "metric", "unit"),
    *("value", "ci_low", "ci_high", "bound", "tolerance", "study", "counted", "engines"),
)
SENTENCE, NUMBER = "sentence", "number"
# Verdicts on which two engines can be of one mind or not.
_DECIDED = ("still holds", "no longer", "reversed")
# A standard deviation of eight runs is below a third of the true one in two of a thousand times.
SCATTER = 3
_OF_A_MODEL = "about a model alone, in which there is no TCP to replace"
_OPPOSITES: Mapping[str, Predicate] = {
    "at most": "at least",
    "at least": "at most",
    "increasing": "decreasing",
    "decreasing": "increasing",
}
# Cells of statements.csv that tell a case of a sentence.
_CASE = ("statement", "set", "point", "metric", "statistic", "reference", "along")


@dataclass(frozen=True)
class Then:
    """The verdicts with the paper's own TCP: of each case of a sentence, and of each counted number."""

    cases: Mapping[tuple[str, ...], str]
    numbers: Mapping[tuple[str, str], str]

    @classmethod
    def read(cls, statements: Iterable[Mapping[str, str]], claims: Iterable[Mapping[str, str]]) -> Then:
        """Return the verdicts of a paper's statements.csv and claims.csv."""
        return cls(
            {
                tuple(row[key] for key in _CASE): row["verdict"]
                for row in statements
                if row["counted"] == "true"
            },
            {
                (row["item"], row["row"]): row["verdict"]
                for row in claims
                if row["counted"] == "true" and row["class"] == REPLICATION and row["kind"] != "model"
            },
        )


@dataclass
class Outcome:
    """The outcome of an engine's runs for the cases of a sentence, or for a number."""

    held: int = 0
    undecided: int = 0
    failed: list[Row] = field(default_factory=list)
    reversed: int = 0
    too_short: int = 0
    fell_before: int = 0
    missing: int = 0
    cells: Row = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """The cases that could have been lost."""
        return self.held + self.undecided + len(self.failed) + self.too_short

    @property
    def verdict(self) -> Verdict:
        """The verdict on all cases."""
        if self.asked == 0:
            return "does not apply"
        if self.too_short:
            return "smoke"
        if self.failed:
            return "reversed" if self.reversed == self.asked else "no longer"
        return "undecided" if self.undecided else "still holds"

    @property
    def reason(self) -> str:
        """The reason why it does not apply, or of how many of several cases the verdict is."""
        if self.asked == 0:
            if self.fell_before:
                return "fails with the paper's own TCP"
            return "its runs give no such number"
        if self.asked == 1 or self.verdict not in ("no longer", "undecided"):
            return ""
        return f"in {len(self.failed) or self.undecided} of {self.asked} cases"


def points_of(items: Iterable[Item], derived: DerivedScenario) -> dict[str, set[str]]:
    """Return, by set, the points that sentences and simulated or measured numbers refer to.

    What is declared not to apply is left out, and what no engine simulates.
    """
    wanted: dict[str, set[str]] = {}
    for item in items:
        cases = [
            case.subject
            for statement in item.statements
            if not _declared(derived, item, statement.spec.text)
            for case in statement.cases
        ]
        numbers = [number.subject for number in item.numbers if _is_asked(derived, item, number)]
        for subject in (*cases, *numbers):
            for at in subject.places:
                if at.set.engines or at.set.left_out:
                    wanted.setdefault(at.set.name, set()).add(at.point.name)
    return wanted


@dataclass(frozen=True)
class Asked:
    """A study that asks the sentences and numbers of its source again.

    `all_answers` are its own, by the names of the source's sets; `then` are verdicts with the paper's TCP.
    """

    study: Study
    derived: DerivedScenario
    all_answers: Answers
    then: Then
    scale: Scale

    @property
    def again(self) -> Again:
        """The source, the TCP, and what is not run with it."""
        assert self.study.again is not None, "the caller has looked"
        return self.study.again

    def rows(self, items: Iterable[Item]) -> Iterator[Row]:
        """Yield a row for each sentence and each number that we reproduced, and each engine that was asked.

        Of a study that names the sets to ask, only what its engines answer is told.
        """
        all_told = self.derived.derive.sets is None
        for item in items:
            common = {
                "paper": item.paper,
                "item": item.name,
                "tcp": self.again.tcp,
                "study": self.study.name,
            }
            for statement in item.statements:
                what = {
                    "statement": f"{item.paper}/{item.name}/{statement.number}",
                    "what": SENTENCE,
                    "text": statement.spec.text,
                }
                for row in self._of_statement(item, statement):
                    if all_told or row.get("engine"):
                        yield common | what | row
            for number in item.numbers:
                if not self._is_kept(item, number):
                    continue
                what = {
                    "statement": f"{item.paper}/{item.name}/row-{number.row}",
                    "what": NUMBER,
                    "text": number.subject.quantity.full_name,
                    "then": self.then.numbers[item.name, str(number.row)],
                }
                for row in self._of_number(number):
                    yield common | what | row

    def _of_statement(self, item: Item, statement: Statement) -> Iterator[Row]:
        """Yield a row for each engine; one without where nothing can be asked, none if it was not."""
        spec = statement.spec
        if isinstance(spec, Unmeasured):
            yield _not_applicable(f"nothing can be compared: {spec.unavailable}")
            return
        if reason := _declared(self.derived, item, spec.text):
            yield _not_applicable(reason)
            return
        outcomes: dict[str, Outcome] = {}
        reasons: dict[str, None] = {}
        verdicts: dict[str, list[str]] = {}
        for case in statement.cases:
            if reason := self._not_run(case.subject):
                reasons.setdefault(reason)
                continue
            before = self.then.cases.get(_key(item, statement, case, spec), "")
            for engine, reply in self._by_engine(case.subject, reasons).items():
                verdicts.setdefault(engine, []).append(before)
                outcome = outcomes.setdefault(engine, Outcome())
                _judge_case(outcome, statement, spec, case, reply, before, too_short=self.scale.too_short)
        if not outcomes:
            reasons.pop(NOT_NAMED, None)
            if reasons:
                yield _not_applicable("; ".join(reasons))
            return
        for engine, one in outcomes.items():
            yield {
                "engine": engine,
                "verdict": one.verdict,
                "reason": one.reason,
                "then": _worst(verdicts[engine]),
                "cases": f"{one.asked} of {len(statement.cases)}",
                **one.cells,
            }

    def _of_number(self, number: PublishedNumber, wider: int = 1) -> Iterator[Row]:
        """Yield a row for each engine that answers a number whose points are run with the other TCP."""
        subject = number.subject
        if self._not_run(subject):
            return
        assert number.published is not None
        for engine, reply in self._by_engine(subject, {}).items():
            value, low, high = reply.numbers(number.unit)
            if value is None:
                continue
            width = wider * self._width(number, engine, reply.source, value)
            ours = Estimate.of(value, low, high)
            verdict = judge(ours, number.published, width, too_short=self.scale.too_short)
            yield {
                "engine": engine,
                "verdict": _OF_NUMBERS[verdict],
                "reason": "" if verdict != "deviates" else _side(value, number.published),
                "cases": "1 of 1",
                **_cells(subject, number.unit, (value, low, high), number.published, width),
            }

    def _is_kept(self, item: Item, number: PublishedNumber) -> bool:
        """Say whether we reproduce a number with the paper's own TCP, and it is asked of the other one."""
        verdict = self.then.numbers.get((item.name, str(number.row)), "")
        return verdict in ("reproduced", "smoke") and _is_asked(self.derived, item, number)

    def _width(self, number: PublishedNumber, engine: str, source: Source, value: Decimal) -> Decimal:
        """Return the tolerance of a number beside the runs of an engine."""
        assert number.tolerance is not None
        assert number.published is not None
        scatter = Decimal(0)
        if number.tolerance.one_run:
            # Our runs over the author's: the subject reckons with the engine's share in the paper's own set.
            own = next(one.engines for one in self.study.sets if one.name == number.subject.set.name)
            share = own.get(engine, 1) / number.subject.set.engines.get(engine, 1)
            scatter = author_scatter(number, source, value, self.all_answers, self.scale.length * share)
        return number.tolerance.width(number.published, scatter)

    def decided(self, items: Iterable[Item]) -> Iterator[tuple[Subject, bool, bool]]:
        """Yield each case and each number that could be lost, whether runs decide it, and if all are needed.

        A sentence that is lost in one case, and cannot be reversed in all, needs no other case decided. A
        tolerance that is the scatter of runs is not known before all are there: only what is lost even beside
        one that is SCATTER times as wide is decided before.
        """
        for item in items:
            for statement in item.statements:
                spec = statement.spec
                if isinstance(spec, Unmeasured) or _declared(self.derived, item, spec.text):
                    continue
                truths: list[tuple[Subject, Truth]] = []
                lost = False
                for case in statement.cases:
                    subject = case.subject
                    before = self.then.cases.get(_key(item, statement, case, spec), "")
                    if before == "fails" or case.inconsistent or self._not_run(subject):
                        continue
                    for reply in self._by_engine(subject, {}).values():
                        estimate, truth = _truth(statement, spec, reply)
                        truths.append((subject, truth))
                        if estimate and truth == "fails" and before == "holds":
                            lost = lost or not _is_reversed(statement, spec, subject, estimate)
                lost = lost or {"holds", "fails"} <= {truth for _, truth in truths}
                yield from ((subject, lost or truth != "undecided", False) for subject, truth in truths)
            for number in filter(partial(self._is_kept, item), item.numbers):
                one_run = bool(number.tolerance and number.tolerance.one_run)
                rows = self._of_number(number, SCATTER if one_run else 1)
                open_ones = ("undecided", "still holds") if one_run else ("undecided",)
                yield number.subject, all(row["verdict"] not in open_ones for row in rows), one_run

    def _not_run(self, subject: Subject) -> str:
        """Return why the points of a subject are not run with the other TCP; nothing if they are."""
        there = {scenario_set.name for scenario_set in self.study.sets}
        absent = (at.set.name for at in subject.places if at.set.name not in there)
        return next((self.again.not_run.get(name, _OF_A_MODEL) for name in absent), "")

    def _by_engine(self, subject: Subject, reasons: dict[str, None]) -> dict[str, Reply]:
        """Return the first reply by each engine's runs; of what nobody gives, add the reason."""
        try:
            replies = replies_to(subject, self.all_answers, self.scale)
        except NobodyAnswersError:
            reasons.setdefault(f"no engine measures {subject.quantity.full_name} with this TCP yet")
            return {}
        replies_of_engines: dict[str, Reply] = {}
        for reply in replies:
            if reply.lacks:
                reasons.setdefault(reply.lacks)
            elif engine := reply.source.measured_by:
                replies_of_engines.setdefault(engine, reply)
            else:
                reasons.setdefault(_OF_A_MODEL)
        return replies_of_engines


def together(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of all studies, where two engines answer with whether they agree.

    Of several engines with one TCP the first that has something to say counts.
    """
    of_one: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        of_one.setdefault((row["paper"], row["statement"], row["tcp"]), []).append(row)
    result = []
    for same in of_one.values():
        decided = {row["verdict"] for row in same if row["verdict"] in _DECIDED}
        several = sum(row["verdict"] in _DECIDED for row in same) > 1
        engines = ("agree" if len(decided) == 1 else "differ") if several else ""
        counted = next((row for row in same if row["verdict"] != "does not apply"), same[0])
        result += [row | {"counted": yes_or_no(row is counted), "engines": engines} for row in same]
    return result


def _declared(
    derived: DerivedScenario, item: Item, text: str | None = None, metric: str | None = None
) -> str:
    """Return why a sentence of an item, by its text, or a number, by its metric, is declared not to apply."""
    for entry in derived.again.does_not_apply if derived.again else ():
        of_all = entry.text is None and entry.metrics is None
        if item.name in entry.items and (
            of_all or text in (entry.text or ()) or metric in (entry.metrics or ())
        ):
            return entry.reason
    return ""


def _is_asked(derived: DerivedScenario, item: Item, number: PublishedNumber) -> bool:
    return (
        number.subject.kind != "model"
        and number.published is not None
        and number.tolerance is not None
        and number.arithmetic is None
        and not (number.repeats or number.inconsistent or number.not_reproducible)
        and not _declared(derived, item, metric=number.subject.quantity.full_name)
    )


def _not_applicable(reason: str) -> Row:
    return {"verdict": "does not apply", "reason": reason}


def _key(item: Item, statement: Statement, case: Case, spec: Comparison | TrendStatement) -> tuple[str, ...]:
    """Return the cells of a case in statements.csv."""
    subject = case.subject
    along = spec.along if isinstance(spec, TrendStatement) else None
    return (
        f"{item.paper}/{item.name}/{statement.number}",
        subject.set.full_name,
        subject.point.name,
        subject.quantity.name,
        subject.quantity.statistic,
        (spec.against or "") if subject.reference is None else subject.reference.name,
        " ".join(part for part in ("mean" if spec.mean else "", along) if part),
    )


def _judge_case(
    outcome: Outcome,
    statement: Statement,
    spec: Comparison | TrendStatement,
    case: Case,
    reply: Reply,
    before: str,
    *,
    too_short: bool,
) -> None:
    """Count what a reply says of a case."""
    if before == "fails" or case.inconsistent:
        outcome.fell_before += 1
        return
    estimate, truth = _truth(statement, spec, reply)
    if estimate is None:
        outcome.missing += 1
        return
    if too_short:
        outcome.too_short += 1
        return
    cells = _cells(
        case.subject, statement.unit, reply.numbers(statement.unit), statement.bound, statement.tolerance
    )
    if truth == "fails" and before == "holds":
        # The case that decides is told.
        outcome.cells = outcome.cells if outcome.failed else cells
        outcome.failed.append(cells)
        outcome.reversed += _is_reversed(statement, spec, case.subject, estimate)
    elif truth == "holds":
        outcome.cells = outcome.cells or cells
        outcome.held += 1
    else:
        outcome.cells = outcome.cells if outcome.failed or outcome.undecided else cells
        outcome.undecided += 1


def _truth(
    statement: Statement, spec: Comparison | TrendStatement, reply: Reply
) -> tuple[Estimate | None, Truth]:
    """Return the number of a reply, None where it gives none, and whether the statement holds of it."""
    value, low, high = reply.numbers(statement.unit)
    if value is None:
        return None, "fails"
    reversal, least, most = (
        in_unit(reply.metric, f"max_reversal{end}", statement.unit) for end in ("", "_low", "_high")
    )
    estimate = Estimate.of(value, low, high)
    against = None if reversal is None else Estimate.of(reversal, least, most)
    return estimate, holds(estimate, statement.bound, statement.tolerance, spec.predicate, against)


def _cells(
    subject: Subject, unit: str, numbers: Iterable[Decimal | None], bound: Decimal, tolerance: Decimal
) -> Row:
    """Return the cells of our number, its interval, and what it is judged by."""
    value, low, high = map(float_or_none, numbers)
    return {
        "set": subject.set.name,
        "point": subject.point.name,
        "metric": subject.quantity.full_name,
        "unit": unit,
        "value": value,
        "ci_low": low,
        "ci_high": high,
        "bound": float(bound),
        "tolerance": float(tolerance),
    }


def _is_reversed(
    statement: Statement, spec: Comparison | TrendStatement, subject: Subject, estimate: Estimate
) -> bool:
    """Say whether the opposite of a sentence that fails holds: the other sign, or the other trend.

    Of a trend `estimate` is the whole change, which has to exceed the bound the other way.
    """
    opposite = _OPPOSITES.get(spec.predicate)
    if opposite is None:
        return False
    if isinstance(spec, TrendStatement):
        return holds(estimate, -statement.bound, statement.tolerance, opposite) == "holds"
    # Which of two is larger: a ratio, or the error of a model beside what is measured.
    signed = statement.bound == 0 and (subject.is_ratio or subject.quantity.is_error)
    return signed and holds(estimate, Decimal(0), -statement.tolerance, opposite) == "holds"


def _worst(verdicts: Collection[str]) -> str:
    order = ("fails", "undecided", "smoke", "unavailable", "inconsistent", "holds")
    return next((verdict for verdict in order if verdict in verdicts), "")


_OF_NUMBERS: Mapping[str, Verdict] = {
    "reproduced": "still holds",
    "deviates": "no longer",
    "undecided": "undecided",
    "smoke": "smoke",
}


def _side(value: Decimal, published: Decimal) -> str:
    return "larger than printed" if value > published else "smaller than printed"


def by_source(all_answers: Answers, study: Study) -> Answers:
    """Return the answers of a derived study by the names of its source's sets."""
    assert study.again is not None
    return {
        f"{study.again.source}/{name.partition('/')[2]}": answers for name, answers in all_answers.items()
    }
