"""Re-evaluates a paper's sentences and numbers with another TCP: the rows of now.csv.

docs/decisions/then-and-now.md defines the verdicts.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from tcpatlas.answers.answer import Answers
from tcpatlas.claims import claims
from tcpatlas.claims.documents import Comparison, TrendStatement, Unmeasured
from tcpatlas.claims.outcome import (
    CASE,
    OriginalVerdicts,
    Outcome,
    Verdict,
    can_be_lost,
    held_together,
    is_reversed,
)
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.rows import PublishedNumber
from tcpatlas.claims.sentences import Judgement, case_cells, judged
from tcpatlas.claims.statements import Statement
from tcpatlas.claims.subject import Subject
from tcpatlas.claims.tables import Row, float_or_none, yes_or_no
from tcpatlas.points.engines import all_engines
from tcpatlas.points.reevaluation import NOT_NAMED
from tcpatlas.points.scenario_file import DerivedScenario
from tcpatlas.points.types import Again, Study

NOW_COLUMNS = (
    *("paper", "statement", "tcp", "engine", "verdict", "reason"),
    *("what", "item", "text", "then", "cases", "set", "point", "metric", "unit"),
    *("value", "ci_low", "ci_high", "bound", "tolerance", "study", "counted", "engines"),
)
SENTENCE, NUMBER = "sentence", "number"
# Verdicts on which two engines can agree or differ.
_DECIDED = ("still holds", "no longer", "reversed")
# The standard deviation of eight runs is below a third of the true one with a probability of 0.002.
SCATTER = 3
_OF_A_MODEL = "about a model alone, in which there is no TCP to replace"


def points_of(items: Iterable[Item], derived: DerivedScenario) -> dict[str, set[str]]:
    """Return, by set, the points that sentences and simulated or measured numbers refer to.

    Claims declared inapplicable, and points that no engine simulates, are left out.
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
class Reevaluation:
    """A study that re-evaluates the sentences and numbers of its source.

    `all_answers`: its own answers by the source's set names; `then`: the verdicts with the paper's TCP.
    """

    study: Study
    derived: DerivedScenario
    all_answers: Answers
    then: OriginalVerdicts
    scale: Scale

    @property
    def again(self) -> Again:
        """The source, the TCP, and what is not run with it."""
        assert self.study.again is not None, "the caller has looked"
        return self.study.again

    def rows(self, items: Iterable[Item]) -> Iterator[Row]:
        """Yield a row for each sentence and each number that we reproduced, and each engine that was asked.

        A study that names the sets to ask has rows for its own engines only.
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
                declared = _declared(self.derived, item, metric=number.subject.quantity.full_name)
                what = {
                    "statement": f"{item.paper}/{item.name}/row-{number.row}",
                    "what": NUMBER,
                    "text": number.subject.quantity.full_name,
                    "then": self.then.numbers[item.name, str(number.row)],
                }
                for row in [_not_applicable(declared)] if declared else self._of_number(number):
                    if all_told or row.get("engine"):
                        yield common | what | row

    def _of_statement(self, item: Item, statement: Statement) -> Iterator[Row]:
        """Yield a row for each engine; one without an engine if none can be asked, none if not asked."""
        spec = statement.spec
        if isinstance(spec, Unmeasured):
            yield _not_applicable(f"nothing can be compared: {spec.unavailable}")
            return
        if reason := spec.not_again or _declared(self.derived, item, spec.text):
            yield _not_applicable(reason)
            return
        reasons: dict[str, None] = {}
        outcomes = self._outcomes(item, statement, spec, reasons)
        if not outcomes:
            reasons.pop(NOT_NAMED, None)
            if reasons:
                yield _not_applicable("; ".join(reasons))
            return
        for engine, outcome in outcomes.items():
            one = outcome.decisive
            yield {
                "engine": engine,
                "verdict": outcome.verdict,
                "reason": outcome.reason,
                "then": _worst([before for _, before in outcome.cases]),
                "cases": f"{len(outcome.asked)} of {len(statement.cases)}",
                **(_of_case(one) if one else {}),
            }

    def _outcomes(
        self,
        item: Item,
        statement: Statement,
        spec: Comparison | TrendStatement,
        reasons: dict[str, None],
        *,
        by_itself: bool = False,
    ) -> dict[str, Outcome]:
        """Return each engine's outcome for a sentence; add the reasons why others cannot be asked.

        The cases that may be lost are judged together, or each `by_itself`.
        """
        cases: dict[str, list[tuple[Judgement, str]]] = {}
        for case in statement.cases:
            if reason := self._not_run(case.subject):
                reasons.setdefault(reason)
                continue
            cells = case_cells(spec, case)
            name = f"{item.paper}/{item.name}/{statement.number}"
            before = self.then.cases.get((name, *(cells[key] for key in CASE)), "")
            for engine, reply in self._by_engine(case.subject, reasons).items():
                one = judged(statement, spec, case, reply, self._scale_of(case.subject, engine))
                cases.setdefault(engine, []).append((one, before))
        return {
            engine: Outcome(of_engine if by_itself else held_together(of_engine))
            for engine, of_engine in cases.items()
        }

    def _of_number(self, number: PublishedNumber, wider: int = 1) -> Iterator[Row]:
        """Yield a row for each engine that answers a number whose points are run with the other TCP."""
        subject = number.subject
        if self._not_run(subject):
            return
        for engine, reply in self._by_engine(subject, {}).items():
            scale = self._scale_of(subject, engine)
            ours, width, verdict = claims.judged(number, reply, self.all_answers, scale, wider)
            if ours is None or width is None or number.published is None:
                continue
            yield {
                "engine": engine,
                "verdict": _OF_NUMBERS[verdict],
                "reason": _side(ours.value, number.published)
                if verdict == "deviates"
                else reply.refusal(subject, scale),
                "cases": "1 of 1",
                **_cells(subject, number.unit, reply, number.published, width),
            }

    def _is_kept(self, item: Item, number: PublishedNumber) -> bool:
        """Say whether we reproduce a number with the paper's own TCP, so that it could be lost."""
        verdict = self.then.numbers.get((item.name, str(number.row)), "")
        return verdict in ("reproduced", "smoke") and _could_be_asked(number)

    def decided(
        self, items: Iterable[Item], *, by_itself: bool = False
    ) -> Iterator[tuple[Subject, bool, bool]]:
        """Yield each case and each number that could be lost, whether runs decide it, and if all are needed.

        `by_itself`: whether they would decide it if the sentence had no other case.

        A sentence that is lost in one case, and cannot be reversed in all, needs no other case decided. A
        tolerance from the scatter of runs is known only once all runs are there: until then only losses
        beyond SCATTER times that tolerance are decided.
        """
        for item in items:
            for statement in item.statements:
                spec = statement.spec
                if isinstance(spec, Unmeasured) or spec.not_again or _declared(self.derived, item, spec.text):
                    continue
                for outcome in self._outcomes(item, statement, spec, {}, by_itself=by_itself).values():
                    lost = any(not is_reversed(one) for one in outcome.lost) or (
                        bool(outcome.lost) and any(one.verdict == "holds" for one, _ in outcome.asked)
                    )
                    for one, before in outcome.cases:
                        if can_be_lost(one, before):
                            yield one.case.subject, lost or one.verdict != "undecided", False
            for number in filter(partial(self._is_kept, item), item.numbers):
                if not _is_asked(self.derived, item, number):
                    continue
                one_run = bool(number.tolerance and number.tolerance.one_run)
                rows = self._of_number(number, SCATTER if one_run else 1)
                open_ones = ("undecided", "still holds") if one_run else ("undecided",)
                yield number.subject, all(row["verdict"] not in open_ones for row in rows), one_run

    def _not_run(self, subject: Subject) -> str:
        """Return why the points of a subject are not run with the other TCP; nothing if they are."""
        there = {scenario_set.name for scenario_set in self.study.sets}
        absent = (at.set.name for at in subject.places if at.set.name not in there)
        return next((self.again.not_run.get(name, _OF_A_MODEL) for name in absent), "")

    def _scale_of(self, subject: Subject, engine: str) -> Scale:
        """Return the study's run length over the paper's for an engine, with its factor in the latter."""
        own = next(one.engines for one in self.study.sets if one.name == subject.set.name)
        share = own.get(engine, 1) / subject.set.engines.get(engine, 1)
        return replace(self.scale, length=self.scale.length * share)

    def _by_engine(self, subject: Subject, reasons: dict[str, None]) -> dict[str, Reply]:
        """Return the first reply from each engine's runs; add the reason if nobody replies."""
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


