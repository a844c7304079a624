"""Every metric, distribution and trace that results may hold, with its unit: `workflow/metrics.yaml`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NotRequired, cast

from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base import validation
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.base.repository import TREE
from tcpatlas.base.validation import CLOSED, Text

READS = ("workflow/metrics.yaml",)
FILE = READS[0]
_READING = "__"


@with_config(CLOSED)
class Entry(TypedDict):
    """An entry of metrics.yaml on a metric, distribution or trace; the head of the file explains the keys."""

    title: Text
    symbol: NotRequired[Text]
    unit: Text
    definition: Text
    kind: NotRequired[Literal["metric", "distribution", "trace"]]
    shown: NotRequired[Text]
    by: NotRequired[Literal["models"]]
    probe: NotRequired[Text]
    estimate_of: NotRequired[Text]
    where_zero: NotRequired[Text]


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return the entries of metrics.yaml by name; ConfigError for a key that entries do not have.

    A comma ends a text without quotation marks in braces, and makes a key of what follows it.
    """
    return entries_of(TREE / FILE)


def entries_of(path: Path) -> Mapping[str, Entry]:
    """Return the entries of such a file; ConfigError for what is wrong in it."""
    return validation.check(cast(Any, dict[str, Entry]), read_yaml(path, FILE), FILE)


def entry_name(name: str) -> str:
    """Return the name of a metric's entry: without the brackets and the reading of a model's equations."""
    return name.partition("[")[0].partition(_READING)[0]


def estimate_of(name: str) -> str | None:
    """Return the engines' metric that a model's metric estimates, if any."""
    entry = catalogue().get(entry_name(name))
    other = entry and entry.get("estimate_of")
    return None if other is None else f"{other}{name.removeprefix(entry_name(name))}"


def check_known(file: Path | str, key: str, entries: Mapping[str, Mapping[str, Any]], kind: str) -> None:
    """Raise ConfigError if metrics.yaml lacks a metric, distribution or trace, or gives it another unit."""
    for name, value in entries.items():
        entry = catalogue().get(entry_name(name))
        if entry is None or entry.get("kind", "metric") != kind:
            problem = f"the {kind} {name!r} is unknown"
            raise ConfigError(
                file, key, problem, f"those of {FILE}; add it there, with title, unit and definition"
            )
        if value["unit"] != entry["unit"]:
            raise ConfigError(
                file, f"{key}.{name}.unit", f"{value['unit']} is wrong", f"{entry['unit']}, as in {FILE}"
            )
