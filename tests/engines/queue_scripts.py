"""The queues of RFC 8289, 8290, 8033 and of Floyd and Jacobson 1993, straight from their pseudo-code.

Beside them what Linux 6.1 does otherwise, as docs/decisions/as-linux.md tells it.

The link behind them counts bits and tokens. Slow and plain. Times are picoseconds. A queue yields events
(time, what, number) for arrivals (time, flow, understands marks).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Arrival = tuple[int, int, bool]
Event = tuple[int, str, int]
SECOND = 10**12
MASK = 2**64 - 1


@dataclass
class Packet:
    """A packet with its time of arrival."""

    number: int
    flow: int
    tstamp: int
    ect: bool
    ce: bool = False


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


class Draws:
    """xoshiro256++ seeded as the simulator's streams are: a queue that draws must draw the same numbers."""

    def __init__(self, seed: int, stream: int = 7) -> None:
        state = seed ^ (stream * 0xD1342543DE82EF95 & MASK)
        self.words = []
        for _ in range(4):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.words.append(z ^ (z >> 31))

    def uniform(self) -> float:
        """Return a number from (0, 1]."""
        a, b, c, d = self.words
        total = (a + d) & MASK
        result = (((total << 23) | (total >> 41)) + a) & MASK
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17 & MASK), ((d << 45) | (d >> 19)) & MASK]
        return ((result >> 11) + 1) * 2.0**-53


class Codel:
    """RFC 8289, section 5: the class codel_queue_t, with marks as section 5 allows them."""

    TARGET, INTERVAL = 5 * 10**9, 100 * 10**9

    def __init__(self, packets: deque[Packet], left: Callable[[], int] | None = None) -> None:
        self.packets = packets
        self.left = left or (lambda: len(packets))
        self.first_above_time = self.drop_next = self.count = self.lastcount = 0
        self.dropping = False

    def counted(self, anew: bool) -> None:
        """Note another count, of another drop or of a cycle that begins."""

    def control_law(self, t: int) -> int:
        return t + round(self.INTERVAL / math.sqrt(self.count))

    def dodequeue(self, now: int) -> tuple[Packet | None, bool]:
        if not self.packets:
            self.first_above_time = 0
            return None, False
        packet = self.packets.popleft()
        if now - packet.tstamp < self.TARGET or self.left() <= 1:
            self.first_above_time = 0
        elif self.first_above_time == 0:
            self.first_above_time = now + self.INTERVAL
        elif now >= self.first_above_time:
            return packet, True
        return packet, False

    def dequeue(self, now: int, dropped: list[Packet]) -> Packet | None:
        packet, ok_to_drop = self.dodequeue(now)
        if self.dropping:
            if not ok_to_drop:
                self.dropping = False
            while now >= self.drop_next and self.dropping:
                assert packet is not None
                self.count += 1
                self.counted(anew=False)
                if packet.ect:
                    packet.ce = True
                    self.drop_next = self.control_law(self.drop_next)
                    return packet
                dropped.append(packet)
                packet, ok_to_drop = self.dodequeue(now)
                if not ok_to_drop:
                    self.dropping = False
                else:
                    self.drop_next = self.control_law(self.drop_next)
        elif ok_to_drop:
            assert packet is not None
            if packet.ect:
                packet.ce = True
            else:
                dropped.append(packet)
                packet, _ = self.dodequeue(now)
            self.dropping = True
            delta = self.count - self.lastcount
            self.count = 1
            if delta > 1 and now - self.drop_next < 16 * self.INTERVAL:
                self.count = delta
            self.counted(anew=True)
            self.drop_next = self.control_law(now)
            self.lastcount = self.count
        return packet


class KernelCodel(Codel):
    """As Linux: 1 / sqrt(count) by one step of Newton's iteration for each count, in words of 16 bits."""

    ONE = 0xFFFF
    root = ONE

    def counted(self, anew: bool) -> None:
        if anew and self.count == 1:
            self.root = self.ONE
            return
        x = self.root << 16
        rest = ((3 << 32) - self.count * (x * x >> 32)) % 2**64
        self.root = ((rest >> 2) * x % 2**64 >> 47) % 2**16

    def control_law(self, t: int) -> int:
        return t + self.INTERVAL * self.root // 2**16


