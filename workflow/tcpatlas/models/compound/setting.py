"""The parameters that the model takes from a point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tcpatlas.models._points import links_of, only_group, require
from tcpatlas.points.errors import PointError

from .parameters import Arithmetic, Parameters

_BITS_PER_BYTE = 8


@dataclass(frozen=True)
class Setting:
    """An isolated connection over one FIFO. Rate in packets/s, propagation in seconds, buffer in packets."""

    rate: float
    propagation: float
    buffer: int
    packet_bits: int
    parameters: Parameters
    arithmetic: Arithmetic
    traced: bool
    """The point asks for the window against time."""

    @property
    def sender(self) -> tuple[Parameters, Arithmetic]:
        """The parameters of the window map other than the path."""
        return self.parameters, self.arithmetic

    @classmethod
    def from_point(cls, point: Mapping[str, Any]) -> "Setting":
        """Read a point as docs/formats.md describes it.

        The other links count as infinitely fast, as in section 2.

        Raises PointError if the model cannot answer.
        """
        group = only_group("compound", point)
        tcp, bottleneck = group["tcp"], point["links"]["bottleneck"]
        require(
            "compound",
            {
                "tcp.variant": (tcp["variant"], "compound"),
                "sources.workload.kind": (group["workload"]["kind"], "bulk"),
                "sources.count": (group["count"], 1),
                "links.bottleneck.queue": (bottleneck["queue"], "drop-tail"),
                "links.bottleneck.loss": (bottleneck["loss_probability"], 0),
                "tcp.damping": (tcp.get("damping"), 1),
            },
        )
        try:
            parameters = Parameters.from_tcp(tcp)
            if tcp["arithmetic"] == "linux":
                parameters.check_integers()
        except ValueError as error:
            path, _, problem = str(error).partition(": ")
            raise PointError((path,), problem) from None
        packet_bits = _BITS_PER_BYTE * point["packet_bytes"]
        return cls(
            rate=bottleneck["rate_bit_per_s"] / packet_bits,
            propagation=sum(link["delay_s"] for link in links_of(point, group)) + point["return_delay_s"],
            buffer=bottleneck["buffer_packets"],
            packet_bits=packet_bits,
            parameters=parameters,
            arithmetic=tcp["arithmetic"],
            traced={"kind": "window-trace"} in point["probes"],
        )
