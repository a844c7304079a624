"""Headline spellings: what is accepted, and what a hint offers, is the quantity that was typed."""

import re
from decimal import Decimal

import pytest
from conftest import cases, data
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from tcpatlas.ask import quantity
from tcpatlas.base import spellings, units
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.validation import Quantity

NUMBERS = st.decimals(min_value="0.001", max_value=10**5, places=3)
PREFIXES = {"": 0, "k": 3, "K": 3, "M": 6, "m": 6, "G": 9, "g": 9, "T": 12}
# Bits of one, by how people write it; of the first ones case does not matter.
RATES: dict[str, int] = data("spellings.rates")
SIZES = {"B": 8, "byte": 8, "Bytes": 8, "bit": 1, "b": 1}


@given(NUMBERS, st.sampled_from(sorted(PREFIXES)), st.sampled_from(sorted(RATES)), st.sampled_from(["", " "]))
def test_a_rate_is_what_its_letters_say(number: Decimal, prefix: str, unit: str, space: str) -> None:
    typed = f"{number}{space}{prefix}{unit}"
    expected = number * RATES[unit] * Decimal(10) ** PREFIXES[prefix]
    assert units.parse(quantity.checked("--rate", typed, "bit/s"), "bit/s") == expected
    assert quantity.parsed("--rate", typed, "bit/s") == expected


@given(NUMBERS, st.sampled_from(sorted(PREFIXES)), st.sampled_from(sorted(SIZES)))
def test_a_size_is_what_its_letters_say(number: Decimal, prefix: str, unit: str) -> None:
    expected = number * SIZES[unit] * Decimal(10) ** PREFIXES[prefix] / 8
    assert quantity.size_in_bytes("--file", f"{number} {prefix}{unit}", Decimal(1500)) == expected


@given(NUMBERS, st.sampled_from(sorted(spellings._TIMES)))
def test_a_time_is_what_its_letters_say(number: Decimal, unit: str) -> None:
    expected = {
        "u": "1e-6",
        "\N{MICRO SIGN}": "1e-6",
        "\N{GREEK SMALL LETTER MU}": "1e-6",
        "s": "1",
        "h": "3600",
    }
    of_m = "60" if unit.startswith("min") else "1e-6" if unit.startswith("micro") else "1e-3"
    assert quantity.parsed("--rtt", f"{number} {unit}", "s") == number * Decimal(expected.get(unit[0], of_m))


LETTERS = st.text("kKmMgGtTbBitsps/eco%nd", min_size=1, max_size=8)


@given(NUMBERS, LETTERS, st.sampled_from(["bit/s", "s", "byte", "1"]))
def test_no_hint_changes_a_power_of_ten_nor_bits_into_bytes(number: Decimal, letters: str, unit: str) -> None:
    """Whatever is typed is understood, or answered in one line whose suggestion begins alike."""
    try:
        quantity.parsed("--option", f"{number} {letters}", unit)
    except AtlasError as error:
        line = str(error)
        assert "\n" not in line
        if hint := re.search(r"Did you mean '(\S+) (.+)'\?", line):
            assert Decimal(hint[1]) == number
            assert hint[2][0].lower() == letters[0].lower()
            assert ("B" in hint[2]) == ("B" in letters)


@pytest.mark.parametrize("text", ["50 MBPS", "50 MB/S", "5 ps", "50 Mi", "50 parsec", "fast", "50 k/s"])
def test_what_may_be_two_quantities_is_none(text: str) -> None:
    assert spellings.meant(text, "bit/s") is None


@cases("spellings.a_scenario_hints_at_what_is_meant")
def test_a_scenario_hints_at_what_is_meant(text: str, unit: str, hint: str) -> None:
    with pytest.raises(PydanticCustomError, match=f"write '{hint}'$"):
        Quantity(unit, "an example").read(text)
