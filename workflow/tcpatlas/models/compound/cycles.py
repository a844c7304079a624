"""The m:n cycles of phase 3 that exist, and where they lie.

Source: Blanc, Collange and Avrachenkov 2008, sections 3.2 and 3.3.

An m:n cycle grows m times and is cut n times. A cycle exists if imposing it on the window map leads back to
the window that it started from, and if the estimated backlogs on the way would indeed have made the sender
grow and cut so: table 1's conditions. Where no cycle exists the answer is nan or None, never the nearest one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters
from .window_map import Array, Reading, WindowMap

# The types of table 1 in the order in which figure 3 gives them priority: where several exist, the first
# takes place.
TABLE_TYPES = ((3, 1), (5, 2), (3, 2), (2, 1), (4, 2))
# Figure 3's m:1, in rising order of m: they take place where the bandwidth-delay product is small against
# gamma.
SMALL_TYPES = tuple((m, 1) for m in range(4, 41))

# Integer windows are few: a cycle, if it attracts anything, is reached from one of these within so many
# repetitions, and has no longer period.
_REPETITIONS = 30
_INTEGER_STEP = 5.0
_REAL_STEP = 0.25


@dataclass(frozen=True)
class Cycles:
    """An m:n cycle at each of an array of bandwidth-delay products; nan where none exists. All in packets."""

    first: Array
    """A window from which the cycle starts."""
    lowest: Array
    highest: Array

    @property
    def exists(self) -> NDArray[np.bool_]:
        """Say whether there is one."""
        return np.isfinite(self.first)


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


def find_cycles(parameters: Parameters, bdps: ArrayLike, m: int, n: int, reading: Reading) -> Cycles:
    """Find the m:n cycle at each bandwidth-delay product (one-dimensional, in packets); m is at least 2.

    In floating point it is a root of f(w) - w, bracketed by a scan and found by Brent's method. With integers
    f has jumps and may pass w without meeting it: there the imposed cycle is followed, from several windows,
    until it repeats. Raises ValueError, naming the key, if integer arithmetic cannot express the parameters.
    """
    bdps = np.atleast_1d(np.asarray(bdps, float))
    if reading.integers:
        return _integer_cycles(WindowMap(parameters, bdps, reading), parameters.gamma, m, n)
    cycles = [_real_cycle(WindowMap(parameters, bdp, reading), parameters.gamma, m, n) for bdp in bdps]
    first, lowest, highest = np.array(cycles).T
    return Cycles(first, lowest, highest)


def find_types(
    parameters: Parameters, bdps: ArrayLike, reading: Reading
) -> tuple[list[tuple[int, int] | None], Cycles]:
    """Return the type at each bandwidth-delay product by figure 3's rule, None where there is none.

    Table 1's types come first, in their order of priority, then m:1 with the least m above 3.
    """
    bdps = np.atleast_1d(np.asarray(bdps, float))
    types: list[tuple[int, int] | None] = [None] * bdps.size
    chosen = np.full((3, bdps.size), np.nan)
    for m, n in TABLE_TYPES + SMALL_TYPES:
        left = np.flatnonzero(np.isnan(chosen[0]))
        if left.size == 0:
            break
        cycles = find_cycles(parameters, bdps[left], m, n, reading)
        for index in left[cycles.exists]:
            types[index] = (m, n)
        chosen[:, left] = np.where(cycles.exists, [cycles.first, cycles.lowest, cycles.highest], np.nan)
    return types, Cycles(*chosen)


def interval(
    parameters: Parameters, bdps: ArrayLike, m: int, n: int, reading: Reading
) -> tuple[float, float] | None:
    """Return the lowest and the highest of `bdps` (rising) at which an m:n cycle exists, or None."""
    bdps = np.asarray(bdps, float)
    inside = bdps[find_cycles(parameters, bdps, m, n, reading).exists]
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
            round_trip = window_map.round_trip_after_cut(window, previous, round_trip, others)
        if i > 1:
            backlogs.append(window_map.backlog(previous, round_trip))
        if i <= m:
            windows.append(window + window_map.growth(window, previous))
        elif i <= m + n:
            windows.append(window - window_map.cut(backlogs[-1]) + 1)
    return _Passage(windows, backlogs[m - 2], backlogs[m - 1 : m + n - 1], backlogs[m + n - 1])


def _starts(window_map: WindowMap, gamma: float, step: float) -> Array:
    """First windows worth trying, along a new first axis: from below the base to well above gamma."""
    base = window_map.base
    growth = window_map.growth(base, base)
    low = np.floor(np.maximum(base - 2 * growth - 2, 1))
    span = float(np.max(gamma + 6 * growth + 2))
    offsets = np.arange(0, span, step).reshape((-1,) + (1,) * base.ndim)
    starts: Array = low + offsets
    return starts


def _integer_cycles(window_map: WindowMap, gamma: float, m: int, n: int) -> Cycles:
    first = _starts(window_map, gamma, _INTEGER_STEP)
    before = first + window_map.growth(first, first)
    for _ in range(_REPETITIONS):
        before, first = _last_two(_pass(window_map, m, n, before, first))
    origin = before, first
    lowest, highest = np.full_like(first, np.inf), np.full_like(first, -np.inf)
    met = np.ones(first.shape, bool)
    closed = np.zeros(first.shape, bool)
    for _ in range(_REPETITIONS):
        passage = _pass(window_map, m, n, before, first)
        met &= passage.meets_conditions(gamma) | closed
        windows = np.stack(passage.windows[1:])
        lowest = np.where(closed, lowest, np.minimum(lowest, windows.min(axis=0)))
        highest = np.where(closed, highest, np.maximum(highest, windows.max(axis=0)))
        before, first = _last_two(passage)
        closed |= (before == origin[0]) & (first == origin[1])
    exists = met & closed
    chosen = np.argmax(exists, axis=0)
    columns = np.arange(chosen.size)
    exists_here = exists[chosen, columns]
    return Cycles(
        *(np.where(exists_here, values[chosen, columns], np.nan) for values in (origin[1], lowest, highest))
    )


def _last_two(passage: _Passage) -> tuple[Array, Array]:
    # An imposed cut may be deeper than any sender's; such a start leads nowhere and only must not leave the
    # integers.
    return np.maximum(passage.windows[-2], 1), np.maximum(passage.windows[-1], 1)


def _real_cycle(window_map: WindowMap, gamma: float, m: int, n: int) -> tuple[float, float, float]:
    # Takes longer to load than most answers of ./atlas ask have time for, and few points need it.
    from scipy.optimize import brentq

    def excess(first: Array) -> Array:
        # In floating point no reading looks at the window before the first.
        return _pass(window_map, m, n, first, first).windows[-1] - first

    def excess_at(first: float) -> float:
        return float(excess(np.array([first]))[0])

    first = _starts(window_map, gamma, _REAL_STEP)
    values = excess(first)
    for index in np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) <= 0):
        root = float(brentq(excess_at, first[index], first[index + 1], xtol=1e-10))
        passage = _pass(window_map, m, n, np.array([root]), np.array([root]))
        if passage.meets_conditions(gamma)[0]:
            windows = np.concatenate(passage.windows[1:])
            return root, float(windows.min()), float(windows.max())
    return np.nan, np.nan, np.nan
