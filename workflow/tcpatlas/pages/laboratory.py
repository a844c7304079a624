"""The laboratory: experiments as the pipeline expands them, and the page that runs them in a browser."""

import base64
import copy
import gzip
import html
import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Gt, Len, Lt
from pydantic import Field

from tcpatlas.answers.metrics import catalogue
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text, read_yaml
from tcpatlas.base.repository import TREE
from tcpatlas.base.statistics import t_quantile
from tcpatlas.base.validation import MetricName, Model, Name, Number, Text, read
from tcpatlas.base.version import VERSION
from tcpatlas.pages import shell
from tcpatlas.points.engines import check_takes, taken
from tcpatlas.points.expand import Base, expand
from tcpatlas.points.paths import DottedPath
from tcpatlas.points.run_length import RunLength
from tcpatlas.points.scenario import SetSpec
from tcpatlas.points.unused import Unused
from tcpatlas.runs.predict import answers_of
from tcpatlas.runs.replications import replication_seed

READS = ("workflow/pages/lab/*", "scenarios/papers/*/scenario.yaml")
ENGINE = "packetsim"
FOLDER = shell.FOLDER / "lab"
# Packages compiled into the module; Debian has the licence of each with its headers.
COMPILED_IN = ("nlohmann-json3-dev", "libc++-19-dev-wasm32", "wasi-libc")
SCRIPTS = ("point.js", "models.js", "chart.js", "exercises.js", "lab.js")
# What an exercise measures of the run that is drawn
TRACED = ("peak", "period")
# As many as a page makes at most.
_REPLICATIONS = 100
_CONFIDENCE = 0.95
_LENGTH = RunLength(Decimal(1), {"minimum": 2, "maximum": _REPLICATIONS, "targets": {}}, 1)
_LARGEST_ERROR = 1e-12

Point = Mapping[str, Any]
# A place in a point, and the value there; without one it is not there.
Change = list[Any]


class Setting(Model):
    """A control of the page: a quantity between two numbers of its unit, or one of some options."""

    title: Text
    path: DottedPath
    unit: str = ""
    lowest: Number | None = None
    highest: Number | None = None
    whole: bool = False
    linear: bool = False
    options: Annotated[list[bool | str], Len(1)] | None = None

    def written(self, value: float | str) -> Any:
        """Return a value as a scenario has it."""
        return f"{value} {self.unit}" if self.unit else value


class Experiment(Model):
    """A base, written here or in a scenario file, and its adjustable settings.

    `model` is a formula of the page, `predicted` a model of the pipeline that is asked once, of the point as
    it stands; `item` is the figure or table that an experiment of a paper belongs to.
    """

    title: Text
    family: Text
    text: Text
    settings: Annotated[list[Name], Len(1)]
    base: dict[str, Any] | None = None
    file: str | None = None
    override: dict[str, Any] = Field(default_factory=dict)
    model: str | None = None
    predicted: str | None = None
    item: str | None = None

    @property
    def written(self) -> dict[str, Any]:
        """The base as a scenario file has it."""
        base = self.base if self.file is None else read_yaml(TREE / self.file, self.file)["base"]
        written: dict[str, Any] = copy.deepcopy(base or {})
        for path, value in self.override.items():
            put(written, path, value)
        return written


class Exercise(Model):
    """A question about an experiment at some settings, those in `by_name` drawn from a student's name.

    The answer is `measure`, divided by `over` if there is one, in `unit`; a prediction is right within the
    share `within` of what is simulated.
    """

    title: Text
    experiment: Name
    settings: dict[Name, bool | float | str]
    by_name: Annotated[dict[Name, list[bool | float | str]], Len(1)]
    question: Text
    measure: Text
    over: Text | None = None
    unit: Text
    within: Annotated[float, Gt(0), Lt(1)]
    why: Text
    next: Text


class Laboratory(Model):
    """The file `lab.yaml`, with the exercises of `exercises.yaml`."""

    settings: dict[Name, Setting]
    shown: list[MetricName]
    experiments: dict[Name, Experiment]
    exercises: dict[Name, Exercise] = Field(default_factory=dict)


def laboratory() -> Laboratory:
    """Return the laboratory; raises ConfigError for what is wrong in its file."""
    file = FOLDER / "lab.yaml"
    written = read_yaml(file, file.name)
    for setting in written["settings"].values():
        for name, key in (("lowest", "from"), ("highest", "to")):
            if key in setting:
                setting[name] = setting.pop(key)
    exercises = FOLDER / "exercises.yaml"
    lab = read(Laboratory, {**written, "exercises": read_yaml(exercises, exercises.name)}, file.name)
    for name, exercise in lab.exercises.items():
        _check(lab, name, exercise)
    return lab


