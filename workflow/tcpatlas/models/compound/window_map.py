"""The window from one round trip to the next in phase 3: equations 13 and 14.

Source: Blanc, Collange and Avrachenkov 2008, section 3.1.

At its i-th update the sender knows the window w_(i-1) of the round trip before, all of which has now been
acknowledged, and tau_i, the smallest round trip among those acknowledgements. The estimated backlog is

    Delta_i = w_(i-1) (1 - base / tau_i)

and the window grows while it is below gamma, else it falls by Delta_i and grows by 1. Round trips are counted
here in packets of the bottleneck: a round trip of w packets is one with w packets in flight.

After growth, tau_i is that of the first packet sent in the round trip before, w_(i-2) + 1. After a cut the
first packet after the sender's pause closes the round trip, with w_i in flight; the second line of equation
14 as printed differs by a packet or two, and has no 5:2 cycles (docs/decisions/compound-readings.md).

The module's arithmetic is in whole packets and half packets of backlog, its times in microseconds. The
minimum RTT is that of a single packet, which includes that packet's own transmission time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters

Array = NDArray[np.float64]

# The time scale of the module's clock: only the ratio of round trips matters, this is the paper's 50 ms.
_BASE_MICROSECONDS = 50_000


@dataclass(frozen=True)
class Reading:
    """One way to read section 3.1."""

    integers: bool
    """Compute as the Linux module does."""
    grows_by_previous: bool
    """The growth is alpha w_(i-1)^k, as in the module, and not alpha w_i^k, as in equation 2."""


FLOAT = Reading(integers=False, grows_by_previous=False)
"""Floating point, with what a sender measures after a cut."""
INTEGER = Reading(integers=True, grows_by_previous=False)
"""The module's integers put into equation 2: what most of table 1 comes from."""
MODULE = Reading(integers=True, grows_by_previous=True)
"""What the module does."""


def fourth_root_power(window: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return w^(3/4) as release 1.3 of the module computes it: 256 w over an integer square root.

    `window` holds whole packets below 2^40, at least 1.
    """
    root = _integer_square_root(_integer_square_root(window) << 16)
    return (window << 8) // root


def _integer_square_root(values: NDArray[np.int64]) -> NDArray[np.int64]:
    # Exact below 2^52, where a double holds every whole number.
    return np.floor(np.sqrt(values.astype(np.float64))).astype(np.int64)


class WindowMap:
    """Equations 13 and 14 for an array of bandwidth-delay products, in packets."""

    def __init__(self, parameters: Parameters, bdp: ArrayLike, reading: Reading) -> None:
        """Raise ValueError, naming the key, if integer arithmetic cannot express the parameters.

        With integers the products too are taken in whole packets, as table 1 does.
        """
        self._parameters = parameters
        self._reading = reading
        if reading.integers:
            parameters.check_integers()
        bdp = np.asarray(bdp, float)
        self.base: Array = np.rint(bdp) + 1 if reading.integers else bdp
        """The smallest round trip ever seen, in packets in flight."""

    def growth(self, window: Array, previous: Array) -> Array:
        """Return what a round trip adds to the whole window, at least the 1 of the loss window."""
        base = previous if self._reading.grows_by_previous else window
        if not self._reading.integers:
            return np.maximum(self._parameters.alpha * base**self._parameters.k, 1)
        step = fourth_root_power(np.maximum(base, 1).astype(np.int64)) >> self._parameters.alpha_shift
        return np.asarray(np.maximum(step, 1).astype(np.float64))

    def round_trip_after_growth(self, before_previous: Array) -> Array:
        """First line of equation 14."""
        return np.maximum(before_previous + 1, self.base)

    def round_trip_after_cut(self, window: Array, floor: Array) -> Array:
        """Second line of equation 14; `floor` is the smallest of this round trip's other samples."""
        return np.maximum(np.minimum(window, floor), self.base)

    def backlog(self, previous: Array, round_trip: Array) -> Array:
        """Delta_i of equation 13."""
        if not self._reading.integers:
            return previous * (1 - self.base / round_trip)
        microseconds = np.floor(round_trip / self.base * _BASE_MICROSECONDS) + 1
        target = np.floor(2 * previous * (_BASE_MICROSECONDS + 1) / microseconds)
        return np.asarray((2 * previous - target) / 2)

    def cut(self, backlog: Array) -> Array:
        """By how much the delay window falls."""
        fall = self._parameters.zeta * backlog
        return np.floor(fall) if self._reading.integers else fall
