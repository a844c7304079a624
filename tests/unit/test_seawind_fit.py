"""The Seawind report: the RTT distribution of table 7.2, a fit, and printed tables against themselves."""

from __future__ import annotations

import csv
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.optimize import least_squares

from tcpatlas.models.markov.cwnd import Basis, Cwnd, cwnd_distribution
from tcpatlas.models.markov.loss import LossPattern
from tcpatlas.models.markov.rtt import EmpiricalRtt, MixtureRtt, NormalRtt
from tcpatlas.models.markov.throughput import Throughput

PAPER = Path(__file__).parents[2] / "config" / "papers" / "seawind"
LINK = 115.0
# The column FF tells by how much outliers raise the mean; how many there are the table hardly tells, with any
# share from 0.1 to 2 % the largest residual is about half a percent.
OUTLIERS = 0.01


def rows(item: str) -> list[dict[str, str]]:
    with (PAPER / f"{item}.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def number(text: str) -> float:
    value, _, unit = text.partition(" ")
    return float(value) / (100 if unit == "%" else 1000 if unit == "ms" else 1)


def test_the_rtt_of_table_7_2_is_the_fit_that_the_scenario_declares() -> None:
    """Relative least squares over the cells of ET with p <= 0.5; the mean RTT is that of the column FF."""
    printed = [row for row in rows("table-7.2") if number(row["links.bottleneck.loss"]) <= 0.5]
    by_formula = [
        math.sqrt(1.5 / number(row["links.bottleneck.loss"])) / float(row["published"])
        for row in printed
        if row["metric"] == "throughput_floyd_fall"
    ]
    mean = float(np.median(by_formula))
    cells = [row for row in printed if row["metric"] == "throughput_markov__segments"]
    assert len(cells) == 36
    cwnds: list[Cwnd] = []
    for row in cells:
        pattern = LossPattern.bernoulli(number(row["links.bottleneck.loss"]), int(number(row["tcp.rwnd"])))
        cwnds.append(cwnd_distribution(pattern, Basis.SEGMENTS))
    wanted = np.array([float(row["published"]) for row in cells])

    def residuals(normal: np.ndarray) -> np.ndarray:
        outlier = (mean - (1 - OUTLIERS) * normal[0]) / OUTLIERS
        law = MixtureRtt([NormalRtt(*normal), EmpiricalRtt([outlier])], [1 - OUTLIERS, OUTLIERS])
        return np.array([Throughput(cwnd, law, LINK).mean for cwnd in cwnds]) / wanted - 1

    fitted = least_squares(residuals, [0.98 * mean, 0.25 * mean]).x
    scenario = yaml.safe_load((PAPER / "scenario.yaml").read_text(encoding="utf-8"))
    declared = scenario["sets"]["table-7.2"]["override"]["rtt_distribution"]
    assert number(declared["outliers"]) == OUTLIERS
    assert fitted == pytest.approx(
        [number(declared["mean"]), number(declared["standard_deviation"])], abs=5e-5
    )
    outlier = (mean - (1 - OUTLIERS) * fitted[0]) / OUTLIERS
    assert outlier == pytest.approx(number(declared["outlier"]), abs=5e-4)
    assert np.abs(residuals(fitted)).max() < 0.01


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
