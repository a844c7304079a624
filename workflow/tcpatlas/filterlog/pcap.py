"""TCP packets of a file in the format of libpcap (draft-ietf-opsawg-pcap)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tcpatlas.base.errors import AtlasError

_FILE_HEADER_BYTES = 24
_RECORD_HEADER_BYTES = 16
_MAGIC = {0xA1B2C3D4: 1_000, 0xA1B23C4D: 1}  # nanoseconds per unit of the time stamps' fraction
_RAW_IP, _ETHERNET = 101, 1
_LINK_HEADER_BYTES = {_RAW_IP: 0, _ETHERNET: 14}
_TCP = 6
FIN, SYN, ACK = 0x01, 0x02, 0x10


@dataclass(frozen=True)
class Packets:
    """Columns of equal length n, one entry for each TCP packet over IPv4, in the order of the file."""

    time_ns: NDArray[np.int64]  # since the epoch
    source: NDArray[np.int64]  # address x 65536 + port
    destination: NDArray[np.int64]
    seq: NDArray[np.int64]
    ack: NDArray[np.int64]
    flags: NDArray[np.int64]
    window: NDArray[np.int64]  # as in the header, not scaled
    payload_bytes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.time_ns)

    def __getitem__(self, which: NDArray[np.bool_] | slice) -> Packets:
        """Return the packets that an index or a mask selects."""
        return Packets(**{name: column[which] for name, column in vars(self).items()})


def read_pcap(path: Path) -> Packets:
    """Return the TCP packets of a log of raw IP or Ethernet packets.

    Raises AtlasError, which names the file, if it is of another format or ends inside a packet.
    """
    content = path.read_bytes()
    order, fraction_ns, link_header = _read_file_header(path, content)
    starts, seconds, fractions = _find_records(path, content, order)
    data = np.frombuffer(content, dtype=np.uint8)
    ip = starts + link_header
    version_ok = (data[ip] >> 4 == 4) & (data[ip + 9] == _TCP)
    ip, time_ns = ip[version_ok], (seconds * 1_000_000_000 + fractions * fraction_ns)[version_ok]

    def field(at: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        value = np.zeros(len(at), dtype=np.int64)
        for i in range(size):
            value = value << 8 | data[at + i]
        return value

    tcp = ip + 4 * (field(ip, 1) & 0x0F)
    header_bytes = tcp - ip + 4 * (field(tcp + 12, 1) >> 4)
    return Packets(
        time_ns=time_ns,
        source=field(ip + 12, 4) << 16 | field(tcp, 2),
        destination=field(ip + 16, 4) << 16 | field(tcp + 2, 2),
        seq=field(tcp + 4, 4),
        ack=field(tcp + 8, 4),
        flags=field(tcp + 13, 1),
        window=field(tcp + 14, 2),
        payload_bytes=field(ip + 2, 2) - header_bytes,
    )


def _read_file_header(path: Path, content: bytes) -> tuple[str, int, int]:
    """Return the byte order, the unit of fractions of a second in ns, and the bytes before the IP header."""
    for order in ("<", ">"):
        if len(content) < _FILE_HEADER_BYTES:
            break
        magic, *_, link_type = struct.unpack_from(order + "IHHiIII", content)
        if magic in _MAGIC and link_type in _LINK_HEADER_BYTES:
            return order, _MAGIC[magic], _LINK_HEADER_BYTES[link_type]
    raise AtlasError(f"{path}: not a pcap file of raw IP or Ethernet packets")


def _find_records(
    path: Path, content: bytes, order: str
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where each packet begins, and its time in seconds and fractions."""
    header = struct.Struct(order + "IIII")
    at, rows = _FILE_HEADER_BYTES, []
    while at < len(content):
        if at + _RECORD_HEADER_BYTES > len(content):
            raise AtlasError(f"{path}: ends inside a packet")
        seconds, fraction, captured, _ = header.unpack_from(content, at)
        at += _RECORD_HEADER_BYTES
        rows.append((at, seconds, fraction))
        at += captured
    if at > len(content):
        raise AtlasError(f"{path}: ends inside a packet")
    starts, seconds_, fractions = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return starts, seconds_, fractions
