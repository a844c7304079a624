"""Finds studies in a scenario file, in a folder of them such as another repository, or in an archive."""

import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from tcpatlas.base.errors import ConfigError
from tcpatlas.points.scenario import PAPERS_FOLDER, SCENARIO_FILE, SCENARIOS, study_name
from tcpatlas.runs.replications import file_hash

# Archives are unpacked here, below the root of the project, where Git ignores them and apart from results.
UNPACKED = ".atlas/unpacked"
ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".zip")
# A folder's scenario; or the scenarios of a repository laid out like this one; or of the folders in it.
_LAYOUTS = (
    SCENARIO_FILE,
    f"{SCENARIOS}/*/*/{SCENARIO_FILE}",
    f"*/{SCENARIO_FILE}",
)
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
)
_LARGEST = 256 * 2**20
_MOST_FILES = 10_000


def scenario_files(root: Path, place: str, file: str, where: str) -> list[str]:
    """Return the scenario files of a place, relative to the root if the place is.

    A name without a folder or an ending is that of a study in scenarios/, unless there is a file of that
    name. Raises ConfigError, for the key `where` of `file`, for an unknown study, a folder without a scenario
    and an archive that cannot be unpacked.
    """
    if not set(place) & set("./") and not (root / place).exists():
        return [_of_study(root, place, file, where)]
    if place.endswith(ENDINGS):
        folder = _unpacked(root, place, file, where)
    elif (root / place).is_dir():
        folder = Path(place)
    else:
        return [place]
    for layout in _LAYOUTS:
        if by_folder := sorted((root / folder).glob(layout), key=lambda path: path.parent.name):
            return [(folder / path.relative_to(root / folder)).as_posix() for path in by_folder]
    allowed = f"one in it, in folders in it or in {PAPERS_FOLDER}/<paper>/"
    raise ConfigError(file, where, f"{place} has no {SCENARIO_FILE}", allowed)


def _of_study(root: Path, name: str, file: str, where: str) -> str:
    paths = (*root.glob(f"{SCENARIOS}/*/*/{SCENARIO_FILE}"), *root.glob(f"{SCENARIOS}/*/*.yaml"))
    files = {study_name(str(path)): path.relative_to(root).as_posix() for path in paths}
    if name not in files:
        allowed = f"a file, a folder, an archive or one of: {', '.join(sorted(files))}"
        raise ConfigError(file, where, f"{name!r} is no study", allowed)
    return files[name]


def _unpacked(root: Path, place: str, file: str, where: str) -> Path:
    """Return the folder, relative to the root, of what is in an archive; it is unpacked once."""
    archive = root / place
    try:
        name = archive.name.removesuffix(next(end for end in ENDINGS if place.endswith(end)))
        there = Path(UNPACKED, file_hash(archive)[:16], name)
        if not (root / there).is_dir():
            _unpack(archive, root / there)
    except OSError as error:
        raise ConfigError(file, where, f"{place} cannot be unpacked: {error.strerror or error}") from None
    except _BROKEN as error:
        raise ConfigError(file, where, f"{place} cannot be unpacked: {error}") from None
    inside = list((root / there).iterdir())
    # Most archives hold one folder.
    alone = len(inside) == 1 and inside[0].is_dir()
    return there / inside[0].name if alone else there


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack the files of an archive atomically; links and special files are left out."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".partial-") as name:
        unpacked, size = Path(name, "inside"), 0
        unpacked.mkdir()
        for count, (inside, length, content) in enumerate(_files(archive)):
            size += length
            if size > _LARGEST or count >= _MOST_FILES:
                raise ValueError(f"it holds more than {_LARGEST >> 20} MiB, or {_MOST_FILES} files")
            path = PurePosixPath(inside)
            if path.is_absolute() or ".." in path.parts:
                raise ValueError(f"{inside} would be outside of it")
            (unpacked / path).parent.mkdir(parents=True, exist_ok=True)
            with content, (unpacked / path).open("wb") as out:
                shutil.copyfileobj(content, out)
        if not folder.is_dir():
            unpacked.rename(folder)


def _files(archive: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Yield the name, size and content of each regular file of an archive."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as zipped:
            for entry in zipped.infolist():
                if not entry.is_dir():
                    yield entry.filename, entry.file_size, zipped.open(entry)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isreg() else None
            if content is not None:
                yield member.name, member.size, content
