"""Analytic models: a module or package each, with `predict(points)` as docs/formats.md describes it.

A model whose `predict` also takes `runs` is asked again for each run of an engine at the points, with its
measurements. One with `infer(points, runs)` concludes something from the mean of the runs.
A model that cannot answer every point has `check(point)` too, which raises PointError for one that it cannot:
which TCP variant, workload, queue and loss it knows is stated there. One with `BY_NAME_ONLY = True`, another
reading or a part of some model, answers only where a scenario names it. One with `ENGINE = NAME`
runs that engine's program, which is built before.
"""

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

Check = Callable[[Mapping[str, Any]], None]

# The folders of models that come with studies from elsewhere, for the programs that a run starts.
FOLDERS = "TCPATLAS_MODELS"
_OWN = tuple(__path__)
__path__ = [*_OWN, *filter(None, os.environ.get(FOLDERS, "").split(os.pathsep))]


def add_folder(folder: Path) -> list[str]:
    """Make the models of another folder known; return the names that are taken, if any, and then do not."""
    if str(folder) in __path__:
        return []
    names = [module.name for module in pkgutil.iter_modules([str(folder)])]
    taken = sorted({*names} & {module.name for module in pkgutil.iter_modules(__path__)})
    if not taken:
        __path__.append(str(folder))
    return taken


def folders_from_elsewhere() -> list[str]:
    """Return the folders of models that are not of this tree."""
    return [folder for folder in __path__ if folder not in _OWN]


def file_of(model: str) -> Path:
    """Return the file of a model."""
    return Path(inspect.getfile(load(model)))


def known_models() -> list[str]:
    """Return the names of the models here (a helper's name starts with an underscore)."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


@cache
def load(model: str) -> Any:
    """Return the module of a model."""
    return importlib.import_module(f"{__name__}.{model}")


def predicts(model: str) -> bool:
    """Return whether a module here has `predict`; without it there are formulas, but no model to name."""
    return hasattr(load(model), "predict")


def is_fed(model: str) -> bool:
    """Return whether a model also answers from measurements of runs."""
    module = load(model)
    return predicts(model) and "runs" in inspect.signature(module.predict).parameters


def infers(model: str) -> bool:
    """Return whether a model concludes something from the mean of an engine's runs."""
    return hasattr(load(model), "infer")


def automatic() -> tuple[str, ...]:
    """Return the models that answer without being named: of `models: auto`, and of `./atlas ask`."""
    predicting = (name for name in known_models() if predicts(name))
    return tuple(name for name in predicting if not getattr(load(name), "BY_NAME_ONLY", False))


def engine_of(model: str) -> str | None:
    """Return the engine that a model runs; None of most, which compute."""
    return getattr(load(model), "ENGINE", None)


def checks() -> dict[str, Check]:
    """Return every model's check whether it can answer a point; a model is loaded when it is asked first."""
    return {name: partial(check, name) for name in known_models()}


def check(model: str, point: Mapping[str, Any]) -> None:
    """Raise PointError if a model cannot answer a point."""
    check_of_model = getattr(load(model), "check", None)
    if check_of_model is not None:
        check_of_model(point)
