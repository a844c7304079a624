"""A drop-tail queue, which other disciplines govern."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from queue_scripts.draws import Draws
from queue_scripts.link import Link

Arrival = tuple[int, int, bool]
Event = tuple[int, str, int]


@dataclass
class Packet:
    """A packet with its time of arrival."""

    number: int
    flow: int
    tstamp: int
    ect: bool
    ce: bool = False


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
