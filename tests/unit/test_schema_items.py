"""Lists of numbers are validated at once; what is wrong with them is found all the same."""

from __future__ import annotations

from typing import Any

import pytest

from tcpatlas.base import schema
from tcpatlas.base.errors import ConfigError

SHARES = {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 1}}


@pytest.mark.parametrize("numbers", [[], [0], [1, 0.5, 0], [0.25] * 100_000])
def test_shares_are_shares(numbers: list[float]) -> None:
    schema.validate(numbers, SHARES, "file.json", "probability")


@pytest.mark.parametrize("wrong", [-0.001, 1.001, "0.5", True, None, [0.5]])
@pytest.mark.parametrize("place", [0, 7, 99])
def test_the_one_that_is_not_is_named(wrong: Any, place: int) -> None:
    numbers: list[Any] = [0.5] * 100
    numbers[place] = wrong
    with pytest.raises(ConfigError) as caught:
        schema.validate(numbers, SHARES, "file.json", "probability")
    assert str(caught.value).startswith(f"file.json: probability[{place}]: ")


def test_other_lists_are_validated_one_by_one() -> None:
    with pytest.raises(ConfigError, match=r"file.json: names\[1\]: "):
        schema.validate(["a", 2], {"type": "array", "items": {"type": "string"}}, "file.json", "names")
