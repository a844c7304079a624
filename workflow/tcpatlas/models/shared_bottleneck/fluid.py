"""Fluid model of a Tahoe connection beside exogenous traffic of constant rate (Altman et al. 1997).

The window goes through the same cycle for ever: slow start, congestion avoidance, a loss. A small buffer
already overflows in slow start; the cycle then holds two slow starts. Each cycle is cut into phases in which
the window grows by one law, and what a phase lasts, carries and delays has a closed form: theorem 3.1 for one
slow start, section 4 for two. Windows are in packets, rates in packets/s, times in seconds; everything is an
array over paths. Equation numbers are the paper's.

Where the text contradicts itself, it is taken as the derivations give it: tau_1 and tau_2 are one-way
("tau_2 + tau/2" in the derivation of W_loss), so tau = 2 (tau_1 + tau_2); N_3 of case (ii) is half of
4 W_th^2 - W~^2, as its T_3 times its rate; a packet of the first slow start that finds no queue needs T, not
0. What else was tried is in docs/decisions/shared-bottleneck-search.md.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# Packets that the window grows beyond W_loss before the loss is found.
_OVERSHOOT = 2


class Phase(IntEnum):
    """The laws by which the window grows, in the order in which a cycle can meet them."""

    FIRST_SLOW_START = 0
    FIRST_SLOW_START_QUEUEING = 1
    SLOW_START = 2
    SLOW_START_QUEUEING = 3
    AVOIDANCE = 4
    AVOIDANCE_QUEUEING = 5


@dataclass(frozen=True)
class Path:
    """Arrays of one shape: what the reference connection meets (section 2).

    `buffer` B in packets, `service_rate` mu and `exogenous_rate` lambda in packets/s, `delay_before` tau_1
    and `delay_after` tau_2 in seconds, both one-way, and `access_rate` BW_in in packets/s, which the theorem
    leaves aside.
    """

    buffer: Array
    service_rate: Array
    exogenous_rate: Array
    delay_before: Array
    delay_after: Array
    access_rate: Array

    @classmethod
    def of(
        cls,
        buffer: ArrayLike,
        service_rate: ArrayLike,
        exogenous_rate: ArrayLike,
        delay_before: ArrayLike,
        delay_after: ArrayLike,
        access_rate: ArrayLike = np.inf,
    ) -> "Path":
        """Broadcast the parameters against each other.

        Raises ValueError, which names the parameter and what is allowed, for what the model cannot answer.
        """
        parameters = (buffer, service_rate, exogenous_rate, delay_before, delay_after, access_rate)
        path = cls(*np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in parameters)))
        for bad, problem in (
            (~(path.buffer >= 1), "the buffer must be at least 1 packet"),
            (~(path.service_rate > 0), "the service rate must be more than 0"),
            (~(path.exogenous_rate >= 0), "the exogenous rate must be at least 0"),
            (
                ~(path.exogenous_rate < path.service_rate),
                "the exogenous rate must be less than the service rate",
            ),
            (~((path.delay_before >= 0) & (path.delay_after >= 0)), "delays must be at least 0 s"),
            (~(path.access_rate > 0), "the access rate must be more than 0"),
        ):
            if np.any(bad):
                raise ValueError(problem)
        return path

    @property
    def available_rate(self) -> Array:
        """The rate that the exogenous traffic leaves, mu - lambda."""
        return self.service_rate - self.exogenous_rate

    @property
    def exogenous_share(self) -> Array:
        """The exogenous traffic's share of the service rate, lambda / mu."""
        return self.exogenous_rate / self.service_rate


@dataclass(frozen=True)
class Cycle:
    """One cycle of the window, and its phases along a first axis of six (`Phase`).

    `start` and `end` are the window as a phase begins and ends (equal where a path does not meet it),
    `duration` its T_i in seconds, `packets` its N_i, `delay` its R_i in seconds.
    """

    round_trip: Array  # T
    pipe_window: Array  # W~, at which the queue starts to build up
    loss_window: Array  # W_loss
    peak_window: Array  # W_max
    threshold: Array  # W_th
    burst_window: Array  # W_b, at which a slow start overflows the buffer
    two_slow_starts: NDArray[np.bool_]
    start: Array
    end: Array
    duration: Array
    packets: Array
    delay: Array
    time: Array  # of the whole cycle
    transmitted: Array  # packets of the whole cycle
    mean_delay: Array

    @property
    def throughput(self) -> Array:
        """Equation (4), in packets/s."""
        return self.transmitted / self.time


