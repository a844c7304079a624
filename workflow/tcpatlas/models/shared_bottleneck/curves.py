"""The window against time through one cycle of the shared-bottleneck model.

Same units as the model: packets, seconds.
"""

from dataclasses import dataclass

import numpy as np

from .fluid import Array, Cycle, Path, Phase


@dataclass(frozen=True)
class Curves:
    """Samples along a first axis, paths along the others."""

    time: Array
    window: Array  # W(t)


def curves(path: Path, cycle: Cycle, samples: int) -> Curves:
    """Return `samples` equidistant instants from the start of the cycle to the end of its last phase.

    The window follows equations (18) and (19). Raises ValueError for fewer than two samples.
    """
    if samples < 2:
        raise ValueError(f"samples: {samples} is not allowed; at least 2")
    ends = np.cumsum(cycle.duration, axis=0)
    time = np.linspace(np.zeros_like(ends[-1]), ends[-1], samples)
    window = np.ones_like(time)
    for phase in Phase:
        begin = ends[phase] - cycle.duration[phase]
        now = (time >= begin) & (cycle.duration[phase] > 0)
        window = np.where(now, window_after(path, cycle, phase, time - begin), window)
    return Curves(time, window)


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


def _busy_rate(path: Path, phase: Phase) -> Array:
    """Equation (17): what TCP gets of a busy link."""
    if phase is Phase.AVOIDANCE_QUEUEING:
        return path.available_rate
    return path.service_rate - path.exogenous_rate / 2
