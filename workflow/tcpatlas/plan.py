"""What a run will cost, told before it starts."""

from __future__ import annotations

from dataclasses import dataclass

from tcpatlas.project import Project, ScenarioSet


@dataclass(frozen=True)
class Cost:
    """The simulations of a set, from the least to the largest number of replications."""

    name: str
    points: int
    runs: tuple[int, int]
    packets: tuple[float, float]


def set_cost(scenario_set: ScenarioSet) -> Cost:
    """Return what a set costs: connections times mean file size for every point, replication and engine."""
    engines = len(scenario_set.engines)
    runs, packets = [0, 0], [0.0, 0.0]
    for point in scenario_set.points:
        document = point.document
        connections = sum(document["stop"].values())
        size = document["sources"]["workload"]["file_size"]["mean_packets"]
        for index, bound in enumerate(("minimum", "maximum")):
            replications = engines * document["replications"][bound]
            runs[index] += replications
            packets[index] += replications * connections * size
    return Cost(
        scenario_set.full_name, len(scenario_set.points), (runs[0], runs[1]), (packets[0], packets[1])
    )


def plan(project: Project, cores: int) -> str:
    """Return a short table of points, runs, expected packets and time, per set and in total."""
    rate = project.config["cost"]["packets_per_core_second"]
    costs = [set_cost(scenario_set) for scenario_set in project.sets]
    total = Cost(
        "all",
        sum(cost.points for cost in costs),
        (sum(cost.runs[0] for cost in costs), sum(cost.runs[1] for cost in costs)),
        (sum(cost.packets[0] for cost in costs), sum(cost.packets[1] for cost in costs)),
    )
    header = ("set", "points", "runs", "million packets", f"time on {cores} core{'s' if cores > 1 else ''}")
    rows = [header]
    for cost in (*costs, total):
        seconds = [packets / rate / cores for packets in cost.packets]
        rows.append(
            (
                cost.name,
                str(cost.points),
                _span(str(cost.runs[0]), str(cost.runs[1])),
                _span(
                    *(
                        f"{packets / 1e6:.3g}" if packets < 1e9 else f"{packets / 1e6:.0f}"
                        for packets in cost.packets
                    )
                ),
                _span(*map(_duration, seconds)),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    title = f"Scale {project.scale}, reckoned with {rate / 1e6:g} million packets per core-second."
    return "\n".join([title, *lines])


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
