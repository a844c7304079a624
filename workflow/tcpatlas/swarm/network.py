"""Random networks: how they are drawn, their scenario, and the features that causes look at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from tcpatlas.base.errors import AtlasError
from tcpatlas.points import engines
from tcpatlas.points.errors import PointError
from tcpatlas.points.expand import Base, expand
from tcpatlas.points.kinds.dumbbell_runs import begun_within
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import SetSpec
from tcpatlas.swarm.settings import FEATURES, Space

ENGINES = ("packetsim", "linux")
_PACKET_BITS = 12000
# The guest's memory, and the limit of its windows and buffers.
_MOST_IN_FLIGHT = 100_000
_LONGEST_S = 2000.0
# A shorter run behind a full buffer is start-up.
_ROUND_TRIPS = 20
# Where all first windows do not fit, most first packets are lost, and timeouts of a second and more double:
# so many seconds, but no more than so many times a run's packets.
_INITIAL_WINDOW, _CROWDED_S, _CROWDED_TIMES = 10, 30.0, 20
_WARMUP = 0.3
# The kernel keeps RED's mean queue, in bytes of frames, in 31 bits, nine of them for a weight of 1/512.
_MOST_RED_PACKETS = 2**22 // 1514
# The kernel's margin of the timer above the round trip.
_MARGIN_S = 0.2


@dataclass(frozen=True)
class Group:
    """Flows of one TCP; `extra_s` is added to the path's round-trip time."""

    variant: str
    count: int
    extra_s: float = 0.0


@dataclass(frozen=True)
class Network:
    """A dumbbell with its groups; `file` in packets, 0 for endless transfers, with pauses of `pause_s`."""

    rate: int
    rtt_s: float
    queue: str
    buffer: int
    groups: tuple[Group, ...]
    loss: float = 0.0
    ecn: bool = False
    file: int = 0
    pause_s: float = 1.0
    packets: int = 100_000

    @property
    def flows(self) -> int:
        """How many there are."""
        return sum(group.count for group in self.groups)

    @property
    def longest_rtt_s(self) -> float:
        """The round trip of the farthest group's empty path."""
        return self.rtt_s + max(group.extra_s for group in self.groups)

    @property
    def held(self) -> float:
        """Packets that the longest path and the buffer hold."""
        return self.rate * self.longest_rtt_s / _PACKET_BITS + self.buffer

    @property
    def most_in_flight(self) -> float:
        """Packets under way at most: BBR's start-up has almost three times what the path holds."""
        startup = 2 if any(group.variant == "bbr" for group in self.groups) else 0
        return self.held + startup * self.rate * self.longest_rtt_s / _PACKET_BITS

    @property
    def window(self) -> int:
        """The receiver's window of each flow, in packets."""
        return min(max(math.ceil(2 * self.held), 100), _MOST_IN_FLIGHT)

    @property
    def seconds(self) -> float:
        """How long a run is, warm-up included."""
        usual = self.packets * _PACKET_BITS / self.rate
        longest_rtt_s = self.longest_rtt_s + self.buffer * _PACKET_BITS / self.rate
        seconds = max(usual, _ROUND_TRIPS * longest_rtt_s)
        if _INITIAL_WINDOW * self.flows > self.held:
            seconds = max(seconds, min(_CROWDED_S, _CROWDED_TIMES * usual))
        return min(seconds, _LONGEST_S)

    @property
    def start_spread_s(self) -> float:
        """The time in which endless transfers begin, a lone one at another time in each replication."""
        return self.seconds * _WARMUP / 3

    def base(self) -> dict[str, Any]:
        """Return the network as the base of a scenario."""
        other = f"{min(10 * self.rate, 10**12)} bit/s"
        workload: dict[str, Any] = {"kind": "bulk"}
        if self.flows > 1:
            workload["start_spread"] = f"{self.start_spread_s:.6f} s"
        if self.file:
            size = {"distribution": "exponential", "mean": f"{self.file} packets"}
            pause = {"distribution": "exponential", "mean": f"{self.pause_s:.6f} s"}
            workload = {"kind": "on-off", "file_size": size, "off_time": pause}
        tcp = {
            "rwnd": f"{self.window} packets",
            "initial_window": f"{_INITIAL_WINDOW} packets",
            "min_rto": f"{self.longest_rtt_s + _MARGIN_S:.6f} s",
            "max_rto": "120 s",
        }
        bottleneck: dict[str, Any] = {
            "rate": f"{self.rate} bit/s",
            "buffer": f"{self.buffer} packets",
            "queue": self.queue,
            "loss": f"{self.loss:.6f}",
        }
        if self.queue == "red" and self.buffer // 4 > _MOST_RED_PACKETS:
            low = _MOST_RED_PACKETS // 3
            bottleneck |= {"min_threshold": f"{low} packets", "max_threshold": f"{3 * low} packets"}
        return {
            "links": {"access": {"rate": other}, "bottleneck": bottleneck, "egress": {"rate": other}},
            "rtt": f"{self.rtt_s:.6f} s",
            "packet_size": "1500 B",
            "ack_size": "40 B",
            "tcp": tcp | _own(self, self.groups[0].variant),
            "sources": {"workload": workload},
            "groups": {
                f"{group.variant}-{place}": {
                    "count": group.count,
                    "extra_delay": f"{group.extra_s:.6f} s",
                    "tcp": _own(self, group.variant),
                }
                for place, group in enumerate(self.groups, start=1)
            },
            "stop": {
                "duration": f"{self.seconds * (1 - _WARMUP):.6f} s",
                "warmup": f"{self.seconds * _WARMUP:.6f} s",
            },
        }

    def point(self, name: str) -> dict[str, Any]:
        """Return the point that engines take; raises AtlasError or PointError where one does not."""
        length = RunLength(Decimal(1), {"minimum": 2, "maximum": 2, "targets": {}}, 1)
        spec = SetSpec.model_validate({"title": "A random network"})
        (point,) = expand("swarm", name, spec, Base(self.base(), "swarm"), length)
        for engine in ENGINES:
            engines.check_takes(engine, point.document)
        if self.flows == 1 and not self.file:
            # It repeats itself: replications see other phases of its cycles, and start-up at other times.
            return begun_within(point.document, self.start_spread_s)
        return dict(point.document)

    def features(self) -> dict[str, Any]:
        """Return what causes look at: FEATURES."""
        product = self.rate * self.rtt_s / _PACKET_BITS
        values = (
            tuple(sorted({group.variant for group in self.groups})), self.queue, self.rate / 1e6,
            1e3 * self.rtt_s, self.flows, self.buffer, self.buffer / product, self.loss, self.ecn,
            self.file > 0, len(self.groups), self.longest_rtt_s / self.rtt_s,
            self.held / self.flows, self.rate / _PACKET_BITS / self.flows, self.seconds / self.longest_rtt_s,
        )  # fmt: skip
        return dict(zip(FEATURES, values, strict=True))


