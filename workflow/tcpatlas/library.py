"""The library: TCP Atlas for programs and notebooks, in data frames.

A scenario is a file, a mapping of the same form (`docs/adding-a-scenario.md`), or the `base` alone, which is
one point. Numbers are in the SI units of the column `unit`. Errors of the caller are AtlasErrors with
a text of one line.
"""

import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, cast

import pandas as pd

from tcpatlas.ask import question, rows
from tcpatlas.ask.answer import answer_of, predicted
from tcpatlas.ask.arguments import NETWORK
from tcpatlas.ask.simulation import CONFIDENCE, cores, simulated
from tcpatlas.base.engine_call import (
    Engines,
    engine_arguments,
    engine_command,
    failure,
    libraries_allowed,
)
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import read_json, to_json
from tcpatlas.base.repository import TREE
from tcpatlas.base.validation import read
from tcpatlas.controllers.environment import Environment, Environments
from tcpatlas.controllers.replicate import Controllers, simulated_by
from tcpatlas.models import check, known_models, predicts
from tcpatlas.points.errors import PointError
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import Scenario
from tcpatlas.points.scenario_file import read_scenario
from tcpatlas.points.study import study_of
from tcpatlas.points.types import Point
from tcpatlas.runs import simulate as driver
from tcpatlas.runs.documents import Replications
from tcpatlas.runs.predict import answers_of
from tcpatlas.runs.replications import replication_seed
from tcpatlas.trust.stored import accepted_maps

ENGINE = "packetsim"
# The command's options are parameters here.
_OPTION = re.compile(rf"--({'|'.join(NETWORK)})\b")
_FEWEST, _MOST = 1, 1000
_HALF_WIDTH = 0.02
_MEASURED = ["set", "point", "metric", "unit", "value", "ci_low", "ci_high", "replications"]
_PREDICTED = ["set", "point", "metric", "unit", "value"]

ScenarioLike = str | os.PathLike[str] | Mapping[str, Any]


def simulate(
    scenario: ScenarioLike,
    *,
    replications: int = 3,
    length: float = 1.0,
    seed: int = 1,
    allow_library: bool = False,
    controller: Controllers | None = None,
) -> pd.DataFrame:
    """Simulate every point of a scenario by packetsim, packet by packet.

    `controller` is a class that stands for the TCP variant of all sources, or a mapping from the names of
    groups to classes (`docs/own-congestion-control.md`): these runs are made in this process.

    `length` (above 0, at most 1) is a factor on the scenario's run lengths, `replications` (1 to 1000) how
    often each point is run; one is enough where nothing happens by chance. Returns a row for each set, point
    and metric with the columns `set`, `point`, `metric`, `unit`, `value`, `ci_low`, `ci_high` (95 %, NaN
    where fewer than two runs give the metric) and `replications`. The same arguments give the same numbers.
    `allow_library` lets controllers run that the scenario names (`tcp.library`): a scenario is data, they are
    code. Raises AtlasError for a mistake in the scenario.

    >>> runs = tcpatlas.simulate("scenarios/examples/lossy-link.yaml", length=0.001)
    >>> goodput = runs[runs["metric"] == "goodput"]
    >>> print(goodput[["point", "ci_low", "ci_high"]].round().tail(2).to_string(index=False))
             point  ci_low  ci_high
    loss-2-percent    81.0     92.0
    loss-3-percent    45.0     69.0
    """
    points = points_of(scenario, replications, length, seed)
    if controller is not None:
        return _measured(simulated_by(controller, [point.document for point in points], CONFIDENCE))
    waiting = driver.Waiting(None, cores(), lambda *_: {}, lambda *_: None)
    with libraries_allowed(allow_library), tempfile.TemporaryDirectory() as folder:
        documents = [cast(Any, point.document) for point in points]
        command = engine_command(ENGINE)
        made = driver.simulate(documents, ENGINE, command, Path(folder), CONFIDENCE, waiting=waiting)
        return _measured(made)


def _measured(made: Iterable[Replications]) -> pd.DataFrame:
    table = []
    for runs in made:
        about = {"set": runs["set"], "point": runs["point"]}
        for name, metric in runs["metrics"].items():
            row = {key: value for key, value in metric.items() if key != "values"}
            table.append({**about, "metric": name, **row, "replications": len(runs["seeds"])})
    return pd.DataFrame(table, columns=_MEASURED)


