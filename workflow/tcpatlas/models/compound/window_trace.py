"""The window against time over one cycle from loss to loss: the lines of figures 1 and 6 to 11."""

import numpy as np

from .cases import LossCycle
from .parameters import Parameters
from .phases import Array, EmptyBuffer, GrowingBacklog, LinearGrowth

_POINTS_PER_PHASE = 50


def window_trace(
    parameters: Parameters, cycle: LossCycle, propagation: float, theta: float, cycles: int = 1
) -> tuple[Array, Array]:
    """Return times in seconds and windows in packets over some cycles, each from when its loss is known.

    `cycle` holds a single case; `theta` is the mean window of phase 3. In the recovery, with which a cycle
    begins, the window is the one after the loss. Both arrays are empty without a case.
    """
    rate = float(cycle.rate.item())
    at_loss = float(cycle.window_at_loss.item())
    if not np.isfinite(at_loss):
        return np.empty(0), np.empty(0)
    window = (1 - parameters.beta) * at_loss
    *phases, recovery = cycle.durations.reshape(-1)
    times, windows = [np.array([0, recovery])], [np.array([window, window])]
    begin = recovery
    for phase, duration in enumerate(phases, start=1):
        if duration == 0:
            continue
        offset = np.linspace(0, duration, _POINTS_PER_PHASE)
        if phase == 1:
            values = EmptyBuffer(parameters, propagation).window(offset, window)
        elif phase == 2:
            values = GrowingBacklog(parameters, rate).window(offset, window)
        elif phase == 3:
            values = np.full_like(offset, theta)
        else:
            # Phase 4 continues phase 3, or follows the cut.
            values = LinearGrowth(rate).window(offset, window)
        times.append(begin + offset)
        windows.append(values)
        begin += duration
        window = float(values[-1])
    one = np.concatenate(times)
    return np.concatenate([one + n * begin for n in range(cycles)]), np.tile(np.concatenate(windows), cycles)
