"""Conservation: users cannot receive more than the link carries.

Means over completed downloads omit those in progress at the end of a run, which are the long ones: in too
short a run the users seem faster than the link. N users with files of B bits receive
N B / (T_on + T_off) together, whatever the distributions.
"""

from collections.abc import Iterator, Sequence

from tcpatlas.answers.answer import Answer
from tcpatlas.base.statistics import t_interval
from tcpatlas.points import kinds
from tcpatlas.points.kinds.dumbbell_runs import goodput_bits

# The share of a run that downloads in progress at its ends may take (docs/decisions/reading-the-papers.md).
UNDER_WAY = 0.01


def excess(answer: Answer) -> str:
    """Return why runs are not in steady state; empty if users receive no more than the link carries.

    The interval of the replications decides, or the value of a single run.
    """
    capacity = kinds.of(answer.point.document).capacity(answer.point.document)
    most = capacity * (1 + UNDER_WAY)
    for received in _received(answer):
        mean = sum(received) / len(received)
        if mean > most and (len(received) < 2 or t_interval(received, answer.confidence).low > most):
            there = f"{mean / 1e6:.4g} Mbit/s over a link of {capacity / 1e6:.4g} Mbit/s"
            return f"users would receive {there}: downloads under way at the end of a run are left out"
    return ""


def _received(answer: Answer) -> Iterator[Sequence[float]]:
    """Yield what all users receive in each replication, in bit/s: counted, and from completed downloads."""
    document = answer.point.document
    bits, groups = 8 * document["packet_bytes"], document["sources"]
    sized = groups if any("packet_bytes" in group for group in groups) else []
    names = ("goodput", *(f"goodput[{group['name']}]" for group in sized))
    of_each = {name: values for name in names if (values := _values(answer, name))}
    if "goodput" in of_each:
        runs = zip(*of_each.values(), strict=False)
        yield [goodput_bits(document, dict(zip(of_each, run, strict=True))) for run in runs]
    on_times = _values(answer, "on_time")
    if len(groups) > 1 or "off_time" not in groups[0]["workload"] or not on_times:
        return
    workload, alike = groups[0]["workload"], [0.0] * len(on_times)
    drawn, idle = workload["file_size"]["mean_packets"], workload["off_time"]["mean_s"]
    sizes = _values(answer, "file_size_mean") or [
        drawn * (1 + error) for error in _values(answer, "burst_error") or alike
    ]
    off_times = [idle * (1 + error) for error in _values(answer, "think_time_error") or alike]
    if len(sizes) == len(off_times) == len(on_times):
        yield [
            groups[0]["count"] * size * bits / (on + off)
            for size, on, off in zip(sizes, on_times, off_times, strict=True)
        ]


def _values(answer: Answer, name: str) -> Sequence[float]:
    metric = answer.metrics.get(name)
    values: Sequence[float] = () if metric is None else metric.get("values", (metric["value"],))
    return values
