"""An isolated TCP connection on an empty path, round by round (Zaragoza 2014, section 4.2 and table 3).

In slow start without delayed acknowledgements each acknowledgement releases two packets, so the flights of
successive rounds double until the receiver window is reached. A flight longer than the path holds (beta
packets) keeps the slowest link busy to the end of the file: it is no flight of its own, but takes all that
is left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# A quotient of two floating-point times this near a whole number is that number.
_RELATIVE_ROUNDING = 1e-9


def whole_part(quotient: float) -> int:
    """Return the integer part of a quotient >= 0, a rounding error below a whole number undone."""
    nearest = round(quotient)
    return nearest if math.isclose(quotient, nearest, rel_tol=_RELATIVE_ROUNDING) else math.floor(quotient)


@dataclass(frozen=True)
class Rounds:
    """A duration counted as m round trips and n packet times of the slowest link (equation 2)."""

    trips: int
    extra_packets: int

    def duration(self, rtt: float, packet_time: float) -> float:
        """Return m rtt + n packet_time, in the unit of both."""
        return self.trips * rtt + self.extra_packets * packet_time

    def trips_within(self, beta: float) -> tuple[int, float]:
        """Return how many round trips of `beta` packets the extra packets hold, and what remains."""
        trips = whole_part(self.extra_packets / beta)
        return trips, max(0.0, self.extra_packets - trips * beta)

    def renormalised(self, beta: float) -> Rounds:
        """Return the same duration with n <= floor(beta), to whole packets (section 4.2).

        A connection that does not saturate its path stays as it is: its last flight is shorter than beta.
        """
        trips, remainder = self.trips_within(beta)
        return Rounds(self.trips + trips, whole_part(remainder))


@dataclass(frozen=True)
class Flights:
    """The flights of a transfer: doubling ones, `full_windows` of a whole `window` each, and the last."""

    doubling: tuple[int, ...]
    window: int
    full_windows: int
    last: int

    @property
    def sizes(self) -> list[int]:
        """Packets of each flight, in order."""
        return [*self.doubling, *[self.window] * self.full_windows, self.last]

    @property
    def rounds(self) -> Rounds:
        """Duration of the transfer: a round trip a flight, then the last flight's packets but its first."""
        return Rounds(len(self.doubling) + self.full_windows + 1, self.last - 1)


def last_in_slow_start(rwnd: int, initial_window: int = 2) -> int:
    """Return L_SS, the last packet that is sent when the window first reaches `rwnd` (section 4.4).

    Both windows are in packets. Each acknowledgement opens the window by one packet, so it takes
    `rwnd - initial_window` of them, and then a whole window is out beyond what they acknowledge.
    """
    return max(rwnd - initial_window, 0) + rwnd


def isolated_flights(file_size: int, rwnd: int, beta: float, initial_window: int = 2) -> Flights:
    """Return the flights of a connection alone on its path, which sum to `file_size`.

    `file_size`, the receiver window `rwnd` (W_R) and the first congestion window `initial_window` are in
    packets. `beta` is the number of packets that fill the slowest link for one empty round trip, RTT_0 /
    max(Delta_i). No flight exceeds `rwnd`, except the last one of a connection that saturates the link.
    Raises ValueError if an argument is not positive.
    """
    if not min(file_size, rwnd, beta, initial_window) > 0:
        arguments = (file_size, rwnd, beta, initial_window)
        raise ValueError(f"isolated_flights{arguments}: every argument must be more than 0")
    # A window is a whole number of packets: it exceeds beta exactly if it exceeds beta's integer part.
    path_holds = whole_part(beta)
    doubling: list[int] = []
    remaining, window = file_size, min(initial_window, rwnd)
    while window < rwnd and window <= path_holds and window < remaining:
        doubling.append(window)
        remaining -= window
        window = min(2 * window, rwnd)
    saturated = window > path_holds
    full_windows = 0 if saturated else (remaining - 1) // window
    return Flights(tuple(doubling), window, full_windows, remaining - full_windows * window)
