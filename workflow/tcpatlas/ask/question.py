"""Questions: the points of a scenario file, or of a network that options describe."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

from tcpatlas.ask import path
from tcpatlas.ask.arguments import NETWORK
from tcpatlas.ask.quantity import buffer_in_bytes, checked, parsed, size_in_bytes, whole
from tcpatlas.ask.refusals import LINK, as_typed, by_kernel, by_option, no_such_file
from tcpatlas.base import units
from tcpatlas.base.errors import AtlasError, ConfigError
from tcpatlas.base.repository import COMMAND
from tcpatlas.base.validation import read
from tcpatlas.points import engines
from tcpatlas.points.expand import Base, expand
from tcpatlas.points.kinds.dumbbell_checks import MOST_WINDOWS
from tcpatlas.points.parts.external import is_library, variant_keys
from tcpatlas.points.parts.quantities import MOST_PACKETS
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import Scenario, SetSpec
from tcpatlas.points.scenario_file import read_scenario
from tcpatlas.points.study import study_of
from tcpatlas.points.types import Point, ScenarioSet

# Precision and time decide how many replications there are.
LENGTH = RunLength(Decimal(1), {"minimum": 2, "maximum": 1000, "targets": {}}, 1)
# The study of a network that options describe; messages about it name the options.

# Other links never limit: their minimum rate, their multiple of the bottleneck's rate, and the highest rate.
_OTHER_LINKS = (Decimal("1e9"), 10, Decimal("1e12"))
_PACKET_SIZE = "1500 B"
_TODAYS = "cubic"
# As RFC 5681, 6298 and 6928 have it.
_CLASSIC: Mapping[str, Any] = {
    "initial_window": "10 packets",
    "min_rto": "1 s",
    "max_rto": "60 s",
}
# CUBIC's windows, and timers, as people's machines have them; a scenario may have the RFC's.
_AS_LINUX: Mapping[str, Mapping[str, str]] = {
    _TODAYS: {"rules": "linux", "timers": "linux"},
    "bbr": {"timers": "linux"},
}
# Timers as today's systems have them: shorter than RFC 6298 and RFC 1122 allow at most.
_TODAY: Mapping[str, Any] = {
    **_CLASSIC,
    "min_rto": "200 ms",
    "delayed_ack": {"packets": 2, "timeout": "40 ms"},
}
# The margin of the kernel's timer above the round-trip time.
_KERNEL = "linux"
_SIMULATOR = "packetsim"
_KERNEL_TCP: Mapping[str, Any] = {**_CLASSIC, "max_rto": "120 s"}
_KERNEL_MIN_RTO = Decimal("0.2")
# Receivers of today widen their window until the path limits (Semke, Mahdavi and Mathis 1998, "Automatic TCP
# buffer tuning"): twice what path and buffer hold, since slow start overshoots; at least so many packets,
# at most what an engine takes, and what all windows may hold together.
_LEAST_WINDOW = 1000
# A buffer holds a bandwidth-delay product (the rule of Villamizar and Song, 1994), at least so many packets.
_LEAST_BUFFER = 100
_MOST_PACKETS = {"packetsim": MOST_PACKETS, "linux": 100_000}
# The longest run in which endless transfers may show cycles of their windows.
_DURATION = "10000 s"
_LOSS_EVENTS = 1000
_CONNECTIONS = 1_000_000
# A search of the rate starts here.
_FIRST_RATE = "100 Mbit/s"


@dataclass(frozen=True)
class Question:
    """Sets of points, and the base that they vary; `file` is where messages say that it stands.

    `engine` simulates them. Of options, `options` are those that were given, `assumed` says in words what the
    others are, and `written` is the base as a scenario has it.
    """

    file: str
    engine: str
    title: str
    base: Base
    sets: tuple[ScenarioSet, ...]
    options: Mapping[str, str | None] | None = None
    assumed: tuple[str, ...] = ()
    written: Mapping[str, Any] = field(default_factory=dict)

    @property
    def points(self) -> tuple[Point, ...]:
        """All points, set by set."""
        return tuple(point for each in self.sets for point in each.points)

    def at(self, name: str, where: str, value: str | int) -> Point:
        """Return the point with another value of an option, or of a file's key; raises AtlasError.

        What follows from an option, such as the receiver's window from the rate, follows from the new value.
        """
        if self.options is None:
            return self.point({where: value})
        return from_options({**self.options, name: str(value)}, None, self.engine).points[0]

    def point(self, override: Mapping[str, Any]) -> Point:
        """Return the base's point with other values at some paths; raises ConfigError if it cannot be."""
        spec = SetSpec.model_validate({"title": self.title, "override": dict(override)})
        return expand(LINK, "base", spec, self.base, LENGTH)[0]


