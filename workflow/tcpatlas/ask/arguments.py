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
  ./atlas ask --engine linux --rate '50 Mbit/s' --rtt '40 ms' --tcp '4 cubic, 1 bbr' --queue fq-codel
  ./atlas ask scenarios/examples/my-link.yaml

docs/asking.md explains the answer.
"""
NETWORK = {
    "rate": "rate of the bottleneck, e.g. '50 Mbit/s'",
    "rtt": "round-trip time of the empty path, e.g. '20 ms'",
    "users": "users who share the bottleneck (default: 1)",
    "file": "mean file size, e.g. '300 kB' (default: endless transfers)",
    "pause": "mean pause of a user between two files (default: 1 s)",
    "buffer": "e.g. '64 packets' (default: 1 BDP, at least 100 packets)",
    "queue": "e.g. fq-codel (default: drop-tail)",
    "loss": "random loss, e.g. '0.1 %%' (default: none)",
    "tcp": "e.g. bbr (default: cubic); groups, '30 cubic, 5 bbr'; or a controller of your own, ./mine.so",
    "ecn": "use ECN: queues such as fq-codel mark packets",
    "window": "receiver's window (default: twice what path and buffer hold, at least 1000 packets)",
    "packet": "packet size (default: 1500 B)",
}
_FLAGS = ("ecn",)


def parser() -> Parser:
    """Return the parser of the command."""
    made = Parser(
        prog=f"{COMMAND} ask",
        usage=f"{COMMAND} ask [FILE | --rate RATE --rtt RTT ...] [options]",
        description="Answer a question about a link of your own, by simulation and by models.",
        formatter_class=_one_screen,
        add_help=False,
        epilog=_EXAMPLES.replace("./atlas", COMMAND),
    )
    network = made.add_argument_group("the network")
    network.add_argument("scenario", nargs="?", metavar="FILE", help="a scenario file; or by options:")
    for name, text in NETWORK.items():
        flag: dict[str, Any] = {"action": "store_const", "const": "yes"} if name in _FLAGS else {}
        network.add_argument(f"--{name}", help=text, **flag)
    search = made.add_argument_group("a target")
    search.add_argument(
        "--find", choices=FIND, metavar="WHAT", help="the most users, the least buffer or rate"
    )
    search.add_argument("--such-that", metavar="TARGET", help="e.g. 'loss <= 1 %%', 'delay-95 <= 50 ms'")
    effort = made.add_argument_group("effort and output")
    effort.add_argument(
        "--engine",
        choices=ENGINES,
        metavar="ENGINE",
        default=ENGINES[0],
        help="packetsim (default), or linux: the kernel, ten seconds",
    )
    effort.add_argument(
        "--precise",
        action="store_true",
        help="until every interval is within ±0.5 %% (not with --find)",
    )
    effort.add_argument(
        "--why",
        action="store_true",
        help="models that were left out, error maps, definitions",
    )
    effort.add_argument(
        "--allow-library",
        action="store_true",
        help="run the code of the scenario's controllers (tcp.library)",
    )
    effort.add_argument("--plot", metavar="FILE", help="draw the answer, too: .svg, .pdf or .png")
    effort.add_argument("--trace", metavar="FILE", help="cwnd against time: .csv, .svg, .png, .sqlog (qlog)")
    form = effort.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print CSV")
    effort.add_argument("-h", "--help", action="help", help="print this help")
    return made


def _one_screen(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=20)
