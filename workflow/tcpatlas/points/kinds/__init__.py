"""Kinds of points: each is a module that owns its base, its points, stop rules, probes and costs."""

from collections.abc import Mapping
from decimal import Decimal
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any, Protocol

from tcpatlas.base.validation import Model
from tcpatlas.points.kinds import dumbbell, local_loop
from tcpatlas.points.parts.sample import Sample


class Kind(Protocol):
    """The functions of a kind's module."""

    @property
    def Base(self) -> type[Model]:  # noqa: N802
        """The `base` of a scenario, which has a default for `kind`."""

    @property
    def Point(self) -> type[Model]:  # noqa: N802
        """The keys of a point, without those that place it in a set."""

    @property
    def ALTERNATIVES(self) -> Mapping[str, str]:  # noqa: N802
        """Alternative paths of a base for the same quantity."""

    @property
    def SEARCHED(self) -> Mapping[str, str]:  # noqa: N802
        """Paths of the parameters that `ask --find` searches, by what people call them."""

    @property
    def SHORT_RUN(self) -> int:  # noqa: N802
        """Packets in a run of `ask`: enough for rare losses, few enough to answer at once."""

    def point_fields(self, base: Any, factor: Decimal) -> Model:
        """Return the fields of a point whose run is `factor` times as long; raises PointError."""

    def packets(self, point: Mapping[str, Any]) -> float:
        """Return the approximate number of packets in a run."""

    def shortened(self, point: Mapping[str, Any], factor: float) -> dict[str, Any]:
        """Return the point with its run shortened by a factor."""

    def shortest(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """Return the point with the shortest meaningful run."""

    def sample(self, point: Mapping[str, Any]) -> Sample:
        """Return the length and the replications of a run in the cross-check of engines."""

    def capacity(self, point: Mapping[str, Any]) -> float:
        """Return an upper bound on the rate of all sources together, in bit/s; inf if unbounded."""

    def is_random(self, point: Mapping[str, Any]) -> bool:
        """Say whether a run is random beyond its start."""


KINDS: Mapping[str, Kind] = MappingProxyType({"dumbbell": dumbbell, "local-loop": local_loop})
DEFAULT = "dumbbell"
# The `base` of a scenario: of any kind.
ANY_BASE: Any = reduce(or_, (kind.Base for kind in KINDS.values()))


def of(point: Mapping[str, Any]) -> Kind:
    """Return the kind of a point."""
    return KINDS[point["kind"]]
