"""What is asked: points of a scenario file, or of a network that options describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.base.validation import read
from tcpatlas.points.expand import Base, expand
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import Scenario, SetSpec, study_name, study_of
from tcpatlas.points.types import Point

ENGINE = "packetsim"
COMMAND_LINE = "command line"
# Intervals need two replications; how many there are is decided while they are made.
LENGTH = RunLength(Decimal(1), {"minimum": 2, "maximum": 1000, "targets": {}}, 1)

# What the options do not say: a path without other limits, TCP as RFC 5681, 6298 and 6928 have it.
DEFAULTS: Mapping[str, Any] = {
    "links": {
        "access": {"rate": "1 Gbit/s"},
        "bottleneck": {"queue": "drop-tail"},
        "egress": {"rate": "1 Gbit/s"},
    },
    "packet_size": "1500 B",
    "ack_size": "40 B",
    "tcp": {
        "variant": "newreno",
        "rwnd": "1000 packets",
        "initial_window": "10 packets",
        "min_rto": "1 s",
        "max_rto": "60 s",
    },
}
# Long enough for bulk transfers to forget how they started.
BULK_DURATION = "600 s"
CONNECTIONS = 1_000_000
# Of a number of users; how many of them a point may have is told where it is made.
_MOST_DIGITS = 18


@dataclass(frozen=True)
class AskedSet:
    """A set of points with its title."""

    name: str
    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Question:
    """Sets of points, and the base that they vary; `file` is where messages say that it stands."""

    file: str
    title: str
    base: Base
    sets: tuple[AskedSet, ...]

    @property
    def kind(self) -> str:
        """The kind of its points."""
        return str(self.sets[0].points[0].document["kind"])

    def point(self, override: Mapping[str, Any]) -> Point:
        """Return the base's point with other values at some paths; raises ConfigError if it cannot be."""
        spec = SetSpec.model_validate({"title": self.title, "override": dict(override)})
        return expand(_study(self.file), "base", spec, self.base, LENGTH)[0]


def from_file(file: str) -> Question:
    """Return the question that a scenario file asks; raises ConfigError for what is wrong in it.

    Its models need not be named: every model that applies answers. The file's engines are not asked.
    """
    scenario: Scenario = read(Scenario, read_yaml(Path(file), file), file)
    unasked: dict[str, Any] = {"engines": None, "models": None}
    sets = {name: one.model_copy(update=unasked) for name, one in scenario.sets.items()}
    study = study_of(scenario.model_copy(update={"models": [], "sets": sets}), file, [ENGINE], LENGTH, {})
    asked = tuple(AskedSet(one.name, one.title, one.points) for one in study.sets)
    return Question(file, study.title, Base(scenario.base, file), asked)


def from_options(options: Mapping[str, str | None]) -> Question:
    """Return the question of a network that options describe; `None` is an option that is not given.

    Raises ConfigError, which names the option, for what is missing, wrong, or contradicts another option.
    """
    needed = {name: f"e.g. {example}" for name, example in (("rate", "'50 Mbit/s'"), ("rtt", "'20 ms'"))}
    for name, example in needed.items():
        if options.get(name) is None:
            raise ConfigError(COMMAND_LINE, f"--{name}", "is missing, and there is no FILE", example)
    if options.get("file") is None and options.get("pause") is not None:
        raise ConfigError(COMMAND_LINE, "--pause", "is there without --file", "a pause is between two files")
    title, written = _title(options), _base(options)
    try:
        base = Base(written, COMMAND_LINE)
        points = expand(_study(COMMAND_LINE), "base", SetSpec(title=title), base, LENGTH)
    except ConfigError as error:
        raise AtlasError(_by_option(str(error))) from None
    return Question(COMMAND_LINE, title, base, (AskedSet("link", title, points),))


