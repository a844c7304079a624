"""The other files of a study's folder (items, statements, causes), read once."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text, read_yaml
from tcpatlas.base.validation import read
from tcpatlas.claims.documents import Causes, CauseSpec, Items, ItemSpec, Statements, StatementSpec
from tcpatlas.points.scenario import ITEMS_FILE
from tcpatlas.points.types import Study

STATEMENTS_FILE = "statements.yaml"
CAUSES_FILE = "causes.yaml"

# References in a reason: "(item lambda)", or a page of the documentation.
_ITEM, _PAGE = re.compile(r"\(item\s+([\w.-]*\w)"), re.compile(r"docs/[\w./-]+\.md")

T = TypeVar("T")


@dataclass(frozen=True)
class Folder:
    """The files of a study's folder; `name` is relative to the root. A study without a folder has none.

    `described` holds items.yaml; statements are by item, causes by name.
    """

    root: Path
    name: str
    described: Items | None = None
    statements: Mapping[str, Sequence[StatementSpec]] = field(default_factory=dict)
    causes: Mapping[str, CauseSpec] = field(default_factory=dict)

    @property
    def items(self) -> Mapping[str, ItemSpec]:
        """The items, by name."""
        return {} if self.described is None else self.described.items

    def file(self, name: str) -> str:
        """Return how messages name a file of the folder."""
        return f"{self.name}/{name}"

    def has(self, name: str) -> bool:
        """Say whether there is such a file, even one that cannot be read."""
        return os.path.lexists(self.root / self.file(name))

    def text(self, name: str) -> str:
        """Return the text of a file; ConfigError if it cannot be read."""
        return read_text(self.root / self.file(name), self.file(name))


def _check_references(folder: Folder) -> None:
    """Raise ConfigError for a reference, in a text of the folder, to a missing item or page."""
    for path in sorted((folder.root / folder.name).glob("*.*")):
        if path.suffix not in (".csv", ".yaml"):
            continue
        text, file = folder.text(path.name), folder.file(path.name)
        for item in _ITEM.findall(text):
            if item not in folder.items:
                raise ConfigError(
                    file, f"(item {item})", "there is no such item", f"one of: {', '.join(folder.items)}"
                )
        for page in _PAGE.findall(text):
            if not (folder.root / page).is_file():
                raise ConfigError(file, page, "there is no such page", "a file of docs/")


def read_folder(study: Study, root: Path) -> Folder:
    """Return the files of a study's folder; ConfigError for the first error in a YAML file."""
    empty = Folder(root, study.folder)
    if not study.folder:
        return empty
    items = _read(Items, empty, ITEMS_FILE)
    statements = _read(cast(Any, Statements), empty, STATEMENTS_FILE) if empty.has(STATEMENTS_FILE) else {}
    causes = _read(Causes, empty, CAUSES_FILE).causes if empty.has(CAUSES_FILE) else {}
    folder = Folder(root, study.folder, items, statements, causes)
    _check_references(folder)
    return folder


def _read(kind: type[T], folder: Folder, name: str) -> T:
    file = folder.file(name)
    return read(kind, read_yaml(folder.root / file, file), file)
