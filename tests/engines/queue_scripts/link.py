"""The link behind a queue, which counts bits and tokens."""

import math
from collections.abc import Sequence
from fractions import Fraction

SECOND = 10**12


def whole(time: Fraction) -> int:
    """Return the nearest picosecond."""
    return math.floor(time + Fraction(1, 2))


class Link:
    """Packets of 1500 bytes, at a rate that steps at given times, through a token bucket (rate, bytes)."""

    BITS = 12000

    def __init__(
        self, rate: int, steps: Sequence[tuple[int, int]] = (), bucket: tuple[int, int] | None = None
    ) -> None:
        self.rates = [(0, Fraction(rate, SECOND)), *((at, Fraction(step, SECOND)) for at, step in steps)]
        self.bucket = None if bucket is None else (Fraction(bucket[0], SECOND), Fraction(8 * bucket[1]))
        self.tokens, self.updated = (self.bucket[1] if self.bucket else Fraction(0)), 0

    def rate_at(self, now: int) -> Fraction:
        return next(rate for at, rate in reversed(self.rates) if at <= now)

    def tokens_at(self, now: int) -> Fraction:
        assert self.bucket is not None
        rate, burst = self.bucket
        return min(burst, self.tokens + rate * (now - self.updated))

    def begin(self, now: int) -> int:
        """Wait until there are tokens for a packet, and take them."""
        if self.bucket is None:
            return now
        lacking = self.BITS - self.tokens_at(now)
        start = now + whole(max(lacking, Fraction(0)) / self.bucket[0])
        self.tokens, self.updated = max(self.tokens_at(now) - self.BITS, Fraction(0)), start
        return start

    def departure(self, now: int) -> int:
        """Send a packet bit by bit; the clock knows whole picoseconds, at a step too."""
        time, bits = self.begin(now), Fraction(self.BITS)
        while True:
            rate = self.rate_at(time)
            end = time + whole(bits / rate)
            step = next((at for at, _ in self.rates if time < at < end), None)
            if step is None:
                return end
            bits, time = (end - step) * rate, step

    def service(self, now: int) -> int:
        """Return how long packets take at present."""
        service = whole(self.BITS / self.rate_at(now))
        if self.bucket is not None and self.tokens_at(now) < self.BITS:
            service = max(service, whole(self.BITS / self.bucket[0]))
        return service
