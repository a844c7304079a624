"""Tolerances and reasons of deviations: the rules of items.yaml, applied to the printed numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.documents import DeviationSpec, ToleranceSpec
from tcpatlas.claims.notes import Reason
from tcpatlas.claims.printed_numbers import PublishedNumber
from tcpatlas.claims.verdict import Tolerance, hides


@dataclass(frozen=True)
class Rules:
    """The rules of one item: `where` is its key in items.yaml, the `file`."""

    file: str
    where: str
    tolerances: tuple[ToleranceSpec, ...]
    deviations: tuple[DeviationSpec, ...]

    def apply(self, numbers: Iterable[PublishedNumber]) -> tuple[PublishedNumber, ...]:
        """Return the numbers with the first tolerance and all deviations that match each.

        ConfigError for a number without a tolerance, and for a rule that matches no number: a misspelling.
        """
        tolerances = [(f"{self.where}.tolerances[{i}]", entry) for i, entry in enumerate(self.tolerances)]
        deviations = [(f"{self.where}.deviations[{i}]", entry) for i, entry in enumerate(self.deviations)]
        used: set[str] = set()
        result = []
        for number in numbers:
            of = (number.subject.kind, number.subject.quantity.full_name, number.subject.point)
            reasons = [(place, entry) for place, entry in deviations if entry.fits(*of)]
            used.update(place for place, _ in reasons)
            tolerance = None
            for place, entry in tolerances:
                if entry.fits(*of):
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
        for place, _ in (*tolerances, *deviations):
            if place not in used:
                problem = "matches no row that an earlier entry has not"
                raise ConfigError(self.file, place, problem, "a kind, metric and where of the CSV")
        return tuple(result)

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
            one_run=int(entry.one_run or 0),
        )

    def _whole(self, unit: str, place: str) -> Decimal:
        try:
            return units.factor("1", unit)
        except units.UnitError as error:
            raise ConfigError(self.file, f"{place}.trials", str(error), "a share, in 1 or %") from None

    def _check_it_can_fail(self, tolerance: Tolerance, number: PublishedNumber, place: str) -> None:
        """Raise ConfigError for a tolerance as large as its number."""
        published, unit = number.published, number.unit
        if published is not None and hides(width := tolerance.width(published), published):
            row = f"row {number.row} ({number.subject.quantity.full_name})"
            problem = f"{width:.3g} {unit} is as large as the {published} {unit} of {row}"
            raise ConfigError(self.file, place, problem, "less than the number, so that it could fail")
