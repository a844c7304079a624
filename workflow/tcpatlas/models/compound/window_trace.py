"""The window against time over one cycle from loss to loss: the lines of figures 1 and 6 to 11."""

from itertools import pairwise

import numpy as np

from .cases import LossCycle
from .parameters import Parameters
from .phases import Array, EmptyBuffer, GrowingBacklog, LinearGrowth


def window_trace(
    parameters: Parameters, cycle: LossCycle, propagation: float, theta: float, points_per_phase: int = 100
) -> tuple[Array, Array]:
    """Return times in seconds and windows in packets, from the end of one recovery to that of the next.

    `cycle` holds a single case; `theta` is the mean window of phase 3. In the recovery the window is that
    which the loss leaves. Both arrays are empty where there is no case.
    """
    rate = float(cycle.rate.item())
    if not np.isfinite(cycle.window_at_loss.item()):
        return np.empty(0), np.empty(0)
    at_loss = float(cycle.window_at_loss.item())
    after_loss = (1 - parameters.beta) * at_loss
    begins = np.concatenate([[0], np.cumsum(cycle.durations.reshape(-1))])
    times, windows = [], []
    window = after_loss
    for phase, (begin, end) in enumerate(pairwise(begins), start=1):
        if end == begin:
            continue
        offset = np.linspace(0, end - begin, points_per_phase)
        if phase == 1:
            values = EmptyBuffer(parameters, propagation).window(offset, window)
        elif phase == 2:
            values = GrowingBacklog(parameters, rate).window(offset, window)
        elif phase == 3:
            values = np.full_like(offset, theta)
        elif phase == 4:
            values = LinearGrowth(rate).window(offset, window)
        else:
            values = np.full_like(offset, after_loss)
        times.append(begin + offset)
        windows.append(values)
        window = float(values[-1])
    return np.concatenate(times), np.concatenate(windows)
