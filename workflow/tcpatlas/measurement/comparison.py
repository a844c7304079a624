"""A measurement beside simulations of its link: its network, its runs, and whether it is one of them."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tcpatlas.answers.headline_metrics import GOODPUT_OF_ALL, SPEED_PER_USER, unit
from tcpatlas.ask.question import Question, from_options
from tcpatlas.ask.simulation import repeated
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import to_json
from tcpatlas.base.formatting import Unit
from tcpatlas.base.spellings import written
from tcpatlas.base.statistics import PREDICTABLE_95, prediction_interval, t_interval
from tcpatlas.measurement.measured import Measured
from tcpatlas.points import engines
from tcpatlas.points.kinds.dumbbell_runs import packet_time
from tcpatlas.points.nuisance import Changes, shifts

# Seconds for all runs, and packets of one: longer measurements have shorter runs.
SECONDS = {"packetsim": 8.0, "linux": 30.0}
RUNS = PREDICTABLE_95
# What is inferred may be off by so much: blocks are 1 % of the rate, iperf3's round trips are smoothed.
_SPREAD = {"rate": 0.01, "rtt": 0.02, "buffer": 0.2}
_MOST_PACKETS = {"packetsim": 5e6, "linux": 1e6}
_LEAST_BUFFER = 10
_ACK_BYTES = 40 / 2  # for each packet
_PACKETSIM, _KERNEL = "packetsim", "linux"
_USUAL = ("cubic", "bbr")
# The kernel's name of a congestion control, and packetsim's of it as Linux has it.
_HERE = {"reno": "newreno-sack"}
_OWN_QUEUES = ("fq", "fq-codel", "cake", "fair-individual", "fair-shared")
_RESENT, _RTT, _CWND = "retransmission_ratio", "rtt_path_mean", "cwnd_mean"
# A simulator without retransmissions to count resends what is lost.
_INSTEAD = {_RESENT: "loss_ratio"}
TITLES = {
    GOODPUT_OF_ALL: "Goodput of all, data only",
    _RESENT: "Packets sent again",
    _RTT: "Round-trip time, mean",
    _CWND: "Congestion window, mean",
}


@dataclass(frozen=True)
class Row:
    """A metric as measured, and as runs of one TCP give it: their mean, the lowest and the highest."""

    metric: str
    source: str
    measured: float
    resolution: float
    value: float
    ci_low: float
    ci_high: float
    run_low: float
    run_high: float
    runs: int

    @property
    def unit(self) -> str:
        """The metric's unit."""
        return unit(self.metric)

    @property
    def verdict(self) -> str:
        """Where the measured value is: inside, above or below the runs, to within its own resolution."""
        if self.measured > self.run_high + self.resolution:
            return "above"
        return "below" if self.measured < self.run_low - self.resolution else "inside"

    @property
    def difference(self) -> float | None:
        """How far the measured value is from the nearest run, as a share of it; None of nothing."""
        end = {"above": self.run_high, "below": self.run_low}.get(self.verdict, self.measured)
        return (self.measured - end) / end if end > 0 else (0.0 if self.measured == end else None)


@dataclass(frozen=True)
class Candidate:
    """A TCP that may have made the measurement; `override` is what its point, `document`, changes."""

    name: str
    engine: str
    question: Question
    override: Mapping[str, Any]
    document: Mapping[str, Any]

    @property
    def source(self) -> str:
        """What tables call it."""
        return f"{self.engine}:{self.name}"


def _ways(measured: Measured) -> dict[str, Measured]:
    """Return the transfers of each way, by the goodput of one; nothing where they went one way."""
    both = (measured, measured.other) if measured.other else ()
    return {f"{SPEED_PER_USER}[{each.way}]": each for each in both}


def titles(measured: Measured) -> dict[str, str]:
    """Return the titles of the metrics that are compared."""
    ways = {metric: f"Goodput of each {each.way}, data only" for metric, each in _ways(measured).items()}
    return ways | {name: title for name, title in TITLES.items() if not ways or name != GOODPUT_OF_ALL}


def values_of(measured: Measured) -> dict[str, float]:
    """Return what was measured, by metric."""
    ways = {metric: each.goodput / each.streams for metric, each in _ways(measured).items()}
    found = {
        **(ways or {GOODPUT_OF_ALL: measured.goodput}),
        _RESENT: measured.resent,
        _RTT: measured.rtt and measured.rtt[1],
        _CWND: measured.cwnd,
    }
    return {metric: value for metric, value in found.items() if value is not None}


