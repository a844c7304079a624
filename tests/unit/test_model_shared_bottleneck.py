"""The shared-bottleneck model against closed forms by hand, its differential equations, and the paper."""

import math
import re
import warnings

import numpy as np
import pytest
from conftest import cases, changed, data
from dumbbell import dumbbell
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

from tcpatlas.models import shared_bottleneck
from tcpatlas.models.shared_bottleneck.curves import curves, window_after
from tcpatlas.models.shared_bottleneck.fluid import Path, Phase, cycle, slow_start_loss
from tcpatlas.points.errors import PointError

# Table 1: B, BW_in, mu, lambda, tau_1, tau_2, printed analysis (throughput, round-trip time).
TABLE_1 = np.array(data("shared_bottleneck.table_1"))
TWO_SLOW_STARTS = [True, False, True, False, False, True, False, False, True]

paths = st.builds(
    lambda buffer, mu, share, before, after: Path.of(buffer, mu, share * mu, before, after),
    st.integers(1, 60),
    st.floats(10, 500),
    st.floats(0, 0.9),
    st.floats(0, 0.3),
    st.floats(0, 0.3),
)


def table_1() -> Path:
    buffer, access, mu, exogenous, before, after = TABLE_1.T[:6]
    return Path.of(buffer, mu, exogenous, before, after, access)


def test_one_slow_start_that_queues() -> None:
    """Theorem 3.1 (i) by hand: mu 100, lambda 0, tau 0.19, B 20 give T 0.2, W~ 20, W_max 42, W_th 21."""
    result = cycle(Path.of(20, 100, 0, 0.0475, 0.0475))
    assert not result.two_slow_starts
    assert (result.pipe_window, result.loss_window, result.peak_window) == pytest.approx((20, 40, 42))
    assert result.duration[2:] == pytest.approx([0.2 * math.log(20), 0.01, 0, 1.5 * 21**2 / 100])
    assert result.packets[2:] == pytest.approx([19, 1, 0, 1.5 * 21**2])
    assert result.delay[[2, 3, 5]] == pytest.approx([0.2, 39 / 200 + 0.01 - 0.0475, 14 / 9 * 21 / 100])
    carried = 19 + 1 + 661.5
    assert result.throughput == pytest.approx(carried / (0.2 * math.log(20) + 0.01 + 6.615))
    assert result.mean_delay == pytest.approx((19 * 0.2 + 0.1575 + 661.5 * 14 / 9 * 0.21) / carried)


def test_one_slow_start_that_does_not_queue() -> None:
    """Theorem 3.1 (ii) by hand: mu 100, lambda 50, B 12 give W~ 10, W_loss 16.5, W_th 9.25 < W_b 18."""
    result = cycle(Path.of(12, 100, 50, 0.0475, 0.0475))
    assert not result.two_slow_starts
    assert (result.loss_window, result.threshold, result.burst_window) == pytest.approx((16.5, 9.25, 18))
    assert result.duration[2:] == pytest.approx(
        [0.2 * math.log(9.25), 0, 0.2 * 0.75, (18.5**2 - 100) / 2 / 50]
    )
    assert result.packets[2:] == pytest.approx([8.25, 0, (100 - 9.25**2) / 2, (18.5**2 - 100) / 2])
    mean_window = 2 / 3 * (18.5**2 + 18.5 * 10 + 100) / 28.5
    assert result.delay[5] == pytest.approx((mean_window - 0.5) / 50)


def test_two_slow_starts_that_do_not_queue() -> None:
    """Section 4 by hand: mu 100, lambda 0, B 5 give W~ 20, W_max 27, W_th 13.5, W_b 10, W~_th 5."""
    result = cycle(Path.of(5, 100, 0, 0.0475, 0.0475))
    assert result.two_slow_starts
    assert result.duration == pytest.approx(
        [0.2 * math.log(10), 0, 0.2 * math.log(5), 0, 0.2 * 15, (27**2 - 400) / 200]
    )
    assert result.packets == pytest.approx([9, 0, 4, 0, (400 - 25) / 2, (27**2 - 400) / 2])
    assert result.delay[[0, 2, 4]] == pytest.approx(0.2)


def test_first_slow_start_that_queues() -> None:
    """Section 4 by hand: mu 100, lambda 0, T 0.015, B 1 give W~ 1.5 < W_b 2 <= W_th 2.25."""
    result = cycle(Path.of(1, 100, 0, 0.00125, 0.00125))
    assert result.two_slow_starts
    assert result.duration[:2] == pytest.approx([0.015 * math.log(1.5), 0.005])
    assert result.packets[:2] == pytest.approx([0.5, 0.5])
    assert result.delay[1] == pytest.approx(1.5 / 200 + 0.01 - 0.00125)


