from collections import deque

from queue_scripts.codel import Codel, KernelCodel
from queue_scripts.fair import FlowQueues
from queue_scripts.fifo import Packet


class FqCodelQueue(FlowQueues):
    """RFC 8290, section 4: a queue for each flow, each with the CoDel of RFC 8289."""

    QUANTUM, BYTES = 1514, 1500
    CODEL, COUNTS_ALL = Codel, False

    def begin(self) -> None:
        super().begin()
        self.codels, self.credits = dict[int, Codel](), dict[int, int]()
        self.new, self.old = deque[int](), deque[int]()

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        flow = packet.flow
        if flow not in self.queues:
            self.queues[flow] = deque()
            self.codels[flow] = self.CODEL(self.queues[flow], self.queued if self.COUNTS_ALL else None)
        self.queues[flow].append(packet)
        if flow not in self.new and flow not in self.old:
            self.new.append(flow)
            self.credits[flow] = self.QUANTUM
        if self.length() > self.buffer:
            longest = max(sorted(self.queues), key=lambda other: len(self.queues[other]))
            count = min(max((len(self.queues[longest]) + self.COUNTS_ALL) // 2, 1), 64)
            dropped.extend(self.queues[longest].popleft() for _ in range(count))
            self.codels[longest].count += count * self.COUNTS_ALL

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


class KernelFqCodelQueue(FqCodelQueue):
    """As Linux (sch_fq_codel.c): CoDel spares a packet only if it is the last one of all queues.

    Of a queue that loses packets for want of room, a half is rounded up, and CoDel counts them.
    """

    CODEL, COUNTS_ALL = KernelCodel, True
