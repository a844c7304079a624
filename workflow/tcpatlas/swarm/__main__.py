"""`./atlas swarm`: random networks put to packetsim and to the kernel, for so many minutes or points."""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from tcpatlas.ask.simulation import cores
from tcpatlas.base.command import Parser, positive, positive_number
from tcpatlas.base.engine_call import Engines
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.repository import program
from tcpatlas.base.validation import read
from tcpatlas.points.engines import missing
from tcpatlas.runs.replications import file_hash, point_hash
from tcpatlas.swarm.network import ENGINES, Network, drawn, restored, stored
from tcpatlas.swarm.report import page, said, table
from tcpatlas.swarm.settings import RunSize, Settings, Space, settings, space_of
from tcpatlas.swarm.shrink import shrunk, write_scenario
from tcpatlas.swarm.trial import checked, judged, trial

_FOLDER = Path("build/swarm")
# Failures that are shrunk: one of each metric, queue and TCP, the largest first.
_MOST_SHRUNK = 4


def main(arguments: Sequence[str]) -> int:
    """Run the command; 1 where a point has a difference without a cause, or breaks an invariant."""
    parser = Parser(prog="./atlas swarm", description="Random networks, by packetsim and the kernel.")
    parser.add_argument("--minutes", type=positive_number, default=30, help="how long (default: 30)")
    parser.add_argument("--points", type=positive, default=10**6, help="at most so many points")
    parser.add_argument("--seed", type=int, default=1, help="that draws the points (default: 1)")
    parser.add_argument(
        "--packets", type=positive, help="of a replication, warm-up included (default: the settings')"
    )
    parser.add_argument("--replications", type=positive, help="of each engine (default: the settings')")
    parser.add_argument("--space", help="a file in the form of `space` in config/swarm.yaml")
    options = parser.parse_args(arguments)
    try:
        rules = settings()
        size = {key: getattr(options, key) or getattr(rules.run, key) for key in ("packets", "replications")}
        rules = rules.model_copy(update={"run": read(RunSize, size, "--packets and --replications")})
        space = space_of(options.space) if options.space else rules.space
        for engine in ENGINES:
            if lacking := missing(engine) or ("" if program(engine).is_file() else f"{engine} is not built"):
                raise AtlasError(lacking.partition(";")[0])
        folder = _FOLDER / f"seed-{options.seed}-{_digest(space, rules)}"
        return _swarm(rules, space, folder, options)
    except AtlasError as error:
        print(f"atlas: swarm: {error}", file=sys.stderr)
        return 2


def _digest(space: Space, rules: Settings) -> str:
    """Return what points and their numbers follow from: space, engines, rules (what is run again)."""
    programs = [file_hash(program(engine)) for engine in ENGINES]
    return point_hash({"space": repr(space), "rules": repr(rules), "programs": programs})[:8]


def _swarm(rules: Settings, space: Space, folder: Path, options: argparse.Namespace) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "points.jsonl"
    lines = [json.loads(text) for text in log.read_text().splitlines()] if log.exists() else []
    done = {line["number"] for line in lines}
    deadline = time.monotonic() + 60 * options.minutes
    networks = (
        (number, drawn(space, options.seed, number, rules.run.packets))
        for number in range(1, options.points + 1)
        if number not in done
    )
    failures = sum(_fails(line, rules) for line in lines)
    with log.open("a") as file:
        for line in trials(networks, rules, rules.run.replications, deadline):
            lines.append(line)
            file.write(json.dumps(line) + "\n")
            file.flush()
            failures += _fails(line, rules)
            left = max(deadline - time.monotonic(), 0)
            print(f"\r{len(lines)} points, {failures} without a cause, {left / 60:.0f} min left ",
                  end="", file=sys.stderr, flush=True)  # fmt: skip
    lines.sort(key=lambda line: line["number"])
    table(lines).to_csv(folder / "differences.csv", index=False)
    report = page(lines, rules, f"Swarm of seed {options.seed}")
    (folder / "report.md").write_text(report)
    print(f"\n{report}\natlas: swarm: {folder}/report.md, differences.csv")
    for written in _shrink(lines, rules, folder):
        print(f"atlas: swarm: {written}")
    return int(failures > 0)


def trials(
    networks: Iterator[tuple[int, Network]], rules: Settings, replications: int, deadline: float
) -> Iterator[dict[str, Any]]:
    """Yield the trials of numbered networks as they end; none begins after the deadline."""
    with ThreadPoolExecutor(cores()) as threads, Engines() as engines:
        started: dict[Future[Any], tuple[int, Network]] = {}
        for number, network in networks:
            if time.monotonic() >= deadline:
                break
            started[threads.submit(checked, network, rules, replications, engines)] = number, network
            while len(started) > cores():
                yield from _ended(started)
        while started:
            yield from _ended(started)


def _ended(started: dict[Future[Any], tuple[int, Network]]) -> Iterator[dict[str, Any]]:
    for future in wait(started, return_when=FIRST_COMPLETED).done:
        number, network = started.pop(future)
        yield {"number": number, "network": stored(network), **future.result()}


def _fails(line: dict[str, Any], rules: Settings) -> bool:
    return bool(line["broken"] or judged(restored(line["network"]), line, rules)[1])


def _shrink(lines: Sequence[dict[str, Any]], rules: Settings, folder: Path) -> Iterator[str]:
    """Shrink the largest failure of each kind; yield the scenario and the network of each."""
    kinds: dict[tuple[Any, ...], tuple[float, dict[str, Any], Any]] = {}
    for line in filter(lambda line: _fails(line, rules), lines):
        network = restored(line["network"])
        worst = max(judged(network, line, rules)[1], key=lambda each: abs(each.size), default=None)
        key = (worst and worst.metric, network.queue, network.features()["variants"])
        size = abs(worst.size) if worst else float("inf")
        if key not in kinds or kinds[key][0] < size:
            kinds[key] = size, line, worst
    largest = sorted(kinds.values(), key=lambda each: -each[0])[:_MOST_SHRUNK]
    with ThreadPoolExecutor(cores()) as threads:
        yield from threads.map(lambda each: _shrunk(each[1], each[2], rules, folder), largest)


def _shrunk(line: dict[str, Any], worst: Any, rules: Settings, folder: Path) -> str:
    def shows(network: Network) -> bool:
        result = trial(network, rules.run.replications)
        if worst is None:
            return bool(result["broken"])
        found = judged(network, result, rules)[1]
        return any(each.metric == worst.metric and each.size * worst.size > 0 for each in found)

    small = shrunk(restored(line["network"]), shows)
    what = f"{worst.metric} {worst.size:+.1%}" if worst else line["broken"][0]
    file = write_scenario(folder, f"point-{line['number']}", small, f"{what}: {said(small)}")
    return f"{file}: {what}, {said(small)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
