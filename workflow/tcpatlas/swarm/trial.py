"""A trial: runs of both engines from the same seeds, what must be true of each, how they differ."""

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tcpatlas.base.engine_call import Engines, engine_arguments, failure
from tcpatlas.base.files import read_json, to_json
from tcpatlas.base.repository import program
from tcpatlas.base.statistics import ratio_interval
from tcpatlas.runs.replications import replication_seed
from tcpatlas.swarm.network import ENGINES, Network
from tcpatlas.swarm.settings import METRICS, Settings

_CONFIDENCE = 0.99
# Values below these count as equal to them: a loss in 10,000 packets, half a packet of queue.
_FLOORS = {"loss_ratio": 1e-4, "mark_ratio": 1e-4, "queue_mean": 0.5}
_PACKET_BITS = 12000
# Goodput of less than this share of an equal one, in a run of so many longest timeouts, is starvation.
_STARVED, _LONG_S = 0.001, 400.0


@dataclass(frozen=True)
class Difference:
    """The relative difference of a metric, packetsim by linux, with the ends of its interval."""

    metric: str
    size: float
    low: float
    high: float

    def significant(self, threshold: float) -> bool:
        """Say whether the whole interval is beyond the threshold."""
        return self.low > threshold or self.high < -threshold


def checked(
    network: Network, rules: Settings, replications: int, engines: Engines | None = None
) -> dict[str, Any]:
    """Run a network, and what differs without a cause again: twice as often, from other seeds (`again`).

    Among thousands of intervals some miss by chance alone, and few of these twice.
    """
    result = trial(network, replications, engines)
    if not result["broken"] and judged(network, result, rules)[1]:
        again = trial(network, 2 * replications, engines, replications)
        result |= {"broken": again["broken"], "again": again["differences"]}
    return result


def trial(
    network: Network, replications: int, engines: Engines | None = None, after: int = 0
) -> dict[str, Any]:
    """Run a network; return its differences, the means of metrics by engine, and what broke an invariant.

    `after`: so many replications have been run before, by seeds that these do not have.
    """
    point = network.point("network")
    values: dict[str, dict[str, list[float]]] = {engine: {} for engine in ENGINES}
    broken: list[str] = []
    with tempfile.TemporaryDirectory(prefix="atlas-swarm-") as name:
        folder = Path(name)
        (folder / "point.json").write_text(to_json(point))
        again = point | {"probes": [{"kind": "window-trace"}]} if not network.file else point
        (folder / "again.json").write_text(to_json(again))

        def run(engine: str, seed: int, file: str) -> dict[str, Any] | None:
            output = folder / f"{engine}-{seed}-{file}.json"
            command = [str(program(engine)), *engine_arguments(folder / file, seed, output)]
            if problem := failure(command, engine, output, engines):
                broken.append(f"{engine}: {str(problem).splitlines()[0]}")
                return None
            document: dict[str, Any] = read_json(output)
            return document

        for number in range(after + 1, after + replications + 1):
            seed = replication_seed(point, number)
            for engine in ENGINES:
                if (first := run(engine, seed, "point.json")) is None:
                    break
                broken += [f"{engine}: {text}" for text in violations(network, first)]
                for metric in METRICS:
                    if metric in first["metrics"]:
                        values[engine].setdefault(metric, []).append(first["metrics"][metric]["value"])
                # Once more with a probe: the same run, and its windows.
                if (
                    engine == "packetsim"
                    and number == after + 1
                    and (twin := run(engine, seed, "again.json"))
                ):
                    broken += [f"{engine}: {text}" for text in of_twins(point, first, twin)]
            if broken:
                break
    found = [] if broken else differences(values)
    means = {
        engine: {metric: sum(each) / len(each) for metric, each in of_engine.items()}
        for engine, of_engine in values.items()
    }
    return {"broken": broken, "means": means, "differences": [asdict(each) for each in found]}


