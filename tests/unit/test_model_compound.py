"""The six cases, their means and what the model answers to a point."""

import numpy as np
import pytest
from conftest import cases, changed, data
from dumbbell import dumbbell
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models import compound, compound_cycles
from tcpatlas.models.compound.cases import NO_CASE, loss_cycle, select_case
from tcpatlas.models.compound.oscillation import settle
from tcpatlas.models.compound.parameters import Parameters
from tcpatlas.models.compound.window_map import MODULE
from tcpatlas.models.compound.window_trace import window_trace
from tcpatlas.points.errors import PointError

POINT = dumbbell(
    100e6,
    80,
    data("model_compound.point"),
    delays=(0, 0.025, 0, 0.025),
    access=1e11,
    egress=1e11,
)

# Mbit/s, s, packets, packets, and the case: the settings of figures 6 to 11.
FIGURES = {
    "figure-06": (100, 0.05, 10, 30, 1),
    "figure-07": (100, 0.05, 25, 30, 2),
    "figure-08": (50, 0.02, 85, 90, 3),
    "figure-09": (100, 0.05, 80, 30, 4),
    "figure-10": (100, 0.05, 420, 30, 5),
    "figure-11": (100, 0.05, 500, 30, 6),
}


def cycle_of(mbit_per_s, propagation, buffer, gamma):
    parameters = Parameters(gamma=gamma)
    rate = mbit_per_s * 1e6 / 12000
    oscillation = settle(parameters, rate * propagation, MODULE)
    cycle = loss_cycle(parameters, rate, propagation, buffer, oscillation.highest, oscillation.mean)
    return cycle, oscillation


@pytest.mark.parametrize("figure", FIGURES)
def test_the_settings_of_figures_6_to_11_are_the_six_cases(figure):
    *setting, case = FIGURES[figure]
    cycle, _ = cycle_of(*setting)
    assert cycle.case.tolist() == [case]
    # Which phases a case consists of (sections 4.1 to 4.6).
    phases = {1: [1], 2: [1, 2], 3: [2], 4: [1, 2, 3, 4], 5: [2, 3, 4], 6: [4]}[case]
    assert [phase for phase in (1, 2, 3, 4) if cycle.durations[phase - 1, 0] > 0] == phases


def test_the_case_map_follows_the_printed_inequalities():
    bdp, gamma, beta = 1000.0, 30.0, 0.4
    theta_max = 1090.0
    parameters = Parameters(beta=beta)
    borders = [bdp**0.75 / 8, theta_max - bdp, beta / (1 - beta) * bdp, (beta * bdp + gamma) / (1 - beta)]
    assert borders == sorted(borders)
    just_above = [select_case(parameters, bdp, border * 1.0001, theta_max).item() for border in borders]
    just_below = [select_case(parameters, bdp, border * 0.9999, theta_max).item() for border in borders]
    assert just_below == [1, 2, 4, 5]
    assert just_above == [2, 4, 5, 6]


def test_there_is_no_case_where_theta_max_decides_and_is_unknown():
    cases = select_case(Parameters(), 1000.0, [10.0, 25.0, 200.0, 5000.0], np.nan)
    assert cases.tolist() == [1, 2, NO_CASE, 6]
    cycle = loss_cycle(Parameters(), 20000, 0.05, 200, np.nan, np.nan)
    assert np.isnan(cycle.throughput)
    assert np.isnan(cycle.mean_backlog)


@given(
    mbit_per_s=st.floats(5, 2000),
    propagation=st.sampled_from([0.01, 0.05, 0.2]),
    buffer=st.floats(1, 3000),
    gamma=st.floats(5, 90),
)
def test_means_stay_within_link_and_buffer(mbit_per_s, propagation, buffer, gamma):
    cycle, _ = cycle_of(mbit_per_s, propagation, buffer, gamma)
    assert 0 < cycle.throughput[0] <= 1 + 1e-9
    assert -1e-9 <= cycle.mean_backlog[0] <= buffer
    assert np.all(cycle.durations >= 0)
    if cycle.case[0] in (3, 5, 6):  # the buffer never empties
        assert cycle.throughput[0] == pytest.approx(1)


def test_with_a_small_buffer_a_fast_link_is_used_to_about_three_quarters():
    """Phase 1 from half a window to a whole one, in closed form; recovery and backlog vanish beside it."""
    limit = (0.25 / 1.25) * (1 - 0.5**1.25) / (1 - 0.5**0.25)
    rate = 1e10
    cycle = loss_cycle(Parameters(), rate, 0.05, 1.01 * (rate * 0.05) ** 0.75 / 8, np.inf, np.nan)
    assert cycle.case == 2
    assert cycle.throughput == pytest.approx(limit, rel=0.02)
    assert limit == pytest.approx(0.75, abs=0.03)


def test_case_6_is_renos_sawtooth():
    """The backlog of a sawtooth, by quadrature."""
    cycle, _ = cycle_of(*FIGURES["figure-11"][:4])
    rate, bdp, top = 100e6 / 12000, 100e6 / 12000 * 0.05, 500 + 100e6 / 12000 * 0.05
    windows = np.linspace(top / 2, top, 100001)
    growing = np.trapezoid((windows - bdp) * windows / rate, windows)
    falling = np.trapezoid(np.maximum(500 - np.arange(0, top / 2, 0.01), 0), dx=0.01 / rate)
    flat = top / 2 / rate * (500 - top / 2)
    duration = (top**2 - (top / 2) ** 2) / (2 * rate) + top / rate
    assert cycle.duration[0] == pytest.approx(duration)
    assert cycle.mean_backlog[0] == pytest.approx((growing + falling + flat) / duration, rel=1e-4)


