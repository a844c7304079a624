"""Infer the cross traffic of a Tahoe transfer from its own measurements."""

import sys
from collections.abc import Sequence
from decimal import Decimal

from tcpatlas.base import command, units
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.repository import COMMAND
from tcpatlas.models.shared_bottleneck.fluid import Path, cycle
from tcpatlas.models.shared_bottleneck.inverse import infer_exogenous_rate

_BITS = 8


def infer(
    rate: str, buffer: str, propagation: str, packet_size: str, throughput: str, rtt: str | None
) -> str:
    """Return what to tell the user: the traffic that explains the measurement best, and how well it does.

    Quantities as people write them (`2 Mbit/s`, `20 packets`, `60 ms`, `1500 B`); `propagation` is the round
    trip's, half of the way there before the bottleneck, half behind it. Without `rtt` the throughput alone
    decides. Raises ConfigError, which names the option, for what is no such quantity or not positive,
    AtlasError for a path that the model cannot answer.
    """
    packet_bits = _BITS * _positive("--packet-size", packet_size, "byte")
    mu = _positive("--rate", rate, "bit/s") / packet_bits
    measured = _positive("--throughput", throughput, "bit/s") / packet_bits
    delay = float(_quantity("--propagation", propagation, "s")) / 4
    measured_rtt = None if rtt is None else _positive("--rtt", rtt, "s")
    packets = float(_quantity("--buffer", buffer, "packet"))
    try:
        rate_found = float(
            infer_exogenous_rate(Path.of(packets, mu, 0, delay, delay), measured, measured_rtt)
        )
    except ValueError as error:
        raise AtlasError(f"shared_bottleneck: {error}") from None
    model = cycle(Path.of(packets, mu, rate_found, delay, delay))
    lines = [
        f"cross traffic: {rate_found * packet_bits / 1e3:.4g} kbit/s, {rate_found:.4g} packets/s, "
        f"{rate_found / mu:.1%} of the bottleneck's rate",
        f"with it the model gives a throughput of {float(model.throughput) * packet_bits / 1e3:.4g} kbit/s "
        f"({float(model.throughput) / measured - 1:+.1%}) and a round-trip time of "
        f"{float(model.mean_delay) * 1e3:.4g} ms"
        + (f" ({float(model.mean_delay) / measured_rtt - 1:+.1%})" if measured_rtt else ""),
    ]
    return "\n".join(lines)


def _quantity(option: str, text: str, unit: str) -> Decimal:
    try:
        return units.parse(text, unit)
    except units.UnitError as error:
        raise ConfigError(option, "", str(error), f"a quantity that converts to {unit}") from None


def _positive(option: str, text: str, unit: str) -> float:
    number = _quantity(option, text, unit)
    if number <= 0:
        raise ConfigError(option, "", f"{text} is out of range", "more than 0")
    return float(number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status. What a user can mend is one line on standard error."""
    parser = command.Parser(prog=f"{COMMAND} infer", description=__doc__)
    parser.epilog = (
        f"example: {COMMAND} infer --rate '276.48 kbit/s' --buffer '10 packets' --propagation '600 ms' "
        "--packet-size '576 B' --throughput '110 kbit/s' --rtt '666 ms'"
    )
    parser.add_argument("--rate", required=True, help="of the bottleneck, e.g. '2 Mbit/s'")
    parser.add_argument("--buffer", required=True, help="of the bottleneck, the packet in service included")
    parser.add_argument("--propagation", required=True, help="of the round trip, without transmission times")
    parser.add_argument("--packet-size", default="1500 B", help="of all packets (default: %(default)s)")
    parser.add_argument("--throughput", required=True, help="measured by the transfer, e.g. '1.2 Mbit/s'")
    parser.add_argument("--rtt", help="its mean round-trip time; without it, the throughput alone decides")
    options = vars(parser.parse_args(arguments))

    def show() -> int:
        print(infer(**options))
        return 0

    return command.run(show)


if __name__ == "__main__":
    sys.exit(main())