def differences(values: Mapping[str, Mapping[str, Sequence[float]]]) -> list[Difference]:
    """Return how the metrics that both engines give differ, from pairs of replications."""
    ours, kernels = (values[engine] for engine in ENGINES)
    found = []
    for metric in METRICS:
        if metric in ours and len(ours[metric]) == len(kernels.get(metric, ())) > 1:
            floor = _FLOORS.get(metric, 0.0)
            one, other = ([value + floor for value in each[metric]] for each in (ours, kernels))
            if sum(other) > 0:
                ratio = ratio_interval(one, other, _CONFIDENCE)
                found.append(Difference(metric, ratio.mean - 1, ratio.low - 1, ratio.high - 1))
    return found


def violations(network: Network, run: Mapping[str, Any]) -> list[str]:
    """Return the invariants that a run violates, as text."""
    counters, metrics = run["counters"], {name: each["value"] for name, each in run["metrics"].items()}
    found = []
    after = sum(counters[f"packets_{end}"] for end in ("delivered", "dropped", "lost", "in_flight"))
    if counters["packets_sent"] != after:
        found.append(f"{counters['packets_sent']} packets sent, {after} accounted for")
    measured = network.point("network")["stop"]["duration_s"]
    # What was on the way, or received out of order, when the warm-up ended may be credited after it: at most
    # the receivers' windows.
    most = network.rate / _PACKET_BITS + network.flows * network.window / measured
    if metrics.get("goodput", 0.0) > most * 1.0001:
        found.append(f"goodput {metrics['goodput']:.6g} packets/s of {most:.6g} that can pass")
    for name, most in (("utilisation", 1.0), ("loss_ratio", 1.0), ("queue_max", network.buffer + 1.0)):
        if not 0 <= metrics.get(name, 0.0) <= most * 1.0001:
            found.append(f"{name} {metrics[name]:.6g}, at most {most:g}")
    shares = [value for name, value in metrics.items() if name.startswith("goodput_share[")]
    equal = network.rate / _PACKET_BITS / network.flows
    if shares and min(shares) < _STARVED / network.flows and measured > _LONG_S and equal > 1:
        found.append(f"a group starves: it gets {min(shares):.2g} of the goodput")
    return found


def of_twins(point: Mapping[str, Any], run: Mapping[str, Any], twin: Mapping[str, Any]) -> list[str]:
    """Return how two runs of a seed differ, of which one has a probe, and windows out of their range."""
    found = [] if run["metrics"] == twin["metrics"] else ["a seed gives other numbers the second time"]
    sources = point["sources"]
    tcps = {"window": sources[0]["tcp"]} | {f"window[{each['name']}]": each["tcp"] for each in sources}
    for name, tcp in tcps.items():
        windows = twin.get("traces", {}).get(name, {}).get("value")
        # BBR's window is a multiple of what it estimates; the receiver's bounds what it sends.
        most = math.inf if tcp["variant"] == "bbr" else tcp["rwnd_packets"]
        if windows and not 1 <= min(windows) <= max(windows) <= most:
            found.append(f"{name} from {min(windows):g} to {max(windows):g} of 1 to {most:g}")
    return found


def judged(network: Network, result: Mapping[str, Any], rules: Settings) -> tuple[list[Any], list[Any]]:
    """Return a trial's significant differences: those with a cause, with its name, and those without one.

    Where the trial was run again, both say so, and in one direction.
    """
    features, explained, unexplained = network.features(), [], []
    again = {each["metric"]: Difference(**each) for each in result.get("again", ())}
    for document in result["differences"]:
        each = Difference(**document)
        threshold = rules.thresholds[each.metric]
        second = again.get(each.metric, each)
        if each.significant(threshold) and second.significant(threshold) and each.size * second.size > 0:
            names = [c.name for c in rules.causes if c.explains(features, each.metric, each.size)]
            if names:
                explained.append((each, names[0]))
            else:
                unexplained.append(each)
    return explained, unexplained
