"""Answers for people, and for scripts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tcpatlas.ask import metrics
from tcpatlas.ask.answer import OUTSIDE, Answer, Value
from tcpatlas.ask.question import Question
from tcpatlas.base.files import to_json
from tcpatlas.trust.error_map import Expected

# A model is worth a warning where its error is above this for certain.
LARGE_ERROR = 0.1
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"))
_EXPECTED = ("error_expected", "error_expected_low", "error_expected_high")
COLUMNS = (
    "set",
    "point",
    "metric",
    "unit",
    "source",
    "value",
    "ci_low",
    "ci_high",
    "error_low",
    "error_high",
    *_EXPECTED,
)


def text(metric: str, value: float, half_width: float | None = None) -> str:
    """Return a metric's value as people write it, with its unit: `12.4 ± 0.3 ms`."""
    scale, unit = _scale(metric, value)
    spread = "" if half_width is None else f" ± {_digits(half_width / scale, 2)}"
    return f"{_digits(value / scale, 3)}{spread} {unit}".rstrip()


def _digits(number: float, digits: int) -> str:
    """Return a number of so many digits, of a large one its whole part, without an exponent."""
    return f"{number:.0f}" if abs(number) >= 10**digits else f"{number:.{digits}g}"


def _scale(metric: str, value: float) -> tuple[float, str]:
    """Return the unit in which people write such a value, and what it is in the metric's own."""
    unit = metrics.unit(metric).replace("packets/s", "pkt/s")
    if unit == "1":
        return (1, "") if metric == "fairness_index" else (0.01, "%")
    if unit not in {"bit/s", "s"} or value == 0:
        return 1, unit
    scale, prefix = next((one for one in _PREFIXES if abs(value) >= one[0]), _PREFIXES[-1])
    return (1, unit) if unit == "s" and scale > 1 else (scale, f"{prefix}{unit}")


def show(console: Console, question: Question, answers: Sequence[Answer], closing: str) -> None:
    """Print what the models are worth here, a table for each set, and how the answer was made."""
    console.print(f"[bold]{question.title}[/bold]", highlight=False)
    for line in warnings(answers):
        console.print(line, highlight=False)
    titles = {one.name: one.title for one in question.sets}
    for name, group in groupby(answers, key=lambda answer: answer.set):
        console.print(_table(titles[name], list(group)))
    for line in (*_map_notes(answers), *left_out(answer.left_out for answer in answers)):
        console.print(f"[dim]{line}[/dim]", highlight=False)
    console.print(f"[dim]{closing}[/dim]", highlight=False)


def warnings(answers: Iterable[Answer]) -> Iterator[str]:
    """Yield a line for each model and metric whose error is large at all points, or at some.

    At a single point it says what the error map expected too.
    """
    errors: dict[tuple[str, str], list[tuple[float, float]]] = {}
    expected: dict[tuple[str, str], list[Expected]] = {}
    for answer in answers:
        for value in answer.values:
            for model in value.models:
                error = value.error(model)
                if error is not None:
                    errors.setdefault((model, value.metric), []).append(error)
                    expected.setdefault((model, value.metric), []).extend(
                        value.expected[one] for one in value.expected if one == model
                    )
    for (model, metric), found in errors.items():
        large = [one for one in found if one[0] > LARGE_ERROR or one[1] < -LARGE_ERROR]
        if large:
            bands = expected[model, metric] if len(found) == 1 else []
            beside = "".join(f"; its error map expects {_band(band)}" for band in bands)
            yield f"{_warning(model, metric, large, len(found))}{beside}."


def _warning(model: str, metric: str, large: Sequence[tuple[float, float]], points: int) -> str:
    low, high = min(one[0] for one in large), max(one[1] for one in large)
    title = metrics.title(metric).lower()
    where = "here" if len(large) == points else f"at {len(large)} of {points} points"
    if low > 0:
        return f"The {model} model overestimates the {title} by {_percents(low, high)} {where}"
    if high < 0:
        return f"The {model} model underestimates the {title} by {_percents(-high, -low)} {where}"
    return f"The {model} model is off by {_signed(low)} to {_signed(high)} in the {title} {where}"


