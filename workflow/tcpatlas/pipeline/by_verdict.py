"""Replications by verdict: more while a verdict is undecided and more are likely to decide it.

A group-sequential rule that preserves the confidence level: docs/decisions/then-and-now.md.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tcpatlas.answers.answer import Answers
from tcpatlas.base.statistics import above, early_look, last_look, summary, t_quantile
from tcpatlas.claims.published import Item
from tcpatlas.claims.reevaluation import Reevaluation
from tcpatlas.points.documents import PointDocument
from tcpatlas.runs.answers import set_answers
from tcpatlas.runs.documents import MeanDistribution, Predictions, Replications
from tcpatlas.runs.store import Runs

# The probability that an abandoned case would have been decided by the maximum number of replications.
GIVEN_UP = 0.01

Key = tuple[str, str]  # set and point
Simulate = Callable[[Sequence[PointDocument], float], Iterable[Replications]]
Predicted = Mapping[str, Mapping[str, Predictions]]  # by model, then by set
Level = Callable[[Replications], float]


def hopeful_look(confidence: float, count: int, maximum: int) -> float:
    """Return the confidence at which a case still undecided after `count` replications is abandoned.

    The interval is that of the maximum, less how far the mean may move until then.
    """
    from scipy.special import ndtri, stdtr

    last = t_quantile(maximum, last_look(confidence)) * math.sqrt(count / maximum)
    moved = float(ndtri(1 - GIVEN_UP)) * math.sqrt(1 - count / maximum)
    return max(0.0, 2 * float(stdtr(count - 1, last - moved)) - 1.0)


def simulate_by_verdict(
    asked: Reevaluation,
    items: Sequence[Item],
    predict: Callable[[Runs], Predicted],
    engine: str,
    simulate: Simulate,
    confidence: float,
) -> list[Replications]:
    """Return the replications of all points of a study by an engine: as many as its verdicts need.

    A point's replications double, from its minimum to its maximum, while one of its cases is undecided and
    may yet be decided. `predict` returns the answers of all models, also from runs; `simulate` runs the
    minimum number of replications, with intervals at a given confidence.
    """
    sets = asked.study.sets
    shown = {one.name: last_look(confidence) if one.by_verdict else confidence for one in sets}
    points = {(one.name, point.name): point.document for one in sets for point in one.points}
    wanted = {key: document["replications"]["minimum"] for key, document in points.items()}
    most = wanted | {
        (one.name, point.name): point.document["replications"]["maximum"]
        for one in sets
        for point in one.points
        if one.by_verdict
    }
    runs: dict[tuple[str, str, str], Replications] = {}

    def cases(
        level: Level, predicted: Predicted, *, by_itself: bool
    ) -> Iterator[tuple[list[Key], bool, bool]]:
        """Yield the points of each case and number, whether it is decided, and if only by all runs."""
        at_level = {
            key: run if "band" in run else _at(run, level(run), shown[key[0]]) for key, run in runs.items()
        }
        answers = [answer for one in sets for answer in set_answers(one, at_level, predicted, level)]
        judged = replace(asked, answers=Answers(answers, asked.again.source))
        for subject, decided, by_all in judged.decided(items, by_itself=by_itself):
            yield [(at.set.name, at.point.name) for at in subject.places], decided, by_all

    def hopeful(run: Replications) -> float:
        return hopeful_look(confidence, len(run["seeds"]), most[run["set"], run["point"]])

    look, more = 0, set(points)
    while more:
        for name, level in shown.items():
            asked_for = [
                _exactly(points[key], wanted[key]) for key in points if key[0] == name and key in more
            ]
            for run in simulate(asked_for, level):
                runs[name, run["point"], engine] = run
        look += 1
        predicted = predict(runs)
        now = cases(_always(early_look(confidence, look)), predicted, by_itself=False)
        # A case that is undecided alone remains undecided among others.
        later = cases(hopeful, predicted, by_itself=True)
        made = dict(wanted)
        for (keys, is_decided, by_all), (_, may_be, _) in zip(now, later, strict=True):
            if not is_decided and (may_be or by_all):
                # Equal numbers of replications pair: the points with the fewest catch up first.
                behind = [key for key in keys if made[key] < most[key]]
                count = 2 * min((made[key] for key in behind), default=0)
                for key in behind:
                    wanted[key] = max(wanted[key], min(count, most[key]))
        more = {key for key in points if wanted[key] > made[key]}
        print(f"look {look}: {len(more)} of {len(points)} points have more", file=sys.stderr, flush=True)
    return [runs[*key, engine] for key in points]


def _always(level: float) -> Level:
    return lambda _: level


def _exactly(point: PointDocument, count: int) -> PointDocument:
    return {**point, "replications": {**point["replications"], "minimum": count, "maximum": count}}


def _at(run: Replications, level: float, made: float) -> Replications:
    """Return replications with their intervals, `made` at one confidence, at another."""
    factor = t_quantile(len(run["seeds"]), level) / t_quantile(len(run["seeds"]), made)

    def stretched(one: MeanDistribution) -> MeanDistribution:
        def around(means: Sequence[float], ends: Sequence[float]) -> list[float]:
            return [mean + (end - mean) * factor for mean, end in zip(means, ends, strict=True)]

        probability, tail = one["probability"], above(one["probability"])
        return {
            **one,
            "ci_low": around(probability, one["ci_low"]),
            "ci_high": around(probability, one["ci_high"]),
            "above_ci_low": around(tail, one["above_ci_low"]),
            "above_ci_high": around(tail, one["above_ci_high"]),
        }

    return {
        **run,
        "metrics": {
            name: summary(metric["unit"], metric["values"], level, band=False)
            for name, metric in run["metrics"].items()
        },
        "distributions": {name: stretched(one) for name, one in run["distributions"].items()},
    }
