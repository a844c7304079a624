"""Causes of deviations (`causes.yaml` of a study), and the numbers and sentences that each explains."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import CauseSpec, CauseStatements, NumbersOfCause
from tcpatlas.claims.folder import CAUSES_FILE, Folder
from tcpatlas.claims.notes import is_of
from tcpatlas.claims.published import Item
from tcpatlas.claims.tables import Row
from tcpatlas.points.types import Point, Study

CAUSE_COLUMNS = ("study", "cause", "text", "shown_by", "tried")
_EXPLAINED = ("deviates", "fails")


@dataclass(frozen=True)
class Cause:
    """A cause that explains why some numbers and sentences deviate.

    `numbers` and `sentences` test rows of claims (with their points) and of statements. `shown_by` names the
    item or file that shows the cause, if any. For an open question the text is the question,
    and `tried` says what was tried.
    """

    name: str
    text: str
    shown_by: str
    tried: str
    numbers: tuple[Callable[[Row, Point], bool], ...]
    sentences: tuple[Callable[[Row], bool], ...]


def load_causes(folder: Folder, items: Sequence[Item]) -> tuple[Cause, ...]:
    """Return a study's causes in their order.

    ConfigError for a selection that no number or sentence of its items fits.
    """
    return tuple(_cause(name, spec, folder, items) for name, spec in folder.causes.items())


def explained(rows: Iterable[Row], causes: Sequence[Cause], study: Study) -> Iterator[Row]:
    """Yield the rows of claims or statements with the first cause of each that deviates or fails."""
    points: Mapping[tuple[str, str], Point] = {
        (scenario_set.full_name, point.name): point
        for scenario_set in study.sets
        for point in scenario_set.points
    }
    for row in rows:
        cause = ""
        if row["verdict"] in _EXPLAINED:
            cause = next((cause.name for cause in causes if _explains(cause, row, points)), "")
        yield row | {"cause": cause}


def cause_rows(study: Study, causes: Iterable[Cause]) -> Iterator[Row]:
    """Yield a row for each cause."""
    for cause in causes:
        cells = {column: getattr(cause, column) for column in ("text", "shown_by", "tried")}
        yield {"study": study.name, "cause": cause.name} | cells


def _explains(cause: Cause, row: Row, points: Mapping[tuple[str, str], Point]) -> bool:
    if "claim" not in row:
        return any(fits(row) for fits in cause.sentences)
    return any(fits(row, points[row["set"], row["point"]]) for fits in cause.numbers)


def _cause(name: str, spec: CauseSpec, folder: Folder, items: Sequence[Item]) -> Cause:
    file, where = folder.file(CAUSES_FILE), f"causes.{name}"
    items_by_name = {item.name: item for item in items}
    selected = [(f"numbers[{i}]", entry.items) for i, entry in enumerate(spec.numbers)]
    selected += [(f"statements[{i}]", entry.items) for i, entry in enumerate(spec.statements)]
    for key, names in selected:
        for item in names:
            if item not in items_by_name:
                place = f"{where}.{key}.items"
                raise ConfigError(file, place, f"{item!r} is no item", f"one of: {', '.join(items_by_name)}")
    if spec.shown_by and spec.shown_by not in items_by_name and not (folder.root / spec.shown_by).is_file():
        raise ConfigError(
            file, f"{where}.shown_by", f"{spec.shown_by!r} is neither an item nor a file", "one of the two"
        )
    numbers = tuple(
        _numbers(entry, items_by_name, file, f"{where}.numbers[{i}]") for i, entry in enumerate(spec.numbers)
    )
    sentences = tuple(
        _sentences(entry, items_by_name, file, f"{where}.statements[{i}]")
        for i, entry in enumerate(spec.statements)
    )
    return Cause(name, spec.text, spec.shown_by, spec.tried, numbers, sentences)


def _numbers(
    entry: NumbersOfCause, items_by_name: Mapping[str, Item], file: str, place: str
) -> Callable[[Row, Point], bool]:
    subjects = [number.subject for item in entry.items for number in items_by_name[item].numbers]
    if not any(entry.fits(of.kind, of.quantity.full_name, of.point) for of in subjects):
        raise ConfigError(file, place, "fits no printed number", "a kind, metric and where of its items")
    return lambda row, point: (
        row["item"] in entry.items
        and is_of(entry.engines, row["fed_by"] or row["engine"])
        and entry.fits(row["kind"], row["metric"], point)
    )


def _sentences(
    entry: CauseStatements, items_by_name: Mapping[str, Item], file: str, place: str
) -> Callable[[Row], bool]:
    texts = [entry.text] if isinstance(entry.text, str) else entry.text or []
    sentences = [statement.spec.text for item in entry.items for statement in items_by_name[item].statements]
    for text in texts or [""]:
        if not sentences or (text and text not in sentences):
            raise ConfigError(file, place, "fits no sentence", "a text that its items have")
    return lambda row: (
        row["item"] in entry.items
        and is_of(entry.engines, row["fed_by"] or row["engine"])
        and (not texts or row["text"] in texts)
    )
