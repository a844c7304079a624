"""Which files of a package a module is made of: its own and those of all that it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def sources(folder: Path, modules: Iterable[str]) -> list[Path]:
    """Return the files below `folder` that Python reads to import the modules, by dotted name, sorted.

    Imports inside functions count; what is imported by a name in a text is not followed.
    """
    found: set[Path] = set()
    waiting = list(modules)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        file = _file(folder, name)
        if file is not None:
            found.add(file)
            waiting += _imported(file, name)
            waiting += [name.rpartition(".")[0]] if "." in name else []
    return sorted(found)


def _file(folder: Path, name: str) -> Path | None:
    path = folder.joinpath(*name.split("."))
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _imported(file: Path, name: str) -> tuple[str, ...]:
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    return tuple(_names(ast.parse(file.read_text(encoding="utf-8")), package))


def _names(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield the names of imported modules, and of what may be one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            inside = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            origin = ".".join(filter(None, (inside, node.module)))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)
