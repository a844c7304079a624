"""Items of a study: a paper's tables and figures, with their printed numbers and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import ItemSpec
from tcpatlas.claims.folder import STATEMENTS_FILE, Folder
from tcpatlas.claims.printed_numbers import PublishedNumber, read_rows, simulated_ones
from tcpatlas.claims.rules import Rules
from tcpatlas.claims.selection import sets_like
from tcpatlas.claims.statements import Statement, load_statements
from tcpatlas.points.scenario import ITEMS_FILE
from tcpatlas.points.types import ScenarioSet, Study


@dataclass(frozen=True)
class Item:
    """One table, figure or section of a paper, with the sets that answer it and what it says.

    `file` is its CSV, present only if it has numbers. An `appendix` is reported after all papers. The
    numbers of an `arithmetic` item follow from other printed numbers, those of a `formula` item from a
    standard; `rivals` are sets of other TCP variants. `simulated` repeats the numbers of models for engines
    to answer.
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
    arithmetic: bool
    formula: bool
    rivals: tuple[ScenarioSet, ...]
    numbers: tuple[PublishedNumber, ...]
    simulated: tuple[PublishedNumber, ...]
    statements: tuple[Statement, ...]


def load_items(study: Study, folder: Folder) -> tuple[Item, ...]:
    """Return the items of a study; ConfigError for items that do not fit its sets, or errors in a CSV."""
    for name in folder.statements:
        if name not in folder.items:
            nothing = f"is no item of {folder.file(ITEMS_FILE)}"
            raise ConfigError(
                folder.file(STATEMENTS_FILE), name, nothing, f"one of: {', '.join(folder.items)}"
            )
    return tuple(
        _load_item(study, folder, name, spec, sets)
        for name, spec in folder.items.items()
        if (sets := _sets_of(study, spec, folder.file(ITEMS_FILE), f"items.{name}.sets"))
    )


def printed_points(items: Sequence[Item]) -> set[tuple[str, str]]:
    """Return the names of the sets and points that printed numbers and statements refer to."""
    subjects = [number.subject for item in items for number in item.numbers]
    subjects += [case.subject for item in items for statement in item.statements for case in statement.cases]
    return {(at.set.name, at.point.name) for subject in subjects for at in subject.places}


def _sets_of(study: Study, spec: ItemSpec, items_file: str, where: str) -> tuple[ScenarioSet, ...]:
    """Return the sets that an item's patterns match; ConfigError for a name without a set."""
    sets: dict[str, ScenarioSet] = {}
    for index, wanted in enumerate(spec.sets):
        sets |= {
            scenario_set.name: scenario_set
            for scenario_set in sets_like(wanted, study, items_file, f"{where}[{index}]")
        }
    return tuple(sets.values())


def _load_item(
    study: Study, folder: Folder, name: str, spec: ItemSpec, sets: tuple[ScenarioSet, ...]
) -> Item:
    table, where = f"{name}.csv", f"items.{name}"
    file = folder.file(table)
    rules = Rules(folder.file(ITEMS_FILE), where, tuple(spec.tolerances), tuple(spec.deviations))
    numbers: tuple[PublishedNumber, ...] = ()
    simulated: tuple[PublishedNumber, ...] = ()
    if spec.numbers:
        printed = read_rows(folder.text(table), file, sets)
        judged = rules.apply([*printed, *(simulated_ones(printed) if spec.simulated else ())])
        numbers, simulated = judged[: len(printed)], judged[len(printed) :]
    elif folder.has(table):
        problem = f"is false, but there is {file}"
        raise ConfigError(rules.file, f"{where}.numbers", problem, "one or the other")
    statements_file = folder.file(STATEMENTS_FILE)
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
        sets,
        rules,
        spec.arithmetic,
        spec.formula,
        tuple(
            scenario_set
            for index, wanted in enumerate(spec.rivals)
            for scenario_set in sets_like(wanted, study, rules.file, f"{where}.rivals[{index}]")
        ),
        numbers,
        simulated,
        load_statements(folder.statements.get(name, ()), sets, statements_file, name),
    )