@dataclass(frozen=True)
class Link:
    """Options of the measured link; what was inferred, in words, and by which share it may be off.

    `back` is the link of the other way, where there was traffic, too.
    """

    options: Mapping[str, str | None]
    assumed: tuple[str, ...]
    spread: Mapping[str, float]
    back: Mapping[str, str] | None = None


def link_of(measured: Measured, given: Mapping[str, str | None]) -> Link:
    """Return the link, with what was not given inferred; AtlasError for what nothing tells."""
    if measured.goodput <= 0:
        raise AtlasError("nothing was transferred after start-up; a longer measurement, or less --omit")
    options, assumed, spread = dict(given), list(measured.notes), {}

    def infer(name: str, value: str, what: str) -> None:
        options[name], spread[name] = value, _SPREAD[name]
        assumed.append(f"{what}, within {100 * _SPREAD[name]:g} % (--{name})")

    if options.get("packet") is None:
        options["packet"] = f"{measured.packet} B"
    if options.get("rate") is None:
        best, seconds = measured.best()
        rate = best * measured.packet / measured.mss
        said = f"a link of {Unit.like('bit/s', rate).text(rate)}, the best {seconds:.3g} s with headers"
        infer("rate", written(Decimal(f"{rate:.6g}"), "bit/s"), said)
    if options.get("rtt") is None:
        if measured.rtt is None:
            raise AtlasError(
                "--rtt is missing: the file has no round-trip times (a receiver's); e.g. '20 ms'"
            )
        shortest = measured.rtt[0]
        said = f"an empty path of {Unit.like('s', shortest).text(shortest)}, the shortest round trip measured"
        infer("rtt", written(Decimal(f"{shortest:.6g}"), "s"), said)
    plain = (options.get("queue") or "drop-tail") == "drop-tail"
    if options.get("buffer") is None and plain and measured.rtt:
        point = from_options({**options, "buffer": f"{_LEAST_BUFFER} packets"}).points[0].document
        shortest, _, longest = measured.rtt
        ways = 2 if measured.other else 1
        packets = max(math.ceil((longest - shortest) / ways / packet_time(point)), _LEAST_BUFFER)
        by = f"by {'half of ' * (ways > 1)}the longest round trip of {Unit.like('s', longest).text(longest)}"
        infer("buffer", f"{packets} packets", f"a buffer of {packets:,} packets, {by}")
    if (other := measured.other) is None or measured.rtt is None:
        return Link(options, tuple(assumed), spread)
    best, seconds = other.best()
    rate = (best * measured.packet + measured.goodput * _ACK_BYTES) / measured.mss
    wait = (measured.rtt[2] - measured.rtt[0]) / 2
    packets = max(math.ceil(wait * rate / 8 / measured.packet), _LEAST_BUFFER)
    spread |= {"back rate": _SPREAD["rate"], "back buffer": _SPREAD["buffer"]}
    said = f"{Unit.like('bit/s', rate).text(rate)}, the best {seconds:.3g} s of the {other.way} and ACKs"
    assumed.append(f"a drop-tail way back of {said}, with a buffer of {packets:,} packets, by as long a wait")
    back = {"rate": written(Decimal(f"{rate:.6g}"), "bit/s"), "buffer": f"{packets} packets"}
    return Link(options, tuple(assumed), spread, back)


def candidates(measured: Measured, link: Link, names: Sequence[str], kernel: bool) -> list[Candidate]:
    """Return the TCPs to compare with: those that are named, else usual ones and the measurement's own."""
    variants = engines.taken_by_dumbbells(_PACKETSIM, "sources.tcp.variant")
    used = own(measured)
    wanted = list(names) or list(dict.fromkeys([*([used] if used in variants else []), *_USUAL]))
    made = []
    for engine in (_PACKETSIM, *[_KERNEL] * kernel):
        for name in wanted:
            question = from_options({**link.options, "tcp": f"{measured.streams} {name}"}, engine=engine)
            point = question.points[0].document
            seconds = min(measured.seconds, _MOST_PACKETS[engine] * packet_time(point))
            warmup = max(measured.start_up_s, float(point["return_delay_s"]))
            override: dict[str, Any] = {"stop": {"duration": f"{seconds:g} s", "warmup": f"{warmup:g} s"}}
            if engine == _PACKETSIM:
                override["probes"] = ["window-mean"]
            if engine == _PACKETSIM and measured.other and link.back:
                (group,) = question.written["groups"].values()
                other = {**group, "count": measured.other.streams, "direction": "return"}
                override["groups"] = {measured.way: group, measured.other.way: other}
                override["links.return"] = dict(link.back)
            document = {**question.point(override).document, "set": name}
            if link.spread:
                document["replications"] = {"variants": _variants(document, link.spread)}
            made.append(Candidate(name, engine, question, override, document))
    return made


