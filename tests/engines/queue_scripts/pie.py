from typing import ClassVar

from queue_scripts.fifo import Packet, Queue
from queue_scripts.link import SECOND


class PieQueue(Queue):
    """RFC 8033, appendix A, with the queueing delay from the length of the queue and the rate of the link."""

    QDELAY_REF, T_UPDATE, MAX_BURST = 15 * 10**9, 15 * 10**9, 150 * 10**9
    LIMITS: ClassVar = {1e-6: 2048, 1e-5: 512, 1e-4: 128, 1e-3: 32, 1e-2: 8, 1e-1: 2}

    def begin(self) -> None:
        self.drop_prob = self.accu_prob = 0.0
        self.qdelay_old, self.burst_allowance, self.due = 0, self.MAX_BURST, self.T_UPDATE

    def before(self, now: int) -> None:
        while self.due <= now:
            self.calculate_drop_prob(self.due)
            self.due += self.T_UPDATE

    def step(self, qdelay: float) -> float:
        """Return by how much the probability moves, by little while it is small."""
        p = 0.125 * ((qdelay - self.QDELAY_REF) / SECOND) + 1.25 * ((qdelay - self.qdelay_old) / SECOND)
        p /= next((divisor for limit, divisor in self.LIMITS.items() if self.drop_prob < limit), 1)
        return min(p, 0.02) if self.drop_prob >= 0.1 else p

    def calculate_drop_prob(self, now: int) -> None:
        qdelay = self.length() * self.link.service(now)
        self.drop_prob += self.step(qdelay)
        if qdelay == 0 and self.qdelay_old == 0:
            self.drop_prob *= 0.98
        self.drop_prob = min(max(self.drop_prob, 0.0), 1.0)
        self.burst_allowance = max(0, self.burst_allowance - self.T_UPDATE)
        if self.drop_prob == 0 and max(qdelay, self.qdelay_old) < self.QDELAY_REF / 2:
            self.burst_allowance = self.MAX_BURST
        self.qdelay_old = qdelay

    def admits(self, packet: Packet) -> bool:
        little = self.qdelay_old < self.QDELAY_REF / 2 and self.drop_prob < 0.2
        if self.burst_allowance > 0 or little or self.length() <= 2:
            return True
        if self.drop_prob == 0:
            self.accu_prob = 0
        self.accu_prob += self.drop_prob
        if self.accu_prob < 0.85 or (self.accu_prob < 8.5 and self.draws.uniform() >= self.drop_prob):
            return True
        self.accu_prob = 0
        packet.ce = packet.ect and self.drop_prob <= 0.1
        return packet.ce


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
        self.drop_prob += self.step(self.waited) + (0.02 if self.waited > 250 * 10**9 else 0)
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