def from_file(file: str, engine: str = "packetsim") -> Question:
    """Return the question that a scenario file asks; raises ConfigError for what is wrong in it.

    Its models need not be named: every model that applies answers. The file's engines are not asked.
    """
    if not Path(file).is_file():
        raise AtlasError(no_such_file(file))
    scenario, source = read_scenario(Path(), file)
    unasked: dict[str, Any] = {"engines": None, "models": None}
    sets = {name: spec.model_copy(update=unasked) for name, spec in scenario.sets.items()}
    return _question(scenario.model_copy(update={"models": [], "sets": sets}), file, engine, source)


def from_options(
    options: Mapping[str, str | None], find: str | None = None, engine: str = "packetsim"
) -> Question:
    """Return the question of a network that options describe; `None` is an option that is not there.

    Raises AtlasError, which names the option, for what is missing, wrong, or contradicts another option.
    `find` is the parameter that will be searched.
    """
    options = _understood(options, find, engine)
    given = options
    groups = _groups(options, find)
    for name in groups or filter(None, [options.get("tcp")]):
        _check_variant(name, engine)
    title = described(options, find)
    if engine == _KERNEL and not groups:
        options = {**options, "tcp": _kernel_variant(options.get("tcp"))}
    base = _base(options, engine, groups)
    document = {"title": title, "base": base, "sets": {LINK: {"title": title}}}
    try:
        question = _question(read(Scenario, document, LINK), LINK, engine)
        assumed = tuple(_assumed(given, find, question.points[0].document))
        return replace(question, options=given, assumed=assumed, written=base)
    except ConfigError as error:
        raise AtlasError(as_typed(by_option(str(error), engine), given)) from None


def packets_of(size: str, packet: str | None = None) -> int:
    """Return the packets that a size in bytes or packets takes; raises AtlasError for what is no size."""
    of_packet = size_in_bytes("--packet", packet or _PACKET_SIZE, Decimal(1))
    in_bytes = size_in_bytes("--file", size, of_packet)
    return int((in_bytes / max(of_packet, Decimal(1))).to_integral_value(ROUND_CEILING))


def _groups(options: Mapping[str, str | None], find: str | None) -> dict[str, int]:
    """Return how many users have which TCP, of `30 cubic, 5 bbr`; nothing where all have the same."""
    text = options.get("tcp") or ""
    parts = [part.split() for part in text.split(",")]
    if len(parts) == 1 and len(parts[0]) < 2:
        return {}
    if any(len(part) != 2 for part in parts) or len({part[1] for part in parts}) < len(parts):
        raise AtlasError(
            f"--tcp: {text!r} is no list of groups; name each TCP once with its users, e.g. '30 cubic, 5 bbr'"
        )
    if options.get("users") is not None or find == "users":
        raise AtlasError(f"--users: --tcp {text!r} says how many there are; leave one of them out")
    return {name: whole("--tcp", number, "users") for number, name in parts}


def _kernel_variant(name: str | None) -> str:
    """Return a variant of the kernel by its name, or by that of its congestion control: `cubic`."""
    longer = f"{_KERNEL}-{name}"
    return longer if longer in _variants(_KERNEL) else name or f"{_KERNEL}-{_TODAYS}"


