"""The formulas against the paper's printed numbers, its algebra, and cases worked out by hand."""

from typing import Any

import numpy as np
import pytest
from conftest import cases, data
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models.local_loop import check, goodput_bound, predict, rtt_bound, send_rate, user_threshold
from tcpatlas.points.errors import PointError

# Section 7.1: 100 Mbit/s, 12,000 bits a packet, bursts of 50 packets, think times of 30 s.
LOOP: dict[str, Any] = {"capacity": 100e6, "burst": 50, "packet_bits": 12_000, "think_time": 30}


def test_threshold_is_the_printed_one() -> None:
    # "Here this threshold is equal to 5000."
    assert user_threshold(**LOOP) == pytest.approx(5000)


def test_goodput_bound_where_saturated() -> None:
    # 100 Mbit/s over what is beyond the threshold: 2500 and 5000 users.
    np.testing.assert_allclose(goodput_bound(users=[7500, 10_000], **LOOP), [40e3, 20e3])


def test_goodput_is_not_bounded_up_to_the_threshold() -> None:
    np.testing.assert_array_equal(goodput_bound(users=[1, 2500, 5000], **LOOP), [np.inf] * 3)


# Table 7, cases 1 and 2: the larger of p_idle (1.65 % in table 6) and p_loss + p_to of tables 3 and 4, with
# the RTT of the same tables. All of them are rounded: the printed rate lies between what their ends give.
@cases("model_local_loop.table_7")
def test_table_7(rtt: tuple[float, float], loss: float, timeout: float, idle: float, printed: float) -> None:
    half = 0.005  # of a printed per cent
    least = send_rate(
        12_000, rtt[1], (loss + half) / 100, (timeout + half) / 100, (idle + half) / 100 if idle else 0
    )
    most = send_rate(
        12_000, rtt[0], max(loss - half, 0) / 100, max(timeout - half, 0) / 100, max(idle - half, 0) / 100
    )
    assert least / 1e3 - 0.05 <= printed <= most / 1e3 + 0.05


def test_send_rate_adds_the_probabilities() -> None:
    # 1.22 * 12,000 / (0.5 * sqrt(0.04)) by hand.
    assert send_rate(12_000, 0.5, 0.01, 0.02, 0.01) == pytest.approx(146_400)


def test_send_rate_without_any_loss_has_no_bound() -> None:
    assert send_rate(12_000, 0.1, 0) == np.inf


@given(
    users=st.floats(1.001, 100),
    capacity=st.floats(1e5, 1e10),
    burst=st.floats(1, 1e4),
    think_time=st.floats(0.1, 1e4),
)
def test_formula_3_solves_formula_2(users: float, capacity: float, burst: float, think_time: float) -> None:
    loop = {"capacity": capacity, "burst": burst, "packet_bits": 12_000, "think_time": think_time}
    number = users * user_threshold(**loop)
    goodput = goodput_bound(users=number, **loop)
    on_time = burst * 12_000 / goodput
    on_share = on_time / (on_time + think_time)
    np.testing.assert_allclose(capacity / (number * on_share), goodput, rtol=1e-9)


def test_arguments_broadcast() -> None:
    rates = send_rate(12_000, np.array([[0.1], [0.2]]), np.array([0.01, 0.04, 0.09]))
    np.testing.assert_allclose(rates, 1.22 * 12_000 / np.outer([0.1, 0.2], [0.1, 0.2, 0.3]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: send_rate(12_000, 0, 0.01), "rtt: must be above 0"),
        (lambda: send_rate(12_000, 0.1, [0.01, -0.01]), "loss_probability: must be 0 to 1"),
        (lambda: send_rate(12_000, 0.1, 0.01, 1.1), "timeout_probability: must be 0 to 1"),
        (lambda: user_threshold(100e6, 0, 12_000, 30), "burst: must be above 0"),
        (lambda: goodput_bound(100e6, np.nan, 50, 12_000, 30), "users: must be above 0"),
    ],
)
def test_what_is_no_number_of_the_formula_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


