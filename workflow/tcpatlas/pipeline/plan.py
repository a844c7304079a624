"""Estimates the cost of a run before it starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpatlas.base.files import read_csv_rows
from tcpatlas.config.project import Project
from tcpatlas.points import kinds
from tcpatlas.points.engines import all_engines, why_left_out
from tcpatlas.points.types import ScenarioSet

_PAGES = ("explore.html", "report.pdf", "lab.html")


@dataclass(frozen=True)
class Cost:
    """Runs, packets, and seconds of one core."""

    runs: int = 0
    packets: float = 0
    seconds: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.runs + other.runs, self.packets + other.packets, self.seconds + other.seconds)


def engine_cost(scenario_set: ScenarioSet, engine: str, bound: str) -> Cost:
    """Return the cost of a set's points with one engine, at the "minimum" or "maximum" of replications.

    An engine with shorter runs makes the minimum of replications.
    """
    length = scenario_set.engines[engine]
    documents = [point.document for point in scenario_set.points]
    if length < 1 and not scenario_set.by_verdict:
        bound = "minimum"
    counts = [document["replications"][bound] for document in documents]
    packets = [
        length * count * kinds.of(one).packets(one) for count, one in zip(counts, documents, strict=True)
    ]
    cost = all_engines()[engine].cost
    seconds = sum(map(cost.seconds, documents, packets, counts))
    return Cost(sum(counts), sum(packets), seconds)


def ended(results: Path) -> str:
    """Return what results are there, for the end of a run's log: the counts of numbers, the pages to open."""
    claims, lines = results / "claims.csv", []
    if claims.is_file():
        verdicts = Counter(row["verdict"] for row in read_csv_rows(claims) if row["counted"] == "true")
        counted = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common())
        lines += [f"{claims}: {verdicts.total():,} printed numbers: {counted}"] if verdicts else []
    pages = [str(results / name) for name in _PAGES if (results / name).is_file()]
    return "\n".join([*lines, *([f"Open {' '.join(pages)}"] if pages else [])])


def plan(project: Project, cores: int) -> str:
    """Return a short table of points, runs, expected packets and time, per set and in total.

    Spans go from the least to the largest number of replications; models cost next to nothing.
    """

    def cost_of(one: ScenarioSet, bound: str) -> Cost:
        return sum((engine_cost(one, engine, bound) for engine in one.engines), start=Cost())

    def row(name: str, points: int, costs: Sequence[Cost]) -> tuple[str, ...]:
        return (
            name,
            str(points),
            _span(*(str(cost.runs) for cost in costs)),
            _span(*(_millions(cost.packets) for cost in costs)),
            _span(*(_duration(cost.seconds / cores) for cost in costs)),
        )

    header = ("set", "points", "runs", "million packets", f"time on {cores} core{'s' if cores > 1 else ''}")
    costs = [[cost_of(one, bound) for bound in ("minimum", "maximum")] for one in project.sets]
    rows = [
        header,
        *(row(one.full_name, len(one.points), spans) for one, spans in zip(project.sets, costs, strict=True)),
        row("all", len(project.points), [sum(each, start=Cost()) for each in zip(*costs, strict=True)]),
    ]
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = [
        "  ".join(
            [name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))]
        )
        for name, *cells in rows
    ]
    title = f"Scale {project.scale}; the time is an estimate from the speed of each engine."
    left_out = dict.fromkeys(
        why_left_out(engine) for scenario_set in project.sets for engine in scenario_set.left_out
    )
    unable = (_unable(scenario_set) for scenario_set in project.sets if scenario_set.unable)
    return "\n".join([title, *lines, *left_out, *unable])


def _unable(one: ScenarioSet) -> str:
    """Return the models that do not answer a set, with the reasons by the key that each refuses."""
    by_key: dict[str, list[str]] = {}
    for model, reason in one.unable.items():
        by_key.setdefault(reason.partition(": ")[0], []).append(model)
    reasons = ", ".join(f"{' and '.join(models)} ({key})" for key, models in by_key.items())
    return f"{one.full_name}: not answered by {reasons}"


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _millions(packets: float) -> str:
    return f"{packets / 1e6:.3g}" if packets < 1e9 else f"{packets / 1e6:.0f}"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