def _keys_of(variant: str, engine: str) -> dict[str, str]:
    """Return the keys of `tcp`; packetsim's CUBIC has Linux's windows and timers, its BBR Linux's timers."""
    return {**variant_keys(variant), **(_AS_LINUX.get(variant, {}) if engine == _SIMULATOR else {})}


def _variants(engine: str) -> list[str]:
    return engines.taken_by_dumbbells(engine, "sources.tcp.variant")


def _check_variant(name: str, engine: str) -> None:
    """Raise AtlasError unless an engine has a variant; says which other one has it, or what it may be."""
    if is_library(name):
        if engine == _KERNEL:
            raise AtlasError(f"--tcp {name}: packetsim runs controllers in shared objects, not {engine}")
        return
    variants = _variants(engine)
    if engine == _KERNEL:
        variants = [text.removeprefix(f"{_KERNEL}-") for text in variants]
    if name.removeprefix(f"{_KERNEL}-" * (engine == _KERNEL)) in variants:
        return
    if engine != _KERNEL and {name, f"{_KERNEL}-{name}"} & set(_variants(_KERNEL)):
        raise AtlasError(by_kernel("tcp", name, engine))
    close = difflib.get_close_matches(name, variants, n=1)
    likely = f" Did you mean {close[0]}?" if close else f" One of: {', '.join(variants)}."
    raise AtlasError(f"--tcp: {name!r} is unknown.{likely} To add one: docs/adding-a-tcp-variant.md")


def _question(scenario: Scenario, file: str, engine: str, source: str = "") -> Question:
    if lacking := engines.missing(engine):
        raise AtlasError(f"--engine {engine}: {lacking.partition(';')[0]}")
    study = study_of(scenario, file, [engine], LENGTH, {}, source=source)
    return Question(file, engine, study.title, Base(scenario.base, file), study.sets)


def described(options: Mapping[str, str | None], find: str | None) -> str:
    """Return the network in a line: `50 Mbit/s · 20 ms · 60 users fetching 300 kB files · CUBIC`."""
    groups = _groups(options, find)
    users = str(sum(groups.values())) if groups else options.get("users") or "1"
    number = "users" if find == "users" else f"{users} user{'' if users == '1' else 's'}"
    endless = "endless transfers" if find == "users" else f"{number}, endless transfers"
    file, pause = options.get("file"), options.get("pause")
    parts = [
        options.get("rate"),
        options.get("rtt"),
        f"{number} fetching {file} files" if file else endless,
        pause and f"{pause} between files",
        options.get("buffer") and f"buffer {options['buffer']}",
        options.get("loss") and f"{options['loss']} random loss",
        options.get("window") and f"window {options['window']}",
        options.get("queue"),
        _WRITTEN.get(options.get("tcp") or _TODAYS, options.get("tcp")),
        options.get("ecn") and "ECN",
    ]
    return " · ".join(filter(None, parts))


def _understood(options: Mapping[str, str | None], find: str | None, engine: str) -> dict[str, str | None]:
    """Return options as scenarios spell them; raises AtlasError for what is missing, or no quantity."""
    _check_options(options, find)
    spelled = dict(options)
    for name, unit in _UNITS.items():
        if (typed := options.get(name)) is not None:
            spelled[name] = checked(f"--{name}", typed, unit)
            if name == "rate" and parsed("--rate", typed, unit) > _OTHER_LINKS[2]:
                raise AtlasError(f"--rate: {typed!r} is out of range; at most '1000 Gbit/s'")
    for name in ("tcp", "queue"):
        if typed := options.get(name):
            spelled[name] = " ".join(map(_spelled, typed.split(" "))).strip()
    if (queue := spelled.get("queue")) is not None:
        spelled["queue"] = queue = _QUEUES.get(queue, queue)
        names, of_kernel = (
            engines.taken_by_dumbbells(each, "links.bottleneck.queue") for each in (engine, _KERNEL)
        )
        if queue in of_kernel and queue not in names:
            raise AtlasError(by_kernel("queue", queue, engine))
        close = difflib.get_close_matches(queue, names, n=1, cutoff=0.7)
        if close and queue not in names:
            raise AtlasError(f"--queue: {options['queue']!r} is unknown. Did you mean {close[0]}?")
    return spelled


