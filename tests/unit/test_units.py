"""Quantities: exact to SI, and nothing but what people mean."""

from decimal import Decimal

import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.base import units


@cases("units.parse")
def test_parse(text: str | float, unit: str, expected: str) -> None:
    assert units.parse(text, unit) == Decimal(expected)


def test_a_parsed_number_is_the_float_that_one_would_write() -> None:
    assert units.plain(units.parse("21.34 ms", "s")) == 0.02134
    assert units.plain(units.parse("50 ms", "s")) == 0.05
    assert isinstance(units.plain(units.parse("10 Mbit/s", "bit/s")), int)


@cases("units.what_is_refused")
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
