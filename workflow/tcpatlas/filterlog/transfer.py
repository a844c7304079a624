"""One bulk transfer out of a filter log that was written at the sender's end."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tcpatlas.base.errors import AtlasError
from tcpatlas.filterlog.pcap import ACK, FIN, SYN, Packets, read_pcap

_SEQUENCE_SPACE = 1 << 32
_DUPLICATES_OF_A_TRIPLICATE = 3


@dataclass(frozen=True)
class Transfer:
    """What one connection's packets say; times in seconds, sizes in bytes of data.

    An RTT sample is the time from a segment's only transmission to the acknowledgement that ends with it,
    unless a segment before it was sent again in between: that is a post-loss acknowledgement. SYN and FIN
    count as segments here, as they do in tcptrace.
    """

    elapsed: float  # first packet to last
    data_time: float  # first data segment to last
    mss: int  # the largest segment
    segments_sent: int
    unique_bytes: int
    retransmitted_bytes: int
    retransmitted_segments: int
    outstanding: NDArray[np.float64]  # bytes not yet acknowledged as each new segment is sent, it included
    rtt: NDArray[np.float64]
    rtt_time: NDArray[np.float64]  # when each RTT sample was taken, since the first packet
    post_loss_acks: int
    triplicate_acks: int

    @property
    def throughput(self) -> float:
        """ATp of section 7.3, in bytes per second: data delivered over elapsed time."""
        return self.unique_bytes / self.elapsed

    @property
    def send_rate(self) -> float:
        """ATpXmit of section 7.3, in bytes per second: all data sent over the time of data transfer."""
        return (self.unique_bytes + self.retransmitted_bytes) / self.data_time

    @property
    def throughput_without_timeouts(self) -> float:
        """NoTOTput of section 7.3, in bytes per second: average window over average RTT."""
        return float(np.mean(self.outstanding) / np.mean(self.rtt))

    @property
    def loss_bounds(self) -> tuple[float, float]:
        """Section 7.2's two estimates of loss per segment, by triplicate and post-loss ACKs; lower first."""
        low, high = sorted((self.triplicate_acks, self.post_loss_acks))
        return low / self.segments_sent, high / self.segments_sent


def read_transfers(path: Path) -> list[Transfer]:
    """Return the connections of a filter log in the order of their first SYN; the client is the sender.

    Raises AtlasError, which names the file, if it is no log or holds no complete transfer.
    """
    packets = read_pcap(path)
    first_syn = (packets.flags & (SYN | ACK)) == SYN
    pairs = dict.fromkeys(
        zip(packets.source[first_syn].tolist(), packets.destination[first_syn].tolist(), strict=True)
    )
    transfers = []
    for client, server in pairs:
        ours = (packets.source == client) & (packets.destination == server)
        theirs = (packets.source == server) & (packets.destination == client)
        if not (packets.payload_bytes[ours] > 0).any() or not theirs.any():
            raise AtlasError(f"{path}: a connection without data or without an answer")
        transfers.append(_Reading().read(packets[ours | theirs], client))
    if not transfers:
        raise AtlasError(f"{path}: no connection whose beginning is in the log")
    return transfers


@dataclass
class _Reading:
    """The sender's segments as far as the log has been read; sequence numbers count from the SYN's."""

    ends: list[int] = field(default_factory=list)  # of the segments, which follow one another without a gap
    sent: list[int] = field(default_factory=list)  # ns, the newest transmission of each
    resent: list[bool] = field(default_factory=list)
    acknowledged: int = 0  # segments
    newest_acknowledged: int = 0  # ns, the newest transmission among these
    highest_ack: int = 0
    window: int = -1
    duplicates: int = 0
    retransmitted_bytes: int = 0
    retransmitted_segments: int = 0
    triplicate_acks: int = 0
    post_loss_acks: int = 0
    outstanding: list[int] = field(default_factory=list)
    rtt: list[int] = field(default_factory=list)
    rtt_time: list[int] = field(default_factory=list)

    def read(self, packets: Packets, client: int) -> Transfer:
        outgoing = packets.source == client
        first_seq = int(packets.seq[outgoing][0])
        number = np.where(outgoing, packets.seq, packets.ack)
        rows = zip(
            packets.time_ns.tolist(),
            outgoing.tolist(),
            ((number - first_seq) % _SEQUENCE_SPACE).tolist(),
            packets.payload_bytes.tolist(),
            packets.flags.tolist(),
            packets.window.tolist(),
            strict=True,
        )
        for time, is_outgoing, at, payload, flags, window in rows:
            if is_outgoing:
                self._segment(time, at, payload, flags)
            elif flags & ACK:
                self._acknowledgement(time, at, payload, window)
        times = packets.time_ns
        data = outgoing & (packets.payload_bytes > 0)
        sizes = packets.payload_bytes[data]
        return Transfer(
            elapsed=(times[-1] - times[0]) / 1e9,
            data_time=(times[data][-1] - times[data][0]) / 1e9,
            mss=int(sizes.max()),
            segments_sent=int(data.sum()),
            unique_bytes=int(sizes.sum()) - self.retransmitted_bytes,
            retransmitted_bytes=self.retransmitted_bytes,
            retransmitted_segments=self.retransmitted_segments,
            outstanding=np.array(self.outstanding, dtype=np.float64),
            rtt=np.array(self.rtt) / 1e9,
            rtt_time=(np.array(self.rtt_time) - times[0]) / 1e9,
            post_loss_acks=self.post_loss_acks,
            triplicate_acks=self.triplicate_acks,
        )

    def _segment(self, time: int, start: int, payload: int, flags: int) -> None:
        end = start + payload + bool(flags & SYN) + bool(flags & FIN)
        if end == start:
            return
        known_to = self.ends[-1] if self.ends else 0
        if start < known_to:
            self._retransmission(time, start, min(end, known_to), payload)
        if end > known_to:
            self.ends.append(end)
            self.sent.append(time)
            self.resent.append(False)
            if payload > 0 and start >= known_to:
                self.outstanding.append(start + payload - self.highest_ack)

    def _retransmission(self, time: int, start: int, end: int, payload: int) -> None:
        if payload > 0:
            self.retransmitted_bytes += min(payload, end - start)
            self.retransmitted_segments += 1
        first = bisect.bisect_right(self.ends, start)
        last = bisect.bisect_left(self.ends, end)
        for i in range(first, last + 1):
            self.sent[i] = time
            self.resent[i] = True
        if first < self.acknowledged:
            self.newest_acknowledged = time

    def _acknowledgement(self, time: int, ack: int, payload: int, window: int) -> None:
        # A duplicate as in BSD and RFC 5681: no data, no news of the window, the highest number so far.
        if ack == self.highest_ack and payload == 0 and window == self.window:
            self.duplicates += 1
            if self.duplicates == _DUPLICATES_OF_A_TRIPLICATE:
                self.triplicate_acks += 1
        elif ack >= self.highest_ack:
            self.duplicates = 0
        self.window = window
        if ack <= self.highest_ack:
            return
        self.highest_ack = ack
        while self.acknowledged < len(self.ends) and self.ends[self.acknowledged] <= ack:
            i = self.acknowledged
            self.acknowledged += 1
            if self.ends[i] == ack and self.newest_acknowledged > self.sent[i]:
                self.post_loss_acks += 1
            elif self.ends[i] == ack and not self.resent[i]:
                self.rtt.append(time - self.sent[i])
                self.rtt_time.append(time)
            self.newest_acknowledged = max(self.newest_acknowledged, self.sent[i])
