"""The printed numbers of one item: the rows of `<item>.csv` in the folder of its study."""

import csv
import difflib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import cast

from tcpatlas.answers.metrics import FILE as METRICS_FILE
from tcpatlas.answers.metrics import catalogue, entry_name
from tcpatlas.answers.quantity import Quantity
from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.arithmetic import Arithmetic, arithmetic_of
from tcpatlas.claims.notes import Reason
from tcpatlas.claims.selection import Reference, SelectionError, Where, baseline, parameter_types, set_named
from tcpatlas.claims.subject import PrintedKind, Subject, Trend
from tcpatlas.claims.verdict import Tolerance
from tcpatlas.points.types import ScenarioSet

REQUIRED = ("kind", "metric", "unit", "published", "note")
OPTIONAL = ("set", "case", "against", "from", "inconsistent", "not-reproducible", "repeats")
KINDS = ("simulation", "model", "measurement", "redone")

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


@dataclass(frozen=True)
class PublishedNumber:
    """A row of the CSV, counted from 1; `published` keeps the digits as printed; None if there are none.

    `case` names the setting where no parameter does: rows of one case belong together. `against` is as
    written: the number is the metric over that, minus one. `inconsistent` says how the paper contradicts
    itself here, `not_reproducible` what it omits that the number needs, `repeats` (`<item>, <case>`) which
    other row has the same printed number and counts for it. `arithmetic` is its value computed from other
    printed numbers. `tolerance` is None only if there is nothing to judge; `deviation` says why our number
    deviates, if it does and the reason is known.
    """

    row: int
    subject: Subject
    unit: str
    published: Decimal | None
    against: str
    note: str
    inconsistent: str
    not_reproducible: str = ""
    repeats: str = ""
    case: str = ""
    arithmetic: Arithmetic | None = None
    tolerance: Tolerance | None = None
    deviation: tuple[Reason, ...] = ()


def read_rows(text: str, file: str, sets: Sequence[ScenarioSet]) -> list[PublishedNumber]:
    """Return the rows of an item that the sets answer; ConfigError for the first error in the CSV."""
    result = []
    table = _read_csv(text, file)
    for row, cells in enumerate(table, start=1):
        try:
            result.append(_printed_row(row, cells, sets, table))
        except SelectionError as error:
            where = f"row {row}.{error.key}" if error.key else f"row {row}"
            raise ConfigError(file, where, str(error), error.allowed) from None
    return result


def _read_csv(text: str, file: str) -> list[dict[str, str]]:
    """Return the rows, cells stripped; ConfigError on missing, unknown or doubled columns and ragged rows."""
    reader = csv.reader(io.StringIO(text))
    header = [column.strip() for column in next(reader, [])]
    for column in REQUIRED:
        if column not in header:
            raise ConfigError(file, column, "the column is missing", f"needed: {', '.join(REQUIRED)}")
    for column in header:
        if header.count(column) > 1:
            raise ConfigError(file, column, "the column is there twice", "each once")
        if column not in (*REQUIRED, *OPTIONAL):
            try:
                parameter_types(column)
            except LookupError as error:
                allowed = f"allowed: {', '.join((*REQUIRED, *OPTIONAL))}, dotted paths of the scenario"
                raise ConfigError(file, column, f"unknown column, {error.args[0]}", allowed) from None
    rows: list[dict[str, str]] = []
    for cells in reader:
        if not cells:
            continue
        if len(cells) != len(header):
            problem = f"has {len(cells)} cells"
            raise ConfigError(file, f"row {len(rows) + 1}", problem, f"{len(header)}, as many as the header")
        rows.append(dict(zip(header, (cell.strip() for cell in cells), strict=True)))
    if not rows:
        raise ConfigError(file, "", "has no rows", "at least one printed number")
    return rows