def _signed(error: float) -> str:
    """Return a relative error in percent, with a minus sign."""
    return f"{100 * error:+.0f}%".replace("-", "\N{MINUS SIGN}")


def _band(expected: Expected) -> str:
    """Return the band of a relative error, in percent."""
    _, low, high = expected.error()
    return f"{_signed(low)} to {_signed(high)}"


def _percents(low: float, high: float) -> str:
    ends = [f"{100 * end:.2g}" if end < 1 else f"{100 * end:.0f}" for end in (low, high)]
    return f"{ends[0]} %" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} %"


def _table(title: str, answers: Sequence[Answer]) -> Table:
    models = tuple(dict.fromkeys(model for answer in answers for model in answer.models))
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("", overflow="fold")
    table.add_column("simulated, 95 %", justify="right")
    for model in models:
        table.add_column(f"{model} (error)", justify="right")
    for answer in answers:
        if answer.parameters:
            table.add_row(f"[bold]{answer.point}[/bold]")
        for row, value in enumerate(answer.values):
            table.add_row(*_cells(value, models), end_section=row == len(answer.values) - 1)
    return table


def _cells(value: Value, models: Sequence[str]) -> Iterator[str]:
    metric, interval = value.metric, value.simulated
    yield metrics.title(metric)
    yield text(metric, interval.mean, interval.half_width)
    for model in models:
        error = value.error(model)
        said = text(metric, value.models[model]) if model in value.models else ""
        found = said if error is None else f"{said} ({_signed(sum(error) / 2)})"
        band = value.expected.get(model)
        yield found if band is None else f"{found}\n[dim]map: {_band(band)}[/dim]"


def _map_notes(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what is to be said of the error map: of a single point all, of several which are outside."""
    notes = [answer.map_note for answer in answers if answer.map_note]
    if len(answers) == 1 or len(set(notes)) == 1:
        yield from dict.fromkeys(notes)
        return
    outside = [answer for answer in answers if answer.map_note.startswith(OUTSIDE)]
    if outside:
        yield f"{len(outside)} of {len(answers)} points are {outside[0].map_note} (at {outside[0].point})"


def left_out(each: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield why models were left out of answers, each model's reason; those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for of_answer in each:
        for model, reason in of_answer.items():
            together = reasons.setdefault(reason, [])
            if model not in together:
                together.append(model)
    for reason, models in reasons.items():
        yield f"left out: {', '.join(models)}: {reason}"


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, Any]]:
    """Yield a row for each value of the simulation and of every model, in SI units."""
    for answer in answers:
        for value in answer.values:
            about = {
                "set": answer.set,
                "point": answer.point,
                "metric": value.metric,
                "unit": metrics.unit(value.metric),
            }
            one = value.simulated
            yield {**about, "source": "packetsim", "value": one.mean, "ci_low": one.low, "ci_high": one.high}
            for model, said in value.models.items():
                error = value.error(model)
                ends = {} if error is None else {"error_low": error[0], "error_high": error[1]}
                if (band := value.expected.get(model)) is not None:
                    ends |= dict(zip(_EXPECTED, band.error(), strict=True))
                yield {**about, "source": f"model:{model}", "value": said, **ends}


def to_csv(columns: Sequence[str], table: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV, with a header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def as_json(question: Question, answers: Sequence[Answer]) -> str:
    """Return the answers as a JSON document."""
    reasons = {model: reason for answer in answers for model, reason in answer.left_out.items()}
    replications = [
        {
            "set": answer.set,
            "point": answer.point,
            "replications": answer.replications,
            "error_map": answer.map_note,
        }
        for answer in answers
    ]
    document = {
        "question": question.title,
        "points": replications,
        "rows": list(rows(answers)),
        "left_out": reasons,
    }
    return to_json(document)