def slow_start_loss(path: Path) -> NDArray[np.bool_]:
    """Criterion (26) as it is printed: whether beta <= 1 / (3 - lambda/mu).

    It neglects against W_b <= W_th, which `cycle` decides by, what is of the order of one packet.
    """
    beta = path.buffer / (_propagation(path) * path.available_rate + 1)
    return beta <= 1 / (3 - path.exogenous_share)


def cycle(path: Path, *, one_slow_start: bool = False) -> Cycle:
    """Return the cycle of each path: theorem 3.1 where it has one slow start, section 4 where it has two.

    With `one_slow_start` theorem 3.1 applies for any buffer.
    """
    mu, available, share = path.service_rate, path.available_rate, path.exogenous_share
    tau = _propagation(path)
    round_trip = tau + 1 / mu
    loss_window = (path.buffer / mu + round_trip) * available + share
    peak = loss_window + _OVERSHOOT
    threshold = np.maximum((loss_window + _OVERSHOOT) / 2, 1)
    pipe = np.maximum(round_trip * available, 1)
    burst = np.maximum((2 - share) * path.buffer, 1)
    two = (burst <= threshold) & (not one_slow_start)

    second_threshold = np.where(two, np.maximum(burst / 2, 1), threshold)
    start, end = _windows(np.where(two, burst, 1), second_threshold, pipe, peak)

    growth = end - start
    carried = (end**2 - start**2) / 2
    duration = np.empty_like(start)
    packets = np.empty_like(start)
    delay = np.empty_like(start)
    for phase in (Phase.FIRST_SLOW_START, Phase.SLOW_START):
        duration[phase] = round_trip * np.log(end[phase])
        packets[phase] = np.where(growth[phase] > 0, end[phase] - 1, 0)
        delay[phase] = round_trip
    for phase in (Phase.FIRST_SLOW_START_QUEUEING, Phase.SLOW_START_QUEUEING):
        duration[phase] = growth[phase] / (mu - path.exogenous_rate / 2)
        packets[phase] = growth[phase]
        # Packets leave the source at twice the rate of their acknowledgements: tau_1 holds twice as many.
        in_queue = (start[phase] + end[phase] - 2) / (2 * mu - path.exogenous_rate)
        delay[phase] = in_queue + round_trip - tau - path.delay_before
    phase = Phase.AVOIDANCE
    duration[phase] = round_trip * growth[phase]
    packets[phase] = carried[phase]
    delay[phase] = round_trip
    phase = Phase.AVOIDANCE_QUEUEING
    duration[phase] = carried[phase] / available
    packets[phase] = carried[phase]
    delay[phase] = (_mean_window(start[phase], end[phase]) - share) / available

    return Cycle(
        round_trip=round_trip,
        pipe_window=pipe,
        loss_window=loss_window,
        peak_window=peak,
        threshold=threshold,
        burst_window=burst,
        two_slow_starts=two,
        start=start,
        end=end,
        duration=duration,
        packets=packets,
        delay=delay,
        time=duration.sum(0),
        transmitted=packets.sum(0),
        mean_delay=(packets * delay).sum(0) / packets.sum(0),
    )


def _propagation(path: Path) -> Array:
    """Return tau, there and back."""
    return 2 * (path.delay_before + path.delay_after)


def _windows(first_end: Array, threshold: Array, pipe: Array, peak: Array) -> tuple[Array, Array]:
    """Return the windows between which each phase runs, the same twice for a phase that is not met."""
    start = np.ones((len(Phase), *peak.shape))
    end = np.ones_like(start)
    for exponential, queueing, top in (
        (Phase.FIRST_SLOW_START, Phase.FIRST_SLOW_START_QUEUEING, first_end),
        (Phase.SLOW_START, Phase.SLOW_START_QUEUEING, threshold),
    ):
        end[exponential] = np.minimum(top, pipe)
        start[queueing] = end[exponential]
        end[queueing] = top
    start[Phase.AVOIDANCE] = threshold
    end[Phase.AVOIDANCE] = np.maximum(threshold, pipe)
    start[Phase.AVOIDANCE_QUEUEING] = end[Phase.AVOIDANCE]
    end[Phase.AVOIDANCE_QUEUEING] = np.maximum(end[Phase.AVOIDANCE], peak)
    return start, end


def _mean_window(start: Array, end: Array) -> Array:
    """Time average of a window that grows as a square root from `start` to `end`."""
    return 2 / 3 * (end**2 + start * end + start**2) / (end + start)
