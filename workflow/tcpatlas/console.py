"""The program `tcpatlas` of the wheel: the commands that need neither the pipeline nor its tree."""

import sys
from importlib import import_module

from tcpatlas.base.repository import HEADERS
from tcpatlas.base.version import VERSION

COMMANDS = {"ask": "tcpatlas.ask.__main__", "infer": "tcpatlas.models.shared_bottleneck.__main__",
            "judge": "tcpatlas.judge.__main__"}  # fmt: skip
_HELP = f"""usage: tcpatlas COMMAND [ARGUMENTS]

  ask      answer a question about a link of your own in two seconds, by simulation and by models
  judge    ask a congestion control, ./my.so or my.py:Mine say, the questions of RFC 9743 and write a report
  infer    infer the cross traffic on a link from what one transfer measured there (Tahoe only)

Example: tcpatlas ask --rate '50 Mbit/s' --rtt '20 ms' --users 60 --file '300 kB'
tcpatlas_cc.h, for a controller in C, is in the folder that `tcpatlas --include` prints.
`tcpatlas COMMAND --help` has the options; the library is documented with the project. Version {VERSION}."""


def main() -> int:
    """Run a command; return its exit status."""
    name, *arguments = [*sys.argv[1:], "--help"]
    if name in COMMANDS:
        status: int = import_module(COMMANDS[name]).main(arguments[:-1])
        return status
    if name in ("help", "-h", "--help", "--version", "--include"):
        print({"--version": f"TCP Atlas {VERSION}", "--include": HEADERS}.get(name, _HELP))
        return 0
    print(f"unknown command {name}; one of: {', '.join(COMMANDS)}, help", file=sys.stderr)
    return 2
