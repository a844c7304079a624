"""Stop rules of a run: connections, loss events or seconds after a warm-up, or a whole bulk transfer."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, NotRequired

from annotated_types import Ge, Gt, Le
from pydantic import model_validator, with_config
from typing_extensions import TypedDict

from tcpatlas.base.units import plain
from tcpatlas.base.validation import CLOSED, Model, Number, Quantity, problem

# Fewer connections, or packets of a transfer, say nothing at all; a scenario that asks for less keeps its own
# length.
SHORTEST_RUN = 100
WARMUP_SHARE = 100
# A bulk transfer's window goes up and down for seconds before it repeats itself.
SHORTEST_DURATION = Decimal(20)
WARMUP_SHARE_OF_TIME = 10
# Of `packets`: connections of each source until it has forgotten how it started, and the least measured.
WARMUP_CONNECTIONS = 3
MEASURED_CONNECTIONS = 10
# The first ends slow start; after the second a connection has forgotten it.
WARMUP_LOSS_EVENTS = 2


class Stop(Model):
    """Exactly one rule: connections of on-off sources, a duration, or loss events or the end of a transfer.

    `transfer` is the transfer's length; nothing of it is warm-up. `packets` are as many connections of on-off
    sources as send about so many packets, at least MEASURED_CONNECTIONS of each source after
    WARMUP_CONNECTIONS: where points differ in mean file size, it makes them cost the same.
    """

    connections: Annotated[int, Ge(1), Le(10**12)] | None = None
    loss_events: Annotated[int, Ge(1), Le(10**9)] | None = None
    duration: Annotated[Decimal, Quantity("s", "600 s", gt=0, le=1000000)] | None = None
    transfer: Annotated[Decimal, Quantity("packet", "5000 packets", ge=1, le=1e9, whole=True)] | None = None
    packets: Annotated[Decimal, Quantity("packet", "50000 packets", ge=1, le=1e12)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Stop:
        given = len(self.model_fields_set)
        if given == 0:
            raise problem("is empty; at least one is needed")
        if given > 1:
            raise problem(f"has too many entries; at most 1 of {', '.join(type(self).model_fields)}")
        return self

    def scaled(self, factor: Decimal, sources: int, mean_file_size: float) -> dict[str, Any]:
        """Return the rule of a point whose run is so many times as long, but not meaninglessly short.

        `mean_file_size` is of all on-off sources, in packets.
        """
        if self.packets is not None:
            connections = round(float(self.packets * factor) / mean_file_size)
            return on_off_rule(connections, sources)
        if self.duration is not None:
            duration = max(self.duration * factor, min(self.duration, SHORTEST_DURATION))
            return {"duration_s": plain(duration), "warmup_s": plain(duration / WARMUP_SHARE_OF_TIME)}
        if self.loss_events is not None:
            events = max(round(self.loss_events * factor), 1)
            return {"loss_events": events, "warmup_loss_events": WARMUP_LOSS_EVENTS}
        if self.transfer is not None:
            packets = int(self.transfer)
            return {"transfer_packets": max(round(packets * factor), min(packets, SHORTEST_RUN))}
        assert self.connections is not None
        connections = max(round(self.connections * factor), min(self.connections, SHORTEST_RUN))
        return {"connections": connections, "warmup_connections": connections // WARMUP_SHARE}


def on_off_rule(connections: int, sources: int) -> dict[str, Any]:
    """Return the rule of so many connections, at least MEASURED_CONNECTIONS of each source."""
    return {
        "connections": max(connections, MEASURED_CONNECTIONS * sources),
        "warmup_connections": WARMUP_CONNECTIONS * sources,
    }


@with_config(CLOSED)
class PointStop(TypedDict):
    """A stop rule in a point: what is measured, and the warm-up before it."""

    connections: NotRequired[Annotated[int, Ge(1), Le(10**12)]]
    warmup_connections: NotRequired[Annotated[int, Ge(0), Le(10**12)]]
    loss_events: NotRequired[Annotated[int, Ge(1), Le(10**12)]]
    warmup_loss_events: NotRequired[Annotated[int, Ge(0), Le(10**12)]]
    duration_s: NotRequired[Annotated[Number, Gt(0), Le(1000000)]]
    warmup_s: NotRequired[Annotated[Number, Ge(0), Le(1000000)]]
    transfer_packets: NotRequired[Annotated[int, Ge(1), Le(10**9)]]


def shortened(stop: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return the rule of a shorter run: a number stays at least 1, a warm-up of none stays none."""
    return {
        key: max(round(value * factor), min(value, 1)) if isinstance(value, int) else value * factor
        for key, value in stop.items()
    }


def shortest(stop: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule of the shortest meaningful run."""
    if "duration_s" in stop:
        least = float(SHORTEST_DURATION) / stop["duration_s"]
    elif "loss_events" in stop:
        least = 1 / stop["loss_events"]
    else:
        least = SHORTEST_RUN / (stop.get("transfer_packets") or stop["connections"])
    return shortened(stop, min(least, 1))