@dataclass
class Queue:
    """One FIFO, drop-tail; `buffer` counts the packet in service."""

    buffer: int
    link: Link
    seed: int
    waiting: deque[Packet] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.draws = Draws(self.seed)
        self.serving: Packet | None = None
        self.free_at = 0
        self.begin()

    def begin(self) -> None:
        """Set up what the discipline keeps."""

    def length(self) -> int:
        """Return the number of packets here."""
        return len(self.waiting) + (self.serving is not None)

    def admits(self, packet: Packet) -> bool:
        """Say whether the discipline lets the arriving packet in; it may mark it."""
        return True

    def head(self, now: int, dropped: list[Packet]) -> Packet | None:
        """Return the packet that is served next."""
        return self.waiting.popleft() if self.waiting else None

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        """Put the packet into the queue, or drop packets."""
        if not self.admits(packet) or self.length() >= self.buffer:
            dropped.append(packet)
        else:
            self.waiting.append(packet)

    def before(self, now: int) -> None:
        """Do what is due before an event of this time."""

    def depart_until(self, end: int) -> Iterator[Event]:
        while self.serving is not None and self.free_at <= end:
            now, gone, dropped = self.free_at, self.serving, []
            self.before(now)
            self.serving = None
            self.serve(now, dropped)
            yield from ((now, "dropped", packet.number) for packet in dropped)
            yield now, "marked" if gone.ce else "left", gone.number

    def serve(self, now: int, dropped: list[Packet]) -> None:
        self.serving = self.head(now, dropped)
        self.begin_service(now)

    def begin_service(self, now: int) -> None:
        if self.serving is not None:
            self.free_at = self.link.departure(now)

    def replay(self, arrivals: Sequence[Arrival]) -> Iterator[Event]:
        """Yield what happens to each packet."""
        for number, (now, flow, ect) in enumerate(arrivals):
            yield from self.depart_until(now)
            dropped: list[Packet] = []
            self.before(now)
            self.enqueue(Packet(number, flow, now, ect), dropped)
            if self.serving is None:
                self.serve(now, dropped)
            yield from ((now, "dropped", packet.number) for packet in dropped)
        yield from self.depart_until(10**30)


class CodelQueue(Queue):
    """One FIFO governed by CoDel."""

    def begin(self) -> None:
        self.codel = Codel(self.waiting)

    def serve(self, now: int, dropped: list[Packet]) -> None:
        self.serving = self.codel.dequeue(now, dropped)
        self.begin_service(now)


class KernelCodelQueue(CodelQueue):
    """The same as in Linux."""

    def begin(self) -> None:
        self.codel = KernelCodel(self.waiting)


class PieQueue(Queue):
    """RFC 8033, appendix A, with the queueing delay from the length of the queue and the rate of the link."""

    QDELAY_REF, T_UPDATE, MAX_BURST = 15 * 10**9, 15 * 10**9, 150 * 10**9

    def begin(self) -> None:
        self.drop_prob = self.accu_prob = 0.0
        self.qdelay_old, self.burst_allowance, self.due = 0, self.MAX_BURST, self.T_UPDATE

    def before(self, now: int) -> None:
        while self.due <= now:
            self.calculate_drop_prob(self.due)
            self.due += self.T_UPDATE

    def calculate_drop_prob(self, now: int) -> None:
        qdelay = self.length() * self.link.service(now)
        p = 0.125 * ((qdelay - self.QDELAY_REF) / SECOND) + 1.25 * ((qdelay - self.qdelay_old) / SECOND)
        if self.drop_prob < 0.000001:
            p /= 2048
        elif self.drop_prob < 0.00001:
            p /= 512
        elif self.drop_prob < 0.0001:
            p /= 128
        elif self.drop_prob < 0.001:
            p /= 32
        elif self.drop_prob < 0.01:
            p /= 8
        elif self.drop_prob < 0.1:
            p /= 2
        if self.drop_prob >= 0.1 and p > 0.02:
            p = 0.02
        self.drop_prob += p
        if qdelay == 0 and self.qdelay_old == 0:
            self.drop_prob *= 0.98
        self.drop_prob = min(max(self.drop_prob, 0.0), 1.0)
        self.burst_allowance = max(0, self.burst_allowance - self.T_UPDATE)
        half = self.QDELAY_REF / 2
        if self.drop_prob == 0 and qdelay < half and self.qdelay_old < half:
            self.burst_allowance = self.MAX_BURST
        self.qdelay_old = qdelay

    def admits(self, packet: Packet) -> bool:
        if self.burst_allowance > 0:
            return True
        if (self.qdelay_old < self.QDELAY_REF / 2 and self.drop_prob < 0.2) or self.length() <= 2:
            return True
        if self.drop_prob == 0:
            self.accu_prob = 0
        self.accu_prob += self.drop_prob
        if self.accu_prob < 0.85:
            return True
        if self.accu_prob < 8.5 and self.draws.uniform() >= self.drop_prob:
            return True
        self.accu_prob = 0
        if packet.ect and self.drop_prob <= 0.1:
            packet.ce = True
            return True
        return False