def _spelled(word: str) -> str:
    """Return a variant or queue as scenarios spell it; the path of a library as it is."""
    return word if is_library(word.rstrip(",")) else word.lower().replace("_", "-")


# Queues by the names that other tools give them.
_QUEUES = {
    "pfifo": "drop-tail",
    "fifo": "drop-tail",
    "droptail": "drop-tail",
    "tail-drop": "drop-tail",
    "fqcodel": "fq-codel",
}


def _check_options(options: Mapping[str, str | None], find: str | None) -> None:
    if find is not None and options.get(find) is not None:
        raise AtlasError(f"--{find} {options[find]}: --find {find} searches it; leave one of them out")
    needed = [name for name in ("rate", "rtt") if options.get(name) is None and name != find]
    if needed:
        if any(options.values()):
            raise AtlasError(f"--{needed[0]} is missing, e.g. --{needed[0]} {_NEEDED[needed[0]]!r}")
        raise AtlasError(
            f"Describe a link, or name a scenario file. Try: {COMMAND} ask --rate '50 Mbit/s' --rtt '20 ms' "
            "--users 60 --file '300 kB'"
        )
    if options.get("file") is None and options.get("pause") is not None:
        raise AtlasError("--pause: is there without --file; a pause is between two files")


_MARKING = ("cake", "codel", "fq-codel", "pie", "red")
_WRITTEN = {"cubic": "CUBIC", "newreno": "NewReno", "bbr": "BBR"}
_UNITS = {"rate": "bit/s", "rtt": "s", "pause": "s", "loss": "1"}
_NEEDED = {"rate": "50 Mbit/s", "rtt": "20 ms"}


