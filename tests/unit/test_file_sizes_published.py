"""The printed shares of EP file sizes against the distribution, and against one of a lower mean.

See docs/decisions/file-sizes.md.
"""

import csv
from functools import cache
from pathlib import Path

import pytest
from scipy import stats

from tcpatlas.models.file_sizes import interval_of, tail_of

PAPER = Path(__file__).parents[2] / "scenarios/papers/engset"
# Files in the author's runs (table 1's heading; table 4 is of F 12).
FILES = {5: 800_000, 12: 800_000, 22: 450_000, 36: 250_000, 80: 120_000, 120: 80_000}
LOWER = 0.09


@cache
def printed(table: str) -> list[tuple[int, int, int | None, str]]:
    """Return mean size, interval (packets) and share (percent, as printed) of the EP sizes of a table."""
    cells = []
    for row in csv.DictReader((PAPER / table).read_text().splitlines()):
        label = row["metric"].partition("[")[2].rstrip("]")
        mean = int(row.get("sources.workload.file_size.mean", "12").split()[0])
        if (row["kind"], row["metric"]) != ("simulation", f"file_share[{label}]"):
            continue
        if row["sources.workload.file_size.distribution"] != "exponential-pareto" or not row["published"]:
            continue
        low, _, high = label.partition("-")
        if label.startswith(">"):
            cells.append((mean, int(label[1:]) + 1, None, row["published"]))
        else:
            cells.append((mean, int(low), int(high), row["published"]))
    # The small shares of F 5 are printed a row too high: their means belong to the next interval.
    return [cell for cell in cells if cell[0] != 5 or cell[1] < 63]


def chi_square(lower: float, mean_size: int | None = None) -> tuple[float, int]:
    """Return chi-square and the number of shares, with means of F - `lower` packets.

    The variance of a share is the author's sampling error and that of rounding to the last printed digit.
    """
    total, count = 0.0, 0
    for mean, low, high, text in [*printed("table-01.csv"), *printed("table-04.csv")]:
        if mean_size not in (None, mean):
            continue
        size = {"distribution": "exponential-pareto", "mean_packets": mean - lower, "minimum_packets": 3}
        share, _ = interval_of(tail_of({**size, "tail_share": 0.1, "tail_index": 1.5}), low, high)
        digit = 10.0 ** -(2 + len(text.partition(".")[2]))
        variance = share * (1 - share) / FILES[mean] + digit**2 / 12
        total += (float(text) / 100 - share) ** 2 / variance
        count += 1
    return total, count


def test_the_printed_shares_are_not_those_of_the_mean() -> None:
    total, count = chi_square(0)
    assert count == 67
    assert stats.chi2.sf(total, count) < 1e-6


def test_a_mean_lower_by_the_same_at_every_size_explains_all_of_them() -> None:
    total, count = chi_square(LOWER)
    assert stats.chi2.sf(total, count - 1) > 0.05


@pytest.mark.parametrize("mean", FILES)
def test_it_explains_those_of_each_mean(mean: int) -> None:
    total, count = chi_square(LOWER, mean)
    assert stats.chi2.sf(total, count) > 0.05
