"""Replications kept beside a result, so that a killed run resumes.

`<n>.json` is what the engine wrote, byte for byte; `<n>.key.json` beside it says what it was made from, and
is written last: without it, or where it does not fit, the replication is made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpatlas.base.files import to_json, write_atomically


def point_hash(point: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all of a point that decides a run: not how many replications are asked for."""
    decisive = {key: value for key, value in point.items() if key != "replications"}
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def engine_hash(command: Sequence[str]) -> str:
    """Return the SHA-256 of a command: of the contents of the files in it, and of its other words."""
    words = [file_hash(Path(word)) if Path(word).is_file() else word for word in command]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()


def replication_seed(point: Mapping[str, Any], replication: int) -> int:
    """Return the seed of a point's replication (from 1), below 2^53: every JSON reader keeps it whole.

    Points whose replications have the seeds of one of them (`seeds_of`) make the same draws.
    """
    name = point["replications"].get("seeds_of", point["point"])
    identity = [point["seed"], point["study"], point["set"], name, replication]
    digest = hashlib.blake2b(json.dumps(identity).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 11


@dataclass(frozen=True)
class Replication:
    """One kept replication, from 1, and what it is made from: point, engine and seed."""

    folder: Path
    number: int
    seed: int
    point: str
    engine: str

    @property
    def output(self) -> Path:
        """The engine's own output."""
        return self.folder / f"{self.number}.json"

    @property
    def _key(self) -> Path:
        return self.folder / f"{self.number}.key.json"

    def _identity(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "point": self.point,
            "engine": self.engine,
            "output": file_hash(self.output),
        }

    def is_kept(self) -> bool:
        """Say whether the output is there, whole, and made from the same point, engine and seed."""
        try:
            kept = json.loads(self._key.read_bytes())
            return bool(kept == self._identity())
        except (OSError, ValueError):
            return False

    def discard(self) -> None:
        """Remove what an earlier point or engine left, so that it is not taken for the new output."""
        self._key.unlink(missing_ok=True)
        self.output.unlink(missing_ok=True)

    def keep(self) -> None:
        """Declare the output finished."""
        write_atomically(self._key, to_json(self._identity()))