class KernelPieQueue(PieQueue):
    """As Linux: by the wait of the last packet that left, with another decay and burst allowance."""

    def begin(self) -> None:
        super().begin()
        self.waited, self.left_at = 0, -1

    def begin_service(self, now: int) -> None:
        super().begin_service(now)
        if self.serving is not None:
            self.waited = now - self.serving.tstamp if self.waiting else 0
            if self.left_at >= 0:
                self.burst_allowance = max(0, self.burst_allowance - (now - self.left_at))
            self.left_at = now

    def calculate_drop_prob(self, now: int) -> None:
        p = 0.125 * ((self.waited - self.QDELAY_REF) / SECOND) + 1.25 * (
            (self.waited - self.qdelay_old) / SECOND
        )
        limits = {1e-6: 2048, 1e-5: 512, 1e-4: 128, 1e-3: 32, 1e-2: 8, 1e-1: 2}
        p /= next((divisor for limit, divisor in limits.items() if self.drop_prob < limit), 1)
        if self.drop_prob >= 0.1 and p > 0.02:
            p = 0.02
        self.drop_prob += p + (0.02 if self.waited > 250 * 10**9 else 0)
        if self.waited == 0 and self.qdelay_old == 0 and not self.waiting:
            self.drop_prob *= 63 / 64
        self.drop_prob = min(max(self.drop_prob, 0.0), 1.0)
        if self.drop_prob == 0 and max(self.waited, self.qdelay_old) < self.QDELAY_REF / 2:
            self.burst_allowance, self.left_at = self.MAX_BURST, -1
        self.qdelay_old = self.waited

    def admits(self, packet: Packet) -> bool:
        before, self.qdelay_old = self.qdelay_old, self.waited
        admitted = super().admits(packet)
        self.qdelay_old = before
        return admitted


class RedQueue(Queue):
    """Floyd and Jacobson 1993, figure 2, with Floyd's gentle slope from max_th to twice max_th."""

    MIN_TH, MAX_TH, MAX_P, W_Q = 5.0, 15.0, 0.1, 0.002

    def begin(self) -> None:
        self.avg, self.count, self.q_time = 0.0, -1, 0

    def depart_until(self, end: int) -> Iterator[Event]:
        for event in super().depart_until(end):
            if self.serving is None:
                self.q_time = event[0]
            yield event

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        length = self.length()
        if length == 0:
            self.avg *= (1 - self.W_Q) ** ((packet.tstamp - self.q_time) / self.link.service(packet.tstamp))
        else:
            self.avg += self.W_Q * (length - self.avg)
        super().enqueue(packet, dropped)

    def admits(self, packet: Packet) -> bool:
        if self.avg < self.MIN_TH:
            self.count = -1
            return True
        self.count += 1
        if self.avg >= 2 * self.MAX_TH:
            self.count = 0
            return False
        if self.avg < self.MAX_TH:
            p_b = self.MAX_P * (self.avg - self.MIN_TH) / (self.MAX_TH - self.MIN_TH)
        else:
            p_b = self.MAX_P + (1 - self.MAX_P) * (self.avg - self.MAX_TH) / self.MAX_TH
        if p_b == 0:
            self.count = -1
            return True
        left = 1 - self.count * p_b
        if left > 0 and self.draws.uniform() >= p_b / left:
            return True
        self.count = 0
        if packet.ect:
            packet.ce = True
            return True
        return False


