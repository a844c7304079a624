"""Quantities: exact to SI, and nothing but what people mean."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.base import units


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("10 Mbit/s", "bit/s", "10000000"),
        ("128 kbit/s", "bit/s", "128000"),
        ("1.5Mbit/s", "bit/s", "1500000"),
        ("563.1 kbps", "bit/s", "563100"),
        ("50 ms", "s", "0.05"),
        ("21.34 ms", "s", "0.02134"),
        ("120 us", "s", "0.00012"),
        ("120 µs", "s", "0.00012"),  # micro sign
        ("120 μs", "s", "0.00012"),
        ("2 min", "s", "120"),
        ("1500 B", "byte", "1500"),
        ("1.5 kB", "byte", "1500"),
        ("12000 bit", "byte", "1500"),
        ("44 packets", "packet", "44"),
        ("1 packet", "packet", "1"),
        ("3 connections", "connection", "3"),
        ("0.1 %", "1", "0.001"),
        ("10 percent", "1", "0.1"),
        ("0.25", "1", "0.25"),
        (0.25, "1", "0.25"),
        ("1e3 bit/s", "bit/s", "1000"),
        ("-5 ms", "s", "-0.005"),
    ],
)
def test_parse(text: str | float, unit: str, expected: str) -> None:
    assert units.parse(text, unit) == Decimal(expected)


def test_a_parsed_number_is_the_float_that_one_would_write() -> None:
    assert units.plain(units.parse("21.34 ms", "s")) == 0.02134
    assert units.plain(units.parse("50 ms", "s")) == 0.05
    assert isinstance(units.plain(units.parse("10 Mbit/s", "bit/s")), int)


@pytest.mark.parametrize(
    ("text", "unit", "says"),
    [
        ("10", "bit/s", "no unit"),
        (10, "bit/s", "no unit"),
        ("10 ms", "bit/s", "does not convert"),
        ("10 Mbit", "bit/s", "does not convert"),
        ("1500 B", "packet", "does not convert"),
        ("44 packets", "connection", "does not convert"),
        ("10 parsec", "s", "unknown"),
        ("10 Mb/s", "bit/s", "unknown"),
        ("ten ms", "s", "not a number"),
        ("", "s", "not a number"),
        ("10 ms ms", "s", "unknown"),
        ("10 s**2", "s", "unknown"),
        ("2 * 10 ms", "s", "unknown"),
        ("nan s", "s", "not a number"),
        ("inf s", "s", "not a number"),
        ("10 packets", "1", "does not convert"),
        (True, "1", "not a quantity"),
        ("1e999999 Mbit/s", "bit/s", "too large or too small"),
        ("1e99999999999999999999 s", "s", "too large or too small"),
        ("1e400", "1", "too large or too small"),
        ("1e-400 s", "s", "too large or too small"),
    ],
)
def test_what_is_refused(text: str | float, unit: str, says: str) -> None:
    with pytest.raises(units.UnitError, match=says):
        units.parse(text, unit)


PREFIXES = {"": 0, "k": 3, "M": 6, "G": 9}
NUMBERS = st.decimals(min_value=0, max_value=10**6, places=4)


@given(NUMBERS, st.sampled_from(sorted(PREFIXES)))
def test_every_prefix_shifts_the_decimal_point_and_nothing_else(number: Decimal, prefix: str) -> None:
    assert units.parse(f"{number} {prefix}bit/s", "bit/s") == number.scaleb(PREFIXES[prefix])


@given(NUMBERS)
def test_there_and_back(number: Decimal) -> None:
    assert units.parse(f"{units.parse(f'{number} ms', 's')} s", "ms") == number


@given(NUMBERS)
def test_plain_loses_nothing_that_a_float_can_hold(number: Decimal) -> None:
    assert units.plain(number) == float(number)