def test_nine_cases_have_the_printed_number_of_slow_starts() -> None:
    """Section 5: two in cases 1, 3, 6 and 9, one in the others, and criterion (26) says so too."""
    assert cycle(table_1()).two_slow_starts.tolist() == TWO_SLOW_STARTS
    assert slow_start_loss(table_1()).tolist() == TWO_SLOW_STARTS


def test_printed_round_trip_times_come_out_within_their_own_error_column() -> None:
    """The paper calls round-trip times within 7.5 % of the simulated ones a good correlation."""
    assert cycle(table_1()).mean_delay == pytest.approx(TABLE_1[:, 7], rel=0.075)


@given(buffer=st.integers(1, 100), bandwidth_delay=st.floats(1, 1000))
def test_criterion_without_exogenous_traffic_is_one_third(buffer: int, bandwidth_delay: float) -> None:
    """Lakshman and Madhow 1994, as quoted below equation (26): beta <= 1/3."""
    path = Path.of(buffer, 100, 0, bandwidth_delay / 400, bandwidth_delay / 400)
    beta = buffer / (bandwidth_delay + 1)
    assert slow_start_loss(path) == (beta <= 1 / 3)


@pytest.mark.parametrize("case", range(9))
def test_phases_solve_the_differential_equations(case: int) -> None:
    """Equations (18) and (19) integrated numerically from a window of one to W_max give T_i and N_i."""
    buffer, _, mu, exogenous, before, after = TABLE_1[case, :6]
    result = cycle(Path.of(buffer, mu, exogenous, before, after))
    threshold = result.burst_window / 2 if result.two_slow_starts else result.threshold
    round_trip = 2 * (before + after) + 1 / mu
    pipe = round_trip * (mu - exogenous)

    def slopes(_: float, state: np.ndarray) -> list[float]:
        window = state[0]
        slow_start = window < threshold
        queueing_rate = mu - exogenous / 2 if slow_start else mu - exogenous
        rate = window / round_trip if window < pipe else queueing_rate
        return [rate if slow_start else rate / window, rate]

    def peak(_: float, state: np.ndarray) -> float:
        return float(state[0] - result.peak_window)

    peak.terminal = True  # type: ignore[attr-defined]
    solution = solve_ivp(slopes, (0, 100), [1, 0], events=peak, rtol=1e-9, atol=1e-9, max_step=0.01)
    second_part = slice(Phase.SLOW_START, None)
    assert solution.t_events[0][0] == pytest.approx(result.duration[second_part].sum(), rel=1e-3)
    assert solution.y_events[0][0][1] == pytest.approx(result.packets[second_part].sum(), rel=1e-3)


@given(paths)
def test_a_sender_with_this_window_carries_the_packets(path: Path) -> None:
    """A window a round trip (13), or what TCP gets of a busy link (17)."""
    result = cycle(path)
    drawn = curves(path, result, 20001)
    step = drawn.time[1] - drawn.time[0]
    # Where one phase gives way to the next the rate may jump, by no more than the link's.
    jumps = len(Phase) * float(step * path.service_rate)
    phase = np.searchsorted(np.cumsum(result.duration), drawn.time).clip(max=Phase.AVOIDANCE_QUEUEING)
    busy = path.available_rate + np.where(phase < Phase.AVOIDANCE, path.exogenous_rate / 2, 0)
    throughput = np.where(phase % 2 == 1, busy, drawn.window / result.round_trip)
    assert np.trapezoid(throughput, drawn.time) == pytest.approx(result.packets.sum(), rel=1e-3, abs=jumps)
    assert drawn.window[0] == pytest.approx(1)
    assert drawn.window.max() <= result.peak_window * (1 + 1e-12)
    assert drawn.window[-1] == pytest.approx(result.peak_window)


@pytest.mark.parametrize("case", range(9))
def test_delay_is_the_round_trip_and_the_mean_queue(case: int) -> None:
    """Equation (21), with the queue of (24), integrated numerically over congestion avoidance gives R_3."""
    buffer, _, mu, exogenous, before, after = TABLE_1[case, :6]
    path = Path.of(buffer, mu, exogenous, before, after)
    result = cycle(path)
    phase = Phase.AVOIDANCE_QUEUEING
    duration = float(result.duration[phase])

    def queue(elapsed: float) -> float:
        window = float(window_after(path, result, phase, np.asarray(elapsed)))
        tau = result.round_trip - 1 / mu
        return float(np.maximum(mu / (mu - exogenous) * (window - 1) - mu * tau, 0))

    # The closed form lets the queue fall below zero by what a packet's own place in the window makes of it.
    deepest = 1 / (mu - exogenous)
    mean_queue = quad(queue, 0, duration)[0] / duration
    assert result.round_trip + mean_queue / mu == pytest.approx(result.delay[phase], abs=deepest / 10)


