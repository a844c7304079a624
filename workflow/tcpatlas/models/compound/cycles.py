"""The m:n cycles of phase 3 that exist, and where they lie.

Source: Blanc, Collange and Avrachenkov 2008, sections 3.2 and 3.3.

An m:n cycle grows m times and is cut n times. A cycle exists if imposing it on the window map leads back to
the window that it started from, and if the estimated backlogs on the way would indeed have made the sender
grow and cut so: table 1's conditions. Windows and products are in whole packets, as the paper counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters
from .window_map import INTEGER, Array, WindowMap

# The types of table 1 in the order in which figure 3 gives them priority: where several exist, the first
# takes place.
TABLE_TYPES = ((3, 1), (5, 2), (3, 2), (2, 1), (4, 2))
# Figure 3's m:1, in rising order of m: they take place where the bandwidth-delay product is small against
# gamma.
SMALL_TYPES = tuple((m, 1) for m in range(4, 41))

# Integer windows are few: a cycle, if it attracts anything, is reached from one of these within so many
# repetitions, and has no longer period.
_REPETITIONS = 30
_STEP = 5.0


@dataclass(frozen=True)
class _Passage:
    """One imposed repetition: windows 0 (of the repetition before) to m + n + 1, and what decides."""

    windows: list[Array]
    last_growth: Array
    cuts: list[Array]
    after: Array

    def meets_conditions(self, gamma: float) -> NDArray[np.bool_]:
        """Table 1: no cut one step earlier, every cut due, and after a single cut no second one.

        After two cuts table 1 asks for nothing more.
        """
        met = self.last_growth < gamma
        for backlog in self.cuts:
            met &= backlog >= gamma
        return met & (self.after < gamma) if len(self.cuts) == 1 else met


def find_types(parameters: Parameters, bdps: ArrayLike) -> list[tuple[int, int] | None]:
    """Return the type at each bandwidth-delay product by figure 3's rule, if any.

    Table 1's types come first, in their order of priority, then m:1 with the least m above 3.
    """
    bdps = np.atleast_1d(np.asarray(bdps, float))
    types: list[tuple[int, int] | None] = [None] * bdps.size
    left = np.arange(bdps.size)
    for m, n in TABLE_TYPES + SMALL_TYPES:
        if left.size == 0:
            break
        there = cycles_exist(parameters, bdps[left], m, n)
        for index in left[there]:
            types[index] = (m, n)
        left = left[~there]
    return types


def interval(parameters: Parameters, bdps: ArrayLike, m: int, n: int) -> tuple[float, float] | None:
    """Return the lowest and the highest of `bdps` (rising) at which an m:n cycle exists, or None."""
    bdps = np.asarray(bdps, float)
    inside = bdps[cycles_exist(parameters, bdps, m, n)]
    return (float(inside[0]), float(inside[-1])) if inside.size else None


def _pass(window_map: WindowMap, m: int, n: int, before: Array, first: Array) -> _Passage:
    windows = [before, first]
    backlogs: list[Array] = []  # of the updates 2, 3, ...
    # What the second update sees was sent after the last cut, with `first` in flight.
    round_trip = np.maximum(first, window_map.base)
    for i in range(1, m + n + 2):
        window, previous = windows[i], windows[i - 1]
        if 2 < i <= m + 1:
            round_trip = window_map.round_trip_after_growth(windows[i - 2])
        elif i > m + 1:
            others = windows[i - 2] + 1 if i == m + 2 else previous
            round_trip = window_map.round_trip_after_cut(window, others)
        if i > 1:
            backlogs.append(window_map.backlog(previous, round_trip))
        if i <= m:
            windows.append(window + window_map.growth(window, previous))
        elif i <= m + n:
            windows.append(window - window_map.cut(backlogs[-1]) + 1)
    return _Passage(windows, backlogs[m - 2], backlogs[m - 1 : m + n - 1], backlogs[m + n - 1])


def _starts(window_map: WindowMap, gamma: float) -> Array:
    """First windows worth trying, along a new first axis: from below the base to well above gamma."""
    base = window_map.base
    growth = window_map.growth(base, base)
    low = np.floor(np.maximum(base - 2 * growth - 2, 1))
    span = float(np.max(gamma + 6 * growth + 2))
    offsets = np.arange(0, span, _STEP).reshape((-1,) + (1,) * base.ndim)
    starts: Array = low + offsets
    return starts


def cycles_exist(parameters: Parameters, bdps: ArrayLike, m: int, n: int) -> NDArray[np.bool_]:
    """Say whether there is an m:n cycle at each bandwidth-delay product (in packets); m is at least 2.

    f of theorem 1 has jumps in integers and may pass w without meeting it, so the imposed cycle is followed,
    from several windows, until it repeats. Raises ValueError, naming the key, if integer arithmetic cannot
    express the parameters.
    """
    window_map = WindowMap(parameters, np.atleast_1d(np.asarray(bdps, float)), INTEGER)
    first = _starts(window_map, parameters.gamma)
    before = first + window_map.growth(first, first)
    for _ in range(_REPETITIONS):
        before, first = _last_two(_pass(window_map, m, n, before, first))
    origin = before, first
    met = np.ones(first.shape, bool)
    closed = np.zeros(first.shape, bool)
    for _ in range(_REPETITIONS):
        passage = _pass(window_map, m, n, before, first)
        met &= passage.meets_conditions(parameters.gamma) | closed
        before, first = _last_two(passage)
        closed |= (before == origin[0]) & (first == origin[1])
    passed: NDArray[np.bool_] = np.any(met & closed, axis=0)
    return passed


def _last_two(passage: _Passage) -> tuple[Array, Array]:
    # An imposed cut may be deeper than any sender's; such a start leads nowhere and only must not leave the
    # integers.
    return np.maximum(passage.windows[-2], 1), np.maximum(passage.windows[-1], 1)
