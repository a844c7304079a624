"""Whole connections of aioquic in virtual time over one drop-tail FIFO: what its controller is compared with.

    python aioquic_stack.py SECONDS CONNECTIONS BUFFER_PACKETS [MBIT/S [PAUSE]]

They send without end, or 15 MB at a time with a pause of so many seconds between. `build.sh aioquic` first.
"""

import datetime
import heapq
import ssl
import sys
from collections import deque
from pathlib import Path

sys.path.append(str(Path(__file__).parents[5] / "build/nine-cubics/python"))  # where build.sh installs it

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, StreamDataReceived
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

BURST = 15_000_000
ONE_WAY = 0.02  # s
HEADERS = 28  # IPv4 and UDP
AHEAD = 4_000_000  # bytes that wait in the sender: no window is as large


class Link:
    """A rate, a buffer in packets, and what has passed."""

    def __init__(self, rate: float, buffer: int) -> None:
        self.rate, self.buffer = rate, buffer
        self.queue: deque[float] = deque()
        self.free = 0.0
        self.sent = self.dropped = self.waiting = 0

    def carry(self, now: float, size: int) -> float | None:
        """Return when a packet arrives, or that it is dropped."""
        while self.queue and self.queue[0] <= now:
            self.queue.popleft()
        self.sent += 1
        self.waiting += len(self.queue)
        if len(self.queue) >= self.buffer:
            self.dropped += 1
            return None
        self.free = max(self.free, now) + size * 8 / self.rate
        self.queue.append(self.free)
        return self.free + ONE_WAY


class Side:
    """An endpoint of a connection."""

    def __init__(self, name: str, client: bool) -> None:
        self.name, self.client = name, client
        self.connection: QuicConnection | None = None
        self.peer: Side = self
        self.timer: float | None = None
        self.stream: int | None = None
        self.allowed = self.written = self.received = 0


def configurations() -> dict[bool, QuicConfiguration]:
    """Return a server's with a certificate of its own, and a client's that does not look at it."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    day = datetime.datetime(2026, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, day, day)
    certificate = builder.sign(key, hashes.SHA256())
    common = {"congestion_control_algorithm": "cubic", "max_datagram_size": 1472, "idle_timeout": 600.0}
    common |= {"max_data": 64 << 20, "max_stream_data": 64 << 20}
    server = QuicConfiguration(is_client=False, certificate=certificate, private_key=key, **common)
    return {False: server, True: QuicConfiguration(verify_mode=ssl.CERT_NONE, **common)}


def run(seconds: float, count: int, buffer: int, rate: float = 100, pause: float = 0) -> Link:
    """Return the link after so many seconds."""
    link, configuration, heap = Link(rate * 1e6, buffer), configurations(), []
    pushed = 0

    def at(time: float, side: Side, what: bytes | str) -> None:
        nonlocal pushed
        pushed += 1
        heapq.heappush(heap, (time, pushed, side, what))

    def serve(side: Side, now: float) -> None:
        """Do what a connection has to do, in the order of aioquic's own protocol."""
        while event := side.connection.next_event():
            if isinstance(event, ConnectionTerminated):
                sys.exit(f"{side.name}: {event.reason_phrase}")
            if isinstance(event, HandshakeCompleted) and side.client:
                side.stream = side.connection.get_next_available_stream_id(is_unidirectional=True)
            if isinstance(event, StreamDataReceived):
                side.received += len(event.data)
                if side.received == side.peer.allowed:
                    at(now + pause, side.peer, "resume")
        while side.stream is not None and side.written < min(side.allowed, side.peer.received + AHEAD):
            part = min(1 << 16, side.allowed - side.written)
            side.connection.send_stream_data(side.stream, bytes(part))
            side.written += part
        for data, _ in side.connection.datagrams_to_send(now=now):
            arrives = link.carry(now, len(data) + HEADERS) if side.client else now + ONE_WAY
            if arrives is not None:
                at(arrives, side.peer, data)
        side.timer = side.connection.get_timer()
        if side.timer is not None:
            side.timer = max(side.timer, now)
            at(side.timer, side, "timer")

    for index in range(count):
        client, server = Side(f"client {index}", client=True), Side(f"server {index}", client=False)
        client.peer, server.peer = server, client
        client.allowed = BURST if pause else sys.maxsize
        client.connection = QuicConnection(configuration=configuration[True])
        first = client.connection.original_destination_connection_id
        server.connection = QuicConnection(
            configuration=configuration[False], original_destination_connection_id=first
        )
        client.connection.connect((server.name, 1), now=0.0)
        serve(client, 0.0)
    while heap[0][0] <= seconds:
        now, _, side, what = heapq.heappop(heap)
        if what == "timer":
            if side.timer != now:
                continue  # it was set anew
            side.connection.handle_timer(now=now)
        elif what == "resume":
            side.allowed += BURST
        else:
            side.connection.receive_datagram(what, (side.peer.name, 1), now=now)
        serve(side, now)
    return link


if __name__ == "__main__":
    seconds, count, buffer, *rest = (float(each) for each in sys.argv[1:])
    link = run(seconds, int(count), int(buffer), *rest)
    share, mean = 100 * link.dropped / link.sent, link.waiting / link.sent
    print(
        f"link: {link.sent} packets, {link.dropped} dropped ({share:.3f} %), mean queue on arrival {mean:.1f}"
    )
