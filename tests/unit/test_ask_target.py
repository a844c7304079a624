"""`./atlas ask --find`: targets, and the search for what meets them."""

import re

import pytest
from ask_link import point
from conftest import cases

from tcpatlas.answers import headline_metrics
from tcpatlas.ask import question, target
from tcpatlas.base.errors import AtlasError
from tcpatlas.points.errors import PointError

USERS = target.Parameter("users", "sources.count", *target.RANGES["users"])
SPEED = target.Target("goodput_per_connection", at_most=False, bound=1e6, text="speed >= 1 Mbit/s")


def read_target(text: str, **options: str | None) -> target.Target:
    """Read a target of a network whose engine gives what it may, but no marks."""
    document = point(**options)
    return target.Target.of(text, document, headline_metrics.given(document))


@cases("ask_target.a_bound_is_in_the_unit_of_its_metric")
def test_a_bound_is_in_the_unit_of_its_metric(text: str, bound: float) -> None:
    assert read_target(text, file=None).bound == pytest.approx(bound)


@pytest.mark.parametrize("name", ["time", "delay-95"])
def test_what_endless_transfers_lack_is_not_offered(name: str) -> None:
    given = ("goodput_per_user", "queueing_delay_mean")
    with pytest.raises(AtlasError, match=f"endless transfers have no {name}, files do") as error:
        target.Target.of(f"{name} <= 20 ms", point(file=None), given)
    assert str(error.value).endswith("; one of: speed, delay")


def test_a_target_is_read() -> None:
    read = read_target("speed >= 1 Mbit/s")
    assert (read.metric, read.at_most, read.bound) == ("goodput_per_connection", False, 1e6)
    assert read_target("loss<=1 %").bound == 0.01
    assert read_target("speed >= 1 Mbit/s", file=None).metric == "goodput_per_user"


@cases("ask_target.a_wrong_target_gets_the_likely_one")
def test_a_wrong_target_gets_the_likely_one(text: str, message: str) -> None:
    with pytest.raises(AtlasError, match="--such-that") as error:
        read_target(text)
    assert message in str(error.value)


@pytest.mark.parametrize("start", [1, 20, 33, 34, 20_000])
def test_the_most_users_are_found_from_anywhere(start: int) -> None:
    # An ideal share of 33.3 Mbit/s leaves 1 Mbit/s to 33 users.
    ends = target.search(USERS, SPEED, lambda users: 33.3e6 / users, start)
    assert (ends.meets, ends.fails) == (33, 34)


def test_the_least_buffer_is_found_within_two_percent() -> None:
    loss = read_target("loss <= 1 %")
    ends = target.search(
        target.Parameter("buffer", "links.bottleneck.buffer", *target.RANGES["buffer"]),
        loss,
        lambda packets: 10 / packets,
        5,
    )
    assert ends.fails < 1000 <= ends.meets <= 1.02 * ends.fails


def test_a_model_that_fails_on_the_way_is_named_and_one_that_does_not_apply_left_aside() -> None:
    def refuse(users: int) -> float:
        raise PointError(("sources.count",), f"cannot answer {users}; allowed: 1")

    metrics: dict[str, target.Metric] = {
        "ideal": lambda users: 33.3e6 / users,
        "fails": lambda users: 33.3e6 / (users - 24),  # which a search from 12 comes to
        "refuses": refuse,
    }
    found, failed = target.search_models(USERS, SPEED, metrics, 12)
    assert {model: ends.meets for model, ends in found.items()} == {"ideal": 33}
    assert failed == {"fails": "ZeroDivisionError: float division by zero"}


def test_a_search_tells_the_answer_and_its_neighbours() -> None:
    searched = {
        "packetsim": target.search(USERS, SPEED, lambda users: 33.3e6 / users, 20),
        "engset": target.search(USERS, SPEED, lambda users: 34.5e6 / users, 20),
    }
    lines = list(target.lines(USERS, SPEED, searched))
    assert lines[0] == "[bold]Up to 33 users[/bold] (engset model: 34 users)."
    assert [line.split()[-3:] for line in lines if "<-" in line] == [["✓", "<-", "most"]]
    assert "34 users     979 kbit/s  ✗" in lines


def test_a_target_that_no_value_meets_says_the_best() -> None:
    with pytest.raises(AtlasError, match=r"no value meets .* the best is 500 kbit/s at 1 user$"):
        target.search(USERS, SPEED, lambda users: 0.5e6 / users, 10)


def test_a_search_of_users_says_what_longer_pauses_allow() -> None:
    """At the bound a file of 2.4 Mbit takes 2.4 s; users who then pause for 10 s load 50 Mbit/s as 258 do."""
    options: dict[str, str | None] = {"rate": "50 Mbit/s", "rtt": "20 ms", "file": "300 kB"}
    asked = question.from_options(options, "users")
    found = {"engset": target.Found(70, 71)}
    told = target.with_longer_pauses(asked, USERS, SPEED, found)
    number = re.fullmatch(r"With 10 s between files \(--pause '10 s'\): (\d+) users \(engset model\)\.", told)
    assert number
    assert int(number[1]) == pytest.approx(50 / 2.4 * (2.4 + 10), rel=0.02)
    given = question.from_options({**options, "pause": "2 s"}, "users")
    assert target.with_longer_pauses(given, USERS, SPEED, found) == ""
