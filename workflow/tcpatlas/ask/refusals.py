"""Why `./atlas ask` refuses a network, in the words of its options."""

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

EXAMPLES = Path("scenarios/examples")
# The network that options describe, as errors of scenarios call it.
LINK = "link"
_OPTIONS = {
    "links.bottleneck.rate": "--rate",
    "links.bottleneck.buffer": "--buffer",
    "links.bottleneck.loss": "--loss",
    "links.bottleneck.queue": "--queue",
    "links.access.rate": "--rate",
    "links.egress.rate": "--rate",
    "rtt": "--rtt",
    "sources.count": "--users",
    "sources.workload.file_size": "--file",
    "sources.workload.off_time": "--pause",
    "tcp.variant": "--tcp",
    "tcp.library": "--tcp",
    "tcp.ecn": "--ecn",
    "groups": "--tcp",
    "tcp.rwnd": "--window",
    "packet_size": "--packet",
}


def by_kernel(option: str, name: str, engine: str) -> str:
    """Return the line that refuses a variant or a queue which the Linux kernel has."""
    return f"--{option} {name}: {engine} does not simulate it; the Linux kernel has it: --engine linux"


def by_option(message: str, engine: str) -> str:
    """Return an error's line with the option in place of the key of a base, or of what is in it."""
    for key_path, option in _OPTIONS.items():
        key = rf"^{LINK}: base\.{re.escape(key_path)}([.\[][^:]*)?(?=: )"
        message = re.sub(key, option, message, count=1)
    message = re.sub(rf"{engine} does not take \S+ (\S+)(?= with |;)", r"\1 is not simulated", message)
    message = re.sub(rf" \(at {LINK}/[^)]*\)", "", message)
    return re.sub(rf"^{LINK}: base", "the network", message)


def as_typed(message: str, options: Mapping[str, str | None]) -> str:
    """Return the line with what was typed, before the packets that it comes to."""
    option, colon, rest = message.partition(":")
    typed = options.get(option.removeprefix("--")) or ""
    came_to = re.match(r" '(\d+ packets)'", rest)
    if not came_to or came_to[1] == typed:
        return message
    return f"{option}{colon} {typed!r} ({came_to[1]}){rest[came_to.end() :]}"


def no_such_file(file: str) -> str:
    """Return the line that refuses a scenario file, with the example that may be meant."""
    examples = sorted(map(str, EXAMPLES.glob("*.yaml")))
    names = {Path(example).stem: example for example in examples}
    close = difflib.get_close_matches(file, examples, n=1) or [
        names[name] for name in difflib.get_close_matches(Path(file).stem, names, n=1)
    ]
    if close:
        return f"{file}: no such file. Did you mean {close[0]}?"
    listed = f" Examples: {', '.join(examples)}" if examples else ""
    return f"{file}: no such file.{listed}"
