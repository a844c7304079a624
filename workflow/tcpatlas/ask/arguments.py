"""The options of `./atlas ask`."""

import argparse
from typing import Any

from tcpatlas.base.command import Parser
from tcpatlas.base.repository import COMMAND

# The half-width that --precise asks for, relative to the value.
PRECISE = 0.005
FIND = ("users", "buffer", "rate")
ENGINES = ("packetsim", "linux")
_EXAMPLES = """
examples:
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --users 60 --file '300 kB' --buffer '64 packets'
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --file '300 kB' --find users --such-that 'speed >= 1 Mbit/s'
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --users 30 --file 300kB --find buffer --such-that 'loss <= 1 %'
  ./atlas ask --engine linux --rate '50 Mbit/s' --rtt '40 ms' --users 5 --tcp bbr --queue fq-codel
  ./atlas ask --rate '50 Mbit/s' --rtt '40 ms' --tcp '30 cubic, 5 bbr'
  ./atlas ask scenarios/examples/my-link.yaml
  ./atlas ask scenarios/examples/web-users.yaml --find users --such-that 'guarantee >= 200 kbit/s'

docs/asking.md explains the answer.
"""
NETWORK = {
    "rate": "rate of the bottleneck, e.g. '50 Mbit/s'",
    "rtt": "round-trip time of the empty path, e.g. '20 ms'",
    "users": "number of users who share the bottleneck (default: 1)",
    "file": "mean file size, e.g. '300 kB' or '200 packets' (default: endless transfers)",
    "pause": "mean time from the end of a file to the user's next one (default: 1 s)",
    "buffer": "buffer of the bottleneck, e.g. '64 packets' or '100 kB' (default: a bandwidth-delay product, "
    "at least 100 packets)",
    "queue": "queue of the bottleneck, e.g. drop-tail or fq-codel (default: drop-tail)",
    "loss": "random loss on the bottleneck, e.g. '0.1 %%' (default: none)",
    "tcp": "TCP variant, e.g. cubic or newreno (default: cubic); a controller of your own, ./mine.so; "
    "or groups, e.g. '30 cubic, 5 newreno'",
    "ecn": "use ECN: a queue such as fq-codel marks packets instead of dropping them",
    "window": "receiver's window, e.g. '64 kB' or '44 packets' (default: twice what path and buffer "
    "hold, at least 1000 packets)",
    "packet": "packet size (default: 1500 B)",
}
_FLAGS = ("ecn",)


def parser() -> Parser:
    """Return the parser of the command."""
    made = Parser(
        prog=f"{COMMAND} ask",
        description="Answer a question about a link of your own, by simulation and by models.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_EXAMPLES.replace("./atlas", COMMAND),
    )
    made.add_argument(
        "scenario", nargs="?", metavar="FILE", help="scenario file; or describe the network by options"
    )
    network = made.add_argument_group("the network")
    for name, text in NETWORK.items():
        flag: dict[str, Any] = {"action": "store_const", "const": "yes"} if name in _FLAGS else {}
        network.add_argument(f"--{name}", help=text, **flag)
    search = made.add_argument_group("a target")
    search.add_argument("--find", choices=FIND, help="parameter to search")
    search.add_argument(
        "--such-that", metavar="TARGET", help="e.g. 'loss <= 1 %%', 'speed >= 1 Mbit/s', 'delay-95 <= 50 ms'"
    )
    effort = made.add_argument_group("effort and output")
    effort.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="who simulates: packetsim (default), or the Linux kernel, in about ten seconds",
    )
    effort.add_argument(
        "--precise",
        action="store_true",
        help="simulate until every interval is within ±0.5 %% (not with --find)",
    )
    effort.add_argument(
        "--why",
        action="store_true",
        help="add the models that were left out, the error map and the metrics' definitions",
    )
    effort.add_argument(
        "--allow-library",
        action="store_true",
        help="run the controllers that the scenario file names (tcp.library), which are code",
    )
    effort.add_argument("--plot", metavar="FILE", help="draw the answer, too: .svg, .pdf or .png")
    effort.add_argument(
        "--trace", metavar="FILE", help="the congestion window against time: .csv, .svg, .png, .sqlog (qlog)"
    )
    form = effort.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print CSV")
    return made
