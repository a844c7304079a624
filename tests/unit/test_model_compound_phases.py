"""The closed forms of the four phases, against the differential equations that they solve."""

import numpy as np
import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

from tcpatlas.models.compound.parameters import Parameters
from tcpatlas.models.compound.phases import (
    ConstantWindow,
    EmptyBuffer,
    GrowingBacklog,
    LinearGrowth,
    Recovery,
    loss_window_growth,
)

RATE = 100e6 / 12000
PROPAGATION = 0.05

windows = st.floats(10, 1000)
exponents = st.floats(0.3, 0.9)


def integrate(slope, start, duration):
    """Solve dw/dt = slope(w); returns the final window and the integral of the window."""
    solution = solve_ivp(lambda _, y: [slope(y[0]), y[0]], (0, duration), [start, 0], rtol=1e-10, atol=1e-10)
    return solution.y[:, -1]


# A phase, and what the window grows by a second when it is `w`.
PHASES = {
    "1": (
        lambda given: EmptyBuffer(given, PROPAGATION),
        lambda given, w: given.alpha * w**given.k / PROPAGATION,
    ),
    "2": (
        lambda given: GrowingBacklog(given, RATE),
        lambda given, w: given.alpha * RATE * w ** (given.k - 1),
    ),
    "4": (lambda given: LinearGrowth(RATE), lambda given, w: RATE / w),
}


@pytest.mark.parametrize(("make", "slope"), PHASES.values(), ids=PHASES)
@given(start=windows, growth=st.floats(1.05, 3), k=exponents)
def test_a_phase_solves_its_differential_equation(make, slope, start, growth, k):
    parameters = Parameters(k=k)
    phase = make(parameters)
    end = start * growth
    duration = phase.duration(start, end)
    window, integral = integrate(lambda w: slope(parameters, w), start, duration)
    assert window == pytest.approx(end, rel=1e-6)
    assert phase.window(duration, start) == pytest.approx(end, rel=1e-9)
    if isinstance(phase, EmptyBuffer):
        assert phase.sent(start, end) == pytest.approx(integral / PROPAGATION, rel=1e-6)
    else:
        assert phase.window_integral(start, end) == pytest.approx(integral, rel=1e-6)


@given(start=windows, growth=st.floats(1.05, 2), k=exponents)
def test_the_loss_window_grows_by_a_packet_a_round_trip(start, growth, k):
    parameters, end = Parameters(k=k), start * growth
    phase = GrowingBacklog(parameters, RATE)
    grown, _ = quad(lambda t: RATE / phase.window(t, start), 0, phase.duration(start, end))
    assert loss_window_growth(parameters, start, end) == pytest.approx(grown, rel=1e-6)


def test_phase_3_lasts_until_the_loss_window_is_the_whole_window():
    phase = ConstantWindow(RATE)
    duration = phase.duration(272.0, 439.0)
    # One packet a round trip of 439 packets.
    assert duration == pytest.approx((439 - 272) * 439 / RATE)
    assert phase.duration(500.0, 439.0) == 0


def test_what_phase_1_sends_is_within_a_window_of_equation_4s_sum_over_round_trips():
    phase, start, end = EmptyBuffer(Parameters(), PROPAGATION), 250.0, 416.0
    duration = float(phase.duration(start, end))
    rounds = int(duration // PROPAGATION)
    windows = phase.window(duration - PROPAGATION * np.arange(rounds + 1), start)
    begun = start / PROPAGATION * (duration - rounds * PROPAGATION)
    assert begun + windows.sum() - start == pytest.approx(float(phase.sent(start, end)), abs=end)


@pytest.mark.parametrize(("window", "backlog"), [(500.0, 83.0), (917.0, 500.0), (500.0, 0.0)])
def test_the_backlog_in_recovery_follows_silence_and_sending(window, backlog):
    parameters = Parameters()
    recovery = Recovery(parameters, RATE)
    times = np.linspace(0, window / RATE, 200001)
    silence = parameters.beta * window / RATE
    expected = np.trapezoid(np.maximum(backlog - RATE * np.minimum(times, silence), 0), times)
    assert recovery.backlog_integral(window, backlog) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    # Silence, then sending at the bottleneck's rate, fill the round trip.
    assert silence + recovery.sent(window) / RATE == pytest.approx(recovery.duration(window))


def test_the_growth_at_a_window_of_1500_is_the_papers():
    parameters = Parameters()
    assert parameters.alpha * 1500**parameters.k == pytest.approx(30.13, abs=0.005)


@cases("model_compound_phases.parameters_outside_their_limits_are_refused_by_name")
def test_parameters_outside_their_limits_are_refused_by_name(key, value):
    with pytest.raises(ValueError, match=rf"^tcp\.{key}: is {value}; allowed: [^\n]+$"):
        Parameters(**{key: value})


@pytest.mark.parametrize(("key", "value"), [("alpha", 0.1), ("alpha", 2), ("k", 0.8), ("zeta", 0.5)])
def test_parameters_that_integers_cannot_express_are_refused_by_name(key, value):
    with pytest.raises(ValueError, match=rf"^tcp\.{key}: is {value}; allowed with arithmetic linux: [^\n]+$"):
        Parameters(**{key: value}).check_integers()
