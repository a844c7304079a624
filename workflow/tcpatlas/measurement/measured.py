"""What a measurement says, whichever tool made it, and how its file is read within bounds."""

import gzip
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tcpatlas.base.errors import ConfigError

ALLOWED = "what iperf3 -J prints, or a .flent.gz"
# Of a file's text: an hour of flent's samples has 13 MB.
LARGEST = 32 * 2**20
# TCP's data in a packet of 1500 B with time stamps, where a file does not say.
USUAL_MSS = 1448
# The headers of IP and TCP with time stamps, by the version of IP.
HEADERS = {4: 52, 6: 72}
# The part of a measurement that is left out as start-up, where nobody says.
START_UP = 0.2


@dataclass(frozen=True)
class Measured:
    """A measurement of endless transfers of one direction, from the end of its start-up on.

    Rates are of TCP's data, in bit/s; `samples` are (s, bit) of all transfers together, counted in blocks of
    `block` bits, or interpolated (0). `rtt` is the shortest, mean and longest round-trip time, of pings if
    `pinged`; `resent` is a share of packets, `cwnd` in packets. None is what the file does not say; `notes`
    tells what was assumed. `other` are the transfers that went the other `way` meanwhile.
    """

    title: str
    streams: int
    start_up_s: float
    samples: tuple[tuple[float, float], ...]
    block: float
    mss: int
    packet: int
    tcp: str | None
    rtt: tuple[float, float, float] | None
    resent: float | None = None
    cwnd: float | None = None
    notes: tuple[str, ...] = ()
    pinged: bool = False
    way: str = ""
    other: "Measured | None" = None

    @property
    def seconds(self) -> float:
        """How long the part is that is compared."""
        return math.fsum(seconds for seconds, _ in self.samples)

    @property
    def goodput(self) -> float:
        """Data of all transfers, in bit/s."""
        return math.fsum(bits for _, bits in self.samples) / self.seconds

    @property
    def resolution(self) -> float:
        """What the goodput may be off by: a block, or a sample."""
        return (self.block or max(bits for _, bits in self.samples)) / self.seconds

    def best(self) -> tuple[float, float]:
        """Return the highest rate in bit/s, and over how many seconds it was held.

        Samples count together until they last a second and a block is 1 % of what they hold.
        """
        times, bits = (np.cumsum([0.0, *each]) for each in zip(*self.samples, strict=True))
        ends = np.maximum(
            np.searchsorted(times, times + 0.999), np.searchsorted(bits, bits + 100 * self.block)
        )
        first = np.flatnonzero(ends < len(times))
        if not first.size:
            return self.goodput, self.seconds
        spans = times[ends[first]] - times[first]
        rates = (bits[ends[first]] - bits[first]) / spans
        return float(rates.max()), float(spans[rates.argmax()])


@dataclass(frozen=True)
class Part:
    """A part of a document, and where it stands in which file: every wrong value is named."""

    file: str
    path: str
    value: Any

    def __getitem__(self, key: str | int) -> "Part":
        holds = isinstance(self.value, list) if isinstance(key, int) else isinstance(self.value, dict)
        there = holds and (key < len(self.value) if isinstance(key, int) else key in self.value)
        found = self.value[key] if there else None
        separator = "" if isinstance(key, int) or not self.path else "."
        name = f"[{key}]" if isinstance(key, int) else key
        return Part(self.file, f"{self.path}{separator}{name}", found)

    def wrong(self, problem: str, allowed: str = "") -> ConfigError:
        """Return the error that says what is wrong here."""
        return ConfigError(self.file, self.path, problem, allowed)

    def number(self, least: float = 0.0, most: float = 1e18) -> float:
        """Return a finite number within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            said = "is missing" if self.value is None else f"{str(self.value)[:20]!r} is no number"
            raise self.wrong(said, "a number")
        if not least <= self.value <= most:
            raise self.wrong(f"{self.value} is out of range", f"from {least:g} to {most:g}")
        return float(self.value)

    def optional(self, least: float = 0.0, most: float = 1e18) -> float | None:
        """Return a number; None where there is none."""
        return None if self.value is None else self.number(least, most)

    def text(self) -> str | None:
        """Return a short text; None where there is none."""
        return self.value[:60] if isinstance(self.value, str) and self.value.isprintable() else None

    def mapping(self) -> Mapping[str, Any]:
        """Return a mapping."""
        if not isinstance(self.value, dict):
            raise self.wrong("is missing" if self.value is None else "is no mapping", "a mapping")
        return self.value

    def items(self) -> "Sequence[Part]":
        """Return the entries of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("is missing" if self.value is None else "is no list", "a list")
        return [self[index] for index in range(len(self.value))]


def document_of(path: Path) -> Part:
    """Return the JSON document in a file, packed by gzip or not; ConfigError for anything else."""
    if not path.is_file():
        raise ConfigError(path, "", "is no file that ends" if path.exists() else "no such file", ALLOWED)
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        # A packed file may be larger than any memory: no more is unpacked than is taken.
        with gzip.open(path) if packed else path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigError(path, "", f"cannot be read: {error}", ALLOWED) from None
    if len(content) > LARGEST:
        raise ConfigError(path, "", "is too long", f"at most {LARGEST / 1e6:.0f} MB of text")
    try:
        return Part(str(path), "", json.loads(content.decode("utf-8-sig"), parse_constant=_no_number))
    except (ValueError, RecursionError) as error:
        streamed = content.lstrip().startswith(b'{"event"')
        said = "of iperf3 --json-stream" if streamed else f"not JSON: {str(error)[:70]}"
        raise ConfigError(path, "", said, ALLOWED) from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")
