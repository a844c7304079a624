"""What the model takes from a point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .parameters import Arithmetic, Parameters

_BITS_PER_BYTE = 8


@dataclass(frozen=True)
class Setting:
    """A lone connection over one FIFO. Rate in packets/s, propagation in seconds, buffer in packets."""

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
        """What the window map depends on beside the path."""
        return self.parameters, self.arithmetic

    @classmethod
    def from_point(cls, point: Mapping[str, Any]) -> "Setting":
        """Read a point as docs/formats.md describes it.

        The other links count as infinitely fast, as in section 2.

        Raises ValueError, one line with point, key path and what is allowed, if the model cannot answer.
        """
        name = f"{point['study']}/{point['set']}/{point['point']}"
        links, tcp, sources = point["links"], point["tcp"], point["sources"]
        for path, value, allowed in (
            ("tcp.variant", tcp["variant"], "compound"),
            ("sources.workload.kind", sources["workload"]["kind"], "bulk"),
            ("sources.count", sources["count"], 1),
            ("links.bottleneck.queue", links["bottleneck"]["queue"], "drop-tail"),
            ("links.bottleneck.loss_probability", links["bottleneck"]["loss_probability"], 0),
            ("tcp.damping", tcp["damping"] if tcp["variant"] == "compound" else 1, 1),
        ):
            if value != allowed:
                raise ValueError(
                    f"{name}: {path}: the compound model cannot answer {value}; allowed: {allowed}"
                )
        try:
            parameters = Parameters.from_tcp(tcp)
            if tcp["arithmetic"] == "linux":
                parameters.check_integers()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        packet_bits = _BITS_PER_BYTE * point["packet_bytes"]
        return cls(
            rate=links["bottleneck"]["rate_bit_per_s"] / packet_bits,
            propagation=sum(link["delay_s"] for link in links.values()) + point["return_delay_s"],
            buffer=links["bottleneck"]["buffer_packets"],
            packet_bits=packet_bits,
            parameters=parameters,
            arithmetic=tcp["arithmetic"],
            traced={"kind": "window-trace"} in point["probes"],
        )
