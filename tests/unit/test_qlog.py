"""Traces as qlog: accepted by a reader of the drafts, the same bytes each time."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from qlog_reader import read_sqlog
from tcpatlas.runs.qlog import qlog


def course(*pairs: tuple[float, float]) -> dict[str, list[float]]:
    return {"time_s": [at for at, _ in pairs], "value": [value for _, value in pairs]}


def test_windows_and_losses_are_events_in_order_of_time() -> None:
    """What changes at one instant is one event, in bytes; a threshold without bound is none."""
    traces = {
        "window": course((0, 10), (0.5, 20), (1.0, 10)),
        "ssthresh": course((0, 2**31 - 1), (1.0, 10)),
        "sent_again": course((0.75, 7), (1.0, 8)),
        "timeout": course((1.0, 8)),
    }
    text = qlog(traces, 1500, "one flow")
    assert text == qlog(traces, 1500, "one flow")
    head, events = read_sqlog(text)
    assert head["title"] == "one flow"
    assert [(each["time"], each["name"].partition(":")[2], each["data"]) for each in events] == [
        (0, "recovery_metrics_updated", {"congestion_window": 15000}),
        (500, "recovery_metrics_updated", {"congestion_window": 30000}),
        (750, "packet_lost", {"header": {"packet_type": "1RTT", "packet_number": 7}}),
        (
            1000,
            "packet_lost",
            {"header": {"packet_type": "1RTT", "packet_number": 8}, "trigger": "pto_expired"},
        ),
        (1000, "recovery_metrics_updated", {"congestion_window": 15000, "ssthresh": 15000}),
    ]


def test_groups_are_told_apart() -> None:
    """By `group_id`, in one order of time."""
    traces = {"window[near]": course((0, 1), (2, 2)), "window[far]": course((1, 3))}
    _, events = read_sqlog(qlog(traces, 1000, ""))
    assert [event["group_id"] for event in events] == ["near", "far", "near"]