def test_arrays_give_what_single_paths_give() -> None:
    together = cycle(table_1())
    for case, row in enumerate(TABLE_1):
        alone = cycle(Path.of(row[0], row[2], row[3], row[4], row[5]))
        assert together.throughput[case] == alone.throughput
        assert together.mean_delay[case] == alone.mean_delay


def test_figure_4_theorem_alone_falls_with_the_delay_and_exceeds_one_near_zero() -> None:
    """Section 3 on figure 4 (B 20, service time 1): what the text says of the drawn curves."""
    tau = np.linspace(0.5, 200, 100)[:, None]
    exogenous = np.array([0, 0.2, 0.5, 0.7])
    path = Path.of(20, 1, exogenous, tau / 4, tau / 4)
    share = cycle(path, one_slow_start=True).throughput / path.available_rate
    assert (np.diff(share, axis=0) < 0).all()
    assert (np.diff(share[0]) > 0).all()
    assert (np.diff(share[-1]) < 0).all()
    assert share[0, -1] > 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"exogenous_rate": 60}, "exogenous rate must be less"),
        ({"exogenous_rate": -1}, "exogenous rate must be at least 0"),
        ({"delay_before": -0.1}, "delays"),
        ({"delay_after": -0.1}, "delays"),
        ({"buffer": 0.5}, "buffer must be at least 1"),
        ({"service_rate": 0}, "service rate"),
        ({"access_rate": 0}, "access rate"),
        ({"buffer": math.nan}, "buffer"),
    ],
)
def test_impossible_paths_are_refused(change: dict[str, float], message: str) -> None:
    good = {"buffer": 10, "service_rate": 60, "exogenous_rate": 22, "delay_before": 0.1, "delay_after": 0.1}
    with pytest.raises(ValueError, match=message):
        Path.of(**(good | change))


def point(**changes: object) -> dict:
    """Case 4 of table 1 as a point of docs/formats.md; changes by path, with __ for the slashes."""
    document = dumbbell(
        60 * 4608,
        10,
        {"variant": "tahoe"},
        delays=(0.15, 0.15, 0, 0.3),
        access=150 * 4608,
        packet_bytes=576,
        cross_traffic={"kind": "deterministic", "rate_bit_per_s": 22 * 4608},
        stop={"duration_s": 1000, "warmup_s": 100},
    )
    return changed(document, {path.replace("__", "/"): value for path, value in changes.items()})


def test_points_become_paths() -> None:
    (answer,) = shared_bottleneck.predict([point()])
    expected = cycle(table_1())
    assert answer["metrics"]["goodput"] == {
        "unit": "packets/s",
        "value": pytest.approx(expected.throughput[3]),
    }
    assert answer["metrics"]["rtt_path_mean"] == {"unit": "s", "value": pytest.approx(expected.mean_delay[3])}
    assert answer["metrics"]["slow_starts_per_cycle"]["value"] == 1
    assert shared_bottleneck.predict([]) == []


@cases("model_shared_bottleneck.points_that_the_model_cannot_answer_are_refused")
def test_points_that_the_model_cannot_answer_are_refused(path: str, value: object, message: str) -> None:
    with pytest.raises(PointError) as error:
        shared_bottleneck.check(point(**{path: value}))
    assert re.match(message, f"{error.value.paths[0]}: {error.value}")


def test_the_transmission_of_acknowledgements_is_no_propagation() -> None:
    """The way back is longer by what 40 bytes take on the three links: the model does not see them."""
    plain = point()
    rates = [link["rate_bit_per_s"] for link in (plain["sources"][0]["access"], *plain["links"].values())]
    back = 0.3 + sum(8 * 40 / rate for rate in rates)
    acknowledged = point(ack_bytes=40, return_delay_s=back)
    assert shared_bottleneck.predict([acknowledged]) == shared_bottleneck.predict([plain])
    with pytest.raises(PointError, match=r"the way back takes 0\.3"):
        shared_bottleneck.check(point(return_delay_s=back))


def test_a_slow_access_link_is_warned_of() -> None:
    """Table 2, case 1: the model ignores BW_in, and says so where that matters."""
    with pytest.warns(UserWarning, match=r"links\.access\.rate: 20 packets/s .* ignores it"):
        shared_bottleneck.predict([point(sources__0__access={"rate_bit_per_s": 20 * 4608, "delay_s": 0.15})])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared_bottleneck.predict([point()])
