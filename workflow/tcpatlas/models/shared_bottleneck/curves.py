"""Window, queue and throughput against time through one cycle of the shared-bottleneck model.

Same units as the model: packets, packets/s, seconds.
"""

from dataclasses import dataclass

import numpy as np

from .fluid import Array, Cycle, Path, Phase


@dataclass(frozen=True)
class Curves:
    """Samples along a first axis, paths along the others."""

    time: Array
    window: Array  # W(t)
    queue: Array  # Q(t), TCP and exogenous packets; 0 where equations (23) and (24) fall below it
    throughput: Array  # thp_out(t)


def curves(path: Path, cycle: Cycle, samples: int) -> Curves:
    """Return `samples` equidistant instants from the start of the cycle to the end of its last phase.

    The window follows equations (18) and (19), the queue (23) in slow start and (24) in congestion avoidance,
    the throughput (13) while the queue is empty and (17) after. Raises ValueError for fewer than two samples.
    """
    if samples < 2:
        raise ValueError(f"samples: {samples} is not allowed; at least 2")
    ends = np.cumsum(cycle.duration, axis=0)
    time = np.linspace(np.zeros_like(ends[-1]), ends[-1], samples)
    window = np.ones_like(time)
    queue = np.zeros_like(time)
    throughput = np.zeros_like(time)
    for phase in Phase:
        begin = ends[phase] - cycle.duration[phase]
        now = (time >= begin) & (cycle.duration[phase] > 0)
        grown = window_after(path, cycle, phase, time - begin)
        window = np.where(now, grown, window)
        queue = np.where(now, queue_at(path, cycle, phase, grown), queue)
        throughput = np.where(now, throughput_at(path, cycle, phase, grown), throughput)
    return Curves(time, window, queue, throughput)


def window_after(path: Path, cycle: Cycle, phase: Phase, elapsed: Array) -> Array:
    """Return the window `elapsed` seconds after the phase began, kept between the phase's first and last."""
    start, end = cycle.start[phase], cycle.end[phase]
    elapsed = np.clip(elapsed, 0, cycle.duration[phase])
    match phase:
        case Phase.FIRST_SLOW_START | Phase.SLOW_START:
            window = start * np.exp(elapsed / cycle.round_trip)
        case Phase.FIRST_SLOW_START_QUEUEING | Phase.SLOW_START_QUEUEING:
            window = start + _busy_rate(path, phase) * elapsed
        case Phase.AVOIDANCE:
            window = start + elapsed / cycle.round_trip
        case Phase.AVOIDANCE_QUEUEING:
            window = np.sqrt(start**2 + 2 * _busy_rate(path, phase) * elapsed)
    kept: Array = np.clip(window, start, end)
    return kept


def queue_at(path: Path, cycle: Cycle, phase: Phase, window: Array) -> Array:
    """Return the packets queued while the window is `window` in this phase."""
    mu = path.service_rate
    if phase not in _QUEUEING:
        return np.zeros_like(window)
    tau = cycle.round_trip - 1 / mu
    held = tau if phase is Phase.AVOIDANCE_QUEUEING else tau + path.delay_before
    return np.maximum(mu / _busy_rate(path, phase) * (window - 1) - mu * held, 0)


def throughput_at(path: Path, cycle: Cycle, phase: Phase, window: Array) -> Array:
    """Return the rate at which packets leave the queue while the window is `window` in this phase."""
    if phase not in _QUEUEING:
        return window / cycle.round_trip
    return np.broadcast_to(_busy_rate(path, phase), window.shape)


_QUEUEING = (Phase.FIRST_SLOW_START_QUEUEING, Phase.SLOW_START_QUEUEING, Phase.AVOIDANCE_QUEUEING)


def _busy_rate(path: Path, phase: Phase) -> Array:
    """Equation (17): what TCP gets of a busy link."""
    if phase is Phase.AVOIDANCE_QUEUEING:
        return path.available_rate
    return path.service_rate - path.exogenous_rate / 2
