"""The TCP-Engset model against exact fractions, closed forms, and numbers worked out by hand."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from conftest import cases, changed
from dumbbell import dumbbell
from engset_blocking import assert_is_engset_blocking
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tcpatlas.models.engset import check, predict
from tcpatlas.points.errors import PointError


def point(
    count: int = 82,
    mean: float = 12,
    rwnd: int = 44,
    buffer: int = 200,
    rates: tuple[float, float, float] = (1e8, 1e7, 2e6),
    rtt: float = 0.05,
    off: float = 1,
    packet_bytes: int = 1500,
) -> dict[str, Any]:
    """Table 6's setting, (100M, 10M, 2M, R50), with these changes."""
    propagation = rtt - sum(8 * packet_bytes / rate for rate in rates)
    return dumbbell(
        rates[1],
        buffer,
        {"variant": "newreno", "rwnd_packets": rwnd, "initial_window_packets": 2},
        delays=(0, propagation / 2, 0, propagation / 2),
        access=rates[0],
        egress=rates[2],
        packet_bytes=packet_bytes,
        count=count,
        workload={
            "kind": "on-off",
            "file_size": {"distribution": "exponential", "mean_packets": mean, "minimum_packets": 3},
            "off_time": {"distribution": "exponential", "mean_s": off},
        },
    )


def metrics(**setting: Any) -> dict[str, float]:
    (answer,) = predict([point(**setting)])
    return {name: metric["value"] for name, metric in answer["metrics"].items()}


def distribution(name: str, **setting: Any) -> np.ndarray:
    (answer,) = predict([point(**setting)])
    return np.array(answer["distributions"][name]["probability"])


def exact_shares(count: int, file_mbit: Fraction, on_time: Fraction, capacity: int) -> tuple[float, ...]:
    """h(1), h(2), rho(1), rho(2) and <n> in Mbit/s, straight from equations 4 and 6 to 11, OFF being 1 s."""
    isolated_rate = file_mbit / on_time
    s = math.floor(capacity / isolated_rate)
    weights = [Fraction(1)]
    for j in range(1, count + 1):
        weights.append(weights[-1] * (count - j + 1) / (j / on_time if j <= s else capacity / file_mbit))
    p = [weight / sum(weights) for weight in weights]
    overload, busy = sum(p[s + 1 :]), sum(j * p[j] for j in range(s + 1, count + 1))
    mean = sum(j * p[j] for j in range(count + 1))
    throughput = isolated_rate * (mean - busy) + capacity * overload
    second = capacity / (busy / overload)
    load = count * second / capacity * (file_mbit / second) / (file_mbit / second + 1)
    return tuple(float(value) for value in (throughput / mean, second, throughput / capacity, load, mean))


@pytest.mark.parametrize("count", [13, 14, 40, 82, 98, 115, 134])
def test_both_ways_to_the_rate_are_the_exact_ones(count: int) -> None:
    first, second, load_1, load_2, active = exact_shares(count, Fraction(144, 1000), Fraction(18, 100), 10)
    ours = metrics(count=count)
    assert ours["goodput_per_connection_1"] == pytest.approx(first * 1e6, rel=1e-12)
    assert ours["goodput_per_connection_2"] == pytest.approx(second * 1e6, rel=1e-12)
    assert ours["utilisation_1"] == pytest.approx(load_1, rel=1e-12)
    assert ours["utilisation_2"] == pytest.approx(load_2, rel=1e-12)
    assert ours["active_mean"] == pytest.approx(active, rel=1e-12)
    assert ours["goodput_per_connection"] == pytest.approx((first + second) / 2 * 1e6, rel=1e-12)
    assert ours["utilisation"] == pytest.approx((load_1 + load_2) / 2, rel=1e-12)
    assert ours["on_time"] == pytest.approx(0.144 / ((first + second) / 2), rel=1e-12)


def test_isolated_connection_of_table_6_by_hand() -> None:
    # F 12 takes flights of 2, 4, 6: 3 RTT_0 + 5 Delta* = 150 ms + 30 ms; 144 kbit in 180 ms are 800 kbit/s.
    ours = metrics()
    assert (ours["isolated_rounds"], ours["isolated_extra_packets"]) == (3, 5)
    assert ours["isolated_last_flight"] == 6
    assert ours["isolated_on_time"] == pytest.approx(0.18, rel=1e-12)
    assert ours["isolated_rate"] == pytest.approx(800e3, rel=1e-12)
    assert ours["saturation_count"] == 12
    assert ours["open_loop_load"] == pytest.approx(82 * 0.0144 / 1.18, rel=1e-12)


