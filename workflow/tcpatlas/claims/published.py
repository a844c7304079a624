"""What a study shows, and a paper prints: its tables and figures, with numbers and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_yaml
from tcpatlas.base.validation import read
from tcpatlas.claims.documents import Items, ItemSpec, Statements, StatementSpec
from tcpatlas.claims.rows import PublishedNumber, read_rows
from tcpatlas.claims.rules import Rules
from tcpatlas.claims.selection import sets_like
from tcpatlas.claims.statements import Statement, load_statements
from tcpatlas.points.scenario import ITEMS_FILE
from tcpatlas.points.types import ScenarioSet, Study

STATEMENTS_FILE = "statements.yaml"


@dataclass(frozen=True)
class Item:
    """One table, figure or section of a paper, with the sets that answer it and what it says.

    `file` is its CSV, which is there only if it has numbers. An `appendix` is reported after all papers.
    """

    paper: str
    name: str
    kind: Literal["figure", "table"]
    title: str
    caption: str | None
    page: int | None
    appendix: bool
    file: str
    statements_file: str
    sets: tuple[ScenarioSet, ...]
    rules: Rules
    numbers: tuple[PublishedNumber, ...]
    statements: tuple[Statement, ...]


def read_items(study: Study, root: Path) -> Items:
    """Return what items.yaml of the study's folder holds; ConfigError for anything wrong in it."""
    file = f"{study.folder}/{ITEMS_FILE}"
    return read(Items, read_yaml(root / file, file), file)


def load_items(study: Study, root: Path) -> tuple[Item, ...]:
    """Return the items of a study; ConfigError for anything wrong in its YAML files or a CSV."""
    if not study.folder:
        return ()
    folder = Path(study.folder)
    items_file, statements_file = (str(folder / name) for name in (ITEMS_FILE, STATEMENTS_FILE))
    specs = read_items(study, root).items
    statements = read_statements(study, root)
    for name in statements:
        if name not in specs:
            raise ConfigError(
                statements_file, name, f"is no item of {items_file}", f"one of: {', '.join(specs)}"
            )
    return tuple(
        _load_item(study, root, folder, name, spec, sets, statements.get(name, []))
        for name, spec in specs.items()
        if (sets := _sets_of(study, spec, items_file, f"items.{name}.sets"))
    )


def read_statements(study: Study, root: Path) -> dict[str, list[StatementSpec]]:
    """Return the statements of a study by item, none without a file; ConfigError for what is wrong in it."""
    file = f"{study.folder}/{STATEMENTS_FILE}"
    if not study.folder or not (root / file).exists():
        return {}
    statements: dict[str, list[StatementSpec]] = read(
        cast(Any, Statements), read_yaml(root / file, file), file
    )
    return statements


def printed_points(items: Iterable[Item]) -> set[tuple[str, str]]:
    """Return the names of the sets and points that printed numbers and statements refer to."""
    subjects = [
        subject
        for item in items
        for subject in (
            *(number.subject for number in item.numbers),
            *(case.subject for statement in item.statements for case in statement.cases),
        )
    ]
    return {
        (at.set.name, at.point.name)
        for subject in subjects
        for each in subject.references
        for at in (each, each.baseline)
        if at is not None
    }


def _sets_of(study: Study, spec: ItemSpec, items_file: str, where: str) -> tuple[ScenarioSet, ...]:
    """Return the sets of an item, none if its patterns match none; ConfigError if there is no such set."""
    sets: dict[str, ScenarioSet] = {}
    for index, wanted in enumerate(spec.sets):
        sets |= {one.name: one for one in sets_like(wanted, study, items_file, f"{where}[{index}]")}
    return tuple(sets.values())


def _load_item(
    study: Study,
    root: Path,
    folder: Path,
    name: str,
    spec: ItemSpec,
    sets: Sequence[ScenarioSet],
    sentences: Sequence[StatementSpec],
) -> Item:
    items_file, statements_file = (str(folder / each) for each in (ITEMS_FILE, STATEMENTS_FILE))
    where = f"items.{name}"
    file = str(folder / f"{name}.csv")
    rules = Rules(items_file, where, tuple(spec.tolerances), tuple(spec.deviations))
    numbers: tuple[PublishedNumber, ...] = ()
    if spec.numbers:
        numbers = rules.apply(read_rows(root / file, file, sets))
    elif (root / file).exists():
        raise ConfigError(
            items_file, f"{where}.numbers", f"is false, but there is {file}", "one or the other"
        )
    statements = load_statements(sentences, sets, statements_file, name)
    return Item(
        study.subject,
        name,
        spec.kind,
        spec.title,
        spec.caption,
        spec.page,
        spec.appendix,
        file,
        statements_file,
        tuple(sets),
        rules,
        numbers,
        statements,
    )