class FqCodelQueue(Queue):
    """RFC 8290, section 4: a queue for each flow, each with the CoDel of RFC 8289."""

    QUANTUM, BYTES = 1514, 1500
    COUNTS_ALL, CODEL = False, Codel

    def begin(self) -> None:
        self.queues: dict[int, deque[Packet]] = {}
        self.codels: dict[int, Codel] = {}
        self.credits: dict[int, int] = {}
        self.new: deque[int] = deque()
        self.old: deque[int] = deque()

    def length(self) -> int:
        return sum(len(queue) for queue in self.queues.values()) + (self.serving is not None)

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        flow = packet.flow
        if flow not in self.queues:
            self.queues[flow] = deque()
            everywhere = self.waiting_anywhere if self.COUNTS_ALL else None
            self.codels[flow] = self.CODEL(self.queues[flow], everywhere)
        self.queues[flow].append(packet)
        if flow not in self.new and flow not in self.old:
            self.new.append(flow)
            self.credits[flow] = self.QUANTUM
        if self.length() > self.buffer:
            longest = max(sorted(self.queues), key=lambda other: len(self.queues[other]))
            count = min(max(self.half(len(self.queues[longest])), 1), 64)
            dropped.extend(self.queues[longest].popleft() for _ in range(count))
            self.overflowed(longest, count)

    def half(self, length: int) -> int:
        return length // 2

    def overflowed(self, flow: int, count: int) -> None:
        """Note drops from a flow for want of room."""

    def waiting_anywhere(self) -> int:
        return sum(len(queue) for queue in self.queues.values())

    def head(self, now: int, dropped: list[Packet]) -> Packet | None:
        while self.new or self.old:
            queue = self.new or self.old
            flow = queue[0]
            if self.credits[flow] <= 0:
                self.credits[flow] += self.QUANTUM
                queue.popleft()
                self.old.append(flow)
                continue
            packet = self.codels[flow].dequeue(now, dropped)
            if packet is not None:
                self.credits[flow] -= self.BYTES
                return packet
            queue.popleft()
            if queue is self.new:
                self.old.append(flow)
        return None


class StepQueue(Queue):
    """Alizadeh et al. 2010, section 3.1: marks an arriving packet if more than K are there; never drops.

    K packets take 12 ms at the present rate.
    """

    THRESHOLD = 12 * 10**9

    def admits(self, packet: Packet) -> bool:
        packet.ce = packet.ect and self.length() > self.THRESHOLD // self.link.service(packet.tstamp)
        return True


class FairQueue(Queue):
    """Baccelli, Hong and Liu 2001, section 5.2: a packet of each flow in turn; a buffer for each."""

    def begin(self) -> None:
        self.queues: dict[int, deque[Packet]] = {}
        self.turns: deque[int] = deque()

    def length(self) -> int:
        return sum(len(queue) for queue in self.queues.values()) + (self.serving is not None)

    def own(self, flow: int) -> int:
        return len(self.queues.get(flow, ())) + (self.serving is not None and self.serving.flow == flow)

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        if self.own(packet.flow) >= self.buffer:
            dropped.append(packet)
        else:
            self.append(packet)

    def append(self, packet: Packet) -> None:
        queue = self.queues.setdefault(packet.flow, deque())
        if not queue:
            self.turns.append(packet.flow)
        queue.append(packet)

    def head(self, now: int, dropped: list[Packet]) -> Packet | None:
        if not self.turns:
            return None
        flow = self.turns.popleft()
        packet = self.queues[flow].popleft()
        if self.queues[flow]:
            self.turns.append(flow)
        return packet


class SharedFairQueue(FairQueue):
    """The same with one buffer: when it is full, the longest queue loses its first packet."""

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        full = self.length() >= self.buffer
        self.append(packet)
        if full:
            # Of several longest ones that of the arriving packet, or else that of the lowest flow.
            longest = max(self.queues, key=lambda flow: (len(self.queues[flow]), flow == packet.flow, -flow))
            dropped.append(self.queues[longest].popleft())
            if not self.queues[longest]:
                self.turns.remove(longest)


class KernelFqCodelQueue(FqCodelQueue):
    """As Linux (sch_fq_codel.c): CoDel spares a packet only if it is the last one of all queues.

    Of a queue that loses packets for want of room, a half is rounded up, and CoDel counts them.
    """

    COUNTS_ALL, CODEL = True, KernelCodel

    def half(self, length: int) -> int:
        return (length + 1) // 2

    def overflowed(self, flow: int, count: int) -> None:
        self.codels[flow].count += count


QUEUES = {
    "codel": KernelCodelQueue,
    "codel-rfc": CodelQueue,
    "pie": KernelPieQueue,
    "pie-rfc": PieQueue,
    "red": RedQueue,
    "fq-codel": KernelFqCodelQueue,
    "fq-codel-rfc": FqCodelQueue,
    "step": StepQueue,
    "drop-tail": Queue,
    "fair-individual": FairQueue,
    "fair-shared": SharedFairQueue,
}
