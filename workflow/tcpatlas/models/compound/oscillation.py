"""The oscillation to which phase 3 converges when the window map runs alone.

Source: Blanc, Collange and Avrachenkov 2008, sections 3.1 to 3.4.

No cycle is imposed: the sender enters phase 3 as phase 2 leaves it, growing, and decides at every round trip.
What it settles to may be a single m:n cycle or a longer pattern of several.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters
from .window_map import Array, Reading, WindowMap

# Round trips to settle in, and round trips looked at: several repetitions of the longest pattern seen, 40:1
# among them.
_SETTLING = 400
_WATCHED = 240


@dataclass(frozen=True)
class Oscillation:
    """The settled window at each bandwidth-delay product, in packets."""

    highest: Array
    """theta_max"""
    lowest: Array
    """theta_min"""
    growths: NDArray[np.int64]
    """m of the m:n cycle; 0 where the pattern is longer than one cycle."""
    cuts: NDArray[np.int64]
    """n of the m:n cycle; 0 where the pattern is longer than one cycle."""

    @property
    def mean(self) -> Array:
        """theta: the mean of the extremes, which the authors take for the window of phase 3 (section 4.4)."""
        return (self.highest + self.lowest) / 2


def settle(parameters: Parameters, bdps: ArrayLike, reading: Reading) -> Oscillation:
    """Run the window map from the beginning of phase 2 until it has settled, for products in packets.

    Raises ValueError, naming the key, if integer arithmetic cannot express the parameters.
    """
    windows, cuts = window_sequence(parameters, bdps, reading, _SETTLING + _WATCHED)
    windows, cuts = windows[_SETTLING:], cuts[_SETTLING:]
    m, n = _types(cuts)
    return Oscillation(windows.max(axis=0), windows.min(axis=0), m, n)


def window_sequence(
    parameters: Parameters, bdps: ArrayLike, reading: Reading, round_trips: int
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the windows of successive round trips, and whether each of them was reached by a cut.

    Both have the shape (round_trips, *bdps.shape).
    """
    window_map = WindowMap(parameters, np.atleast_1d(np.asarray(bdps, float)), reading)
    # Phase 2 begins with the window from which the buffer is never empty.
    window = previous = before_previous = window_map.base
    cut = previous_cut = np.zeros(window.shape, bool)
    windows, cuts = np.empty((2, round_trips, *window.shape))
    for i in range(round_trips):
        # The round trip's own packets: sent after growth, they began with one more than the window before in
        # flight.
        others = np.where(previous_cut, previous, before_previous + 1)
        round_trip = np.where(
            cut,
            window_map.round_trip_after_cut(window, others),
            np.where(
                previous_cut,
                np.maximum(previous, window_map.base),
                window_map.round_trip_after_growth(before_previous),
            ),
        )
        backlog = window_map.backlog(previous, round_trip)
        previous_cut, cut = cut, backlog >= parameters.gamma
        following = np.where(
            cut, window - window_map.cut(backlog) + 1, window + window_map.growth(window, previous)
        )
        before_previous, previous, window = previous, window, np.maximum(following, 1)
        windows[i], cuts[i] = window, cut
    return windows, cuts.astype(bool)


def _types(cuts: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    types = np.array([_type(column) for column in cuts.T], np.int64).reshape(-1, 2)
    return types[:, 0], types[:, 1]


def _type(cuts: NDArray[np.bool_]) -> tuple[int, int]:
    """Return (m, n) if all whole runs of growths are m long and all of cuts n, else (0, 0)."""
    changes = np.flatnonzero(np.diff(cuts.astype(np.int8)))
    lengths = np.diff(changes)  # whole runs only
    first_is_cut = bool(cuts[changes[0] + 1]) if changes.size else False
    cut_lengths = set(lengths[0 if first_is_cut else 1 :: 2].tolist())
    growth_lengths = set(lengths[1 if first_is_cut else 0 :: 2].tolist())
    if len(cut_lengths) == len(growth_lengths) == 1:
        return growth_lengths.pop(), cut_lengths.pop()
    return 0, 0