def _variants(point: Mapping[str, Any], spread: Mapping[str, float]) -> list[Changes]:
    """Return what each run after the first changes: what was inferred, evenly spread around its value."""
    bottleneck = point["links"]["bottleneck"]
    values = {
        "links.bottleneck.rate_bit_per_s": ("rate", bottleneck["rate_bit_per_s"]),
        "links.bottleneck.buffer_packets": ("buffer", bottleneck["buffer_packets"]),
        "links.bottleneck.delay_s": ("rtt", bottleneck["delay_s"]),
        "return_delay_s": ("rtt", point["return_delay_s"]),
    }
    if back := point["links"].get("return"):
        values["links.return.rate_bit_per_s"] = ("back rate", back["rate_bit_per_s"])
        values["links.return.buffer_packets"] = ("back buffer", back["buffer_packets"])
    off = {
        name: [1 + share * float(shift) for shift in shifts(RUNS - 1, place)]
        for place, (name, share) in enumerate(spread.items())
    }

    def shifted(path: str, run: int) -> float:
        name, at = values[path]
        value = at * off[name][run]
        # Engines take whole packets, and the kernel a whole rate.
        return float(value) if name == "rtt" else max(round(value), 2)

    inferred = [path for path, (name, _) in values.items() if name in spread]
    return [{path: shifted(path, run) for path in inferred} for run in range(RUNS - 1)]


def own(measured: Measured) -> str | None:
    """Return the measurement's congestion control as it is called here."""
    return _HERE.get(measured.tcp or "", measured.tcp)


def compared(
    measured: Measured, among: Sequence[Candidate], folder: Path, progress: Callable[[str], None]
) -> Iterator[Row]:
    """Yield a row for each metric and candidate that gives it, simulated as long as was measured."""
    values = values_of(measured)
    for engine in dict.fromkeys(each.engine for each in among):
        of_engine = [each for each in among if each.engine == engine]
        documents = [each.document for each in of_engine]
        made = repeated(engine, documents, RUNS, SECONDS[engine], folder, progress)
        for candidate, runs in zip(of_engine, made, strict=True):
            yield from rows_of(measured, values, candidate, runs["metrics"])


def rows_of(
    measured: Measured, values: Mapping[str, float], candidate: Candidate, metrics: Mapping[str, Any]
) -> Iterator[Row]:
    """Yield the rows of one candidate, by the metrics of its runs."""
    queue = candidate.document["links"]["bottleneck"]["queue"]
    ways = _ways(measured)
    # A run of one way has no brackets.
    instead = {**_INSTEAD, f"{SPEED_PER_USER}[{measured.way}]": SPEED_PER_USER}
    for metric, value in values.items():
        entry = metrics.get(metric) or metrics.get(instead.get(metric, ""))
        # Where flows have queues of their own, a ping waits in another one.
        if entry is None or (metric == _RTT and measured.pinged and queue in _OWN_QUEUES):
            continue
        part = measured if metric == GOODPUT_OF_ALL else ways.get(metric)
        # Simulated packets count whole.
        share = measured.mss / candidate.document["packet_bytes"] if part else 1.0
        each = [share * one for one in entry["values"]]
        mean, ends = t_interval(each, 0.95), prediction_interval(each, 0.95)
        resolution = part.resolution / (part.streams if ways else 1) if part else 0.0
        of_runs = (mean.mean, mean.low, mean.high, *ends, len(each))
        yield Row(metric, candidate.source, value, resolution, *of_runs)


COLUMNS = (
    *("metric", "unit", "source", "value", "ci_low", "ci_high"),
    *("run_low", "run_high", "runs", "verdict", "difference"),
)


def table(measured: Measured, rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Yield rows for scripts, in SI units: what was measured, then what each TCP gives."""
    for metric, value in values_of(measured).items():
        yield {"metric": metric, "unit": unit(metric), "source": "measured", "value": value}
    for row in rows:
        yield {column: getattr(row, column) for column in COLUMNS}


def scenario(title: str, among: Sequence[Candidate]) -> dict[str, Any]:
    """Return the scenario of the candidates, as people write one: a set for each."""
    base, sets = among[0].question.written, {}
    for each in among:
        differs = {key: value for key, value in each.question.written.items() if value != base[key]}
        spec = {"title": each.source, "engines": [each.engine], "override": {**differs, **each.override}}
        sets[each.source.replace(":", "-")] = spec
    # Without what YAML would write as aliases.
    document: dict[str, Any] = json.loads(to_json({"title": title, "models": [], "base": base, "sets": sets}))
    return document
