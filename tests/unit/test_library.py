"""The library's functions, in this tree."""

import doctest
import math
from collections.abc import Callable

import pytest
from conftest import cases, data

import tcpatlas


def test_the_examples_of_the_reference_run() -> None:
    """docs/api.md has them from the docstrings."""
    assert callable(tcpatlas.simulate)  # before its module: `tcpatlas.ask` is the function then
    from tcpatlas import library

    done = doctest.testmod(library, extraglobs={"tcpatlas": tcpatlas})
    assert done.attempted > 10
    assert done.failed == 0


# The link and the RTT of the Seawind report's figures 8.7 and 8.8.
REPORT = data("library.report")


def test_a_model_is_asked_with_every_key_that_it_takes() -> None:
    """packetsim takes no distribution of the RTT; the Markov chain does, and is not packetsim."""
    asked = tcpatlas.predict("markov", REPORT).set_index("metric")["value"]
    fixed = tcpatlas.predict("markov", {**REPORT, "rtt_distribution": None})
    assert asked["throughput_markov"] != fixed.set_index("metric")["value"]["throughput_markov"]
    with pytest.raises(tcpatlas.AtlasError, match="rtt_distribution: packetsim does not take it"):
        tcpatlas.simulate(REPORT)


def test_a_model_refuses_in_one_line() -> None:
    with pytest.raises(
        tcpatlas.AtlasError, match=r"^scenario: base\.tcp\.variant: the markov model cannot"
    ) as e:
        tcpatlas.predict("markov", {**REPORT, "tcp": {**REPORT["tcp"], "variant": "tahoe"}})
    assert "\n" not in str(e.value)


@cases("library.no_window_limits_a_transfer")
def test_no_window_limits_a_transfer(
    size: str, rate: str, rtt: str, options: dict[str, str], seconds: float
) -> None:
    (time,) = tcpatlas.cdf(size, rate, rtt, replications=1, **options)["time_s"]
    assert time == pytest.approx(seconds, rel=0.01)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: tcpatlas.cdf("1 MB", "1 Mbit/s", "20 ms", loss="0.001"),
            "loss 0.001: which unit? as a share it",
        ),
        (lambda: tcpatlas.cdf("1 parsec", "1 Mbit/s", "20 ms"), "size: 'parsec' is not a size"),
        (lambda: tcpatlas.cdf("1 MB", "1 Mbit/s", "20 ms", tcp="vegas"), "tcp vegas: packetsim does not"),
        (lambda: tcpatlas.ask(rate="1", rtt="20 ms"), "rate 1: which unit?"),
        (lambda: tcpatlas.ask(rtt="20 ms"), "rate is missing, e.g. rate '50 Mbit/s'"),
        (lambda: tcpatlas.simulate({}, replications=0), "replications: 0 is out of range; 1 to 1000"),
    ],
)
def test_messages_name_the_parameter(call: Callable[[], object], says: str) -> None:
    with pytest.raises(tcpatlas.AtlasError) as error:
        call()
    assert str(error.value).startswith(says)
    assert "--" not in str(error.value).partition("--engine")[0]


def test_one_run_is_enough_of_a_lone_flow_without_chance() -> None:
    link = tcpatlas.simulate({**REPORT, "rtt_distribution": None}, replications=1, length=0.2)
    row = link.set_index("metric").loc["goodput"]
    assert row["value"] > 0
    assert (row["replications"], math.isnan(row["ci_low"])) == (1, True)
