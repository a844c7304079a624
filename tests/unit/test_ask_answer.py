"""`./atlas ask`: what models say beside the simulation, how it is shown, and rows for scripts."""

import csv
import dataclasses
import io
import json
import re
import types
from typing import Any

import pytest
from ask_link import ENGSET, NETWORK, SIMULATED, answer_with, point, simulated
from conftest import cases
from rich.console import Console

from tcpatlas import models
from tcpatlas.ask import answer, question, rows, show
from tcpatlas.base.files import to_csv
from tcpatlas.base.statistics import Interval
from tcpatlas.points.errors import PointError
from tcpatlas.runs import predict


def value_of(model: float, low: float, high: float) -> answer.Value:
    return answer.Value("goodput_per_connection", Interval((low + high) / 2, low, high), {"engset": model})


def test_an_error_is_value_over_mean_and_lies_between_those_at_the_ends_of_the_interval() -> None:
    value = value_of(2e6, 1e6, 1.25e6)
    assert value.error("engset") == pytest.approx(2 / 1.125 - 1)
    assert value.errors("engset") == (pytest.approx(0.6), pytest.approx(1.0))
    assert value_of(2e6, 0, 1).error("engset") is None
    assert value_of(2e6, 1, 2).error("markov") is None


@cases("ask_answer.a_wide_interval_moves_no_error")
def test_a_wide_interval_moves_no_error(model: float, low: float, high: float, error: str) -> None:
    value = value_of(model, low, high)
    assert show._prediction(value, "engset", show.unit_for(value.metric, model))[1] == error


@pytest.mark.parametrize(
    ("model", "unusable"), [(2.6e6, True), (2.4e6, False), (0.4e6, True), (0.6e6, False)]
)
def test_a_model_is_unusable_beyond_a_factor_of_two_for_certain(model: float, unusable: bool) -> None:
    assert value_of(model, 1e6, 1.25e6).unusable("engset") is unusable


def printed(answered: answer.Answer, *, why: bool = False) -> list[str]:
    """Return the lines that are printed, without those that are empty."""
    console = Console(width=80, record=True, file=io.StringIO())
    show.show(console, question.from_options(NETWORK), [answered], show.Effort(1.2, 0.02), why)
    return [line.strip() for line in console.export_text().splitlines() if line.strip()]


def test_the_answer_comes_first_in_the_units_that_were_asked() -> None:
    lines = printed(answer_with(answer.Predicted({"engset": ENGSET}, {"markov": "no"}, {})))
    assert lines[0].startswith("50 Mbit/s · 20 ms · 60 users fetching 300 kB files · buffer 64 packets")
    assert lines[1] == "Each user gets 1.26 Mbit/s; a file takes 1.91 s."
    assert lines[2].startswith("The link is full (98 %), 8.9 % of packets are lost, and the queue adds 10 ms")
    cells = {line.split("  ")[0]: line for line in lines}
    assert cells["Speed per user"].split()[3:] == ["1.26", "±", "0.01", "Mbit/s", "1.28", "+2", "%"]
    assert cells["Loss"].endswith("unusable")
    assert "+49 % !" in cells["Queueing delay, mean"]
    assert any("buffer full" in line for line in lines)
    # The sentences, a table of a head and six rows, what is assumed, and three lines of notes.
    assert len(lines) == 3 + 7 + 1 + 3
    assert lines[10] == (
        "Assumed: exponential file sizes, no handshake before a file, 1 s between files (--pause), a "
        "receiver's window of 1,000 packets (--window), drop-tail (--queue), no random loss (--loss), "
        "packets of 1,500 B (--packet)."
    )
    assert "every interval is within ±2 %" in lines[-3]
    assert "--why (1 model left out)" in lines[-1]


def test_models_that_do_not_fit_beside_the_simulation_stand_below_it_whole() -> None:
    predicted = dict.fromkeys(("floyd_fall", "markov", "padhye"), ENGSET)
    lines = printed(answer_with(answer.Predicted(predicted, {}, {})))
    below = lines[lines.index(next(line for line in lines if line.startswith("Speed per user"))) + 1 :]
    assert [line.split() for line in below[:3]] == [[name, "1.28", "+2", "%"] for name in predicted]
    assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)


@pytest.mark.parametrize("width", [30, 50, 60, 74])
def test_no_terminal_cuts_a_digit(width: int) -> None:
    """What a wide terminal shows of each value is there in a narrow one, too."""
    predicted = dict.fromkeys(("floyd_fall", "markov"), ENGSET)
    for answers in (
        [answer_with(answer.Predicted(predicted, {}, {}))],
        [answer_with(answer.Predicted({}, {}, {}))] * 2,
    ):
        said = []
        for columns in (200, width):
            console = Console(width=columns, record=True, file=io.StringIO())
            asked = question.from_options(NETWORK)
            show.show(console, asked, answers, show.Effort(1.2, 0.02), False)
            said.append(console.export_text())
        assert "\N{HORIZONTAL ELLIPSIS}" not in said[1].replace(" \N{HORIZONTAL ELLIPSIS} ", "")
        assert set(re.findall(r"\d[\d.]*", said[0])) == set(re.findall(r"\d[\d.]*", said[1]))


