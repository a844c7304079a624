"""Shows the answer to people: two sentences, a table, at most three lines of notes; and `--why`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tcpatlas.answers.headline_metrics import (
    QUEUEING_DELAY,
    QUEUEING_DELAY_95,
    SPEED_PER_USER,
    Headline,
    definition,
    groups,
    shown,
)
from tcpatlas.ask import path
from tcpatlas.ask.answer import OUTSIDE, Answer, Value
from tcpatlas.ask.arguments import PRECISE
from tcpatlas.ask.question import Question
from tcpatlas.ask.simulation import FEWEST_WINDOW_CYCLES as FEWEST
from tcpatlas.ask.simulation import REPLICATIONS
from tcpatlas.ask.wording import label, percent, percents, text, unit_for
from tcpatlas.base.formatting import Unit
from tcpatlas.points.kinds.dumbbell_runs import packet_time

# An error above this for certain is marked.
_LARGE_ERROR = 0.1
_FULL = 0.95
_SIMULATED = "simulated (95 % CI)"
_UNUSABLE = "unusable"
_UNCLEAR = "?"
_MARGIN = 2
# No table is as wide.
_WIDEST = 10_000
# Of several points only: less matters.
_LEFT_OUT_OF_COLUMNS = ("fairness_index", QUEUEING_DELAY_95)


@dataclass(frozen=True)
class Effort:
    """The time that an answer took, and how precise it was to be."""

    seconds: float
    half_width: float


def show(console: Console, question: Question, answers: Sequence[Answer], effort: Effort, why: bool) -> None:
    """Print the answer to each set, and how it was made."""
    _print(console, f"[bold]{question.title}[/bold]", before=1)
    for name, group in groupby(answers, key=lambda answer: answer.point.set):
        of_set = list(group)
        title = next(each.title for each in question.sets if each.name == name)
        if len(of_set) == 1:
            if len(question.sets) > 1:
                _print(console, f"[bold]{title}[/bold]", before=1)
            _print(console, *_sentences(of_set[0], by_options=question.options is not None), before=1)
            tables = (_single(of_set[0]), _stacked(of_set[0]))
            table = next((each for each in tables if _fits(console, each)), None)
            _print(console, *([table] if table else _lines(of_set[0])), before=1)
        else:
            _print(console, f"[bold]{title}[/bold]", before=1)
            _print(console, *_limits(of_set))
            metrics = next(each.metrics for each in question.sets if each.name == name)
            for table in _several(console, of_set, metrics):
                _print(console, table)
    if question.assumed:
        _print(console, f"Assumed: {', '.join(question.assumed)}.", before=1)
    _print(console, *(f"[dim]{line}[/dim]" for line in _notes(answers, effort)), before=1)
    if why:
        _print(console, *_why(answers), before=1)
    console.print()


def _fits(console: Console, table: Table) -> bool:
    """Say whether a table is shown whole, behind the margin."""
    return _width(console, table) <= console.width - _MARGIN


def _width(console: Console, table: Table) -> int:
    return table.__rich_measure__(console, console.options.update(max_width=_WIDEST)).maximum


def _print(console: Console, *lines: str | Table, before: int = 0) -> None:
    for _ in range(before if lines else 0):
        console.print()
    for line in lines:
        if isinstance(line, str) and not console.is_terminal:
            console.print(f"  {line}", highlight=False, soft_wrap=True)
        elif isinstance(line, str):
            # Broken between words, behind the margin.
            console.print(Padding(Text.from_markup(line), (0, 0, 0, _MARGIN), expand=False), highlight=False)
        else:
            # Wrapped by the terminal rather than cut: half a number is a wrong one.
            wide = max(console.width, _width(console, line) + _MARGIN)
            console.print(
                Padding(line, (0, 0, 0, _MARGIN), expand=False), highlight=False, width=wide, crop=False
            )


def window_limit(packets: int, key: str) -> str:
    """Return what is said of a receiver's window that limits, with the option or key that has it."""
    return f"limited by the receiver's window of {packets:,} packets ({key})"


