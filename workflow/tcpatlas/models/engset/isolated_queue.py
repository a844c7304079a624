"""The queue of an isolated on-off connection at the slowest link of its path (Zaragoza 2014, section 4.4).

In a round n acknowledgements arrive one packet time apart; the first p of them release two packets, the
others one. So the queue grows to p + 1, stays while one packet comes for each that leaves, and empties.
Summed over time it is (p + 1) (n + 1) - 1 packet times, which is each of the three cases of the section:
p = n while the window doubles, p = 0 once it is reached, and all of the rest of the file in one round where
the link is saturated.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tcpatlas.models.engset.slow_start import Flights


@dataclass(frozen=True)
class Round:
    """A flight released by so many acknowledgements, the first `pairs` of which release two packets each."""

    acknowledgements: int
    pairs: int

    @property
    def highest(self) -> int:
        """The longest queue of the round, the packet in transmission included."""
        return self.pairs + 1

    @property
    def packet_times(self) -> int:
        """Tau / Delta, the queue summed over the round's time, in packets times packet times."""
        return (self.pairs + 1) * (self.acknowledgements + 1) - 1

    def times_at(self) -> NDArray[np.int64]:
        """Return the packet times spent with 0, 1, ..., `highest` packets in the queue; none with 0."""
        times = np.full(self.highest + 1, 2, dtype=np.int64)  # on the way up and on the way down
        times[0], times[1], times[-1] = 0, 1, 1 + self.acknowledgements - self.pairs
        if self.pairs == 0:
            times[1] = self.acknowledgements
        return times


def rounds_of(flights: Flights, rwnd: int) -> Iterator[Round]:
    """Yield the rounds of a transfer with an initial window of 2 packets, which come at once like a pair.

    `rwnd` is the receiver window in packets.
    """
    window = 1
    for packets in flights.sizes:
        pairs = min(packets // 2, rwnd - window)
        yield Round(packets - pairs, pairs)
        window = min(packets, rwnd)


def time_at_levels(flights: Flights, rwnd: int) -> NDArray[np.int64]:
    """Return the packet times that a transfer has 1, 2, ... packets at the slowest link; 0 is not counted.

    The initial window is 2 packets, the receiver window `rwnd`.
    """
    rounds = list(rounds_of(flights, rwnd))
    total = np.zeros(max(round_.highest for round_ in rounds) + 1, dtype=np.int64)
    for round_ in rounds:
        times = round_.times_at()
        total[: times.size] += times
    return total