def _own(network: Network, variant: str) -> dict[str, Any]:
    """Return what a TCP has for itself; the kernel has RACK-TLP wherever it has SACK."""
    own: dict[str, Any] = {"variant": variant, "timers": "linux", "min_rto": f"{_MARGIN_S} s"}
    if variant != "bbr":
        own["rules"] = "linux"
    own["delayed_ack"] = {"packets": 2, "timeout": "40 ms", "quick_acks": 16}
    if variant == "cubic" and network.ecn:
        own["ecn"] = True
    return own


def stored(network: Network) -> dict[str, Any]:
    """Return a network as a document."""
    return asdict(network)


def restored(document: Mapping[str, Any]) -> Network:
    """Return the network of a document."""
    return Network(**{**document, "groups": tuple(Group(**group) for group in document["groups"])})


def drawn(space: Space, seed: int, number: int, packets: int) -> Network:
    """Return the network with a number (from 1) of those that a seed draws from a space."""
    random = np.random.default_rng([seed, number])
    for _ in range(1000):
        network = _one(space, random, packets)
        # What no engine takes at all is drawn again.
        if network.most_in_flight <= _MOST_IN_FLIGHT and network.flows * _INITIAL_WINDOW <= _MOST_IN_FLIGHT:
            try:
                network.point(str(number))
            except (AtlasError, PointError):
                continue
            return network
    raise AtlasError("the space has hardly a point that both engines take: see ./atlas swarm --help")


def _one(space: Space, random: np.random.Generator, packets: int) -> Network:
    def between(ends: list[Any]) -> float:
        low, high = (math.log(float(end)) for end in ends)
        return math.exp(random.uniform(low, high))

    def happens(share: float) -> bool:
        return bool(random.uniform() < share)

    rate, rtt = round(between(space.rate)), round(between(space.rtt), 6)
    flows = round(between(space.flows))
    count = min(int(random.integers(2, 4)) if happens(space.shares.groups) else 1, flows)
    shares = random.multinomial(flows - count, [1 / count] * count) + 1
    variants = [str(random.choice(space.variants)) for _ in range(count)]
    extras = [0.0, *(round(between(space.rtt), 6) for _ in range(count - 1))]
    queue = "step" if "dctcp" in variants else str(random.choice(space.queues))
    groups = tuple(map(Group, variants, map(int, shares), extras))
    network = Network(rate, rtt, queue, 2, groups, packets=packets)
    buffer = max(round(between(space.buffer_bdp) * rate * rtt / _PACKET_BITS), 2)
    return replace(
        network,
        buffer=buffer,
        loss=round(between(space.loss), 6) if happens(space.shares.loss) else 0.0,
        ecn=happens(space.shares.ecn) and "cubic" in variants and queue not in ("drop-tail", "step", "fq"),
        file=round(between(space.file)) if happens(space.shares.files) else 0,
        pause_s=round(between(space.pause), 6),
    )