def _check(lab: Laboratory, name: str, exercise: Exercise) -> None:
    """Raise ConfigError for an experiment, a setting or a measure of an exercise that there is not."""

    def known(key: str, value: str, among: Iterable[str], allowed: str = "") -> None:
        if value not in among:
            raise ConfigError(
                "exercises.yaml", f"{name}.{key}", f"{value} is unknown", allowed or ", ".join(among)
            )

    known("experiment", exercise.experiment, lab.experiments)
    experiment = lab.experiments[exercise.experiment]
    for key in ("settings", "by_name"):
        for setting in getattr(exercise, key):
            known(f"{key}.{setting}", setting, experiment.settings)
    metrics = [metric for metric, entry in catalogue().items() if entry.get("kind", "metric") == "metric"]
    groups = [group["name"] for group in expanded(exercise.experiment, experiment.written)["sources"]]
    for key, measure, traced in (("measure", exercise.measure, TRACED), ("over", exercise.over, ())):
        metric, bracket, _ = (measure or metrics[0]).partition("[")
        known(
            key,
            metric,
            [*traced, *metrics],
            ", ".join([*traced, "or a metric of metrics.yaml"]).removeprefix("or "),
        )
        if bracket:
            known(key, measure or "", [f"{metric}[{group}]" for group in groups])


def page(module: bytes) -> str:
    """Return the page with the module in it: one file that needs no other."""
    data = json.dumps(laboratory_data(laboratory()), separators=(",", ":"), ensure_ascii=False)
    parts = {
        "data": data.replace("</", "<\\/"),
        "worker": shell.text("lab/worker.js"),
        "module": base64.b64encode(gzip.compress(module, 9, mtime=0)).decode(),
        "notices": html.escape("\n\n".join(_notice(package) for package in COMPILED_IN)),
        "script": "\n".join(shell.text(f"lab/{name}") for name in SCRIPTS),
    }
    body = shell.filled(shell.text("lab/body.html"), parts)
    return shell.page("TCP Atlas: the laboratory", "lab/lab.css", body)


def _notice(package: str) -> str:
    """Return the licence of a Debian package, which travels with what is compiled from it."""
    return read_text(Path(f"/usr/share/doc/{package}/copyright"), f"the licence of {package}")


def laboratory_data(lab: Laboratory) -> dict[str, Any]:
    """Return the page's data on settings and experiments."""
    return {
        "version": VERSION,
        "settings": {name: setting.model_dump(exclude_none=True) for name, setting in lab.settings.items()},
        "shown": {name: {key: catalogue()[name][key] for key in ("title", "unit")} for name in lab.shown},
        "quantiles": [t_quantile(runs, _CONFIDENCE) for runs in range(2, _REPLICATIONS + 1)],
        "experiments": {name: experiment_data(lab, name) for name in lab.experiments},
        "exercises": {
            name: exercise.model_dump(exclude_none=True) for name, exercise in lab.exercises.items()
        },
    }


def experiment_data(lab: Laboratory, name: str) -> dict[str, Any]:
    """Return an experiment's point, and what each of its settings changes there."""
    experiment = lab.experiments[name]
    written = experiment.written
    point = expanded(name, written)
    settings = {key: lab.settings[key] for key in experiment.settings}
    options = [(one, option) for one in settings.values() for option in one.options or ()]
    for path in _unused(name, written, *(_written(written, *option) for option in options)):
        put(written, path, None)
    data = experiment.model_dump(exclude_none=True, include={"title", "family", "text", "model", "item"})
    return {
        **data,
        "base": json.loads(json.dumps(written, default=str)),
        "point": point,
        "traced": list(_traced(point)),
        "settings": {key: _effect(name, written, point, one) for key, one in settings.items()},
        "seeds": [replication_seed(point, number) for number in range(1, _REPLICATIONS + 1)],
        "predicted": _predicted(experiment.predicted, point),
    }


