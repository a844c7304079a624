"""Notes of items.yaml and statements.yaml: templates whose numbers of ours are references to results.

`{queue_mean @ set = table-07-detuned, links.bottleneck.rate = 10.01 Mbit/s in packets:.1f}` is a metric at a
point of the study: the note's own point, except for what follows `@`. Metric and unit may be left out if they
are those of the note's own number; the default format is three significant digits.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tcpatlas.answers.answer import Answer, Answers
from tcpatlas.answers.derived import Metric, in_unit
from tcpatlas.answers.metrics import catalogue, entry_name
from tcpatlas.answers.quantity import Quantity
from tcpatlas.answers.source import Source
from tcpatlas.base import units
from tcpatlas.claims.selection import SelectionError, Where
from tcpatlas.claims.subject import Subject

NOT_GIVEN = "not given at this point"
_REFERENCE = re.compile(r"\{([^{}]*)\}")
_PARTS = re.compile(
    r"(?P<metric>[^@:]*?)(?:\s*@\s*(?P<where>.*?))?(?:(?:\s+|^)in\s+(?P<unit>[^\s:]+))?(?::(?P<format>[\w.+%]+))?"
)


class NoteError(ValueError):
    """A reference that finds nothing; `str()` says what and why."""


@dataclass(frozen=True)
class Reason:
    """A known reason for deviations: of these engines and the models fed with their runs, or of all."""

    note: str
    engines: Sequence[str] | None = None


def reason_of(reasons: Iterable[Reason], source: Source) -> str:
    """Return the joined notes of the reasons that apply to an engine or model."""
    return "; ".join(
        reason.note for reason in reasons if is_of(reason.engines, source.engine or source.fed_by)
    )


def is_of(engines: Sequence[str] | None, measured_by: str) -> bool:
    """Say whether one of these engines measured a number; always true if none are named."""
    return engines is None or measured_by in engines


def filled(template: str, metrics: Mapping[str, Metric]) -> str:
    """Fill a template with one point's metrics; an ellipsis stands for a missing one."""

    def value(match: re.Match[str]) -> str:
        parts = _PARTS.fullmatch(match[1].strip())
        if parts is None or (metric := metrics.get(parts["metric"])) is None:
            return "…"
        number = in_unit(metric, "value", parts["unit"] or metric["unit"])
        return _written(number, parts["format"])

    return _REFERENCE.sub(value, template)


def why_missing(answer: Answer | None) -> str:
    """Return why an answer lacks a metric of its engine: the catalogue has reasons for metrics that are 0."""
    metrics = answer.metrics if answer else {}
    for name, metric in metrics.items():
        entry = catalogue().get(entry_name(name))
        if entry and "where_zero" in entry and metric["value"] == 0:
            return filled(entry["where_zero"], metrics)
    return NOT_GIVEN


@dataclass(frozen=True)
class Note:
    """The number that a note is about: its subject, its unit and who answers it."""

    subject: Subject
    unit: str
    source: Source

    def render(self, template: str, answers: Answers, *, lenient: bool) -> str:
        """Return the note with the values of its references; NoteError where one finds nothing.

        If `lenient` a missing value is an ellipsis: short runs may lack rare events or whole points, and a
        note that is not shown need not have all its values.
        """
        return _REFERENCE.sub(lambda match: self._value(match[1], answers, lenient=lenient), template)

    def _value(self, reference: str, answers: Answers, *, lenient: bool) -> str:
        parts = _PARTS.fullmatch(reference.strip())
        try:
            if parts is None:
                raise ValueError("it is not <metric> @ <path> = <value>, ... in <unit>:<format>")
            quantity = Quantity.parse(parts["metric"]) if parts["metric"] else self.subject.quantity
            metric = self._find(quantity, self._there(parts["where"] or "", answers))
            if metric is None and lenient:
                return "…"
            if metric is None:
                raise ValueError(f"nobody gives {quantity.full_name} there")
            value = in_unit(metric, "value", parts["unit"] or self.unit)
            return _written(value, parts["format"])
        except (LookupError, ValueError, units.UnitError) as error:
            raise NoteError(f"the reference {{{reference}}}: {error.args[0]}") from None

    def _find(self, quantity: Quantity, answers: list[Answer]) -> Metric | None:
        """Return the metric by the number's own engine or model, or else by the first that gives it."""
        for answer in sorted(answers, key=lambda answer: answer.source != self.source):
            if (answer.source.relation == "error") == quantity.is_error and (metric := answer.find(quantity)):
                return metric
        return None

    def _there(self, where: str, answers: Answers) -> list[Answer]:
        """Return the answers at the point with these values, and the number's others if several have them."""
        written = dict(_assignment(text) for text in where.split(",") if text.strip())
        name = f"{self.subject.set.study}/{written.pop('set', self.subject.set.name)}"
        if name not in answers:
            raise ValueError(f"there is no set {name}")
        of_set = answers.of_set(name)
        every = {answer.point.name: answer.point for answer in of_set}.values()
        try:
            points = Where.read(written).closest_to(self.subject.point, every)
        except SelectionError as error:
            raise ValueError(str(error)) from None
        if len(points) > 1:
            raise ValueError(f"it selects {len(points)} points of {name}")
        return [answer for answer in of_set if answer.point in points]


def _written(value: Decimal | None, form: str | None) -> str:
    """Return a number in a format, or else with three significant digits: 1160, not 1.16e+03."""
    if form:
        return format(float(value or 0), form)
    text = format(float(value or 0), ".3g")
    return f"{float(text):.0f}" if "e+" in text else text


def _assignment(text: str) -> tuple[str, str]:
    path, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text.strip()!r} is not <path> = <value>")
    return path.strip(), value.strip()
