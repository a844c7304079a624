"""The options of `ask`; this module loads nothing else, because every command builds the whole parser."""

from __future__ import annotations

import argparse

# The half-width that --precise asks for, relative to the value.
PRECISE = 0.005
FIND = ("users", "buffer", "rate")
_EXAMPLES = """
examples:
  ./atlas ask examples/my-link.yaml
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --users 60 --file '300 kB' --buffer '64 packets'
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --file '300 kB' --find users --such-that 'speed >= 1 Mbit/s'
  ./atlas ask --rate '50 Mbit/s' --rtt '20 ms' --users 30 --file 300kB --find buffer --such-that 'loss <= 1 %'
  ./atlas ask examples/web-users.yaml --find users --such-that 'guarantee >= 200 kbit/s'
"""
NETWORK = {
    "rate": "rate of the bottleneck, e.g. '50 Mbit/s'",
    "rtt": "round-trip time of the empty path, e.g. '20 ms'",
    "users": "how many users share the bottleneck (default: 1)",
    "file": "mean file size, e.g. '300 kB' or '200 packets' (default: endless transfers)",
    "pause": "mean time from the end of a file to the user's next (default: 1 s)",
    "buffer": "buffer of the bottleneck, e.g. '64 packets' or '100 kB' (default: 100 packets)",
    "loss": "random loss on the bottleneck, e.g. '0.1 %%' (default: none)",
    "window": "receiver's window, e.g. '64 kB' or '44 packets' (default: 1000 packets)",
    "packet": "packet size (default: 1500 B)",
    "variant": "TCP variant (default: newreno)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "scenario", nargs="?", metavar="FILE", help="a scenario; or describe the network by options"
    )
    network = parser.add_argument_group("the network")
    for name, text in NETWORK.items():
        network.add_argument(f"--{name}", help=text)
    search = parser.add_argument_group("a target")
    search.add_argument("--find", choices=FIND, help="what to search a value of")
    search.add_argument(
        "--such-that", metavar="TARGET", help="e.g. 'loss <= 1 %%', 'speed >= 1 Mbit/s', 'delay-95 <= 50 ms'"
    )
    effort = parser.add_argument_group("effort and output")
    effort.add_argument(
        "--precise",
        action="store_true",
        help=f"take the time that intervals of {PRECISE:.1%} need (not with --find)".replace("%", "%%"),
    )
    form = effort.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print CSV")
