"""Error maps on disk: `results/error-maps/<study>.json`, and the accepted ones in `config/error-maps/`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.files import read_json
from tcpatlas.base.validation import CLOSED, Number, check
from tcpatlas.trust.error_map import ErrorMap, varied

ACCEPTED = Path("config/error-maps")
# Of coordinates and errors: a ten-thousandth is nothing beside the width of any band.
_DECIMALS = 4


@with_config(CLOSED)
class StoredMap(TypedDict):
    """The map of a set.

    Each of `points` is the place of its words, then its coordinates, then its errors, in the order of
    `columns`. `bands` are, for each of `words`, the lower ends of the columns and the upper ones; empty where
    there are too few points. None is in the columns that points of these words do not have.
    """

    set: str
    title: str
    limits: dict[str, tuple[Number, Number]]
    words: list[str]
    columns: list[tuple[str, str]]
    bands: list[list[list[Number | None]]]
    points: list[list[Number | None]]


@with_config(CLOSED)
class StoredMaps(TypedDict):
    """The error maps of a study, and what made them: `digest` is of all points of its designs."""

    schema: Literal["tcp-atlas/error-map/1"]
    study: str
    tcp_atlas: str
    engine: str
    scale: str
    seed: int
    digest: str
    sets: list[StoredMap]


def maps_file(folder: Path, study: str) -> Path:
    """Return the file of a study's error maps."""
    return folder / f"{study}.json"


def read_maps(file: Path) -> list[ErrorMap]:
    """Return the error maps of a file; ConfigError if it is no such thing."""
    stored: StoredMaps = check(StoredMaps, json_lists_as_tuples(read_json(file)), file)
    return [_read(one) for one in stored["sets"]]


def accepted_maps(root: Path = Path()) -> list[ErrorMap]:
    """Return all accepted error maps; none where there are none."""
    return [one for file in sorted((root / ACCEPTED).glob("*.json")) for one in read_maps(file)]


def json_lists_as_tuples(data: Any) -> Any:
    """Return the data of the file with tuples where its types have them."""
    if not isinstance(data, dict):
        return data
    for one in data.get("sets", ()):
        one["columns"] = [tuple(column) for column in one["columns"]]
        one["limits"] = {name: tuple(ends) for name, ends in one["limits"].items()}
    return data


def _read(one: StoredMap) -> ErrorMap:
    size = len(varied(one["limits"]))
    rows = np.array(one["points"], float).reshape(len(one["points"]), 1 + size + len(one["columns"]))
    return ErrorMap(
        one["set"],
        one["limits"],
        tuple(one["words"][int(place)] for place in rows[:, 0]),
        rows[:, 1 : 1 + size],
        tuple(one["columns"]),
        rows[:, 1 + size :],
        {each: np.array(ends, float) for each, ends in zip(one["words"], one["bands"], strict=True) if ends},
    )


def text_of(head: Mapping[str, Any], maps: Iterable[tuple[str, ErrorMap]]) -> str:
    """Return the text of a file of maps, each with the title of its set; a point is a line."""
    sets = ",\n".join("".join(_lines(title, one)) for title, one in maps)
    inner = _json(head).removesuffix("}")
    return f'{inner},"sets":[\n{sets}\n]}}\n'


def _lines(title: str, one: ErrorMap) -> Iterator[str]:
    words = list(dict.fromkeys(one.words))
    head = {
        "set": one.set,
        "title": title,
        "limits": {name: list(ends) for name, ends in one.limits.items()},
        "words": words,
        "columns": [list(column) for column in one.columns],
        "bands": [_plain(one.bands[each]) if each in one.bands else [] for each in words],
    }
    numbers = np.concatenate([one.coordinates, one.errors], axis=1).round(_DECIMALS)
    rows = (_json([words.index(each), *row]) for each, row in zip(one.words, _plain(numbers), strict=True))
    yield _json(head).removesuffix("}") + ',"points":[\n' + ",\n".join(rows) + "\n]}"


def _plain(table: NDArray[np.float64]) -> list[list[float | None]]:
    """Return a table with None for NaN, which is no JSON."""
    return [[None if math.isnan(cell) else cell for cell in row] for row in table.tolist()]


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
