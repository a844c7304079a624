from collections import deque

from queue_scripts.fifo import Packet, Queue


class FlowQueues(Queue):
    """A FIFO for each flow."""

    def begin(self) -> None:
        self.queues: dict[int, deque[Packet]] = {}

    def queued(self) -> int:
        """Return the number of packets that wait in all queues."""
        return sum(map(len, self.queues.values()))

    def length(self) -> int:
        return self.queued() + (self.serving is not None)


class FairQueue(FlowQueues):
    """Baccelli, Hong and Liu 2001, section 5.2: a packet of each flow in turn; a buffer for each."""

    def begin(self) -> None:
        super().begin()
        self.turns: deque[int] = deque()

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
