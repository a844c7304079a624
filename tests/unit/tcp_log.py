"""Filter logs made by hand: a sender at 10.0.0.1:4000, a receiver at 10.0.0.2:5001."""

from __future__ import annotations

import struct
from pathlib import Path

SENDER, RECEIVER = (0x0A000001, 4000), (0x0A000002, 5001)
FIN, SYN, ACK = 0x01, 0x02, 0x10
EPOCH_S = 1_000_000_000


class Log:
    """Writes packets one after the other; times in milliseconds."""

    def __init__(self, isn: int = 100) -> None:
        self.isn = isn
        self.records = b""

    def packet(
        self,
        ms: float,
        source: tuple[int, int],
        seq: int,
        ack: int,
        flags: int,
        payload: int,
        window: int = 1000,
    ) -> None:
        destination = RECEIVER if source == SENDER else SENDER
        tcp = struct.pack(
            ">HHIIBBHHH", source[1], destination[1], seq % 2**32, ack % 2**32, 5 << 4, flags, window, 0, 0
        )
        ip = struct.pack(">BBHHHBBHII", 0x45, 0, 40 + payload, 0, 0, 64, 6, 0, source[0], destination[0])
        ns = round(ms * 1e6)
        header = struct.pack("<IIII", EPOCH_S + ns // 10**9, ns % 10**9, 40, 40 + payload)
        self.records += header + ip + tcp

    def data(self, ms: float, segment: int, size: int = 100, fin: bool = False) -> None:
        """Log the sender's segment number `segment` (from 0), of equal size."""
        self.packet(ms, SENDER, self.isn + 1 + segment * size, 1, ACK | (FIN if fin else 0), size)

    def ack(self, ms: float, next_segment: int, size: int = 100, window: int = 1000) -> None:
        """Log the receiver's acknowledgement of all segments before `next_segment`."""
        self.packet(ms, RECEIVER, 1, self.isn + 1 + next_segment * size, ACK, 0, window)

    def handshake(self, ms: float, rtt_ms: float) -> None:
        self.packet(ms, SENDER, self.isn, 0, SYN, 0)
        self.packet(ms + rtt_ms, RECEIVER, 0, self.isn + 1, SYN | ACK, 0)
        self.packet(ms + rtt_ms, SENDER, self.isn + 1, 1, ACK, 0)

    def write(self, path: Path) -> Path:
        path.write_bytes(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 120, 101) + self.records)
        return path
