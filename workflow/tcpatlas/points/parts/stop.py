"""Stop rules of a run: a warm-up and a measured part, or a whole transfer."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from annotated_types import Ge, Le
from pydantic import GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema

from tcpatlas.base.validation import Model, Quantity, problem, si_names

# The least meaningful connections, or packets of a transfer; a scenario that asks for less keeps its length.
SHORTEST_RUN = 100
WARMUP_SHARE = 100
# A bulk transfer's window needs seconds to become periodic.
SHORTEST_DURATION = Decimal(20)
WARMUP_SHARE_OF_TIME = 10
# Packets sent by all sources; the warm-up takes a tenth more.
SHORTEST_SENT = 10000
# For `packets`: warm-up connections of each source, and the minimum measured.
WARMUP_CONNECTIONS = 3
MEASURED_CONNECTIONS = 10
# The first loss event ends slow start; after the second a connection no longer depends on it.
WARMUP_LOSS_EVENTS = 2
# Each rule with its warm-up in a point; a transfer has none.
RULES: Mapping[str, str | None] = {
    "connections": "warmup_connections",
    "loss_events": "warmup_loss_events",
    "duration": "warmup",
    "transfer": None,
    "packets": "warmup_packets",
}

_Count = Annotated[int, Ge(1), Le(10**12)]
_Warmup = Annotated[int, Ge(0), Le(10**12)]


class Stop(Model):
    """Exactly one rule: connections, loss events, a duration, one transfer, or packets that are sent.

    The warm-up is chosen for each point; a scenario may give it only for a duration, where a window may need
    more than a tenth of it to forget its start, and for `packets`. For on-off sources `packets` becomes the
    number of connections that send about that many, at least MEASURED_CONNECTIONS of each source after
    WARMUP_CONNECTIONS, unless `warmup_packets` is given too: points with different mean file sizes then cost
    the same.
    """

    connections: _Count | None = None
    warmup_connections: _Warmup | None = None
    loss_events: _Count | None = None
    warmup_loss_events: _Warmup | None = None
    duration: Annotated[Decimal, Quantity("s", "600 s", gt=0, le=1000000)] | None = None
    warmup: Annotated[Decimal, Quantity("s", "60 s", ge=0, le=1000000)] | None = None
    transfer: Annotated[Decimal, Quantity("packet", "5000 packets", ge=1, le=1e9, whole=True)] | None = None
    packets: Annotated[Decimal, Quantity("packet", "50000 packets", ge=1, le=1e12, whole=True)] | None = None
    warmup_packets: (
        Annotated[Decimal, Quantity("packet", "50000 packets", ge=0, le=1e12, whole=True)] | None
    ) = None

    @model_validator(mode="after")
    def _one(self) -> Stop:
        rules = [name for name in RULES if getattr(self, name) is not None]
        if not rules:
            raise problem("is empty; at least one is needed")
        if len(rules) > 1:
            raise problem(f"has too many entries; at most 1 of {', '.join(RULES)}")
        others = self.model_fields_set - {rules[0], RULES[rules[0]]}
        if others:
            raise problem(f"has {min(others)} beside {rules[0]}; its own warm-up at most")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = super().__get_pydantic_json_schema__(core, handler)
        if handler.mode == "serialization":
            names = si_names(cls)
            rules = ([names[key] for key in (rule, warmup) if key] for rule, warmup in RULES.items())
            schema["oneOf"] = [
                {"required": keys, "properties": {name: False for name in names.values() if name not in keys}}
                for keys in rules
            ]
        return schema

    def scaled(self, factor: Decimal, sources: int, mean_file_size: float) -> Stop:
        """Return the rule of a run `factor` times as long, but not meaninglessly short.

        `mean_file_size` is of all sources that send files, in packets; without any on-off source `sources`
        is 0, and packets are counted themselves.
        """
        if self.packets is not None and (sources == 0 or self.warmup_packets is not None):
            sent = max(round(self.packets * factor), min(int(self.packets), SHORTEST_SENT))
            warmup = (
                self.packets / WARMUP_SHARE_OF_TIME if self.warmup_packets is None else self.warmup_packets
            )
            return Stop(packets=Decimal(sent), warmup_packets=Decimal(round(sent * warmup / self.packets)))
        if self.packets is not None:
            connections = round(float(self.packets * factor) / mean_file_size)
            return Stop(**on_off_rule(connections, sources))
        if self.duration is not None:
            duration = max(self.duration * factor, min(self.duration, SHORTEST_DURATION))
            longest_warmup = self.duration / WARMUP_SHARE_OF_TIME if self.warmup is None else self.warmup
            warmup = duration * longest_warmup / self.duration
            return Stop(duration=duration, warmup=warmup)
        if self.loss_events is not None:
            events = max(round(self.loss_events * factor), 1)
            return Stop(loss_events=events, warmup_loss_events=WARMUP_LOSS_EVENTS)
        if self.transfer is not None:
            return Stop(
                transfer=Decimal(max(round(self.transfer * factor), min(int(self.transfer), SHORTEST_RUN)))
            )
        assert self.connections is not None
        connections = max(round(self.connections * factor), min(self.connections, SHORTEST_RUN))
        return Stop(connections=connections, warmup_connections=connections // WARMUP_SHARE)


def on_off_rule(connections: int, sources: int) -> dict[str, Any]:
    """Return the rule for a number of connections, at least MEASURED_CONNECTIONS of each source."""
    return {
        "connections": max(connections, MEASURED_CONNECTIONS * sources),
        "warmup_connections": WARMUP_CONNECTIONS * sources,
    }


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
    elif "packets" in stop:
        least = SHORTEST_SENT / stop["packets"]
    else:
        least = SHORTEST_RUN / (stop.get("transfer_packets") or stop["connections"])
    return shortened(stop, min(least, 1))