@pytest.mark.parametrize("figure", FIGURES)
def test_the_trace_is_one_cycle_of_the_same_length(figure):
    mbit_per_s, propagation, buffer, gamma, _ = FIGURES[figure]
    cycle, oscillation = cycle_of(mbit_per_s, propagation, buffer, gamma)
    times, windows = window_trace(Parameters(gamma=gamma), cycle, propagation, oscillation.mean[0])
    assert times[0] == 0
    assert times[-1] == pytest.approx(cycle.duration[0])
    assert np.all(np.diff(times) >= 0)
    assert windows.max() == pytest.approx(cycle.window_at_loss[0])
    assert [windows[0], windows[-1]] == pytest.approx([cycle.window_at_loss[0] / 2, cycle.window_at_loss[0]])
    twice, _ = window_trace(Parameters(gamma=gamma), cycle, propagation, oscillation.mean[0], cycles=2)
    assert twice[-1] == pytest.approx(2 * times[-1])


def test_a_plane_of_500_by_500_is_one_call():
    bdp, buffer = np.logspace(1, 4, 500), np.logspace(0, 4, 500)
    oscillation = settle(Parameters(), bdp, MODULE)
    case = select_case(Parameters(), bdp[:, None], buffer[None, :], oscillation.highest[:, None])
    assert case.shape == (500, 500)
    assert set(np.unique(case)) == {1, 2, 3, 4, 5, 6}


def test_a_point_that_asks_for_it_gets_the_window_against_time():
    traced = POINT | {"probes": [{"kind": "window-trace"}]}
    plain, prediction = compound.predict([POINT, traced])
    assert "traces" not in plain
    trace = prediction["traces"]["window"]
    assert trace["time_s"][-1] == pytest.approx(5 * prediction["metrics"]["loss_interval"]["value"])
    assert max(trace["value"]) == pytest.approx(prediction["metrics"]["window_at_loss"]["value"])


def test_borders_are_where_the_case_changes():
    metrics = compound.predict([POINT])[0]["metrics"]
    bdp = 100e6 * 0.05 / 12000
    assert metrics["border_bursts"]["value"] == pytest.approx(bdp**0.75 / 8)
    assert metrics["border_oscillation"]["value"] == pytest.approx(metrics["theta_max"]["value"] - bdp)
    assert metrics["border_empties"]["value"] == pytest.approx(bdp)
    assert metrics["border_linear"]["value"] == pytest.approx(bdp + 60)


def test_the_type_by_figure_3_is_told_where_there_is_one():
    """Section 3.3: 3:1 from 312 to 545 packets, 5:2 whenever it exists; at 532 no cycle closes."""
    points = [
        changed(POINT, {"links/bottleneck/rate_bit_per_s": packets * 12000 / 0.05})
        for packets in (417, 565, 532)
    ]
    types = [
        [prediction["metrics"].get(f"priority_{name}", {}).get("value") for name in ("growths", "cuts")]
        for prediction in compound.predict(points)
    ]
    assert types == [[3, 1], [5, 2], [None, None]]
    by_floats = changed(points[0], {"sources/0/tcp/arithmetic": "float"})
    assert "priority_growths" not in compound.predict([by_floats])[0]["metrics"]


def test_predictions_come_in_the_order_of_the_points():
    other = changed(POINT, {"sources/0/tcp/gamma_packets": 5})
    third = changed(POINT, {"links/bottleneck/buffer_packets": 500})
    predictions = compound.predict([POINT, other, third])
    assert [prediction["metrics"]["case"]["value"] for prediction in predictions] == [4, 4, 6]
    alone = compound.predict([third])[0]
    assert predictions[2] == alone
    assert predictions[0]["metrics"]["theta_max"]["value"] > predictions[1]["metrics"]["theta_max"]["value"]


@cases("model_compound.a_point_that_the_model_cannot_answer_is_named")
def test_a_point_that_the_model_cannot_answer_is_named(path, value, message):
    point = changed(POINT, {path: value})
    for model in (compound, compound_cycles):
        with pytest.raises(PointError) as caught:
            model.check(point)
        line = f"{caught.value.paths[0]}: {caught.value}"
        assert message in line
        assert "\n" not in line


def test_a_buffer_below_one_packet_is_refused():
    with pytest.raises(ValueError, match=r"^links\.bottleneck\.buffer: is 0\.5; allowed: at least 1 packet$"):
        select_case(Parameters(), 100.0, 0.5, 140.0)


def test_capacities_at_which_behaviour_changes_are_the_papers_within_3_mbit_per_s():
    point = changed(POINT, {"links/bottleneck/buffer_packets": 100})
    metrics = compound_cycles.predict([point])[0]["metrics"]
    for name, mbit_per_s in (
        ("capacity_low_5_2", 131),
        ("capacity_low_4_2", 138),
        ("capacity_overflow_4_2", 273),
        ("capacity_low_3_2", 320),
        ("capacity_overflow_3_2", 400),
    ):
        assert metrics[name]["value"] / 1e6 == pytest.approx(mbit_per_s, abs=3), name
