"""Long lists of numbers, as in distributions; what is wrong with one of them is named with its place."""

from typing import Any

import pytest

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import check
from tcpatlas.runs.documents import Distribution


@pytest.mark.parametrize("numbers", [[], [0], [1, 0.5, 0], [0.25] * 100_000])
def test_shares_are_shares(numbers: list[float]) -> None:
    data = {"unit": "packets", "probability": numbers}
    assert check(Distribution, data, "file.json") is data


@pytest.mark.parametrize("wrong", [-0.001, 1.001, "0.5", True, None, [0.5]])
@pytest.mark.parametrize("place", [0, 7, 99])
def test_the_wrong_one_is_named(wrong: Any, place: int) -> None:
    numbers: list[Any] = [0.5] * 100
    numbers[place] = wrong
    with pytest.raises(ConfigError) as caught:
        check(Distribution, {"unit": "packets", "probability": numbers}, "file.json")
    assert str(caught.value).startswith(f"file.json: probability[{place}]: ")