def expanded(name: str, written: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point of a base, as the pipeline has it; raises ConfigError for what is wrong there."""
    spec = SetSpec.model_validate({"title": name})
    checks = [partial(check_takes, ENGINE)]
    document = expand("lab", name, spec, Base(written, name), _LENGTH, checks)[0].document
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def put(tree: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a dotted path, None for none; folders on the way are made."""
    *folders, last = path.split(".")
    for key in folders:
        tree = tree.setdefault(key, {})
    if value is None:
        tree.pop(last, None)
    else:
        tree[last] = value


def _traced(point: Point) -> Iterator[Change]:
    """Yield what the run that is drawn has of its own: traces where the engine has them, and no warm-up."""
    of_one_group = {**point, "sources": point["sources"][0]}
    wanted = [
        kind for kind in ("window-trace", "queue-trace") if kind in taken(ENGINE, "probes.kind", of_one_group)
    ]
    if point["kind"] != "dumbbell":
        return
    yield [["probes"], [{"kind": kind} for kind in wanted]]
    if "warmup_s" in point["stop"]:
        yield [["stop", "warmup_s"], 0]


def _effect(name: str, written: Mapping[str, Any], point: Point, setting: Setting) -> dict[str, Any]:
    """Return a setting's value in the base, and what moving it changes in the point.

    A quantity changes numbers of the point in proportion to itself, which two further values show.
    """
    start = _at(written, setting.path)
    if setting.options is not None:
        allowed = {
            option: _differences(point, _moved(name, written, setting, option)) for option in setting.options
        }
        unused = {
            option: keys
            for option in setting.options
            if (keys := _unused(name, _written(written, setting, option)))
        }
        return {"start": start, "options": allowed, "unused": unused}
    value = float(units.parse(start, setting.unit)) if setting.unit else start
    others = [_whole(setting, share * (value or setting.highest or 1)) for share in (0.5, 0.75)]
    if setting.whole and len({value, *others}) < 3:
        others = [value + 1, value + 2]
    first, second = (_differences(point, _moved(name, written, setting, other)) for other in others)
    factors = []
    for place, moved in first:
        before = _at(point, place)
        factor = (moved - before) / (others[0] - value)
        expected = before + factor * (others[1] - value)
        actual = next((new for other, new in second if other == place), None)
        if actual is None or abs(actual - expected) > _LARGEST_ERROR * abs(expected):
            raise ConfigError(
                "lab.yaml", f"settings of {name}", f"{setting.title} is not linear", "linear ones"
            )
        factors.append([place, factor, before - factor * value])
    return {
        "start": value,
        "numbers": [[place, factor, _zero(offset, factor)] for place, factor, offset in factors],
    }


def _zero(offset: float, factor: float) -> float:
    """Return an offset that is more than a rounding error."""
    return 0 if abs(offset) < _LARGEST_ERROR * abs(factor) else offset


def _whole(setting: Setting, value: float) -> float:
    return max(1, round(value)) if setting.whole else value


def _written(written: Mapping[str, Any], setting: Setting, value: float | str) -> dict[str, Any]:
    base = copy.deepcopy(dict(written))
    put(base, setting.path, setting.written(value))
    return base


def _moved(name: str, written: Mapping[str, Any], setting: Setting, value: float | str) -> dict[str, Any]:
    return expanded(name, _written(written, setting, value))


def _unused(name: str, *bases: Mapping[str, Any]) -> list[str]:
    """Return the keys that no point of these bases takes; a scenario must not have them."""
    unused = Unused(name)
    for base in bases:
        spec = SetSpec.model_validate({"title": name})
        expand("lab", name, spec, Base(base, name), _LENGTH, unused=unused)
    return [place.removeprefix("base.") for place in unused.places()]


def _at(tree: Any, path: str | list[Any]) -> Any:
    for key in path.split(".") if isinstance(path, str) else path:
        tree = tree[key]
    return tree


def _differences(before: Any, after: Any, place: tuple[Any, ...] = ()) -> list[Change]:
    """Return how another point differs: places with their values, and places that it lacks."""
    if isinstance(before, dict) and isinstance(after, dict):
        changes = []
        for key in dict.fromkeys((*before, *after)):
            if key not in after:
                changes.append([[*place, key]])
            elif key not in before:
                changes.append([[*place, key], after[key]])
            else:
                changes += _differences(before[key], after[key], (*place, key))
        return changes
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [
            change for index, (one, other) in pairs for change in _differences(one, other, (*place, index))
        ]
    return [] if before == after else [[list(place), after]]


def _predicted(model: str | None, point: Point) -> dict[str, Any]:
    """Return the numbers that a model predicts for the point."""
    if model is None:
        return {}
    metrics = answers_of(model, [point])[0]["metrics"]
    return {"model": model, "metrics": {name: float(metric["value"]) for name, metric in metrics.items()}}