def _base(options: Mapping[str, str | None]) -> dict[str, Any]:
    packet_size = options.get("packet") or DEFAULTS["packet_size"]
    packet = _bytes(packet_size, "--packet", Decimal(1))
    if packet < 1:
        # Other sizes are divided by it.
        raise ConfigError(COMMAND_LINE, "--packet", f"{packet_size!r} is out of range", "at least 1 byte")
    bottleneck = {
        **DEFAULTS["links"]["bottleneck"],
        "rate": options["rate"],
        "loss": options.get("loss") or "0 %",
    }
    bottleneck["buffer"] = _packets(options.get("buffer") or "100 packets", "--buffer", packet)
    tcp = {**DEFAULTS["tcp"], "variant": options.get("variant") or DEFAULTS["tcp"]["variant"]}
    tcp["rwnd"] = _packets(options.get("window") or tcp["rwnd"], "--window", packet)
    count = _users(options.get("users") or "1")
    base: dict[str, Any] = {
        **DEFAULTS,
        "links": {**DEFAULTS["links"], "bottleneck": bottleneck},
        "packet_size": f"{packet} B",
        "rtt": options["rtt"],
        "tcp": tcp,
    }
    if options.get("file") is None:
        return base | {
            "sources": {"count": count, "workload": {"kind": "bulk"}},
            "stop": {"duration": BULK_DURATION},
        }
    workload = {
        "kind": "on-off",
        "file_size": {
            "distribution": "exponential",
            "mean": _packets(options["file"] or "", "--file", packet),
        },
        "off_time": {"distribution": "exponential", "mean": options.get("pause") or "1 s"},
    }
    if workload["file_size"] == {"distribution": "exponential", "mean": "1 packets"}:
        workload["file_size"] = {"distribution": "fixed", "mean": "1 packets"}
    return base | {"sources": {"count": count, "workload": workload}, "stop": {"connections": CONNECTIONS}}


def _title(options: Mapping[str, str | None]) -> str:
    parts = [options["rate"], options["rtt"]]
    if options.get("users"):
        parts.append(f"{options['users']} users" if options["users"] != "1" else "1 user")
    parts.append(f"files of {options['file']}" if options.get("file") else "endless transfers")
    return ", ".join(filter(None, parts))


def _users(text: str) -> int:
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) == 0:
        raise ConfigError(
            COMMAND_LINE, "--users", f"{text!r} is no number of users", "a whole number, at least 1"
        )
    return int(text)


def _bytes(text: str, option: str, packet: Decimal) -> Decimal:
    """Return a size in bytes; packets count with `packet` bytes each."""
    try:
        number, unit = units.split(text)
        return number * (packet if unit in {"packet", "packets"} else units.factor(unit, "byte"))
    except units.UnitError as error:
        raise ConfigError(COMMAND_LINE, option, str(error), "e.g. '300 kB' or '200 packets'") from None


def _packets(text: str, option: str, packet: Decimal) -> str:
    """Return a size as whole packets, rounded up."""
    return f"{(_bytes(text, option, packet) / packet).to_integral_value(ROUND_CEILING)} packets"


_OPTIONS = {
    "links.bottleneck.rate": "--rate",
    "links.bottleneck.buffer": "--buffer",
    "links.bottleneck.loss": "--loss",
    "rtt": "--rtt",
    "sources.count": "--users",
    "sources.workload.file_size": "--file",
    "sources.workload.off_time": "--pause",
    "tcp.variant": "--variant",
    "tcp.rwnd": "--window",
    "packet_size": "--packet",
}


def _by_option(message: str) -> str:
    """Return an error's line with the option in place of the key of a base, or of what is in it."""
    for path, option in _OPTIONS.items():
        key = rf"^{COMMAND_LINE}: base\.{re.escape(path)}([.\[][^:]*)?(?=: )"
        message = re.sub(key, f"{COMMAND_LINE}: {option}", message, count=1)
    return message


def _study(file: str) -> str:
    return "link" if file == COMMAND_LINE else study_name(file)
