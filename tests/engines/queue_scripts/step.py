from queue_scripts.fifo import Packet, Queue


class StepQueue(Queue):
    """Alizadeh et al. 2010, section 3.1: marks an arriving packet if more than K are there; never drops.

    K packets take 12 ms at the present rate.
    """

    THRESHOLD = 12 * 10**9

    def admits(self, packet: Packet) -> bool:
        packet.ce = packet.ect and self.length() > self.THRESHOLD // self.link.service(packet.tstamp)
        return True
