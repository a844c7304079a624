"""Tolerances and reasons of deviations: the rules of items.yaml, applied to the printed numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import DeviationSpec, ToleranceSpec
from tcpatlas.claims.notes import Reason
from tcpatlas.claims.rows import PublishedNumber
from tcpatlas.claims.selection import parameter
from tcpatlas.claims.verdict import Tolerance, hides
from tcpatlas.points.types import Point


@dataclass(frozen=True)
class Rules:
    """The rules of one item: `where` is its key in items.yaml, the `file`."""

    file: str
    where: str
    tolerances: tuple[ToleranceSpec, ...]
    deviations: tuple[DeviationSpec, ...]

    def apply(self, numbers: Iterable[PublishedNumber]) -> tuple[PublishedNumber, ...]:
        """Return the numbers with the first tolerance and all deviations that match each.

        ConfigError where a number has no tolerance, and where a rule matches none: it would be a misspelling.
        """
        tolerances = [(f"{self.where}.tolerances[{i}]", entry) for i, entry in enumerate(self.tolerances)]
        deviations = [(f"{self.where}.deviations[{i}]", entry) for i, entry in enumerate(self.deviations)]
        entries: list[tuple[str, ToleranceSpec | DeviationSpec]] = [*tolerances, *deviations]
        matches = {place: self._matcher(entry, place) for place, entry in entries}
        used: set[str] = set()
        result = []
        for number in numbers:
            reasons = [(place, entry) for place, entry in deviations if matches[place](number)]
            used.update(place for place, _ in reasons)
            tolerance = None
            for place, entry in tolerances:
                if matches[place](number):
                    used.add(place)
                    tolerance = self._tolerance(entry, number.unit, place)
                    break
            excluded = number.inconsistent or number.not_reproducible
            if tolerance is not None and not excluded:
                self._check_it_can_fail(tolerance, number, place)
            if tolerance is None and number.published is not None and not excluded:
                name = number.subject.quantity.full_name
                problem = f"row {number.row} ({number.subject.kind}, {name}) has no tolerance"
                allowed = "an entry that matches it, with its reason"
                raise ConfigError(self.file, f"{self.where}.tolerances", problem, allowed)
            deviation = tuple(Reason(entry.note, entry.engines) for _, entry in reasons)
            result.append(replace(number, tolerance=tolerance, deviation=deviation))
        for place in matches:
            if place not in used:
                problem = "matches no row that an earlier entry has not"
                raise ConfigError(self.file, place, problem, "a kind, metric and where of the CSV")
        return tuple(result)

    def _matcher(self, entry: ToleranceSpec | DeviationSpec, place: str) -> Callable[[PublishedNumber], bool]:
        """Return the test whether an entry of `tolerances` or `deviations` applies to a number."""
        at = point_matcher(entry.where, self.file, f"{place}.where")

        def matches(number: PublishedNumber) -> bool:
            name = number.subject.quantity.full_name
            return (
                entry.kind in (None, number.subject.kind)
                and entry.metric in ("*", name, re.sub(r"\[.*\]", "[*]", name))
                and at(number.subject.point)
            )

        return matches

    def _tolerance(self, entry: ToleranceSpec, unit: str, place: str) -> Tolerance:
        try:
            absolute = None if entry.absolute is None else units.parse(entry.absolute, unit)
        except units.UnitError as error:
            allowed = f"a quantity that converts to {unit}"
            raise ConfigError(self.file, f"{place}.absolute", str(error), allowed) from None
        if absolute is not None and absolute <= 0:
            problem = f"{entry.absolute} is out of range"
            raise ConfigError(self.file, f"{place}.absolute", problem, "more than 0")
        return Tolerance(
            reason=entry.reason,
            relative=entry.relative,
            absolute=absolute,
            printed_digits=bool(entry.printed_digits),
            trials=entry.trials,
            whole=self._whole(unit, place) if entry.trials else Decimal(1),
            one_run=bool(entry.one_run),
        )

    def _whole(self, unit: str, place: str) -> Decimal:
        try:
            return units.factor("1", unit)
        except units.UnitError as error:
            raise ConfigError(self.file, f"{place}.trials", str(error), "a share, in 1 or %") from None

    def _check_it_can_fail(self, tolerance: Tolerance, number: PublishedNumber, place: str) -> None:
        """Raise ConfigError for a tolerance that is as large as the number that it is for."""
        published, unit = number.published, number.unit
        if published is not None and hides(width := tolerance.width(published), published):
            row = f"row {number.row} ({number.subject.quantity.full_name})"
            problem = f"{width:.3g} {unit} is as large as the {published} {unit} of {row}"
            raise ConfigError(self.file, place, problem, "less than the number, so that it could fail")


def point_matcher(where: Mapping[str, Any], file: str, place: str) -> Callable[[Point], bool]:
    """Return the test whether a point has the values, or one of each list of values, that `where` asks for.

    `set` among the paths is the name of its set. ConfigError, naming the `place` in the file, for a path or a
    value that no scenario can have.
    """
    wanted: dict[str, list[str | int | float]] = {}
    for path, values in where.items():
        texts = values if isinstance(values, list) else [values]
        if path == "set":
            wanted[path] = texts
            continue
        try:
            wanted[path] = [parameter(path, str(text)) for text in texts]
        except (LookupError, ValueError) as error:
            problem = str(error.args[0])
            raise ConfigError(file, f"{place}.{path}", problem, "a swept path with a value") from None
    return lambda point: all(
        (point.set if path == "set" else point.parameters.get(path)) in values
        for path, values in wanted.items()
    )
