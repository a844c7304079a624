"""A reader of qlog files, written from draft-ietf-quic-qlog-main-schema and -quic-events alone."""

import json
import numbers
from typing import Any

_EVENTS = "urn:ietf:params:qlog:events:quic"
# Fields of event data (CDDL of quic-events), and whether their numbers are whole.
_METRICS = {"min_rtt": False, "smoothed_rtt": False, "latest_rtt": False, "rtt_variance": False,
            "pto_count": True, "congestion_window": True, "bytes_in_flight": True, "ssthresh": True,
            "packets_in_flight": True, "pacing_rate": True}  # fmt: skip
_TRIGGERS = {"reordering_threshold", "time_threshold", "pto_expired"}


def read_sqlog(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the header and the events of a QlogFileSeq; AssertionError for what breaks the schema."""
    # RFC 7464: each text follows a record separator and ends with a line feed.
    empty, *records = text.split("\x1e")
    assert empty == ""
    assert all(record.endswith("\n") for record in records)
    head, *events = (json.loads(record) for record in records)
    assert head["file_schema"] == "urn:ietf:params:qlog:file:sequential"
    assert head["serialization_format"] == "application/qlog+json-seq"
    trace = head["trace"]
    assert _EVENTS in trace["event_schemas"]
    assert trace["vantage_point"]["type"] in {"client", "server", "network", "unknown"}
    common = trace["common_fields"]
    assert common["time_format"] == "relative_to_epoch"
    clock = common["reference_time"]
    assert clock["clock_type"] != "monotonic" or clock["epoch"] == "unknown"
    before = 0.0
    for event in events:
        assert set(event) <= {"time", "name", "data", "tuple", "time_format", "group_id", "system_info"}
        assert isinstance(event["time"], int | float)
        assert event["time"] >= before
        before = event["time"]
        space, _, kind = event["name"].partition(":")
        assert space == "quic"
        _CHECKS[kind](event["data"])
    return head, events


def _metrics(data: dict[str, Any]) -> None:
    assert data
    for name, value in data.items():
        assert isinstance(value, numbers.Integral if _METRICS[name] else numbers.Real)
        assert 0 <= value < 2**64


def _lost(data: dict[str, Any]) -> None:
    assert set(data) <= {"header", "frames", "is_mtu_probe_packet", "trigger"}
    assert data.get("trigger", "pto_expired") in _TRIGGERS
    assert data["header"]["packet_type"] == "1RTT"
    assert 0 <= data["header"]["packet_number"] < 2**62


_CHECKS = {"recovery_metrics_updated": _metrics, "packet_lost": _lost}
