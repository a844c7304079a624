"""The equations of the TCP-modified Engset model (Zaragoza 2014, sections 4.1 to 4.3).

Up to s sources each get the rate h_0 of a connection alone on the path; more than s share the link equally.
The number of active sources is then a birth-death process, whose stationary distribution gives rate,
duration and utilisation. The queue is what stretches the duration beyond that of an isolated connection, and
decays exponentially.

Only means enter: the model sees no distribution of sizes or OFF times, no TCP variant, no retransmission.
Times are in seconds, rates in bit/s, sizes and queues in packets. Equation numbers are the paper's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tcpatlas.models.engset.birth_death import stationary_distribution
from tcpatlas.models.engset.slow_start import Flights, Rounds, isolated_flights, whole_part

# A probability below this is lost in the sum of all.
_ROUNDING = 1e-16


@dataclass(frozen=True)
class Setting:
    """On-off sources, each behind links of its own, over one multiplexing link."""

    sources: int
    file_size: float
    off_time: float
    packet_bits: int
    rtt: float
    capacity: float
    slowest_rate: float
    rwnd: int
    initial_window: int
    buffer: int

    @property
    def file_bits(self) -> float:
        """F P, the mean file in bits."""
        return self.file_size * self.packet_bits

    @property
    def packet_time(self) -> float:
        """Delta*, the transmission time of a packet on the slowest link."""
        return self.packet_bits / self.slowest_rate

    @property
    def bottleneck_packet_time(self) -> float:
        """Delta, the transmission time of a packet on the multiplexing link."""
        return self.packet_bits / self.capacity

    @property
    def path_packets(self) -> float:
        """beta* = RTT_0 / Delta*, what fills the slowest link for an empty round trip (section 3.3)."""
        return self.rtt / self.packet_time

    def flights(self, path_packets: float) -> Flights:
        """Return the flights of a file of mean size; a fraction of a packet takes a packet."""
        return isolated_flights(math.ceil(self.file_size), self.rwnd, path_packets, self.initial_window)

    def load(self, on_time: float) -> float:
        """Return what all sources ask of the multiplexing link if their connections last `on_time`."""
        return self.sources * self.file_bits / (on_time + self.off_time) / self.capacity


@dataclass(frozen=True)
class IsolatedConnection:
    """A connection alone on its path (equations 2 to 5)."""

    setting: Setting

    @cached_property
    def flights(self) -> Flights:
        """The flights of a file of mean size."""
        return self.setting.flights(self.setting.path_packets)

    @cached_property
    def rounds(self) -> Rounds:
        """(m, n)."""
        return self.flights.rounds

    @cached_property
    def renormalised(self) -> Rounds:
        """(m, n) renormalised to RTT_0, for the queue."""
        return self.rounds.renormalised(self.setting.path_packets)

    @property
    def unsaturated(self) -> Rounds:
        """(m, n) of a connection that never has the multiplexing link to itself, so cannot saturate it."""
        if self.setting.slowest_rate < self.setting.capacity:
            return self.renormalised
        return self.setting.flights(path_packets=self.setting.rwnd).rounds

    @cached_property
    def on_time(self) -> float:
        """ON_0."""
        return self.rounds.duration(self.setting.rtt, self.setting.packet_time)

    @property
    def rate(self) -> float:
        """h_0."""
        return self.setting.file_bits / self.on_time

    @cached_property
    def saturation_count(self) -> int:
        """s, the active connections that the multiplexing link carries at their isolated rate."""
        return whole_part(self.setting.capacity / self.rate)

    @property
    def open_loop_load(self) -> float:
        """rho_0, which may exceed 1."""
        return self.setting.load(self.on_time)


@dataclass(frozen=True)
class Share:
    """The shares of the multiplexing link: the rate h of each, the utilisation rho by all."""

    rate: float
    utilisation: float


@dataclass(frozen=True)
class SharedLink:
    """All sources over the multiplexing link (equations 6 to 11)."""

    isolated: IsolatedConnection

    @cached_property
    def _rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Birth rates of the states 0..N-1, death rates of the states 1..N."""
        setting = self.isolated.setting
        active = np.arange(1, setting.sources + 1)
        births = (setting.sources + 1 - active) / setting.off_time
        deaths = np.where(
            active <= self.isolated.saturation_count,
            active / self.isolated.on_time,
            setting.capacity / setting.file_bits,
        )
        return births, deaths

    @cached_property
    def active(self) -> NDArray[np.float64]:
        """P_j, the share of time with j = 0..N connections active."""
        return stationary_distribution(*self._rates)

    @cached_property
    def active_mean(self) -> float:
        """<n>, the mean number of active connections."""
        return float(np.arange(self.active.size) @ self.active)

    @cached_property
    def first(self) -> Share:
        """h(1) and rho(1), from the throughput in all states (equations 6 and 7)."""
        capacity = self.isolated.setting.capacity
        underload, overload = np.split(self.active, [self.isolated.saturation_count + 1])
        throughput = self.isolated.rate * float(np.arange(underload.size) @ underload)
        throughput += capacity * float(overload.sum())
        # Without rounding errors the throughput does not exceed the capacity.
        return Share(throughput / self.active_mean, min(1.0, throughput / capacity))

    @cached_property
    def second(self) -> Share | None:
        """h(2) and rho(2), from the overloaded states alone (equation 8); None if there are none: N <= s.

        Observed only while more than s connections are active, the process is a birth-death process of
        those states. Taken so, their mean keeps its digits however rare overload is.
        """
        setting, s = self.isolated.setting, self.isolated.saturation_count
        if setting.sources <= s:
            return None
        births, deaths = self._rates
        overload = stationary_distribution(births[s + 1 :], deaths[s + 1 :])
        active_mean = float(np.arange(s + 1, setting.sources + 1) @ overload)
        rate = setting.capacity / active_mean
        return Share(rate, min(1.0, setting.load(setting.file_bits / rate)))

    @cached_property
    def mean(self) -> Share:
        """The mean of both ways (equation 10); the first alone where there is no second."""
        if self.second is None:
            return self.first
        return Share(
            (self.first.rate + self.second.rate) / 2, (self.first.utilisation + self.second.utilisation) / 2
        )