def _base(options: Mapping[str, str | None], engine: str, groups: Mapping[str, int]) -> dict[str, Any]:
    def of(name: str, default: str) -> str:
        return options.get(name) or default

    packet = size_in_bytes("--packet", of("packet", _PACKET_SIZE), Decimal(1))
    if packet < 1:
        # Other sizes are divided by it.
        raise AtlasError(f"--packet: {options['packet']!r} is out of range; at least 1 byte")

    rtt = of("rtt", "")
    rate = of("rate", _FIRST_RATE)

    def packets(name: str, default: str) -> str:
        text = of(name, default)
        in_bytes = (
            buffer_in_bytes(text, packet, units.parse(rate, "bit/s"))
            if name == "buffer"
            else size_in_bytes(f"--{name}", text, packet)
        )
        size = in_bytes / packet
        return f"{size.to_integral_value(ROUND_CEILING)} packets"

    least, times, most_rate = _OTHER_LINKS
    other = f"{min(max(least, times * units.parse(rate, 'bit/s')), most_rate):f} bit/s"
    variants = {name: _kernel_variant(name) if engine == _KERNEL else name for name in groups}
    variant = next(iter(variants.values()), of("tcp", _TODAYS))
    # Whatever the senders, receivers beside one another are alike.
    tcp = _TODAY if groups or variant in _AS_LINUX or is_library(variant) else _CLASSIC
    if engine == _KERNEL:
        tcp = {**_KERNEL_TCP, "min_rto": f"{units.parse(rtt, 's') + _KERNEL_MIN_RTO:f} s"}
    users = sum(groups.values()) or whole("--users", of("users", "1"), "users")
    product = units.parse(rate, "bit/s") * units.parse(rtt, "s") / 8 / packet
    most = _MOST_PACKETS[engine]
    buffer = packets("buffer", f"{_within(product, _LEAST_BUFFER, most)} packets")
    held = product + Decimal(buffer.split()[0])
    window = _within(2 * held, _LEAST_WINDOW, min(most, MOST_WINDOWS // users))
    base: dict[str, Any] = {
        "links": {
            "access": {"rate": other},
            "bottleneck": {
                "rate": rate,
                "buffer": buffer,
                "queue": of("queue", "drop-tail"),
                "loss": of("loss", "0 %"),
            },
            "egress": {"rate": other},
        },
        "rtt": rtt,
        "packet_size": f"{packet} B",
        "ack_size": "40 B",
        "tcp": {
            **tcp,
            **(
                variant_keys(_TODAYS if is_library(variant) else variant)
                if groups
                else _keys_of(variant, engine)
            ),
            **({"ecn": True} if options.get("ecn") else {}),
            "rwnd": packets("window", f"{window} packets"),
        },
    }
    if options.get("file") is None:
        workload: dict[str, Any] = {"kind": "bulk"}
        stop: dict[str, Any] = _endless(variant, engine)
    else:
        size = packets("file", "")
        pause = of("pause", "1 s")
        workload = {
            "kind": "on-off",
            "file_size": {"distribution": "fixed" if size == "1 packets" else "exponential", "mean": size},
            "off_time": {"distribution": "exponential", "mean": pause},
        }
        stop = {"connections": _CONNECTIONS}
    if not groups:
        return base | {
            "sources": {"count": users, "workload": workload},
            "stop": stop,
        }
    groups_in_base = {
        Path(name).stem: {"count": count, "tcp": _keys_of(variants[name], engine)}
        for name, count in groups.items()
    }
    return base | {"sources": {"workload": workload}, "groups": groups_in_base, "stop": stop}


def _within(number: Decimal, least: int, most: int) -> int:
    """Return a number of packets, rounded up, between two others."""
    return min(max(int(number.to_integral_value(ROUND_CEILING)), least), most)


def _assumed(options: Mapping[str, str | None], find: str | None, point: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was not given and decides, in words, with the option that changes it."""
    bottleneck, (group, *_) = point["links"]["bottleneck"], point["sources"]
    missing = {name for name in NETWORK if options.get(name) is None and name != find}
    if size := group["workload"].get("file_size"):
        yield "exponential file sizes, " * (size["distribution"] != "fixed") + "no handshake before a file"
    if "pause" in missing and options.get("file"):
        yield f"{group['workload']['off_time']['mean_s']:g} s between files (--pause)"
    if "buffer" in missing:
        share = bottleneck["buffer_packets"] / path.product(point, group)
        size = f"of {bottleneck['buffer_packets']:,} packets = {share:.2g} BDP"
        yield f"a buffer {size if find != 'rate' else 'that follows the path'} (--buffer)"
    if "window" in missing:
        window = f"of {group['tcp']['rwnd_packets']:,} packets" if find is None else "that follows the path"
        yield f"a receiver's window {window} (--window)"
    if "queue" in missing:
        yield "drop-tail (--queue)"
    elif managed := path.managed(bottleneck, find in ("buffer", "rate")):
        yield managed
    if "ecn" in missing and bottleneck["queue"] in _MARKING and not _marked(point):
        yield "no ECN (--ecn)"
    if "loss" in missing:
        yield "no random loss (--loss)"
    if "packet" in missing:
        yield f"packets of {point['packet_bytes']:,} B (--packet)"


def _marked(point: Mapping[str, Any]) -> bool:
    """Say whether any sender of a point has ECN, as DCTCP always does."""
    tcps = [group["tcp"] for group in point["sources"]]
    return any(tcp.get("ecn") or tcp["variant"].endswith("dctcp") for tcp in tcps)


def _endless(variant: str, engine: str) -> dict[str, Any]:
    """Return the stop rule of endless transfers: some variants are simulated by loss events only."""
    group = {"tcp": {"variant": variant}, "workload": {"kind": "bulk"}}
    rules = engines.taken(engine, "stop", {"kind": "dumbbell", "sources": group})
    return {"duration": _DURATION} if "duration_s" in rules else {"loss_events": _LOSS_EVENTS}
