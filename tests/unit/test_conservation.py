"""Users cannot receive more than the link carries: no verdict hangs on runs that say they do."""

from typing import Any

import pytest
from dumbbell import dumbbell
from handmade import Results

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.source import Source
from tcpatlas.base.statistics import summary
from tcpatlas.claims.conservation import excess
from tcpatlas.points.types import Point, ScenarioSet

# Baccelli, Hong and Liu (2001), case 1: 7,500 users share 100 Mbit/s. With 50 packets of 1500 B every 30 s of
# thinking each, they would need 15 s for a download to fill the loop.
FILES = {"file_size": {"mean_packets": 50}, "off_time": {"mean_s": 30}}
LOOP = {
    "kind": "local-loop",
    "packet_bytes": 1500,
    "sources": [{"count": 7500, "workload": {"kind": "http", **FILES}}],
    "stations": [{"rate_bit_per_s": 1e9}, {"rate_bit_per_s": 1e8, "queue": "fair-shared"}],
    "fixed_point": {"scheme": "exact"},
}
OVER = "users would receive 102.1 Mbit/s over a link of 100 Mbit/s"


def excess_of(document: dict[str, Any], **metrics: list[float]) -> str:
    of_runs = {name: summary("1", values, 0.95, band=False) for name, values in metrics.items()}
    point = Point("s", "a", "p", {"parameters": {}, **document}, 0)
    one = ScenarioSet("s", "a", "", {"packetsim": 1}, (), (point,))
    return excess(Answer(Source("simulation", "packetsim"), one, point, of_runs, 3))


@pytest.mark.parametrize(
    ("on_times", "reason"),
    [
        ([14.0, 14.1, 14.14], OVER),  # 7500 * 600 kbit / 44.08 s = 102.09 Mbit/s
        ([14.08], OVER),
        ([13.0, 14.0, 15.24], ""),  # as many, but known to 2.5 Mbit/s
        ([14.9, 15.0, 15.1], ""),
        ([14.8, 14.8, 14.81], ""),  # 0.4 % more: under way at the ends of the run
    ],
)
def test_downloads_of_all_users_fill_no_more_than_the_loop(on_times: list[float], reason: str) -> None:
    assert excess_of(LOOP, on_time=on_times).partition(":")[0] == reason
    # Cross flows of a fixed point are no users: what is too much of theirs is a finding.
    assert excess_of(LOOP | {"fixed_point": {"scheme": "2"}}, on_time=on_times) == ""


def test_what_was_drawn_counts() -> None:
    """2.09 % more than there is come of bursts that are 3 % longer, or of think times that are shorter."""
    on_times = [14.0, 14.1, 14.14]
    assert excess_of(LOOP, on_time=on_times, burst_error=[-0.03] * 3) == ""
    assert excess_of(LOOP, on_time=on_times, think_time_error=[0.05] * 3) == ""
    assert excess_of(LOOP, on_time=on_times, file_size_mean=[48.0] * 3) == ""
    assert excess_of(LOOP, on_time=[15.0] * 3, file_size_mean=[51.0, 51.0, 51.1]) != ""


def test_goodput_is_no_more_than_the_bottleneck() -> None:
    """10 Mbit/s are 833 packets of 1500 B a second."""
    link = dumbbell(10e6, 100, {}, delays=(0, 0, 0, 0.1))
    assert excess_of(link, goodput=[830.0, 833.3]) == ""
    assert excess_of(link, goodput=[850.0, 851.0]) != ""
    faster = {**link["links"]["bottleneck"], "rate_steps": [{"at_s": 1, "rate_bit_per_s": 20e6}]}
    steps = link | {"links": {**link["links"], "bottleneck": faster}}
    assert excess_of(steps, goodput=[850.0, 851.0]) == ""


def test_sentences_and_numbers_are_refused_with_the_reason(results: Results) -> None:
    results.more = {"goodput": 1e5}
    bound = {"metric": "goodput_per_connection", "predicate": "at most", "bound": "600 kbit/s"}
    bound |= {"tolerance": "0 kbit/s"}
    simulated, _, predicted, _ = results.statements(bound, bound | {"kind": "model"})
    assert (simulated["verdict"], predicted["verdict"]) == ("undecided", "holds")
    assert simulated["reason"].startswith("users would receive 1200 Mbit/s over a link of 10 Mbit/s")
    numbers = {row["verdict"] for row in results.table("claims") if row["kind"] == "simulation"}
    assert numbers == {"undecided"}
