from queue_scripts.fifo import Packet, Queue


class StepQueue(Queue):
    """Alizadeh et al. 2010, section 3.1: marks an arriving packet if more than K are there; never drops.

    K packets take 12 ms at the present rate.
    """

    THRESHOLD = 12 * 10**9

    def admits(self, packet: Packet) -> bool:
        packet.ce = packet.ect and self.length() > self.THRESHOLD // self.link.service(packet.tstamp)
        return True


class KernelStepQueue(Queue):
    """As Linux (CoDel's ce_threshold): marks what has waited for more than 12 ms before its service."""

    def head(self, now: int, dropped: list[Packet]) -> Packet | None:
        packet = super().head(now, dropped)
        if packet is not None and packet.ect and now - packet.tstamp > StepQueue.THRESHOLD:
            packet.ce = True
        return packet
