"""Scenarios changed at random: each is refused in one line, or gives valid points."""

import copy
import json
import random
from typing import Any

import pytest
from conftest import CONFIG, SCENARIO
from handmade import expanded

from tcpatlas.base.errors import ConfigError
from tcpatlas.points.documents import check_point

UNITS = ["", " s", " ms", " bit/s", " Mbit/s", " packets", " B", " %", " kg"]
NUMBERS = ["0", "-1", "1", "0.5", "1e-300", "1e-9", "3600", "86401", "1e6", "1e12", "1e308", "1e999", "nan"]
WORDS: list[Any] = ["", "x" * 10000, "a\nb", "bulk"]
OTHERS: list[Any] = [*WORDS, None, True, [], {}, ["1 s"], {"key": 1}, 0, -1, 2**63, 1e300]


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) of nested mappings and lists."""
    pairs = list(data.items()) if isinstance(data, dict) else list(enumerate(data))
    inner = [place for _, value in pairs if isinstance(value, dict | list) for place in places(value)]
    return [(data, key) for key, _ in pairs] + inner


def mutate(data: dict[str, Any], draw: random.Random) -> None:
    """Change, leave out or add one value."""
    container, key = draw.choice(places(data))
    choice = draw.randrange(10)
    if choice == 0:
        del container[key]
    elif choice == 1 and isinstance(container, dict):
        container["k" * draw.randrange(1, 300)] = 1
    elif choice < 7:
        container[key] = draw.choice(NUMBERS) + draw.choice(UNITS)
    else:
        container[key] = copy.deepcopy(draw.choice(OTHERS))


def outcome(scenario: dict[str, Any]) -> str:
    """Return the line that refuses a scenario; nothing if its points are valid."""
    try:
        points = expanded(scenario["base"], scenario["sets"]["load"], CONFIG["replications"])
    except ConfigError as error:
        return str(error)
    for point in points:
        check_point(json.loads(point.text), "point")
    return ""


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_scenario_is_refused_in_one_line_or_gives_valid_points(seed: int) -> None:
    draw, lines = random.Random(seed), []
    for _ in range(150):
        scenario = copy.deepcopy(SCENARIO)
        for _ in range(draw.randrange(3)):
            mutate(scenario["base"], draw)
        lines.append(outcome(scenario))
    assert all("\n" not in line and len(line) < 500 for line in lines)
    assert sum(bool(line) for line in lines) > 50
    assert lines.count("") > 30
