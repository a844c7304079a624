"""The files of accepted numbers: small, readable line by line, and nothing compared is lost in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.base.errors import ConfigError
from tcpatlas.regression.accepted import Row, accepted_text, read_accepted

TABLES = """\
load,packetsim,count-1,half_width,replications,count-2,half_width,replications
rate,bit/s,4.0,0.5,3,6.25,,1
loss,1,,,,0.1,0.2..0.4,2

load,model:parrot,count-1,count-2
rate,bit/s,4.25,6.5
"""


def row(engine: str, point: str, metric: str, unit: str, *numbers: str) -> Row:
    columns = ("set", "engine", "point", "metric", "unit", "value", "ci_low", "ci_high", "replications")
    return dict(zip(columns, ("demo/load", engine, point, metric, unit, *numbers), strict=True))


ROWS = [
    row("packetsim", "count-1", "rate", "bit/s", "4.0", "3.5", "4.5", "3"),
    row("packetsim", "count-2", "rate", "bit/s", "6.25", "", "", "1"),
    row("packetsim", "count-2", "loss", "1", "0.1", "0.2", "0.4", "2"),
    row("model:parrot", "count-1", "rate", "bit/s", "4.25", "", "", ""),
    row("model:parrot", "count-2", "rate", "bit/s", "6.5", "", "", ""),
]


def test_a_table_for_each_engine(tmp_path: Path) -> None:
    """The interval 0.2 to 0.4 is not around 0.1: its ends are written."""
    assert accepted_text(ROWS) == TABLES
    path = tmp_path / "demo.csv"
    path.write_text(TABLES)
    assert read_accepted(path) == ROWS


def test_one_number_is_one_line(tmp_path: Path) -> None:
    moved = [*ROWS[:3], {**ROWS[3], "value": "4.5"}, ROWS[4]]
    changed = set(accepted_text(moved).splitlines()) - set(TABLES.splitlines())
    assert changed == {"rate,bit/s,4.5,6.5"}


@given(
    value=st.floats(-1e12, 1e12, allow_subnormal=False),
    half_width=st.floats(0, 1e12, allow_subnormal=False),
)
def test_both_ends_of_an_interval_come_back_to_the_last_digit(
    tmp_path_factory: pytest.TempPathFactory, value: float, half_width: float
) -> None:
    ends = (repr(value - half_width), repr(value + half_width))
    rows = [row("packetsim", "count-1", "rate", "bit/s", repr(value), *ends, "3")]
    path = tmp_path_factory.mktemp("accepted") / "demo.csv"
    path.write_text(accepted_text(rows))
    assert read_accepted(path) == rows


def test_a_half_width_is_as_short_as_it_can_be() -> None:
    """0.4 - 0.1 is 0.30000000000000004 in floating point, and 0.5 - 0.4 is 0.09999999999999998."""
    text = accepted_text(
        [row("packetsim", "count-1", "rate", "bit/s", "0.4", "0.30000000000000004", "0.5", "3")]
    )
    assert text.splitlines()[1] == "rate,bit/s,0.4,0.1,3"


def test_a_model_is_rounded_far_below_what_it_may_move_by() -> None:
    rows = [row("model:parrot", "count-1", "rate", "bit/s", "97.27413356755554", "", "", "")]
    assert accepted_text(rows).splitlines()[1] == "rate,bit/s,97.2741335676"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("load,model:parrot", "load", "line 5: no table begins so; needed: set, engine and points"),
        ("count-2,half_width", "count-2", "line 1: no table begins so; needed: set, engine and points"),
        ("4.25,6.5", "4.25", "line 6: number of cells: 3; needed: 4, as in the table's first line"),
        ("0.2..0.4", "0.2..x", "line 3: count-2: 'x' is not a number; a number or nothing is allowed"),
        ("6.5", "six", "line 6: count-2: 'six' is not a number; a number or nothing is allowed"),
        ("loss,1", "rate,1", "line 3: demo/load, count-2, packetsim, rate: is there twice; each metric once"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "demo.csv"
    path.write_text(TABLES.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        read_accepted(path)
    assert str(caught.value).startswith(f"{path}: {says}")
