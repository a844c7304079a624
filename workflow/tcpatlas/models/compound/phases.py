"""The four phases between two losses, in closed form.

Source: Blanc, Collange and Avrachenkov 2008, section 2, equations 3 to 12.

Windows are in packets, times in seconds, `rate` is the bottleneck's in packets/s, `propagation` the round
trip's propagation time in seconds; every acknowledgement acknowledges one packet. Times count from the start
of the phase. All functions take arrays and broadcast.

A phase here is a window that grows from `start` to `end`; the conditions under which it ends are in cases.py.
Amounts sent leave out the window that is already in flight when the phase begins.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters

Array = NDArray[np.float64]


def loss_window_growth(parameters: Parameters, start: ArrayLike, end: ArrayLike) -> Array:
    """Packets that equations 5 and 10 add to the loss window while the window grows from `start` to `end`.

    One is added a round trip: in phase 1 it is also the number of round trips.
    """
    power = 1 - parameters.k
    return (np.power(end, power) - np.power(start, power)) / (power * parameters.alpha)


class EmptyBuffer:
    """Phase 1: superlinear growth while the round trip is the propagation time."""

    def __init__(self, parameters: Parameters, propagation: ArrayLike) -> None:
        self._parameters = parameters
        self._alpha, self._k = parameters.alpha, parameters.k
        self._propagation = np.asarray(propagation, float)

    def window(self, time: ArrayLike, start: ArrayLike) -> Array:
        """Equation 3."""
        growth = (1 - self._k) * self._alpha / self._propagation * np.asarray(time)
        return np.asarray((growth + np.power(start, 1 - self._k)) ** (1 / (1 - self._k)))

    def duration(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Time t_1 until the window is `end`."""
        return self._propagation * loss_window_growth(self._parameters, start, end)

    def sent(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Packets sent at the rate of a window a round trip: the integral below equation 4."""
        return (np.power(end, 2 - self._k) - np.power(start, 2 - self._k)) / ((2 - self._k) * self._alpha)


class GrowingBacklog:
    """Phase 2: superlinear growth with acknowledgements at the bottleneck's rate."""

    def __init__(self, parameters: Parameters, rate: ArrayLike) -> None:
        self._alpha, self._k = parameters.alpha, parameters.k
        self._rate = np.asarray(rate, float)

    def window(self, time: ArrayLike, start: ArrayLike) -> Array:
        """Equation 8."""
        power = 2 - self._k
        return np.asarray(
            (power * self._alpha * self._rate * np.asarray(time) + np.power(start, power)) ** (1 / power)
        )

    def duration(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Time t_2 until the window is `end`."""
        power = 2 - self._k
        return (np.power(end, power) - np.power(start, power)) / (power * self._alpha * self._rate)

    def window_integral(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Integral of equation 8 over the phase, in packet seconds."""
        power = 3 - self._k
        return (np.power(end, power) - np.power(start, power)) / (power * self._alpha * self._rate)


class ConstantWindow:
    """Phase 3: the delay window gives back what the loss window takes, round a constant mean."""

    def __init__(self, rate: ArrayLike) -> None:
        self._rate = np.asarray(rate, float)

    def duration(self, loss_window: ArrayLike, window: ArrayLike) -> Array:
        """Time t_3 until the loss window is the whole window (equation 11); 0 where it already is."""
        left = np.maximum(np.asarray(window, float) - np.asarray(loss_window, float), 0)
        return np.asarray(np.asarray(window) * left / self._rate)


class LinearGrowth:
    """Phase 4: no delay window is left, one packet a round trip as in Reno."""

    def __init__(self, rate: ArrayLike) -> None:
        self._rate = np.asarray(rate, float)

    def window(self, time: ArrayLike, start: ArrayLike) -> Array:
        """Equation 12."""
        return np.asarray(np.sqrt(2 * self._rate * np.asarray(time) + np.square(start)))

    def duration(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Time t_4 until the window is `end`."""
        return np.asarray((np.square(end) - np.square(start)) / (2 * self._rate))

    def window_integral(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Integral of equation 12 over the phase, in packet seconds."""
        return np.asarray((np.power(end, 3) - np.power(start, 3)) / (3 * self._rate))


class Recovery:
    """The round trip after a single loss is detected: fast retransmit and fast recovery (section 4).

    The sender is silent until beta w acknowledgements have come, then sends at the bottleneck's rate. The
    three packets that its window is inflated by are taken back at the end of the recovery, and are not
    counted.
    """

    def __init__(self, parameters: Parameters, rate: ArrayLike) -> None:
        self._beta = parameters.beta
        self._rate = np.asarray(rate, float)

    def duration(self, window: ArrayLike) -> Array:
        """Seconds of the whole round trip; `window` is that before the cut."""
        return np.asarray(np.asarray(window) / self._rate)

    def sent(self, window: ArrayLike) -> Array:
        """Packets sent in the round trip."""
        return (1 - self._beta) * np.asarray(window, float)

    def backlog_integral(self, window: ArrayLike, backlog: ArrayLike) -> Array:
        """Integral of the backlog, full at the start, over the round trip, in packet seconds.

        It falls at the bottleneck's rate while the sender is silent, and stays where it then is.
        """
        full = np.asarray(backlog, float)
        drained = np.minimum(full, self._beta * np.asarray(window, float))
        rest: Any = np.asarray(window, float) - drained
        return np.asarray((drained * (full - drained / 2) + rest * (full - drained)) / self._rate)
