"""What a run will cost, told before it starts."""

from __future__ import annotations

from tcpatlas.project import Point, Project, ScenarioSet


def packets(scenario_set: ScenarioSet) -> float:
    """Return how many packets one replication of all points takes."""
    return len(scenario_set.engines) * sum(map(point_packets, scenario_set.points))


def point_packets(one: Point) -> float:
    """Return connections times mean file size, or loss events times the longest way from one to the next.

    The latter is 3/8 w^2 packets: one a round trip, from half of the window w that fills path and buffer.
    A duration takes as many as the bottleneck can carry.
    """
    point = one.document
    repeated = sum(point["stop"].values())
    if "duration_s" in point["stop"]:
        return float(repeated * point["links"]["bottleneck"]["rate_bit_per_s"] / 8 / point["packet_bytes"])
    if point["sources"]["workload"]["kind"] == "on-off":
        return float(repeated * point["sources"]["workload"]["file_size"]["mean_packets"])
    links = point["links"]
    propagation = point["return_delay_s"] + sum(link["delay_s"] for link in links.values())
    path = propagation * links["bottleneck"]["rate_bit_per_s"] / 8 / point["packet_bytes"]
    return float(repeated * 3 / 8 * (path + links["bottleneck"]["buffer_packets"]) ** 2)


def plan(project: Project, cores: int) -> str:
    """Return a short table of points, runs, expected packets and time, per set and in total.

    Spans go from the least to the largest number of replications; models cost next to nothing.
    """
    rate = project.config["cost"]["packets_per_core_second"]

    def row(name: str, sets: tuple[ScenarioSet, ...]) -> tuple[str, ...]:
        runs, cost = [], []
        for bound in ("minimum", "maximum"):
            replications = [one.points[0].document["replications"][bound] for one in sets]
            jobs = [len(one.points) * len(one.engines) for one in sets]
            runs.append(sum(n * count for n, count in zip(replications, jobs, strict=True)))
            cost.append(sum(n * packets(one) for n, one in zip(replications, sets, strict=True)))
        return (
            name,
            str(sum(len(one.points) for one in sets)),
            _span(*map(str, runs)),
            _span(*map(_millions, cost)),
            _span(*(_duration(number / rate / cores) for number in cost)),
        )

    header = ("set", "points", "runs", "million packets", f"time on {cores} core{'s' if cores > 1 else ''}")
    rows = [header, *(row(one.full_name, (one,)) for one in project.sets), row("all", project.sets)]
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = [
        "  ".join(
            [name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))]
        )
        for name, *cells in rows
    ]
    title = f"Scale {project.scale}, reckoned with {rate / 1e6:g} million packets per core-second."
    return "\n".join([title, *lines])


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
