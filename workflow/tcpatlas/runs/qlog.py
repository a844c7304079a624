"""Traces of a run as qlog (draft-ietf-quic-qlog-main-schema, -quic-events), by JSON text sequences."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tcpatlas.points.engines import taken

# The name that such a file has (main schema, on JSON text sequences).
SUFFIX = ".sqlog"
_PROBES = ("window-trace", "recovery-trace")
_UNBOUNDED = 2**31 - 1
_NANOSECONDS = 6


def logged(engine: str, point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a point that asks for all traces that an engine has of those in a log, and for what it asks."""
    had = taken(engine, "probes.kind", {**point, "sources": point["sources"][0]})
    wanted = [{"kind": kind} for kind in _PROBES if kind in had]
    return {**point, "probes": [*(each for each in point["probes"] if each not in wanted), *wanted]}


def qlog(traces: Mapping[str, Mapping[str, Any]], packet_bytes: int, title: str) -> str:
    """Return the windows of the first source of each group; the same traces give the same bytes.

    Where a run has the trace `sent_again`, a packet is lost when it is sent again: its number is that of the
    data, as TCP has it; QUIC's are never used twice. Of several groups an event's `group_id` is the name.
    """
    head = {
        "file_schema": "urn:ietf:params:qlog:file:sequential",
        "serialization_format": "application/qlog+json-seq",
        "title": title,
        "trace": {
            "common_fields": {
                "time_format": "relative_to_epoch",
                "reference_time": {"clock_type": "monotonic", "epoch": "unknown"},
            },
            "vantage_point": {"name": "sender", "type": "server"},
            "event_schemas": ["urn:ietf:params:qlog:events:quic"],
        },
    }
    groups = [name.removeprefix("window") for name in traces if name.partition("[")[0] == "window"]
    events = [event for group in groups for event in _events(traces, group, packet_bytes)]
    # Sorted by time alone: what happens at one instant stays in its order.
    events.sort(key=lambda event: float(event["time"]))
    return "".join(f"\x1e{json.dumps(each, separators=(',', ':'))}\n" for each in (head, *events))


def _events(
    traces: Mapping[str, Mapping[str, Any]], group: str, packet_bytes: int
) -> Iterator[dict[str, Any]]:
    metrics: dict[float, dict[str, int]] = {}
    for name, key in (("window", "congestion_window"), ("ssthresh", "ssthresh")):
        for at, packets in _course(traces, name + group):
            if packets < _UNBOUNDED:
                metrics.setdefault(at, {})[key] = int(packets) * packet_bytes
    timeouts = {at for at, _ in _course(traces, "timeout" + group)}
    of = {"group_id": group.strip("[]")} if group else {}
    for at, packet in _course(traces, "sent_again" + group):
        data: dict[str, Any] = {"header": {"packet_type": "1RTT", "packet_number": int(packet)}}
        if at in timeouts:
            data["trigger"] = "pto_expired"
        yield {"time": at, "name": "quic:packet_lost", **of, "data": data}
    for at, changed in metrics.items():
        yield {"time": at, "name": "quic:recovery_metrics_updated", **of, "data": changed}


def _course(traces: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[tuple[float, float]]:
    """Yield times in ms and values."""
    course = traces.get(name, {"time_s": [], "value": []})
    for at, value in zip(course["time_s"], course["value"], strict=True):
        yield round(1000 * at, _NANOSECONDS), value
