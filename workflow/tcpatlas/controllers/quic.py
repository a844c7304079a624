"""Controllers with the methods of aioquic's: `on_packet_sent`, `on_packet_acked`, `on_packets_lost` and more.

They count bytes, are told of single packets by keyword, and give `congestion_window` (bytes). A TCP sender
repairs losses, so a packet is told lost by its transmission's number; a retransmission timeout is told as the
loss of all that is in flight. The window holds in a recovery, too, as in QUIC (RFC 9002, section 7).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tcpatlas.controllers.abi import Config, Event, Packet
from tcpatlas.controllers.python_class import lost_packets, name_of

_SECOND = 1e12


@dataclass
class SentPacket:
    """What such a controller reads of a packet: seconds and bytes."""

    packet_number: int
    sent_time: float
    sent_bytes: int
    in_flight: bool = True
    is_ack_eliciting: bool = True
    is_crypto_packet: bool = False


def is_quic(kind: Any) -> bool:
    """Return whether a class has these methods."""
    return all(hasattr(kind, name) for name in ("on_packet_acked", "on_packets_lost"))


def adapted(kind: Callable[..., Any]) -> type:
    """Return the class as one of `python_class.py`."""

    class Adapted:
        own_recovery = True

        def __init__(self, config: Config) -> None:
            self.bytes = config.packet_bytes
            self.own = kind(max_datagram_size=config.packet_bytes)
            self.waiting: dict[int, SentPacket] = {}
            self.newest = -1
            self.ssthresh = math.inf
            self.now = 0.0
            self._say()

        def _say(self) -> None:
            self.window = max(self.own.congestion_window / self.bytes, 1)
            self.ssthresh = max((self.own.ssthresh or math.inf) / self.bytes, 1)

        def on_sent(self, packet: Packet) -> None:
            sent = SentPacket(packet.number, packet.sent / _SECOND, self.bytes)
            self.waiting[packet.number] = sent
            self.own.on_packet_sent(packet=sent)

        def on_delivery(self, event: Event) -> None:
            self.now = event.now / _SECOND
            # The path is FIFO: what arrived is the newest packet and those just before it.
            for number in range(event.newest.number - event.delivered + 1, event.newest.number + 1):
                if packet := self.waiting.pop(number, None):
                    self.own.on_packet_acked(now=self.now, packet=packet)
            if event.rtt > 0:
                self.own.on_rtt_measurement(now=self.now, rtt=event.rtt / _SECOND)
            if event.lost > 0:
                self._lose([packet for number in lost_packets(event) if (packet := self._gone(number))])
            # Nobody tells of what was sent again in vain.
            if (vain := len(self.waiting) - event.in_flight) > 0 and hasattr(self.own, "on_packets_expired"):
                expired = [self.waiting.pop(number) for number in list(self.waiting)[:vain]]
                self.own.on_packets_expired(packets=expired)
            self._say()

        def _gone(self, number: int) -> SentPacket | None:
            """Return a packet that is lost: the oldest if this one was taken for its neighbour."""
            oldest = next(iter(self.waiting), number)
            return self.waiting.pop(number, None) or self.waiting.pop(oldest, None)

        def _lose(self, packets: list[SentPacket]) -> None:
            if packets:
                self.own.on_packets_lost(now=self.now, packets=packets)

        def on_loss(self, event: Event) -> None:
            """Nothing: losses come packet by packet."""

        def on_timeout(self, event: Event) -> None:
            self.now = event.now / _SECOND
            gone = list(self.waiting.values())
            self.waiting.clear()
            self._lose(gone)
            if hasattr(self.own, "on_persistent_congestion"):
                self.own.on_persistent_congestion()
            self._say()

    Adapted.__name__ = name_of(kind)
    return Adapted