def _printed_row(
    row: int, cells: Mapping[str, str], sets: Sequence[ScenarioSet], table: Sequence[Mapping[str, str]]
) -> PublishedNumber:
    kind, unit, printed = (cells[column] for column in ("kind", "unit", "published"))
    if kind not in KINDS:
        raise SelectionError("kind", f"{kind!r} is unknown", f"one of: {', '.join(KINDS)}")
    if printed and _NUMBER.fullmatch(printed) is None:
        raise SelectionError("published", f"{printed!r} is not a number", "digits as printed, or empty")
    check_unit(unit, "unit")
    where = {path: text for path, text in cells.items() if path not in (*REQUIRED, *OPTIONAL) and text}
    scenario_set = set_named(cells.get("set", ""), sets)
    chosen = Where.read(where).choose(scenario_set)
    if len(chosen) > 1:
        paths = sorted({path for point in chosen for path in point.parameters})
        problem = f"selects {len(chosen)} points of {scenario_set.full_name}"
        raise SelectionError("", problem, f"exactly one, by columns among: {', '.join(paths)}")
    at = Reference(scenario_set, chosen[0])
    against = cells.get("against", "")
    inconsistent, not_reproducible = (
        cells.get(column, "") for column in ("inconsistent", "not-reproducible")
    )
    if inconsistent and not_reproducible:
        raise SelectionError(
            "not-reproducible", "is given for an inconsistent number", "one of the two reasons"
        )
    subject = subject_of(kind, cells["metric"], against, ((at,),), sets)
    _check_giver(subject)
    _check_dimension(unit, subject)
    return PublishedNumber(
        row,
        subject,
        unit,
        Decimal(printed) if printed else None,
        against,
        cells["note"],
        inconsistent,
        not_reproducible,
        cells.get("repeats", ""),
        cells.get("case", ""),
        arithmetic_of(cells, table),
    )


def simulated_ones(numbers: Iterable[PublishedNumber]) -> list[PublishedNumber]:
    """Return the models' numbers that engines can also answer, as numbers of simulations."""
    return [
        replace(number, subject=replace(number.subject, kind="simulation"))
        for number in numbers
        if number.subject.kind == "model"
        and (number.subject.set.engines or number.subject.set.left_out)
        and "by" not in catalogue()[entry_name(number.subject.quantity.metric)]
    ]


def _check_giver(subject: Subject) -> None:
    """Raise SelectionError for an engine's number that only models give, or whose probe is missing."""
    name = subject.quantity.metric
    entry = catalogue()[entry_name(name)]
    if subject.kind == "model" or subject.quantity.is_error:
        return
    if "by" in entry:
        problem = f"only models give {name}, and a {subject.kind} is compared with engines"
        raise SelectionError(
            "metric", problem, "the kind model, or a metric of docs/metrics.md that engines give"
        )
    probe = entry.get("probe")
    for reference in subject.references:
        probes = {asked["kind"] for asked in reference.point.document["probes"]}
        if probe is not None and probe not in probes:
            problem = f"{name} is measured by the probe {probe}, which {reference.set.full_name} has not"
            raise SelectionError("metric", problem, f"a set with probes: [{probe}]")


def _check_dimension(unit: str, subject: Subject) -> None:
    """Raise SelectionError for a unit of the wrong dimension, before any simulation runs."""
    entry = catalogue()[entry_name(subject.quantity.metric)]
    plain = subject.is_ratio or subject.quantity.is_error or entry.get("kind") == "distribution"
    expected = "1" if plain else entry["unit"]
    try:
        units.factor(unit, expected)
    except units.UnitError as error:
        problem = f"{subject.quantity.full_name} is in {expected}, and {error}"
        raise SelectionError("unit", problem, f"a unit that converts to {expected}") from None


def subject_of(
    kind: str,
    metric: str,
    against: str,
    curves: tuple[tuple[Reference, ...], ...],
    sets: Sequence[ScenarioSet],
    trend: Trend = "",
    *,
    averaged: bool = False,
) -> Subject:
    """Return the subject of a row or a statement; SelectionError if it names something missing."""
    quantity = _quantity(metric, "metric")
    first = curves[0][0].set
    answering = first.models if kind == "model" else first.engines
    if not answering:
        who = "model" if kind == "model" else "engine"
        problem = f"{kind}, but no {who} answers {first.full_name}"
        raise SelectionError("kind", problem, f"a set with one in its {who}s")
    reference = None
    if "=" in against:
        curves = tuple(
            tuple(Reference(each.set, each.point, baseline(against, each, sets)) for each in curve)
            for curve in curves
        )
    elif against:
        reference = _quantity(against, "against")
    return Subject(cast(PrintedKind, kind), quantity, curves, reference, trend, averaged)


def _quantity(name: str, key: str) -> Quantity:
    try:
        quantity = Quantity.parse(name)
    except ValueError as error:
        raise SelectionError(key, str(error), "a metric, e.g. on_time[3-6] or goodput_error") from None
    if entry_name(quantity.metric) not in catalogue():
        near = difflib.get_close_matches(quantity.metric, catalogue(), n=3)
        allowed = f"those of {METRICS_FILE}{', e.g. ' if near else ''}{', '.join(near)}"
        raise SelectionError(key, f"there is no metric {quantity.metric!r}", allowed)
    return quantity


def check_unit(unit: str, key: str) -> None:
    """Raise SelectionError if there is no such unit."""
    try:
        units.factor(unit, unit)
    except units.UnitError as error:
        raise SelectionError(key, str(error), "e.g. kbit/s, ms, %, packets, 1") from None
