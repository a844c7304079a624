"""Locates the project's other files: in its tree or, in an installed wheel, in its copy."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_COPY = _PACKAGE / "tree"
INSTALLED = _COPY.is_dir()
TREE = _COPY if INSTALLED else _PACKAGE.parents[1]
COMMAND = "tcpatlas" if INSTALLED else "./atlas"  # as users call it
HEADERS = TREE / "workflow/engines/packetsim/src/tcp"  # where tcpatlas_cc.h is


def program(engine: str) -> Path:
    """Return the program of an engine: built in the current folder, else in the tree."""
    built = Path("build/release", engine, engine)
    return TREE / built if INSTALLED or not built.is_file() else built
