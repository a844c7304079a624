"""The Seawind report: printed tables against themselves."""

import csv
import math
from decimal import Decimal
from pathlib import Path

import pytest

PAPER = Path(__file__).parents[2] / "scenarios" / "papers" / "seawind"


def rows(item: str) -> list[dict[str, str]]:
    with (PAPER / f"{item}.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def number(text: str) -> float:
    value, _, unit = text.partition(" ")
    return float(value) / (100 if unit == "%" else 1000 if unit == "ms" else 1)


@pytest.mark.parametrize("item", ["table-7.1", *(f"table-8.{number}" for number in range(1, 9))])
def test_printed_errors_that_contradict_their_row_are_marked(item: str) -> None:
    """An error is ET over the measured throughput, minus one, of rounded numbers; its sign is ours."""
    measured = {
        "goodput": "goodput",
        "sent": "send_throughput",
        "without_timeouts": "throughput_without_timeouts",
    }
    by_row: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows(item):
        by_row.setdefault(row["case"], {})[row["metric"].partition("__")[0]] = row
    for of_row in by_row.values():
        for suffix, metric in measured.items():
            error, model, value = (
                of_row[name] for name in (f"markov_miss_{suffix}", "throughput_markov", metric)
            )
            (et_low, et_high), (low, high) = (_rounded(cell["published"]) for cell in (model, value))
            ends = (et_low / high - 1, et_high / low - 1)
            fits = ends[0] - 5.01e-5 <= float(error["published"]) / 100 <= ends[1] + 5.01e-5
            assert fits == (not error["inconsistent"]), error


def test_the_round_trips_of_sets_7_to_9_are_those_of_the_printed_ff() -> None:
    """FF is sqrt(1.5 / p) / RTT; each row is the ET of a row of tables 8.6 to 8.8, which says so."""
    printed = {
        (row["case"], row["metric"]): row
        for item in ("table-8.6", "table-8.7", "table-8.8")
        for row in rows(item)
    }
    of_ff = rows("printed-ff")
    assert len(of_ff) == 9
    for row in of_ff:
        ff = float(printed[row["case"], "throughput_floyd_fall"]["published"])
        expected = math.sqrt(1.5 / number(row["links.bottleneck.loss"])) / ff
        assert number(row["rtt_distribution.mean"]) == pytest.approx(expected, abs=5.01e-5)
        et = printed[row["case"], "throughput_markov__rounds"]
        assert (row["published"], f"printed-ff, {row['case']}") == (et["published"], et["repeats"])


def _rounded(printed: str) -> tuple[float, float]:
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    half = 0.5 * 10.0**exponent
    assert math.isfinite(half)
    return float(printed) - half, float(printed) + half
