"""Error maps on disk: `results/error-maps/<study>.npz`, and the accepted ones in `config/error-maps/`."""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import with_config
from typing_extensions import TypedDict

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import CLOSED, Number, check
from tcpatlas.trust.error_map import ErrorMap

ACCEPTED = Path("config/error-maps")
# Decimals of coordinates and errors: a ten-thousandth is negligible compared with any band.
_DECIMALS = 4
_DECIMALS_OF_SCORES = 3


@with_config(CLOSED)
class StoredMap(TypedDict):
    """The parts of a set's map that are not arrays."""

    set: str
    title: str
    limits: dict[str, tuple[Number, Number]]
    words: list[str]
    columns: list[tuple[str, str]]


@with_config(CLOSED)
class StoredMaps(TypedDict):
    """The error maps of a study; `digest` is that of all points of its designs.

    Beside it is an array for each set, `<set>.points`: each row is the place of the words of a point, then
    its coordinates, then its errors and their scores, in the order of `columns`. NaN is in the columns that
    points of these words do not have, and in scores where there are too few of them.
    """

    schema: Literal["tcp-atlas/error-map/3"]
    study: str
    tcp_atlas: str
    engine: str
    scale: str
    seed: int
    digest: str
    sets: list[StoredMap]


def maps_file(folder: Path, study: str) -> Path:
    """Return the file of a study's error maps."""
    return folder / f"{study}.npz"


def read_maps(file: Path) -> list[ErrorMap]:
    """Return the error maps of a file; ConfigError if it is not one."""
    head, arrays = _read(file)
    return [_map(stored, arrays) for stored in head["sets"]]


def accepted_maps(root: Path = Path()) -> list[ErrorMap]:
    """Return all accepted error maps; none where there are none."""
    return [each for file in sorted((root / ACCEPTED).glob("*.npz")) for each in read_maps(file)]


def _read(file: Path) -> tuple[StoredMaps, Mapping[str, np.ndarray[Any, np.dtype[Any]]]]:
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive}
        head = json.loads(str(arrays["head"]))
    except OSError as error:
        raise ConfigError(file, "", f"cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigError(file, "", f"is no error map: {error}", "run the study again") from None
    for stored in head["sets"]:
        stored["columns"] = [tuple(column) for column in stored["columns"]]
        stored["limits"] = {name: tuple(ends) for name, ends in stored["limits"].items()}
    return check(StoredMaps, head, file), arrays


def _map(stored: StoredMap, arrays: Mapping[str, np.ndarray[Any, np.dtype[Any]]]) -> ErrorMap:
    rows, size, columns = arrays[f"{stored['set']}.points"], len(stored["columns"]), tuple(stored["columns"])
    words, coordinates, errors, scores = np.split(
        rows, [1, rows.shape[1] - 2 * size, rows.shape[1] - size], axis=1
    )
    names = tuple(stored["words"][int(place)] for place in words[:, 0])
    return ErrorMap(stored["set"], stored["limits"], names, coordinates, columns, errors, scores)


def maps_bytes(head: Mapping[str, Any], maps: Iterable[tuple[str, ErrorMap]]) -> bytes:
    """Return the file of maps, each with the title of its set: the same bytes for the same maps."""
    sets: list[StoredMap] = []
    arrays: dict[str, np.ndarray[Any, np.dtype[Any]]] = {}
    for title, error_map in maps:
        words = list(dict.fromkeys(error_map.words))
        parts = [
            error_map.coordinates.round(_DECIMALS),
            error_map.errors.round(_DECIMALS),
            error_map.scores.round(_DECIMALS_OF_SCORES),
        ]
        arrays[f"{error_map.set}.points"] = np.column_stack(
            [[words.index(each) for each in error_map.words], *parts]
        )
        sets.append(
            {
                "set": error_map.set,
                "title": title,
                "limits": dict(error_map.limits),
                "words": words,
                "columns": list(error_map.columns),
            }
        )
    file = io.BytesIO()
    text = np.array(json.dumps({**head, "sets": sets}, ensure_ascii=False, allow_nan=False))
    np.savez_compressed(file, head=text, **arrays)  # type: ignore[arg-type]
    return file.getvalue()
