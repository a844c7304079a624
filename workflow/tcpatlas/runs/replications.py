"""Identifies a replication by the digests of its point and program and by its seed."""

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def point_hash(point: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the part of a point that decides a run, without the number of replications."""
    decisive = {key: value for key, value in point.items() if key != "replications"}
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def engine_hash(command: Sequence[str], needed: Iterable[Path] = ()) -> str:
    """Return the SHA-256 of a command: of the contents of its files and its other words.

    The libraries that its program loads, and the files `needed`, count too.
    """
    words = [file_hash(Path(word)) if Path(word).is_file() else word for word in command]
    files = sorted({*_libraries(command[0]), *needed})
    return hashlib.sha256(json.dumps([words, [file_hash(file) for file in files]]).encode()).hexdigest()


def _libraries(program: str) -> list[Path]:
    """Return the shared libraries of a program; none of a script or a static program."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    return [Path(path) for path in re.findall(r"=> (/\S+) \(0x", said.stdout)]


def replication_seed(point: Mapping[str, Any], replication: int) -> int:
    """Return the seed of a point's replication (from 1), below 2^53: every JSON reader keeps it whole.

    Points whose replications have the seeds of one of them (`seeds_of`) make the same draws.
    """
    name = point["replications"].get("seeds_of", point["point"])
    identity = [point["seed"], point["study"], point["set"], name, replication]
    digest = hashlib.blake2b(json.dumps(identity).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 11
