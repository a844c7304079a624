"""Re-evaluates a paper's sentences and numbers with another TCP: the rows of now.csv.

docs/decisions/then-and-now.md defines the verdicts.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tcpatlas.answers.answer import Answers
from tcpatlas.claims.documents import Unmeasured
from tcpatlas.claims.judgement import Judgement
from tcpatlas.claims.numbers import judged_number
from tcpatlas.claims.outcome import CASE, OriginalVerdicts, Outcome, can_be_lost, held_together, is_reversed
from tcpatlas.claims.printed_numbers import PublishedNumber
from tcpatlas.claims.published import Item
from tcpatlas.claims.replies import NobodyAnswersError, Reply, Scale, replies_to
from tcpatlas.claims.sentences import case_cells, judged_case
from tcpatlas.claims.statements import Statement
from tcpatlas.claims.subject import Subject
from tcpatlas.claims.tables import Row, yes_or_no
from tcpatlas.points.engines import all_engines
from tcpatlas.points.reevaluation import NOT_NAMED
from tcpatlas.points.scenario_file import DerivedScenario
from tcpatlas.points.types import ReevaluatedSource, Study

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
        numbers = [number.subject for number in item.numbers if _applies(derived, item, number)]
        for subject in (*cases, *numbers):
            for at in subject.places:
                if at.set.engines or at.set.left_out:
                    wanted.setdefault(at.set.name, set()).add(at.point.name)
    return wanted


@dataclass(frozen=True)
class Claim:
    """A claim to re-evaluate: a sentence with its cases, or a number that we reproduced as its only case.

    A case is a subject, the verdict with the paper's own TCP, and how to judge a reply. `inapplicable` says
    why nothing is judged. `one_run`: a number whose tolerance comes from the scatter of all our runs.
    """

    cells: Row
    cases: Sequence[tuple[Subject, str, Callable[[Reply, Scale], Judgement]]]
    inapplicable: str
    one_run: bool = False

    @property
    def is_number(self) -> bool:
        """Say whether it is a printed number."""
        return bool(self.cells["what"] == NUMBER)


@dataclass(frozen=True)
class Reevaluation:
    """A study that re-evaluates the sentences and numbers of its source.

    `answers`: its own, under the source's set names; `then`: the verdicts with the paper's TCP.
    """

    study: Study
    derived: DerivedScenario
    answers: Answers
    then: OriginalVerdicts
    scale: Scale

    @property
    def again(self) -> ReevaluatedSource:
        """The source, the TCP, and what is not run with it."""
        assert self.study.again is not None, "the caller has looked"
        return self.study.again

    def rows(self, items: Iterable[Item]) -> Iterator[Row]:
        """Yield a row for each sentence and each number that we reproduced, and each engine that answers.

        A study that names the sets to ask has rows for its own engines only.
        """
        every = self.derived.derive.sets is None
        for claim in self._claims(items):
            for row in self._rows(claim):
                if every or row.get("engine"):
                    yield {"tcp": self.again.tcp, "study": self.study.name} | claim.cells | row

    def _rows(self, claim: Claim) -> Iterator[Row]:
        """Yield a row for each engine; one without an engine, with the reason, if none can answer."""
        reasons: dict[str, None] = {claim.inapplicable: None} if claim.inapplicable else {}
        outcomes = {} if reasons else self._outcomes(claim, reasons)
        reasons.pop(NOT_NAMED, None)
        if not outcomes and reasons and (claim.inapplicable or not claim.is_number):
            yield {"verdict": "does not apply", "reason": "; ".join(reasons)}
        for engine, outcome in outcomes.items():
            one, reason, then = (
                outcome.decisive,
                outcome.reason,
                _worst([one.before for one in outcome.cases]),
            )
            if claim.is_number:
                if not outcome.judged:
                    continue
                one, then = outcome.judged[0], claim.cells["then"]
                reason = _side(one) if outcome.lost else one.reply.refused
            yield {
                "engine": engine,
                "verdict": outcome.verdict,
                "reason": reason,
                "then": then,
                "cases": f"{len(outcome.judged)} of {len(claim.cases)}",
                **(_cells(one) if one else {}),
            }

    def _claims(self, items: Iterable[Item], wider: int = 1) -> Iterator[Claim]:
        """Yield each sentence, and each number that could be lost, with tolerances of one run `wider`."""
        for item in items:
            for statement in item.statements:
                yield self._sentence(item, statement)
            for number in item.numbers:
                before = self.then.numbers.get((item.name, str(number.row)), "")
                if before in ("reproduced", "smoke") and _can_be_judged(number):
                    yield self._number(item, number, before, wider)

    def _sentence(self, item: Item, statement: Statement) -> Claim:
        spec, name = statement.spec, f"{item.paper}/{item.name}/{statement.number}"
        cells = _identity(item, name, SENTENCE, spec.text)
        if isinstance(spec, Unmeasured):
            return Claim(cells, (), f"nothing can be compared: {spec.unavailable}")
        cases = []
        for case in statement.cases:
            identity = case_cells(spec, case)
            before = self.then.cases.get((name, *(identity[key] for key in CASE)), "")
            cases.append((case.subject, before, partial(judged_case, statement, spec, case)))
        return Claim(cells, cases, spec.not_again or _declared(self.derived, item, spec.text))

    def _number(self, item: Item, number: PublishedNumber, before: str, wider: int) -> Claim:
        metric = number.subject.quantity.full_name
        one_run = bool(number.tolerance and number.tolerance.one_run)
        judge = partial(judged_number, number, self.answers, wider=wider if one_run else 1)
        cells = _identity(item, f"{item.paper}/{item.name}/row-{number.row}", NUMBER, metric)
        declared = _declared(self.derived, item, metric=metric)
        return Claim(cells | {"then": before}, [(number.subject, "holds", judge)], declared, one_run)

    def _outcomes(
        self, claim: Claim, reasons: dict[str, None], *, by_itself: bool = False
    ) -> dict[str, Outcome]:
        """Return each engine's outcome for a claim; add the reasons why others do not answer.

        The cases of a sentence that may be lost are judged together, or each `by_itself`.
        """
        cases: dict[str, list[Judgement]] = {}
        for subject, before, judge in claim.cases:
            if reason := self._not_run(subject):
                reasons.setdefault(reason)
                continue
            for engine, reply in self._by_engine(subject, reasons).items():
                one = judge(reply, self._scale_of(subject, engine))
                cases.setdefault(engine, []).append(replace(one, before=before))
        together = not (by_itself or claim.is_number)
        return {engine: Outcome(held_together(of) if together else of) for engine, of in cases.items()}

    def decided(
        self, items: Iterable[Item], *, by_itself: bool = False
    ) -> Iterator[tuple[Subject, bool, bool]]:
        """Yield each case and each number that could be lost, whether runs decide it, and if all are needed.

        `by_itself`: whether they would decide it if the sentence had no other case.

        A sentence that is lost in one case, and cannot be reversed in all, needs no other case decided. A
        tolerance from the scatter of runs is known only once all runs are there: until then only losses
        beyond SCATTER times that tolerance are decided.
        """
        for claim in self._claims(items, SCATTER):
            still_open = ("undecided", "holds") if claim.one_run else ("undecided",)
            outcomes = {} if claim.inapplicable else self._outcomes(claim, {}, by_itself=by_itself)
            for outcome in outcomes.values():
                lost = any(not is_reversed(one) for one in outcome.lost) or (
                    bool(outcome.lost) and any(one.verdict == "holds" for one in outcome.judged)
                )
                for one in filter(can_be_lost, outcome.cases):
                    yield one.subject, lost or one.verdict not in still_open, claim.one_run

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
            replies = replies_to(subject, self.answers, self.scale)
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


def with_agreement(rows: Sequence[Row]) -> list[Row]:
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


def _applies(derived: DerivedScenario, item: Item, number: PublishedNumber) -> bool:
    declared = _declared(derived, item, metric=number.subject.quantity.full_name)
    return _can_be_judged(number) and not declared


def _can_be_judged(number: PublishedNumber) -> bool:
    return (
        number.subject.kind != "model"
        and number.published is not None
        and number.tolerance is not None
        and number.arithmetic is None
        and not (number.repeats or number.inconsistent or number.not_reproducible)
    )


def _identity(item: Item, name: str, what: str, text: str) -> Row:
    return {"paper": item.paper, "item": item.name, "statement": name, "what": what, "text": text}


def _cells(one: Judgement) -> Row:
    """Return the cells of our number, its interval, and what it is judged by."""
    subject, cells = one.subject, one.cells
    place = {"set": subject.set.name, "point": subject.point.name, "metric": subject.quantity.full_name}
    return {**place, "unit": one.unit, **{key: cells[key] for key in NOW_COLUMNS if key in cells}}


def _worst(verdicts: Collection[str]) -> str:
    order = ("fails", "undecided", "smoke", "unavailable", "inconsistent", "holds")
    return next((verdict for verdict in order if verdict in verdicts), "")


def _side(one: Judgement) -> str:
    larger = one.ours and one.bound is not None and one.ours.value > one.bound
    return "larger than printed" if larger else "smaller than printed"
