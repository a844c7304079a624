from collections.abc import Iterator

from queue_scripts.fifo import Event, Packet, Queue


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
        packet.ce = packet.ect
        return packet.ect


class KernelRedQueue(RedQueue):
    """As Linux 6.1 has it (include/net/red.h): no slope above max_th, and the packet in service has left.

    `count` is qcount: the first packet above min_th passes and draws R, in shares of 1 / P_b; the next ones
    pass until count times P_b reaches it.
    """

    def begin(self) -> None:
        super().begin()
        self.r = 0.0

    def enqueue(self, packet: Packet, dropped: list[Packet]) -> None:
        if self.serving is None:
            idle = (packet.tstamp - self.q_time) / self.link.service(packet.tstamp)
            self.avg *= (1 - self.W_Q) ** idle
        else:
            self.avg += self.W_Q * (len(self.waiting) - self.avg)
        Queue.enqueue(self, packet, dropped)

    def admits(self, packet: Packet) -> bool:
        if not self.MIN_TH <= self.avg < self.MAX_TH:
            self.count = -1
            packet.ce = packet.ect and self.avg >= self.MAX_TH
            return self.avg < self.MIN_TH or packet.ect
        self.count += 1
        p_b = self.MAX_P * (self.avg - self.MIN_TH) / (self.MAX_TH - self.MIN_TH)
        if self.count == 0:
            self.r = self.draws.uniform()
            return True
        if p_b * self.count < self.r:
            return True
        self.count = 0
        self.r = self.draws.uniform()
        packet.ce = packet.ect
        return packet.ect
