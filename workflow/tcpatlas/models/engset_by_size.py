"""The TCP-modified Engset model with the mean of ON_0 over all file sizes (Zaragoza 2014, section 4.2).

The paper takes ON_0 of a file of mean size F, and h_0 = F P / ON_0. Rounds do not grow in proportion to the
size, so this is not the mean duration of a connection alone on its path: here it is, to tell how much of the
model's error comes from there. All else is as in `engset`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models._points import only_group
from tcpatlas.models.engset import check, setting_of
from tcpatlas.models.engset.equations import IsolatedConnection, Setting, SharedLink
from tcpatlas.models.engset.slow_start import isolated_flights
from tcpatlas.models.file_sizes import LONGEST, tail_of

# It tells where an error of `engset` comes from.
BY_NAME_ONLY = True


@dataclass(frozen=True)
class AverageConnection(IsolatedConnection):
    """A connection alone on its path whose ON_0 (seconds) is given."""

    on_time: float


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `isolated_on_time_by_size` (s) and `goodput_per_connection_by_size` (bit/s) of each point.

    Raises PointError as `check` does.
    """
    return [answer(_metrics(point)) for point in points]


def _metrics(point: Mapping[str, Any]) -> Metrics:
    setting = setting_of(point)
    size = only_group("engset_by_size", point)["workload"]["file_size"]
    on_time = mean_duration(tuple(sorted(size.items())), _Path.of(setting))
    rate = SharedLink(AverageConnection(setting, on_time)).mean.rate
    return {
        "isolated_on_time_by_size": ("s", on_time),
        "goodput_per_connection_by_size": ("bit/s", rate),
    }


@dataclass(frozen=True)
class _Path:
    """The parameters of ON_0 other than the file size: windows in packets, times in seconds."""

    rwnd: int
    initial_window: int
    rtt: float
    packet_time: float

    @classmethod
    def of(cls, setting: Setting) -> _Path:
        return cls(setting.rwnd, setting.initial_window, setting.rtt, setting.packet_time)

    def duration(self, packets: int) -> float:
        """Return ON_0 of a file (equation 2)."""
        flights = isolated_flights(packets, self.rwnd, self.rtt / self.packet_time, self.initial_window)
        return flights.rounds.duration(self.rtt, self.packet_time)

    @property
    def packet_gap(self) -> float:
        """The time that a further packet of a long file takes on average."""
        return max(self.rtt / self.rwnd, self.packet_time)


@cache  # the points of a curve differ in their sources alone
def mean_duration(file_size: tuple[tuple[str, Any], ...], path: _Path) -> float:
    """Return E[ON_0] in seconds over a size distribution, whose keys are a point's; sizes are whole packets.

    It is ON_0(1) + sum over k >= 1 of P(size > k) (ON_0(k + 1) - ON_0(k)), beyond LONGEST by the mean time of
    a packet.
    """
    tail = tail_of(dict(file_size))
    durations = [path.duration(packets) for packets in range(1, LONGEST + 1)]
    steps = (
        tail.at(packets + 0.5) * (longer - shorter)
        for packets, (shorter, longer) in enumerate(pairwise(durations), start=1)
    )
    return durations[0] + sum(steps) + path.packet_gap * tail.integral(LONGEST)


__all__ = ["check", "predict"]