def point(
    users: int, workload: str = "http", known: dict[str, float] | None = None, head_of_line: str = "in-buffer"
) -> dict[str, Any]:
    """Section 7.1 as a point."""
    burst, think_time = {"mean_packets": 50}, {"mean_s": 30}
    shared = {"queue": "fair-shared", "buffer_packets": 10_000, "head_of_line": head_of_line}
    return {
        "kind": "local-loop",
        "packet_bytes": 1500,
        "stations": [
            {"rate_bit_per_s": 10e6, "delay_s": 0.02},
            {"rate_bit_per_s": 100e6, "delay_s": 0.01, **shared},
        ],
        "return_delay_s": 0.07,
        "sources": [
            {"count": users, "workload": {"kind": workload, "file_size": burst, "off_time": think_time}}
        ],
    } | ({"known": known} if known else {})


def test_a_saturated_point() -> None:
    # 5,000 users beyond the threshold share 100 Mbit/s.
    (answer,) = predict([point(10_000)])
    assert answer["metrics"] == {
        "user_threshold": {"unit": "connections", "value": pytest.approx(5000)},
        "goodput_bound": {"unit": "bit/s", "value": pytest.approx(20e3)},
        # 10,000 packets at 8333.3 a second, and 100 ms with 1.2 and 0.12 ms for transmission.
        "rtt_bound": {"unit": "s", "value": pytest.approx(1.2 + 0.1 + 0.00132)},
    }


def test_little_allows_a_packet_more_for_each_user_who_is_on() -> None:
    # 2,500 of 7,500 users, and 5,000 of 10,000, share 100 Mbit/s: 12,500 and 15,000 packets.
    answers = predict([point(7500, head_of_line="apart"), point(10_000, head_of_line="apart")])
    bounds = [answer["metrics"]["rtt_bound"]["value"] for answer in answers]
    assert bounds == pytest.approx([1.5 + 0.10132, 1.8 + 0.10132])
    # Table 3 prints 1.77 and 2.21 s.
    assert bounds[0] < 1.765
    assert bounds[1] < 2.205
    assert rtt_bound(0.1, 10_000, 100e6, 12_000) == pytest.approx(1.3)


def test_little_bounds_no_round_trip_over_a_loaded_backbone() -> None:
    loaded = point(10_000)
    loaded["stations"].insert(1, {"rate_bit_per_s": 80e6, "delay_s": 0.01, "load": {}})
    assert "rtt_bound" not in predict([loaded])[0]["metrics"]


def test_formula_1_by_what_a_run_measured() -> None:
    # 1.22 * 12,000 / (0.1 * sqrt(0.01 + 0.004 + 0.002)) = 1157.4 kbit/s, where 1000 were sent.
    measured = data("model_local_loop.measured")
    of_run, of_nothing = predict([point(1)] * 2, [measured, {"iteration_converged": 0}])
    assert of_run["metrics"]["square_root_miss"]["value"] == pytest.approx(0.1574, abs=1e-4)
    assert of_nothing["metrics"] == {}


def test_nothing_bounds_the_goodput_up_to_the_threshold() -> None:
    assert ["goodput_bound" in answer["metrics"] for answer in predict([point(1), point(5000)])] == [
        False
    ] * 2


def test_send_rate_by_the_sum_and_by_the_larger_part() -> None:
    # Table 7, case 3, N 5000: p_idle 1.65 %, p_loss 0.19 %, p_to 0.17 %, RTT 0.60 s; it prints 188.5 kbit/s.
    measured = {"rtt_s": 0.60, "loss": 0.0019, "timeouts": 0.0017, "idle": 0.0165}
    (answer,) = predict([point(5000, known=measured)])
    rate = answer["metrics"]["send_rate_per_connection__larger"]["value"]
    assert rate == pytest.approx(188.5e3, rel=0.01)
    # 1.22 * 12,000 / (0.6 * sqrt(0.0201)) by hand.
    assert answer["metrics"]["send_rate_per_connection"]["value"] == pytest.approx(172.1e3, rel=0.001)


@pytest.mark.parametrize(
    ("asked", "path"),
    [(point(9000, workload="bulk"), "sources.workload.kind"), ({"kind": "dumbbell"}, "kind")],
)
def test_points_that_the_formulas_cannot_answer(asked: dict[str, Any], path: str) -> None:
    with pytest.raises(PointError, match="the local_loop model cannot answer") as caught:
        check(asked)
    assert caught.value.paths == (path,)