def beside_each_other(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of all studies; where two engines answer, the rows say whether they agree.

    Of several engines with the same TCP the first that decides counts; if another contradicts it, its
    verdict becomes that they differ.
    """
    of_one: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        of_one.setdefault((row["paper"], row["statement"], row["tcp"]), []).append(row)
    result = []
    for same in of_one.values():
        decided = [row for row in same if row["verdict"] in _DECIDED]
        differ = len({row["verdict"] for row in decided}) > 1
        engines = "" if len(decided) < 2 else "differ" if differ else "agree"
        counted = next((row for row in same if row["verdict"] != "does not apply"), same[0])
        for row in same:
            cells: Row = {"counted": yes_or_no(row is counted), "engines": engines}
            if differ and row is counted:
                each = (f"{all_engines()[one['engine']].title}: {one['verdict']}" for one in decided)
                cells |= {"verdict": "engines differ", "reason": "; ".join(each)}
            result.append(row | cells)
    return result


def _declared(
    derived: DerivedScenario, item: Item, text: str | None = None, metric: str | None = None
) -> str:
    """Return why a sentence (by its text) or a number (by its metric) is declared inapplicable."""
    names = {metric, re.sub(r"\[.*\]", "[*]", metric)} if metric else set[str]()
    for entry in derived.again.does_not_apply if derived.again else ():
        of_all = entry.text is None and entry.metrics is None
        if item.name in entry.items and (
            of_all or text in (entry.text or ()) or names.intersection(entry.metrics or ())
        ):
            return entry.reason
    return ""


def _is_asked(derived: DerivedScenario, item: Item, number: PublishedNumber) -> bool:
    declared = _declared(derived, item, metric=number.subject.quantity.full_name)
    return _could_be_asked(number) and not declared


def _could_be_asked(number: PublishedNumber) -> bool:
    return (
        number.subject.kind != "model"
        and number.published is not None
        and number.tolerance is not None
        and number.arithmetic is None
        and not (number.repeats or number.inconsistent or number.not_reproducible)
    )


def _not_applicable(reason: str) -> Row:
    return {"verdict": "does not apply", "reason": reason}


def _cells(subject: Subject, unit: str, reply: Reply, bound: Decimal, tolerance: Decimal) -> Row:
    """Return the cells of a reply's number, its interval, and what it is judged by."""
    value, low, high = map(float_or_none, reply.numbers(unit))
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


def _of_case(one: Judgement) -> Row:
    statement = one.statement
    return _cells(one.case.subject, statement.unit, one.reply, statement.bound, statement.tolerance)


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