def test_a_terminal_breaks_sentences_between_words_behind_the_margin() -> None:
    console = Console(width=60, record=True, file=io.StringIO(), force_terminal=True)
    answers = [answer_with(answer.Predicted({}, {}, {}))]
    show.show(console, question.from_options(NETWORK), answers, show.Effort(1.2, 0.02), False)
    lines = [line.rstrip() for line in console.export_text().splitlines() if line.strip()]
    assert all(line.startswith("  ") and len(line) <= 60 for line in lines)
    assert " (--window), drop-tail (--queue)," in " ".join(line.strip() for line in lines)


def test_columns_that_do_not_fit_beside_each_other_follow_in_a_second_table() -> None:
    answers = [answer_with(answer.Predicted({"engset": ENGSET}, {}, {}))] * 2
    wide, narrow = (
        list(show._several(Console(width=width, file=io.StringIO()), answers)) for width in (80, 50)
    )
    heads = [str(column.header) for table in narrow for column in table.columns if column.header]
    assert len(wide) == 1 < len(narrow)
    assert heads == [str(column.header) for column in wide[0].columns if column.header]
    assert {table.row_count for table in (*wide, *narrow)} == {3}


def test_the_kernels_answer_says_that_it_is_the_kernels() -> None:
    by_kernel = simulated(**SIMULATED)
    by_kernel.runs["engine"] = "linux"
    made = answer.answer_of(by_kernel, answer.Predicted({}, {}, {}))
    assert any("8 simulations by the engine linux in 1.2 s" in line for line in printed(made))
    assert {row["source"] for row in rows.rows([made])} == {"linux"}


def notes_on(half_width: float, replications: int, cycles: float | None = None) -> str:
    """Return what is said of so many replications, whose speeds have a relative half-width."""
    few = simulated(**{**SIMULATED, "goodput_per_connection": (1.26e6, half_width * 1.26e6)})
    few.runs["seeds"] = [1] * replications
    few = dataclasses.replace(few, cycles=cycles)
    return "\n".join(
        show._notes([answer.answer_of(few, answer.Predicted({}, {}, {}))], show.Effort(1.2, 0.02))
    )


def test_a_machine_that_is_too_busy_is_said_to_be() -> None:
    assert "too few: 8 are planned" in notes_on(0.1, 3)
    assert "intervals are up to ±10 %" in notes_on(0.1, 3)
    assert "intervals are up to more than ±100 %" in notes_on(1.1, 3)


@pytest.mark.parametrize("half_width", [0.0, 0.019])
def test_no_doubt_is_cast_on_intervals_that_are_narrow_enough(half_width: float) -> None:
    said = notes_on(half_width, 3)
    assert "every interval is within ±2 %" in said
    assert "!" not in said


def test_too_few_cycles_of_the_window_are_said_to_be_whatever_the_intervals_are() -> None:
    assert "! each shows only 2 of the 6 cycles of the congestion window" in notes_on(0.0, 8, cycles=2)
    assert "!" not in notes_on(0.0, 8, cycles=8)


def test_why_tells_the_models_left_out_and_the_definitions() -> None:
    lines = printed(answer_with(answer.Predicted({}, {"markov": "one source only"}, {})), why=True)
    assert "markov: one source only" in lines
    assert any(line.startswith("Loss: Packets lost") for line in lines)
    assert any(line.startswith("Speeds count packets whole, headers too") for line in lines)


def fake_model(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    """Put one model in place of all."""
    module = types.SimpleNamespace(**parts)
    monkeypatch.setattr(answer, "automatic", lambda: ("fake",))
    for where in (models, predict):
        monkeypatch.setattr(where, "load", lambda _: module)


def test_a_failing_model_is_named_and_the_others_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_model(monkeypatch, predict=lambda points: 1 / 0)
    predicted = answer.predicted(point())
    assert predicted.failed == {"fake": "ZeroDivisionError: division by zero"}
    assert any(
        "! the model fake failed (ZeroDivisionError" in line for line in printed(answer_with(predicted))
    )


def test_a_model_that_does_not_apply_is_no_failure_but_a_wrong_value_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(point: Any) -> None:
        raise PointError(("sources.count",), "the fake model cannot answer 60; allowed: 1")

    def stumble(points: Any) -> None:
        raise ValueError("operands could not be broadcast")

    fake_model(monkeypatch, check=refuse)
    assert answer.predicted(point()).left_out == {"fake": "cannot answer 60; allowed: 1"}
    fake_model(monkeypatch, predict=stumble)
    predicted = answer.predicted(point())
    assert (predicted.left_out, list(predicted.failed)) == ({}, ["fake"])


def test_scripts_read_rows_in_si_units() -> None:
    answers = [answer_with(answer.Predicted({"engset": ENGSET}, {}, {}))]
    table = list(csv.DictReader(io.StringIO(to_csv(rows.COLUMNS, rows.rows(answers)))))
    speed = {row["source"]: row for row in table if row["metric"] == "goodput_per_connection"}
    assert float(speed["packetsim"]["value"]) == 1.26e6
    assert float(speed["model:engset"]["error_high"]) == pytest.approx(1.28 / 1.25 - 1)
    document = json.loads(rows.as_json("a question", answers))
    assert document["rows"][0]["unit"] == "bit/s"
