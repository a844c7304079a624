"""The swarm's settings, config/swarm.yaml: its space, its thresholds, and the known causes of differences."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le, Len
from pydantic import Field, model_validator

from tcpatlas.base.files import read_yaml
from tcpatlas.base.repository import TREE
from tcpatlas.base.validation import Model, Name, Number, Quantity, Text, Unique, problem, read

SETTINGS = Path("config/swarm.yaml")
METRICS = ("goodput", "queue_mean", "loss_ratio", "mark_ratio", "rtt_path_mean", "on_time", "fairness_index")
FEATURES = (
    "variants", "queue", "rate_mbit_per_s", "rtt_ms", "flows", "buffer_packets", "buffer_bdp", "loss", "ecn",
    "files", "groups", "rtt_ratio", "window", "packets_per_s_per_flow", "round_trips",
)  # fmt: skip
Share = Annotated[Number, Ge(0), Le(1)]
Some = Annotated[list[str], Unique, Len(1)]
Pair = Annotated[list[Number], Len(2, 2)]


Ends = Len(2, 2)
Rates = Annotated[list[Annotated[Decimal, Quantity("bit/s", "10 Mbit/s", ge=1000, le=1e10)]], Ends]
Times = Annotated[list[Annotated[Decimal, Quantity("s", "50 ms", gt=0, le=3600)]], Ends]
Losses = Annotated[list[Annotated[Decimal, Quantity("1", "1 %", gt=0, lt=1)]], Ends]
Files = Annotated[list[Annotated[Decimal, Quantity("packet", "100 packets", ge=1, le=1e6)]], Ends]


class Shares(Model):
    """The shares of points that have random losses, ECN, files in place of endless transfers, and groups."""

    loss: Share = 0
    ecn: Share = 0
    files: Share = 0
    groups: Share = 0


class Space(Model):
    """What points are drawn from: the least and the largest of each range."""

    variants: Some
    queues: Some
    rate: Rates
    rtt: Times
    flows: Annotated[list[Annotated[int, Ge(1), Le(10000)]], Len(2, 2)]
    buffer_bdp: Annotated[list[Annotated[Number, Gt(0), Le(1000)]], Len(2, 2)]
    loss: Losses = Field(default_factory=lambda: [Decimal("1e-4"), Decimal("0.05")])
    file: Files = Field(default_factory=lambda: [Decimal(10)] * 2)
    pause: Times = Field(default_factory=lambda: [Decimal(1)] * 2)
    shares: Shares = Field(default_factory=Shares)

    @model_validator(mode="after")
    def _ordered(self) -> Space:
        for name in ("rate", "rtt", "flows", "buffer_bdp", "loss", "file", "pause"):
            least, most = getattr(self, name)
            if least > most:
                raise problem(f"{name}: {least:g} is more than {most:g}; the least one first")
        return self


class RunSize(Model):
    """The approximate packets of a replication, warm-up included, and how many there are."""

    packets: Annotated[int, Ge(1000), Le(10**9)]
    replications: Annotated[int, Ge(2), Le(100)]


class Fixed(RunSize):
    """A set of points drawn once by a seed."""

    seed: Annotated[int, Ge(0)]
    points: Annotated[int, Ge(1), Le(10000)]


class Cause(Model):
    """A known cause of differences: a predicate over points, the sizes measured there, and its page.

    `when`: by feature, the least and the largest number, or a list of words of which the point has one.
    """

    name: Name
    why: Text
    page: Text
    when: dict[str, Pair | Some | bool]
    sizes: Annotated[dict[str, Pair], Len(1)]

    @model_validator(mode="after")
    def _known(self) -> Cause:
        for name, known in ((self.when, FEATURES), (self.sizes, METRICS)):
            if unknown := name.keys() - set(known):
                raise problem(f"{min(unknown)!r} is unknown; one of: {', '.join(known)}")
        return self

    def holds(self, features: dict[str, Any]) -> bool:
        """Say whether the predicate is true of a point."""
        return all(_fits(features[name], wanted) for name, wanted in self.when.items())

    def explains(self, features: dict[str, Any], metric: str, size: float) -> bool:
        """Say whether the cause is at work at a point, and a difference as large as it makes."""
        low, high = self.sizes.get(metric, (1.0, -1.0))
        return low <= size <= high and self.holds(features)


class Settings(Model):
    """All of the file."""

    space: Space
    run: RunSize
    thresholds: dict[str, Annotated[Number, Gt(0)]]
    fixed: Fixed
    causes: list[Cause]


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return bool(value == wanted)
    if isinstance(wanted[0], str):
        return not {value, *(value if isinstance(value, tuple) else ())}.isdisjoint(wanted)
    return bool(wanted[0] <= value <= wanted[1])


def settings() -> Settings:
    """Return the swarm's settings; ConfigError for what is wrong in them."""
    return read(Settings, read_yaml(TREE / SETTINGS, SETTINGS), SETTINGS)


def space_of(file: str) -> Space:
    """Return the space that a file describes, in the form of the settings' `space`."""
    return read(Space, read_yaml(Path(file), file), file)
