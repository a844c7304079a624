"""Finds the source files of a Python module or an R script, with all that it uses."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def sources(folder: Path, modules: Iterable[str]) -> list[Path]:
    """Return the files below `folder` that Python reads to import the modules, by dotted name, sorted.

    Imports inside functions count; what is imported by a name in a text is not followed. With them come the
    files that a module declares to read in any step: `READS`, patterns relative to the folder above.
    """
    files: set[Path] = set()
    waiting = list(modules)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        file = _file(folder, name)
        if file is not None:
            files |= {file, *_read_by(folder.parent, file)}
            waiting += imported(file, name)
            waiting += [name.rpartition(".")[0]] if "." in name else []
    return sorted(files)


@cache
def _file(folder: Path, name: str) -> Path | None:
    path = folder.joinpath(*name.split("."))
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@cache
def imported(file: Path, name: str) -> tuple[str, ...]:
    """Return the modules that a module in a file may import, by dotted name."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    return tuple(_names(_statements(file), package))


@cache
def _statements(file: Path) -> list[ast.stmt]:
    return ast.parse(file.read_text(encoding="utf-8")).body


@cache
def _read_by(root: Path, file: Path) -> set[Path]:
    """Return the files that a module says it reads."""
    named = (node for node in _statements(file) if isinstance(node, ast.Assign))
    values = (node.value for node in named if ast.unparse(node.targets[0]) == "READS")
    return {path for value in values for pattern in ast.literal_eval(value) for path in root.glob(pattern)}


def _names(statements: Iterable[ast.AST], package: str) -> Iterator[str]:
    """Yield the names of imported modules, and of names that may be modules."""
    for node in statements:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            inside = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            origin = ".".join(filter(None, (inside, node.module)))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)
        else:
            for inner in ("body", "orelse", "handlers", "finalbody", "cases"):
                held = getattr(node, inner, ())
                yield from _names(held if isinstance(held, list) else (), package)


def r_sources(folder: Path, files: Iterable[Path]) -> list[Path]:
    """Return some files of R, and those of a folder that define what they name, and so on, sorted.

    A word that happens to be the name of a function there counts as a use of it.
    """
    defined = {name: file for file in sorted(folder.glob("*.R")) for name in _r_words(file)[1]}
    needed: set[Path] = set()
    waiting = set(files)
    while waiting:
        needed |= waiting
        waiting = {defined[word] for file in waiting for word in _r_words(file)[0] & defined.keys()} - needed
    return sorted(needed)


@cache
def _r_words(file: Path) -> tuple[set[str], set[str]]:
    """Return the words of a file outside its comments, and those that it defines."""
    text = re.sub(r"^\s*#.*", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return set(re.findall(r"[\w.]+", text)), set(re.findall(r"^([\w.]+) <-", text, re.MULTILINE))