def _limits(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield which points of a set a receiver's window limits."""
    limited = {label(each.point): limit for each in answers if (limit := each.simulated.limited())}
    if limited:
        of = "" if len(limited) == len(answers) else f": {', '.join(limited)}"
        yield f"{window_limit(min(limited.values()), 'tcp.rwnd').capitalize()}{of}."


def _said(value: Value) -> str:
    """Return a mean as the table has it, without its spread, and of no more digits than are usual."""
    unit = unit_for(value.metric, value.simulated.mean)
    of_table = unit.number(value.simulated.mean, value.simulated.half_width).partition(" ")[0]
    return f"{min(of_table, unit.number(value.simulated.mean), key=len)} {unit.name}".rstrip()


def _sentences(answer: Answer, *, by_options: bool) -> Iterator[str]:
    """Yield the answer in two sentences."""
    point = answer.point.document
    users = sum(group["count"] for group in point["sources"])
    speed = answer.value("goodput_per_connection") or answer.value(SPEED_PER_USER)
    if speed is not None:
        who = "Each user gets" if users > 1 else "The user gets"
        each = [(row.column, value) for row in groups(point) if (value := answer.value(row.metric))]
        if each:
            who = "On average a user gets"
        sentence = f"{who} {_said(speed)}"
        if each:
            speeds = (f"{name} {_said(value)}" for name, value in each)
            sentence += f" ({', '.join(speeds)})"
        if guarantee := answer.value("guaranteed_goodput[95]"):
            sentence += f" per download; 95 % of downloads reach {_said(guarantee)}"
        elif time := answer.value("on_time"):
            sentence += f"; a file takes {_said(time)}"
        if (window := answer.simulated.limited()) is not None:
            sentence += f", {window_limit(window, '--window' if by_options else 'tcp.rwnd')}"
        yield f"[bold]{sentence}.[/bold]"
    parts = []
    if utilisation := answer.value("utilisation"):
        share = utilisation.simulated.mean
        used = f"{100 * share:.0f} %"
        parts.append(f"the link is full ({used})" if share >= _FULL else f"{used} of the link is used")
    if loss := answer.value("loss_ratio"):
        mean = loss.simulated.mean
        parts.append(
            f"{text('loss_ratio', mean, digits=2)} of packets are lost" if mean > 0 else "no packet is lost"
        )
    if (marks := answer.value("mark_ratio")) and marks.simulated.mean > 0:
        parts.append(f"{text('mark_ratio', marks.simulated.mean, digits=2)} are marked")
    if delay := answer.value(QUEUEING_DELAY):
        parts.append(f"the queue adds {text(QUEUEING_DELAY, delay.simulated.mean, digits=2)} on average")
    if parts:
        *first, last = parts
        sentence = f"{', '.join(first)}, and {last}" if first else last
        yield f"{sentence[0].upper()}{sentence[1:]}."


def _table(gap: int, *columns: str) -> Table:
    """Return a table of names, and of numbers in columns that are so far apart."""
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _single(answer: Answer) -> Table:
    """Return the table of one point: a row for each metric, what models say beside it."""
    models = tuple(answer.models.values)
    # The columns of one model fit beside each other; of several, errors stand behind values.
    alone = len(models) == 1
    bands = alone and any(value.expected for value in answer.values)
    table = _table(3 if alone else 2, _SIMULATED, *models, *["error"] * alone, *["usual here"] * bands)
    for title, value, unit in _measured(answer):
        cells = [title, unit.text(value.simulated.mean, value.simulated.half_width)]
        for model in models:
            predicted, error = _prediction(value, model, unit)
            cells += [predicted, error] if alone else [f"{predicted} ({error})" if error else predicted]
        if bands:
            cells.append(_usual(value, models[0]))
        table.add_row(*cells)
    return table


def _stacked(answer: Answer) -> Table:
    """Return the same for a narrow terminal: a row for each model below the metric that it answers."""
    bands = any(value.expected for value in answer.values)
    table = _table(3, _SIMULATED, "error", *["usual here"] * bands)
    for title, value, unit in _measured(answer):
        table.add_row(title, unit.text(value.simulated.mean, value.simulated.half_width))
        for model in value.models:
            cells = [f"  {model}", *_prediction(value, model, unit)]
            table.add_row(*cells, *([_usual(value, model)] if bands else []))
    return table


def _lines(answer: Answer) -> Iterator[str]:
    """Yield the same for a terminal in which no table fits: a line for each value."""
    for title, value, unit in _measured(answer):
        yield f"{title.strip()}: {unit.text(value.simulated.mean, value.simulated.half_width)}"
        for model in value.models:
            predicted, error = _prediction(value, model, unit)
            usual = _usual(value, model)
            yield f"  {model} {predicted} {error}".rstrip() + (f", usual here {usual}" if usual else "")


def _measured(answer: Answer) -> Iterator[tuple[str, Value, Unit]]:
    """Yield what was measured, with its title and its unit."""
    for row in shown(answer.point.document):
        value = answer.value(row.metric)
        if value is None:
            continue
        mean = value.simulated.mean
        title = row.title
        if row.metric == QUEUEING_DELAY_95 and _is_full(answer, mean):
            title = title.replace("percentile", "%: buffer full").replace("95th ", "95 ")
        yield title, value, unit_for(row.metric, mean)


def _usual(value: Value, model: str) -> str:
    """Return the range of a model's errors at links like this one, as a cell."""
    expected = value.expected.get(model)
    return "" if expected is None or value.unusable(model) else percents(*expected.error()[1:])


def _prediction(value: Value, model: str, unit: Unit) -> tuple[str, str]:
    """Return a model's value and its error, as cells."""
    if model not in value.models:
        return "", ""
    if value.unusable(model):
        return "\N{EN DASH}", _UNUSABLE
    error, errors = value.error(model), value.errors(model)
    if error is None or errors is None:
        return unit.number(value.models[model]), ""
    mark = " !" if _is_large(errors) else f" {_UNCLEAR}" * value.unclear(model)
    return unit.number(value.models[model]), f"{percent(error)}{mark}"


def _is_full(answer: Answer, delay: float) -> bool:
    """Say whether a queueing delay is that of a full buffer, to within the packet in transmission."""
    point = answer.point.document
    bottleneck = point["links"]["bottleneck"]
    return bool(delay >= (bottleneck["buffer_packets"] - 1.5) * packet_time(point))


def _is_large(errors: tuple[float, float]) -> bool:
    return errors[0] > _LARGE_ERROR or errors[1] < -_LARGE_ERROR


def _several(console: Console, answers: Sequence[Answer], metrics: Collection[str] = ()) -> Iterator[Table]:
    """Yield the points of a set as tables of as many columns as fit beside each other."""
    columns: dict[str, Headline] = {
        row.metric: row
        for answer in answers
        for row in shown(answer.point.document)
        if row.metric not in _LEFT_OUT_OF_COLUMNS and answer.value(row.metric)
    }
    # What the set is about first.
    rest = sorted(columns.values(), key=lambda row: row.metric not in metrics)
    while rest:
        tables = (_points(answers, rest[:count]) for count in range(len(rest), 0, -1))
        table = next((each for each in tables if _fits(console, each)), None) or _points(answers, rest[:1])
        yield table
        rest = rest[len(table.columns) - 1 :]


def _points(answers: Sequence[Answer], columns: Sequence[Headline]) -> Table:
    """Return a table of points: a row for each of them, then the errors of each model."""
    units = {}
    for column in columns:
        means = sorted(value.simulated.mean for answer in answers if (value := answer.value(column.metric)))
        units[column.metric] = unit_for(column.metric, means[len(means) // 2])
    table = _table(2, *(f"{column.column}\n{units[column.metric].name}" for column in columns))
    for index, answer in enumerate(answers):
        cells = []
        for metric, unit in units.items():
            value = answer.value(metric)
            mean = None if value is None else value.simulated
            cells.append("" if mean is None else unit.number(mean.mean, mean.half_width))
        table.add_row(label(answer.point), *cells, end_section=index == len(answers) - 1)
    for model in dict.fromkeys(model for answer in answers for model in answer.models.values):
        errors = [_errors(answers, model, metric) for metric in units]
        if any(errors):
            table.add_row(f"[dim]{model}, error[/dim]", *errors)
    return table


def _errors(answers: Sequence[Answer], model: str, metric: str) -> str:
    """Return between which errors a model's values lie at some points."""
    values = [value for answer in answers if (value := answer.value(metric)) and model in value.models]
    errors = [error for value in values if (error := value.error(model)) is not None]
    if not errors:
        return ""
    unusable = sum(value.unusable(model) for value in values)
    if 2 * unusable >= len(errors):
        return f"[dim]{_UNUSABLE}[/dim]"
    ends = percent(min(errors)) if len(errors) == 1 else percents(min(errors), max(errors))
    return f"[dim]{ends}[/dim]"


def _notes(answers: Sequence[Answer], effort: Effort) -> Iterator[str]:
    """Yield at most three lines: how it was made, what failed or what to try, and what else there is."""
    runs = [answer.simulated.replications for answer in answers]
    number = f"{min(runs)}" if min(runs) == max(runs) else f"{min(runs)} to {max(runs)}"
    each = "" if len(answers) == 1 else " of each point"
    widest = max(answer.simulated.half_width() for answer in answers)
    engine = answers[0].simulated.runs["engine"]
    by = "" if engine == "packetsim" else f" by the engine {engine}"
    done = f"{number} simulations{each}{by} in {effort.seconds:.1f} s; "
    spread = f"±{100 * widest:.2g} %" if widest < 1 else "more than ±100 %"
    if widest <= effort.half_width:
        spread = f"±{100 * effort.half_width:g} %"
        yield f"{done}every interval is within {spread}."
    elif min(runs) < REPLICATIONS:
        yield (
            f"{done}! too few: {REPLICATIONS} are planned (a busy machine, or a large network). "
            f"Take digits as rough, intervals are up to {spread}; --precise takes its time."
        )
    else:
        ended = "no more are made" if effort.half_width == PRECISE else "then time was up"
        yield f"{done}{ended}, with intervals of up to {spread}."
    if any(answer.simulated.short for answer in answers):
        least = min(answer.simulated.cycles or 0 for answer in answers if answer.simulated.short)
        yield (
            f"! each shows only {least:.1g} of the {FEWEST} cycles of the congestion window that a mean needs"
            f"{'' if effort.half_width == PRECISE else '; --precise takes its time'}."
        )
    if late := [steps for answer in answers if (steps := path.late_steps(answer.point.document))]:
        end, first = min(late)
        yield f"! runs end after {end:g} s: the rate's steps from {first:g} s on never come (stop)."
    if idle := next(filter(None, (path.unreached_target(answer.point.document) for answer in answers)), None):
        queue, target, buffer = idle
        yield (
            f"! {queue} acts on packets that wait for {1e3 * target:g} ms, and none waits so long behind "
            f"a buffer of {buffer:,} packets (buffer)."
        )
    failed = {model: reason for answer in answers for model, reason in answer.models.failed.items()}
    if failed:
        yield "; ".join(f"! the model {model} failed ({reason})" for model, reason in failed.items())
    legend = _legend(answers)
    if legend and not failed:
        yield legend
    count = len({model for answer in answers for model in answer.models.left_out})
    why = f"--why ({count} model{'s' * (count > 1)} left out)" if count else "--why"
    yield f"More: --precise   {why}   --plot out.svg   --json"


def _legend(answers: Sequence[Answer]) -> str:
    """Return what the marks of the table mean, of those that are there."""
    values = [(value, model) for answer in answers for value in answer.values for model in value.models]
    unusable = any(value.unusable(model) for value, model in values)
    large = len(answers) == 1 and any(
        _is_large(errors)
        for value, model in values
        if (errors := value.errors(model)) and not value.unusable(model)
    )
    unclear = len(answers) == 1 and any(value.unclear(model) for value, model in values)
    marks = ["! off by more than 10 %"] * large + [f"{_UNUSABLE}: by more than a factor of 2"] * unusable
    marks += [f"{_UNCLEAR} inside the interval, which is wide"] * unclear
    return "   ".join(marks)


def _why(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield which models were left out, what the error map says, and what each row means."""
    yield "[bold]Models left out[/bold]"
    yield from left_out(answer.models.left_out for answer in answers)
    notes = list(_map_notes(answers))
    if notes:
        yield "[bold]Error map[/bold] (models against simulations of thousands of links, config/error-maps)"
        yield from notes
    yield "[bold]Simulations[/bold]"
    for answer in answers:
        runs = answer.simulated.runs
        yield (
            f"{label(answer.point)}: {answer.simulated.replications} runs of about "
            f"{answer.simulated.packets:,.0f} packets by {runs['engine']} {runs['engine_version']}; "
            f"seeds {runs['seeds'][0]}, …"
        )
    yield "[bold]Metrics[/bold]"
    titles = {
        row.metric: row.title.strip()
        for answer in answers
        for row in shown(answer.point.document)
        if answer.value(row.metric)
    }
    for metric in titles:
        yield f"{titles[metric]}: {definition(metric)}"
    yield "Speeds count packets whole, headers too; iperf3 counts payload, some 3 % less of 1500 B."


def _map_notes(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what is to be said of the error map: of a single point all, of several which are outside."""
    notes = [answer.map_note for answer in answers if answer.map_note]
    if len(answers) == 1 or len(set(notes)) == 1:
        yield from dict.fromkeys(notes)
        return
    outside = [answer for answer in answers if answer.map_note.startswith(OUTSIDE)]
    if outside:
        first = outside[0]
        yield f"{len(outside)} of {len(answers)} points are {first.map_note} (at {label(first.point)})"


def left_out(each: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield why models were left out of answers; those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for of_answer in each:
        for model, reason in of_answer.items():
            together = reasons.setdefault(reason, [])
            if model not in together:
                together.append(model)
    for reason, models in reasons.items():
        yield f"{', '.join(models)}: {reason}"