def test_overload_follows_from_flow_balance_by_hand() -> None:
    # The link carries 10 / 0.144 files a second; so many sources are in an OFF time of 1 s, the rest are ON.
    active = 134 - 10 / 0.144
    rate = 1e7 / active
    on_time = 0.144e6 / rate
    # 3 RTT + 5 Delta* fill it; the queue is what the RTT exceeds 50 ms by, in packets of 1.2 ms.
    queue = ((on_time - 5 * 6e-3) / 3 - 0.05) / 1.2e-3
    ours = metrics(count=134)
    assert ours["goodput_per_connection"] == pytest.approx(rate, rel=1e-8)
    assert ours["utilisation"] == pytest.approx(1, rel=1e-8)
    assert ours["queue_mean"] == pytest.approx(queue, rel=1e-7)
    assert ours["queue_decay"] == pytest.approx(queue, rel=1e-7)
    assert ours["rtt_sender_mean"] == pytest.approx(0.05 + queue * 1.2e-3, rel=1e-7)
    assert ours["loss_ratio"] == pytest.approx(math.exp(-200 / queue), rel=1e-6)


def test_special_setting_is_renormalised_to_38_round_trips() -> None:
    # Section 4.2: flights 2, 4, 8, 333; 332 packets of 36 ms are 34 trips of 341.83 ms and 9.16 packets.
    setting = {"mean": 347, "rates": (1e8, 1.5e6, 128e3), "rtt": 0.34183, "packet_bytes": 576, "off": 5}
    ours = metrics(**setting)
    assert (ours["isolated_rounds"], ours["isolated_extra_packets"]) == (4, 332)
    assert (ours["renormalised_rounds"], ours["renormalised_extra_packets"]) == (38, 9)
    assert ours["isolated_on_time"] == pytest.approx(4 * 0.34183 + 332 * 0.036, rel=1e-12)
    assert ours["renormalised_on_time"] == pytest.approx(38 * 0.34183 + 9 * 0.036, rel=1e-12)
    # The queue takes the renormalised rounds, the rate does not.
    queued = (ours["on_time"] - 9 * 0.036) / 38
    assert ours["rtt_sender_mean"] == pytest.approx(queued, rel=1e-12)
    assert ours["isolated_rate"] == pytest.approx(347 * 576 * 8 / ours["isolated_on_time"], rel=1e-12)


def test_few_sources_keep_their_isolated_rate() -> None:
    # Up to s = 12 sources the link is never overloaded: no second way, independent sources, no queue.
    answer = predict([point(count=12)])[0]
    ours = {name: metric["value"] for name, metric in answer["metrics"].items()}
    assert not {"goodput_per_connection_2", "utilisation_2", "buffer_rule_2"} & ours.keys()
    assert ours["goodput_per_connection"] == ours["goodput_per_connection_1"]
    assert ours["goodput_per_connection"] == pytest.approx(ours["isolated_rate"], rel=1e-12)
    assert ours["queue_mean"] == pytest.approx(0, abs=1e-9)
    assert ours["loss_ratio"] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(
        answer["distributions"]["active_by_time"]["probability"],
        stats.binom.pmf(np.arange(13), 12, 0.18 / 1.18),
        rtol=1e-12,
    )


def test_rare_overload_keeps_its_digits() -> None:
    # With s = 1250 and 1251 sources overload is one state, too improbable for a floating-point number.
    ours = metrics(count=1251, rates=(1e8, 1e9, 2e6))
    assert ours["saturation_count"] == 1250
    assert ours["goodput_per_connection_2"] == pytest.approx(1e9 / 1251, rel=1e-12)


@pytest.mark.parametrize("count", [20, 82, 134])
def test_states_below_saturation_are_those_of_engset(count: int) -> None:
    """Observed up to s active, count sources are the classical Engset model with s servers.

    An arrival sees count - 1 sources.
    """
    servers, idle_traffic = 12, 0.18
    seen = distribution("active_by_time", count=count - 1)[: servers + 1]
    assert_is_engset_blocking(seen[-1] / seen.sum(), servers, count, idle_traffic)


def test_a_hundred_thousand_sources() -> None:
    count = 100_000
    answer = predict([point(count=count)])[0]
    ours = {name: metric["value"] for name, metric in answer["metrics"].items()}
    assert all(math.isfinite(value) for value in ours.values())
    assert ours["active_mean"] == pytest.approx(count - 10 / 0.144, rel=1e-12)
    assert ours["goodput_per_connection"] == pytest.approx(1e7 / (count - 10 / 0.144), rel=1e-12)
    active = np.array(answer["distributions"]["active_by_time"]["probability"])
    assert active.sum() == pytest.approx(1, abs=1e-12)
    # Detailed balance beyond s: (N - j) / OFF up, C / (F P) down.
    births = (count - np.arange(count)) / 1.0
    likely = active[:-1] > 1e-280
    likely[:13] = False
    assert likely.sum() > 100
    np.testing.assert_allclose((active[:-1] * births)[likely], (active[1:] * 10 / 0.144)[likely], rtol=1e-12)


