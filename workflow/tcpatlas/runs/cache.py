"""The machine's cache of replications, shared by all trees, as a compiler's cache keeps object files.

An entry is what an engine wrote, compressed; its name is a digest of the point, the engine's program and the
seed. Entries are written atomically, so there may be many writers; a checksum detects damaged ones, which are
made again. Beyond 2 GB the least recently read entries are removed.
"""

import gzip
import hashlib
import json
import os
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tcpatlas.base.files import write_atomically

# The folder is cut down a 256th at a time: by the first two digits of the names.
LARGEST_PART = 2_000_000_000 // 256


def cache_folder(results: Path) -> Path:
    """Return the folder named by the environment; one inside the results if it is off or not writable.

    `TCP_ATLAS_CACHE` is a folder or `off`; without it, the cache is in the user's folder of caches.
    """
    asked = os.environ.get("TCP_ATLAS_CACHE")
    own = results / "cache"
    if asked == "off":
        return own
    try:
        users = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(asked or Path(users) / "tcp-atlas")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return own
    return folder if os.access(folder, os.W_OK) else own


@dataclass(frozen=True)
class Cache:
    """The replications of an engine of that digest; several processes may use the folder at the same time."""

    folder: Path
    engine: str

    def read(self, point: str, seed: int) -> bytes | None:
        """Return the replication of a point's digest and a seed; None if it is not kept, or is damaged."""
        try:
            path = self._path(point, seed)
            content = gzip.decompress(path.read_bytes())
            os.utime(path)
        except (OSError, EOFError, zlib.error):
            return None
        return content

    def keep(self, point: str, seed: int, content: bytes) -> None:
        """Keep a replication; report one that cannot be kept, which is made again when needed."""
        path = self._path(point, seed)
        try:
            write_atomically(path, gzip.compress(content, compresslevel=1, mtime=0))
        except OSError as error:
            print(f"{error.filename}: not kept: {error.strerror}", file=sys.stderr)
        if path.name.startswith("00"):
            with suppress(OSError):
                _trim(path.parent)

    def _path(self, point: str, seed: int) -> Path:
        name = hashlib.sha256(json.dumps([point, self.engine, seed]).encode()).hexdigest()
        return self.folder / name[:2] / f"{name[2:]}.json.gz"


def _trim(part: Path) -> None:
    """Remove the least recently read files of a part of the cache, until it is small enough."""
    files = sorted(((file.stat(), file) for file in part.iterdir()), key=lambda each: -each[0].st_mtime_ns)
    size = 0
    for status, file in files:
        size += status.st_size
        if size > LARGEST_PART:
            file.unlink(missing_ok=True)
