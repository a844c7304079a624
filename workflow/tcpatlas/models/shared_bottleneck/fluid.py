"""Fluid model of a Tahoe connection beside exogenous traffic of constant rate (Altman et al. 1997).

The window goes through the same cycle for ever: slow start, congestion avoidance, a loss. A small buffer
already overflows in slow start; the cycle then holds two slow starts. Each cycle is cut into phases in which
the window grows by one law, and what a phase lasts, carries and delays has a closed form: theorem 3.1 for one
slow start, section 4 for two. Windows are in packets, rates in packets/s, times in seconds; everything is an
array over paths. Equation numbers are the paper's.

Where the text contradicts itself, `Reading` says how it is taken. The default is what the derivations give:
tau_1 and tau_2 are one-way ("tau_2 + tau/2" in the derivation of W_loss), so tau = 2 (tau_1 + tau_2); N_3 of
case (ii) is half of 4 W_th^2 - W~^2, as its T_3 times its rate; a packet of the first slow start that finds
no queue needs T, not 0.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# The coarse timer of TCP implementations of the time (section 3, below theorem 3.1).
COARSE_TIMEOUT = 0.5


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
        given = (buffer, service_rate, exogenous_rate, delay_before, delay_after, access_rate)
        path = cls(*np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in given)))
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
class Reading:
    """How the passages that can be taken in two ways are taken; arrays broadcast against the paths."""

    way_factor: ArrayLike = 2.0  # tau over tau_1 + tau_2
    access_transmission: ArrayLike = 0.0  # 1: tau holds the transmission on the access link as well
    inverted_share: ArrayLike = False  # mu / lambda where theorem 3.1 has lambda / mu, as above (26)
    overshoot: ArrayLike = 2.0  # W_max - W_loss, in packets
    threshold_overshoot: ArrayLike = 2.0  # 2 W_th - W_loss, in packets
    log_base: ArrayLike = np.e  # of the exponential phases' durations
    first_packet: ArrayLike = 1.0  # taken off N_1: 1 in the theorem, 0 in its proof
    last_packets_whole: ArrayLike = False  # N_3 of case (ii) as printed: only its second term halved
    last_time_whole: ArrayLike = False  # T_3 without its division by 2, as N_3 is printed
    detection_round_trips: ArrayLike = 0.0  # T's that pass until a loss is found, for each slow start
    detection_timeouts: ArrayLike = 0.0  # coarse timeouts that a cycle lasts longer, for each slow start
    detection_windows: ArrayLike = 0.0  # W_max packets sent meanwhile, as in equation (25)
    second_threshold: ArrayLike = 0.5  # W~_th over W_b; 0: W_th is kept
    slow_starts: ArrayLike = 0  # 1 or 2 whatever criterion (26) says; 0: as it says; -1: the other way round
    first_delay: ArrayLike = 1.0  # R~_1 over T where the queue stays empty; printed as 0
    time_weighted: ArrayLike = False  # average the delay over time, not over packets


DERIVED = Reading()


@dataclass(frozen=True)
class Cycle:
    """One cycle of the window, and its phases along a first axis of six (`Phase`).

    `start` and `end` are the window as a phase begins and ends (equal where a path does not meet it),
    `duration` its T_i in seconds, `packets` its N_i, `delay` its R_i in seconds.
    """

    round_trip: Array  # T
    normalised_buffer: Array  # beta
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
    time: Array  # of the whole cycle, with what passes until losses are found
    transmitted: Array  # packets of the whole cycle
    mean_delay: Array

    @property
    def throughput(self) -> Array:
        """Equation (4), in packets/s."""
        return self.transmitted / self.time

    def throughput_by_timer(self, timeout: ArrayLike = COARSE_TIMEOUT) -> Array:
        """Equation (25), in packets/s: a timer of `timeout` seconds finds the loss that ends the cycle."""
        throughput: Array = (self.transmitted + self.peak_window) / (
            self.time + np.asarray(timeout, dtype=float)
        )
        return throughput


def slow_start_loss(path: Path, reading: Reading = DERIVED) -> NDArray[np.bool_]:
    """Criterion (26) as it is printed: whether beta <= 1 / (3 - lambda/mu).

    It neglects against W_b <= W_th, which `cycle` decides by, what is of the order of one packet.
    """
    _, tau = _round_trip(path, reading)
    beta = path.buffer / (tau * path.available_rate + 1)
    return beta <= 1 / (3 - path.exogenous_share)


def cycle(path: Path, reading: Reading = DERIVED) -> Cycle:
    """Return the cycle of each path: theorem 3.1 where it has one slow start, section 4 where it has two."""
    mu, available = path.service_rate, path.available_rate
    round_trip, tau = _round_trip(path, reading)
    with np.errstate(divide="ignore"):
        share = np.where(reading.inverted_share, 1 / path.exogenous_share, path.exogenous_share)
    loss_window = (path.buffer / mu + round_trip) * available + share
    peak = loss_window + np.asarray(reading.overshoot)
    threshold = np.maximum((loss_window + np.asarray(reading.threshold_overshoot)) / 2, 1)
    pipe = np.maximum(round_trip * available, 1)
    burst = np.maximum((2 - path.exogenous_share) * path.buffer, 1)
    two = _two_slow_starts(burst <= threshold, np.asarray(reading.slow_starts))

    ratio = np.asarray(reading.second_threshold)
    second_threshold = np.where(two & (ratio > 0), np.maximum(burst * ratio, 1), threshold)
    first_end = np.where(two, burst, 1)
    shape = np.broadcast_shapes(np.shape(second_threshold), np.shape(peak), np.shape(pipe))
    start, end = _windows(first_end, second_threshold, pipe, peak, shape)

    growth = end - start
    carried = (end**2 - start**2) / 2
    seen = growth > 0
    scale = 1 / np.log(np.asarray(reading.log_base))
    duration = np.empty_like(start)
    packets = np.empty_like(start)
    delay = np.empty_like(start)
    for phase in (Phase.FIRST_SLOW_START, Phase.SLOW_START):
        duration[phase] = round_trip * np.log(end[phase]) * scale
        packets[phase] = np.where(seen[phase], end[phase] - reading.first_packet, 0)
        delay[phase] = round_trip
    untouched = seen[Phase.FIRST_SLOW_START] & ~seen[Phase.FIRST_SLOW_START_QUEUEING]
    delay[Phase.FIRST_SLOW_START] *= np.where(untouched, reading.first_delay, 1)
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
    halves = np.where(reading.last_time_whole, 2, 1)
    duration[phase] = carried[phase] / available * halves
    empty_queue_met = (pipe >= second_threshold) & np.asarray(reading.last_packets_whole)
    packets[phase] = np.where(empty_queue_met, end[phase] ** 2 - start[phase] ** 2 / 2, carried[phase])
    delay[phase] = (_mean_window(start[phase], end[phase]) - share) / available

    losses = np.where(two, 2, 1)
    detection = np.asarray(reading.detection_round_trips) * round_trip
    detection = detection + np.asarray(reading.detection_timeouts) * COARSE_TIMEOUT
    time = duration.sum(0) + losses * detection
    weight = np.where(reading.time_weighted, duration, packets)
    return Cycle(
        round_trip=round_trip,
        normalised_buffer=path.buffer / (tau * available + 1),
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
        time=time,
        transmitted=packets.sum(0) + np.asarray(reading.detection_windows) * peak,
        mean_delay=(weight * delay).sum(0) / weight.sum(0),
    )


def _round_trip(path: Path, reading: Reading) -> tuple[Array, Array]:
    """Return T and tau."""
    transmission = np.asarray(reading.access_transmission) / path.access_rate
    tau = np.asarray(reading.way_factor) * (path.delay_before + path.delay_after) + transmission
    return tau + 1 / path.service_rate, tau


def _two_slow_starts(criterion: NDArray[np.bool_], rule: NDArray[np.int_]) -> NDArray[np.bool_]:
    return np.where(rule == 0, criterion, np.where(rule == -1, ~criterion, rule == 2))


def _windows(
    first_end: Array, threshold: Array, pipe: Array, peak: Array, shape: tuple[int, ...]
) -> tuple[Array, Array]:
    """Return the windows between which each phase runs, the same twice for a phase that is not met."""
    start = np.ones((len(Phase), *shape))
    end = np.ones((len(Phase), *shape))
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