settings = {
    "count": st.integers(1, 400),
    "mean": st.floats(1, 2000),
    "rwnd": st.integers(1, 100),
    "rtt": st.floats(0.01, 0.5),
    "off": st.floats(0.01, 100),
    "buffer": st.integers(1, 1000),
    "rates": st.tuples(*[st.sampled_from([1e7, 5e7, 1e8, 1e9])] * 3),
}


@given(**settings)
def test_any_setting_gives_possible_numbers(**setting: Any) -> None:
    answer = predict([point(**setting)])[0]
    ours = {name: metric["value"] for name, metric in answer["metrics"].items()}
    assert all(math.isfinite(value) and value >= 0 for value in ours.values())
    for name in ("active_by_time", "queue_by_time"):
        probability = np.array(answer["distributions"][name]["probability"])
        assert ((probability >= 0) & (probability <= 1)).all()
        assert probability.sum() == pytest.approx(1, abs=1e-12)
    assert len(answer["distributions"]["active_by_time"]["probability"]) == setting["count"] + 1
    assert len(answer["distributions"]["queue_by_time"]["probability"]) <= setting["buffer"] + 1
    assert 0 < ours["utilisation"] <= 1
    assert ours["loss_ratio"] <= ours["utilisation"]
    assert ours["goodput_per_connection"] <= ours["isolated_rate"] * (1 + 1e-12)
    assert ours["on_time"] >= ours["isolated_on_time"] * (1 - 1e-12)
    # Renormalising cuts less than a packet time.
    assert ours["rtt_sender_mean"] >= ours["isolated_rtt"] * (1 - 1e-9)
    # As many files end as begin: what the link carries is begun by the sources that are OFF.
    files_per_second = ours["utilisation_1"] * setting["rates"][1] / (setting["mean"] * 12_000)
    assert files_per_second == pytest.approx(
        (setting["count"] - ours["active_mean"]) / setting["off"], rel=1e-6
    )


@given(**settings)
def test_queue_tail_is_exponential(**setting: Any) -> None:
    ours = metrics(**setting)
    probability = distribution("queue_by_time", **setting)
    # It may end before the buffer, where nothing is left.
    tail = 1 - np.cumsum([*probability, *[0] * (setting["buffer"] + 1 - len(probability))])[:-1]
    expected = [
        ours["utilisation"] * (math.exp(-x / ours["queue_decay"]) if ours["queue_decay"] else x == 0)
        for x in range(setting["buffer"])
    ]
    np.testing.assert_allclose(tail, expected, atol=1e-12)


def test_the_buffer_of_the_rule_loses_one_percent() -> None:
    rule = metrics(count=134)["buffer_rule"]
    less, more = (metrics(count=134, buffer=round_(rule))["loss_ratio"] for round_ in (math.ceil, math.floor))
    assert less <= 0.01 <= more


def test_a_link_hardly_used_needs_no_buffer() -> None:
    assert metrics(count=13, off=100)["buffer_rule"] == 0


@pytest.mark.parametrize(
    ("size", "rounds"), [(12.0, (3, 5)), (12.5, (3, 6)), (13.0, (3, 6)), (14.01, (4, 0))]
)
def test_part_of_a_packet_takes_a_packet(size: float, rounds: tuple[int, int]) -> None:
    ours = metrics(mean=size, rates=(1e8, 1e7, 1e9))
    assert (ours["isolated_rounds"], ours["isolated_extra_packets"]) == rounds
    assert ours["isolated_rate"] == pytest.approx(size * 12_000 / ours["isolated_on_time"], rel=1e-12)


def test_only_means_matter() -> None:
    other = point()
    other["sources"][0]["workload"]["file_size"] |= {"distribution": "exponential-pareto", "tail_share": 0.1}
    other["sources"][0]["workload"]["off_time"]["distribution"] = "fixed"
    assert predict([other]) == predict([point()])


def test_answers_come_in_the_order_of_the_points() -> None:
    counts = [134, 82, 98]
    answers = predict([point(count=count) for count in counts])
    assert answers == [predict([point(count=count)])[0] for count in counts]
    assert len({answer["metrics"]["goodput_per_connection"]["value"] for answer in answers}) == 3


@cases("model_engset.a_point_that_it_cannot_answer_is_refused_in_one_line")
def test_a_point_that_it_cannot_answer_is_refused_in_one_line(
    path: str, value: Any, said: str, allowed: str
) -> None:
    with pytest.raises(PointError) as error:
        check(changed(point(), {path: value}))
    assert error.value.paths == (said,)
    assert str(error.value) == f"the engset model cannot answer {value}; allowed: {allowed}"
