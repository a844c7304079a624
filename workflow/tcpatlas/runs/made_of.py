"""Digests of the inputs of runs and predictions, recorded in their files.

Snakemake's own records of it are lost with `.snakemake`, are not packed into archives, and a profile may have
them ignored.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tcpatlas.runs.replications import file_hash

_file_hash = cache(file_hash)


def digest_of_job(values: Iterable[object]) -> str:
    """Return a digest of some values."""
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()


@cache
def sources_digest(files: tuple[str, ...]) -> str:
    """Return a digest of the names and contents of files."""
    return digest_of_job((file, _file_hash(Path(file))) for file in files)


def recorded(text: str, made_of: str | None) -> str:
    """Return lines of JSON objects with the digests of their inputs, if these are known."""
    return text if made_of is None else re.sub(r"(?m)^\{", f'{{"made_of":"{made_of}",', text)


def record(file: Path) -> str | None:
    """Return the digests recorded in a file of such lines; None if there are none."""
    with file.open(encoding="utf-8") as lines:
        found = re.match(r'\{"made_of":"(\w+)"', lines.read(100))
    return found[1] if found else None