def environment(scenario: ScenarioLike, *, seed: int = 1, **options: Any) -> Environment:
    """Return a scenario of one point as an environment that is stepped (`docs/own-congestion-control.md`).

    `options` are those of `Environment`: `interval`, `group` and `reward`. Raises AtlasError.

    >>> link = {
    ...     "links": {
    ...         "access": {"rate": "1 Gbit/s"},
    ...         "bottleneck": {"rate": "10 Mbit/s", "buffer": "50 packets", "queue": "drop-tail"},
    ...         "egress": {"rate": "1 Gbit/s"},
    ...     },
    ...     "rtt": "40 ms",
    ...     "packet_size": "1500 B",
    ...     "ack_size": "40 B",
    ...     "tcp": {
    ...         "variant": "newreno",
    ...         "rwnd": "1000 packets",
    ...         "initial_window": "10 packets",
    ...         "min_rto": "200 ms",
    ...         "max_rto": "60 s",
    ...     },
    ...     "sources": {"count": 1, "workload": {"kind": "bulk"}},
    ...     "stop": {"duration": "10 s"},
    ... }
    >>> steered = tcpatlas.environment(link, interval=0.1)
    >>> seen, _ = steered.reset(seed=1)
    >>> seen, reward, _, over, _ = steered.step(40)
    >>> int(seen[0]), int(seen[1]), over
    (44, 0, False)
    """
    points = points_of(scenario, 1, 1, seed)
    if len(points) != 1:
        raise AtlasError(f"environment: the scenario has {len(points)} points; exactly one is stepped")
    return Environment(points[0].document, **options)


def environments(scenario: ScenarioLike, *, seed: int = 1, **options: Any) -> Environments:
    """Return the points of a scenario as environments that are stepped side by side; otherwise as above."""
    return Environments([point.document for point in points_of(scenario, 1, 1, seed)], **options)


def predict(model: str, scenario: ScenarioLike, *, seed: int = 1) -> pd.DataFrame:
    """Ask a model, `padhye` say, about every point of a scenario.

    Returns a row for each set, point and metric, with the columns `set`, `point`, `metric`, `unit` and
    `value`. Raises AtlasError if there is no such model, or if it cannot answer a point, with why.

    >>> padhye = tcpatlas.predict("padhye", "scenarios/examples/lossy-link.yaml").set_index("point")
    >>> float(padhye[padhye["metric"] == "goodput"].loc["loss-1-percent", "value"].round(1))
    99.9
    """
    if model not in known_models() or not predicts(model):
        raise AtlasError(f"model {model!r} is unknown; one of: {', '.join(filter(predicts, known_models()))}")
    points = points_of(scenario, 2, 1, seed, models=[model])
    documents = [point.document for point in points]
    try:
        for document in documents:
            check(model, document)
        answers = answers_of(model, documents)
    except PointError as error:
        raise AtlasError(f"{error.paths[0]}: {error}") from error
    table = [
        {"set": point.set, "point": point.name, "metric": name, **metric}
        for point, answer in zip(points, answers, strict=True)
        for name, metric in answer["metrics"].items()
    ]
    return pd.DataFrame(table, columns=_PREDICTED)


def ask(scenario: str | None = None, *, seconds: float = 2.0, **network: str | int) -> pd.DataFrame:
    """Answer what `./atlas ask` answers: a scenario file, or a network by its options.

    Options are those of the command, written with their units: `rate="50 Mbit/s", rtt="20 ms", users=60,
    file="300 kB"`; `seconds` (default 2) is the time to simulate for, so numbers differ from call to call as
    intervals say. Returns a row for each metric and source, `packetsim` or `model:<name>`, with the columns
    `set`, `point`, `metric`, `unit`, `source`, `value`, `ci_low`, `ci_high`, `error_*`, the relative error of
    a model, and `usable`, false where that is a factor of two or more. Raises AtlasError for an option that
    is unknown or has a wrong value.

    >>> answer = tcpatlas.ask(rate="50 Mbit/s", rtt="20 ms", users=60, file="300 kB", seconds=0.5)
    >>> sorted(answer["source"].unique())
    ['model:engset', 'packetsim']
    """
    if unknown := [name for name in network if name not in NETWORK]:
        raise AtlasError(f"{unknown[0]}: is no option; one of: {', '.join(NETWORK)}")
    if scenario is not None and network:
        raise AtlasError(f"{next(iter(network))}: is there beside {scenario}; a file or options, not both")
    options = {name: None if name not in network else str(network[name]) for name in NETWORK}
    asked = _of_options(options) if scenario is None else question.from_file(scenario)
    with tempfile.TemporaryDirectory() as folder:
        runs = simulated(ENGINE, asked.points, _HALF_WIDTH, seconds, Path(folder))
    maps = accepted_maps(TREE)
    answers = [answer_of(run, predicted(run.point.document, quick=True), maps) for run in runs]
    return pd.DataFrame(rows.rows(answers), columns=list(rows.COLUMNS))


