"""The course of the congestion window: of one run from its start, as CSV, qlog or a picture."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tcpatlas.ask import path
from tcpatlas.ask.plot import draw
from tcpatlas.ask.question import Question
from tcpatlas.ask.simulation import one_run
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import to_csv, write_if_changed
from tcpatlas.points.kinds.dumbbell_runs import packet_time
from tcpatlas.runs.qlog import SUFFIX, logged, qlog

FORMATS = (".csv", ".svg", ".pdf", ".png", SUFFIX)
_COLUMNS = ("time_s", "group", "cwnd_packets")
# Cycles of the window to show, unless they take more packets than these.
_CYCLES, _SHORTEST, _MOST_PACKETS = 5, 20.0, 20_000_000


def trace(question: Question, out: Path, folder: Path) -> None:
    """Write the window of the first source of each group, at each change; raises AtlasError if it fails."""
    if len(question.points) > 1:
        raise AtlasError(f"--trace: of one network; {question.file} has {len(question.points)} points")
    point = question.points[0].document
    if point["kind"] != "dumbbell":
        raise AtlasError(f"--trace: of a dumbbell; {question.file} is a {point['kind']}")
    longest = _MOST_PACKETS * packet_time(point)
    seconds = max(_SHORTEST, min(_CYCLES * path.cycle(point), longest))
    stop = {"duration_s": seconds, "warmup_s": 0.0}
    asked = {**point, "stop": stop, "probes": [{"kind": "window-trace"}]}
    if out.suffix == SUFFIX:
        traces = one_run(question.engine, logged(question.engine, asked), folder)
        write_if_changed(out, qlog(traces, point["packet_bytes"], question.title))
        return
    traces = one_run(question.engine, asked, folder)
    rows = list(_rows(traces, seconds))
    if out.suffix == ".csv":
        write_if_changed(out, to_csv(_COLUMNS, rows))
    else:
        draw(question.title, to_csv(_COLUMNS, rows), out, "--trace")


def _rows(traces: Mapping[str, Any], seconds: float) -> Iterator[dict[str, Any]]:
    for name, course in traces.items():
        group = name.partition("[")[2].removesuffix("]")
        for at, window in zip(course["time_s"], course["value"], strict=True):
            if at <= seconds:
                yield {"time_s": at, "group": group, "cwnd_packets": window}