@dataclass(frozen=True)
class Queue:
    """The queue at the multiplexing link: P(Q > x) = rho exp(-x / eta) (section 4.1, steps 4 to 6)."""

    rtt: float
    mean: float
    utilisation: float

    @classmethod
    def of(cls, setting: Setting, share: Share, rounds: Rounds) -> Queue:
        """Return the queue that stretches such rounds to the duration of such a share (equation 11)."""
        on_time = setting.file_bits / share.rate
        rtt = (on_time - rounds.extra_packets * setting.packet_time) / rounds.trips
        mean = (rtt - setting.rtt) / setting.bottleneck_packet_time
        # Without rounding errors no connection is shorter than an isolated one.
        return cls(rtt, max(0.0, mean), share.utilisation)

    @property
    def decay(self) -> float:
        """eta, the queue over which P(Q > x) falls to 1/e (equation 12)."""
        return self.mean / self.utilisation

    def tail(self, packets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return G(x) = P(Q > x) for each x: the share of time, and of arrivals, with more there."""
        if self.decay == 0:
            return np.where(packets > 0, 0.0, self.utilisation)
        return self.utilisation * np.exp(-packets / self.decay)

    def loss_ratio(self, buffer: int) -> float:
        """Return L, the share of arrivals that find the buffer full (equation 13)."""
        return float(self.tail(np.array([buffer]))[0])

    def distribution(self, buffer: int) -> NDArray[np.float64]:
        """Return P(Q = x) for x = 0..buffer; what the model has beyond the buffer counts to a full one.

        Where less than rounding is left before that, it ends there.
        """
        tail = self.tail(np.arange(buffer))
        return -np.diff(tail[: max(1, np.count_nonzero(tail > _ROUNDING))], prepend=1.0, append=0.0)

    def buffer_rule(self, loss_ratio: float) -> float:
        """Return the buffer that loses `loss_ratio` (equation 13), 0 if even none would lose less."""
        return max(0.0, self.decay * math.log(self.utilisation / loss_ratio))