def cdf(
    size: str, rate: str, rtt: str, *, replications: int = 20, seed: int = 1, **network: str
) -> pd.DataFrame:
    """Return the distribution of the time that one file takes on a link of its own, by packetsim.

    `size` is that of the file, `300 kB` say; `network` are options of `ask`, of which `loss` makes transfers
    differ: without it all take the same time. Each of the `replications` is one transfer from its first
    packet to its last acknowledgement. Returns as many rows, in increasing `time_s` (seconds), with
    `probability`, the share of transfers that take no longer. Raises AtlasError for a wrong value.

    >>> times = tcpatlas.cdf("300 kB", "50 Mbit/s", "20 ms", loss="1 %", tcp="newreno")
    >>> float(times["time_s"].median().round(3)), float(times["time_s"].max().round(3))
    (0.14, 1.364)
    """
    if unknown := [name for name in network if name not in NETWORK or name in ("users", "file", "pause")]:
        raise AtlasError(f"{unknown[0]}: is no option of one transfer; e.g. loss, buffer, tcp, window")
    if replications < 1:
        raise AtlasError("replications: at least 1")
    options = {name: network.get(name) for name in NETWORK} | {"rate": rate, "rtt": rtt}
    link = _of_options(options)
    try:
        packets = question.packets_of(size, network.get("packet"))
    except AtlasError as error:
        raise AtlasError(str(error).replace("--file", "size")) from None
    document = {**link.point({"stop": {"transfer": f"{packets} packets"}}).document, "seed": seed}
    command = engine_command(ENGINE)
    with tempfile.TemporaryDirectory() as name, Engines() as engines:
        folder = Path(name)
        (folder / "point.json").write_text(to_json(document))

        def run(number: int) -> float:
            output = folder / f"{number}.json"
            arguments = engine_arguments(folder / "point.json", replication_seed(document, number), output)
            if wrong := failure([*command, *arguments], ENGINE, output, engines):
                raise wrong
            return float(read_json(output)["simulated_s"])

        with ThreadPoolExecutor(cores()) as threads:
            times = sorted(threads.map(run, range(1, replications + 1)))
    shares = [number / replications for number in range(1, replications + 1)]
    return pd.DataFrame({"time_s": times, "probability": shares})


def _of_options(options: Mapping[str, str | None]) -> question.Question:
    """Return the question that parameters ask; raises AtlasError, which names the parameter."""
    try:
        return question.from_options(options)
    except AtlasError as error:
        raise AtlasError(_OPTION.sub(r"\1", str(error))) from None


def points_of(
    scenario: ScenarioLike,
    replications: int,
    length: float,
    seed: int,
    models: Sequence[str] = (),
    engine: str = ENGINE,
) -> list[Point]:
    """Return the points of a scenario, for an engine or models; AtlasError for what is wrong in it."""
    if not 0 < length <= 1:
        raise AtlasError(f"length: {length} is out of range; above 0, at most 1")
    if not _FEWEST <= replications <= _MOST:
        raise AtlasError(f"replications: {replications} is out of range; {_FEWEST} to {_MOST}")
    written, file, source = _scenario(scenario)
    unasked = {"engines": None, "models": None, "replications": None}
    sets = {name: spec.model_copy(update=unasked) for name, spec in written.sets.items()}
    plain = written.model_copy(update={"models": list(models), "sets": sets, "cross_check": None})
    bounds = {"minimum": replications, "maximum": replications, "targets": {}}
    run_length = RunLength(Decimal(str(length)), bounds, seed)
    checks = {model: partial(check, model) for model in models}
    study = study_of(plain, file, [] if models else [engine], run_length, checks, source=source)
    return [point for scenario_set in study.sets for point in scenario_set.points]


def _scenario(scenario: ScenarioLike) -> tuple[Scenario, str, str]:
    """Return a scenario, the name of its file in messages, and what it derives from."""
    if isinstance(scenario, Mapping):
        alone = "sets" not in scenario
        whole = {"title": "base", "base": scenario, "sets": {"base": {"title": "base"}}}
        return read(Scenario, whole if alone else dict(scenario), "scenario"), "scenario", ""
    file = os.fspath(scenario)
    written, source = read_scenario(Path(), file)
    return written, file, source
