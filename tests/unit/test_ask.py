"""`./atlas ask`: what is asked, what a table says of it, and the search for a target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tcpatlas import cli
from tcpatlas.ask import command, metrics, question, show, simulation, target
from tcpatlas.ask.answer import Answer, Value
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.statistics import Interval

ROOT = Path(__file__).parents[2]
NETWORK = {"rate": "50 Mbit/s", "rtt": "20 ms", "users": "60", "file": "300 kB", "buffer": "64 packets"}


def point(**options: str | None) -> dict[str, Any]:
    (asked,) = question.from_options({**NETWORK, **options}).sets
    return dict(asked.points[0].document)


def test_options_describe_a_point() -> None:
    asked = point()
    (group,) = asked["sources"]
    assert group["count"] == 60
    assert group["workload"]["file_size"]["mean_packets"] == 200
    assert asked["links"]["bottleneck"]["rate_bit_per_s"] == 50_000_000
    assert asked["links"]["bottleneck"]["buffer_packets"] == 64


def test_sizes_in_bytes_are_rounded_up_to_packets() -> None:
    asked = point(buffer="100 kB", file="1501 B", packet="1000 B")
    assert asked["links"]["bottleneck"]["buffer_packets"] == 100
    assert asked["sources"][0]["workload"]["file_size"]["mean_packets"] == 2


def test_without_files_transfers_are_endless() -> None:
    # They begin within a round trip of the path.
    assert point(file=None)["sources"][0]["workload"] == {"kind": "bulk", "start_spread_s": 0.02}


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("rate", None, "--rate: is missing, and there is no FILE; e.g. '50 Mbit/s'"),
        ("rate", "20 ms", "--rate: the unit 'ms' does not convert to 'bit/s'; write e.g. 10 Mbit/s"),
        ("users", "many", "--users: 'many' is no number of users; a whole number, at least 1"),
        ("users", "2000000", "--users: 2000000 is out of range; at most 1000000"),
        (
            "buffer",
            "64 ms",
            "--buffer: the unit 'ms' does not convert to 'byte'; e.g. '300 kB' or '200 packets'",
        ),
        ("users", "9" * 5000, "--users: '99999"),
        ("packet", "0 B", "--packet: '0 B' is out of range; at least 1 byte"),
        ("packet", "-1 B", "--packet: '-1 B' is out of range; at least 1 byte"),
        ("rate", "1e999999 Mbit/s", "--rate: '1e999999 Mbit/s' is too large or too small for a number"),
        ("file", "0 B", "--file: '0 packets' is out of range; at least 1 packet"),
        ("pause", "-1 s", "--pause: '-1 s' is out of range; "),
        ("loss", "200 %", "--loss: '200 %' is out of range; less than 1, e.g. 0.1 %"),
        ("rtt", "1 us", "--rtt: 1e-06 s is less than the path's transmission times and delays; at least"),
    ],
)
def test_a_wrong_option_is_named(option: str, value: str | None, said: str) -> None:
    with pytest.raises(AtlasError) as error:
        point(**{option: value})
    assert str(error.value).startswith(f"command line: {said}")


def test_a_search_is_not_made_more_precise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PROGRAM", Path(__file__))
    options = ["--rate", "1 Mbit/s", "--rtt", "1 s", "--find", "users", "--such-that", "loss <= 1 %"]
    assert cli.main(["ask", *options, "--precise"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("command line: --precise: is there beside --find; one of the two: ")
    assert said.count("\n") == 1


def test_a_pause_without_files_is_refused() -> None:
    with pytest.raises(AtlasError, match="--pause: is there without --file"):
        point(file=None, pause="1 s")


def test_a_fixed_point_is_not_asked_of_packetsim() -> None:
    with pytest.raises(
        AtlasError, match=r"local-loop.yaml: .*packetsim does not take scheme 1; one of: exact"
    ):
        question.from_file(str(ROOT / "examples/local-loop.yaml"))


def test_engines_that_are_not_installed_are_not_asked_for() -> None:
    with pytest.raises(AtlasError) as error:
        question.from_file(str(ROOT / "examples/linux-of-2002.yaml"))
    assert "tcp.variant: packetsim does not take linux-2.4; one of: newreno" in str(error.value)
    assert "install" not in str(error.value)


def test_queueing_delays_are_those_of_the_queue_that_arrivals_find() -> None:
    # 1500 B at 50 Mbit/s take 0.24 ms; an arrival finds 0, 1, 2 packets in 90, 4, 6 % of cases.
    answer = {"metrics": {}, "distributions": {"queue_by_arrival": {"probability": [0.90, 0.04, 0.06]}}}
    values = metrics.answered(point(), answer)
    assert values["queueing_delay_mean"] == pytest.approx(0.16 * 0.24e-3)
    assert values["queueing_delay_95"] == pytest.approx(2 * 0.24e-3)


def test_a_short_run_lets_every_source_warm_up() -> None:
    assert simulation.short_run(point())["stop"] == {"connections": 1000, "warmup_connections": 180}


def value_of(model: float, low: float, high: float) -> Value:
    return Value("goodput_per_connection", Interval((low + high) / 2, low, high), {"engset": model})


def test_errors_lie_between_those_at_the_ends_of_the_interval() -> None:
    assert value_of(2e6, 1e6, 1.25e6).error("engset") == (pytest.approx(0.6), pytest.approx(1.0))
    assert value_of(2e6, 0, 1).error("engset") is None
    assert value_of(2e6, 1, 2).error("markov") is None


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (2e6, ["The engset model overestimates the goodput per connection by 60 to 100 % here."]),
        (0.5e6, ["The engset model underestimates the goodput per connection by 50 to 60 % here."]),
        (1.1e6, []),
    ],
)
def test_a_model_that_is_far_off_is_named_first(model: float, said: list[str]) -> None:
    answer = Answer("link", "base", {}, (value_of(model, 1e6, 1.25e6),), {}, 3)
    assert list(show.warnings([answer])) == said


@pytest.mark.parametrize(
    ("metric", "value", "half_width", "said"),
    [
        ("goodput_per_connection", 1_234_567, 12_000, "1.23 ± 0.012 Mbit/s"),
        ("on_time", 0.0124, None, "12.4 ms"),
        ("on_time", 90, None, "90 s"),
        ("on_time", 0.636, 0.19, "636 ± 190 ms"),
        ("loss_ratio", 0.0512, 0.0005, "5.12 ± 0.05 %"),
        ("fairness_index", 0.987, None, "0.987"),
    ],
)
def test_values_have_the_units_that_people_write(
    metric: str, value: float, half_width: float | None, said: str
) -> None:
    assert show.text(metric, value, half_width) == said


def test_a_target_is_read() -> None:
    read = target.Target.of("speed >= 1 Mbit/s")
    assert (read.metric, read.at_most, read.bound) == ("goodput_per_connection", False, 1e6)
    assert target.Target.of("loss<=1 %").bound == 0.01


@pytest.mark.parametrize(
    "text", ["loss", "loss = 1 %", "happiness >= 1", "loss <= 1 ms", "speed >= fast", "loss <= 1e400"]
)
def test_what_is_no_target_is_refused(text: str) -> None:
    with pytest.raises(AtlasError, match="--such-that"):
        target.Target.of(text)


USERS = target.Parameter("sources.count", *target.RANGES["users"])
SPEED = target.Target.of("speed >= 1 Mbit/s")


@pytest.mark.parametrize("start", [1, 20, 33, 34, 20_000])
def test_the_most_users_are_found_from_anywhere(start: int) -> None:
    # An ideal share of 33.3 Mbit/s leaves 1 Mbit/s to 33 users.
    found = target.search(USERS, SPEED, lambda users: 33.3e6 / users, start)
    assert (found.meets, found.fails) == (33, 34)


def test_the_least_buffer_is_found_within_two_percent() -> None:
    loss = target.Target.of("loss <= 1 %")
    found = target.search(
        target.Parameter("links.bottleneck.buffer", *target.RANGES["buffer"]),
        loss,
        lambda packets: 10 / packets,
        5,
    )
    assert found.fails < 1000 <= found.meets <= 1.02 * found.fails


def test_a_metric_is_called_with_its_percentage() -> None:
    assert metrics.title("guaranteed_goodput[95]") == "Guaranteed goodput (95 %)"
    assert metrics.title("loss_ratio") == "Loss ratio"
    assert metrics.unit("guaranteed_goodput[95]") == "bit/s"


def test_a_target_that_no_value_meets_says_the_best() -> None:
    with pytest.raises(AtlasError, match=r"no value meets .* the best is 5e\+05 bit/s at 1 users"):
        target.search(USERS, SPEED, lambda users: 0.5e6 / users, 10)
