import math
from collections import deque
from collections.abc import Callable

from queue_scripts.fifo import Packet, Queue


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
                packet, self.dropping = self.dodequeue(now)
                if self.dropping:
                    self.drop_next = self.control_law(self.drop_next)
        elif ok_to_drop:
            assert packet is not None
            packet.ce = packet.ect
            if not packet.ect:
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


class CodelQueue(Queue):
    """One FIFO governed by CoDel."""

    CODEL = Codel

    def begin(self) -> None:
        self.codel = self.CODEL(self.waiting)

    def serve(self, now: int, dropped: list[Packet]) -> None:
        self.serving = self.codel.dequeue(now, dropped)
        self.begin_service(now)


class KernelCodelQueue(CodelQueue):
    """The same as in Linux."""

    CODEL = KernelCodel
