"""Distributions of the RTT and of the throughput, against quadrature, scipy and closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from tcpatlas.models.markov.cwnd import Basis, Cwnd, cwnd_distribution
from tcpatlas.models.markov.loss import LossPattern
from tcpatlas.models.markov.rtt import EmpiricalRtt, MixtureRtt, NormalRtt
from tcpatlas.models.markov.throughput import Throughput

SAMPLES = [0.05, 0.06, 0.06, 0.09, 0.4]
CUT_NORMAL = stats.truncnorm(-2, np.inf, 0.06, 0.03)
LAWS = [
    NormalRtt(0.06, 0.03),
    EmpiricalRtt(SAMPLES),
    MixtureRtt([NormalRtt(0.06, 0.01), EmpiricalRtt([0.4])], [0.9, 0.1]),
]
ONE_WINDOW = Cwnd(np.array([0.0] * 28 + [1.0]))  # always 30 segments


def test_a_normal_rtt_is_scipys():
    law = NormalRtt(0.06, 0.03)
    times = np.array([-0.01, 0.0, 0.001, 0.03, 0.06, 0.1, 0.25])
    np.testing.assert_allclose(law.at_most(times), CUT_NORMAL.cdf(times), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(law.below(times), CUT_NORMAL.cdf(times), rtol=1e-9, atol=1e-15)
    assert law.mean_of_longer(0) == pytest.approx(CUT_NORMAL.mean(), rel=1e-9)


def test_partial_moments_are_those_of_quadrature():
    law = NormalRtt(0.06, 0.03)
    bounds = np.array([0.2, 0.002, 0.03, 0.06, 0.07])
    first, second = law.inverse_moments(bounds)
    longer = law.mean_of_longer(bounds)
    for i, bound in enumerate(bounds):

        def integral(function, bound=bound):
            points = [x for x in (0.01, 0.05, 0.1, 0.3) if x > bound]
            return quad(
                lambda x: function(x) * CUT_NORMAL.pdf(x),
                bound,
                3,
                points=points,
                epsabs=0,
                epsrel=1e-10,
                limit=400,
            )[0]

        assert first[i] == pytest.approx(integral(lambda x: 1 / x), rel=1e-8)
        assert second[i] == pytest.approx(integral(lambda x: 1 / x**2), rel=1e-8)
        excess = integral(lambda x, bound=bound: x - bound)
        assert longer[i] - bound == pytest.approx(excess, rel=1e-7, abs=1e-15)


def test_a_narrow_normal_rtt_far_from_the_bounds():
    law = NormalRtt(1.0, 1e-4)
    first, second = law.inverse_moments(np.array([1e-6, 0.5, 0.9999, 1.1]))
    # E(1 / R) = (1 + s^2 + 3 s^4 + ...) / m with s = sd / m.
    assert first[:2] == pytest.approx(1 + 1e-8, rel=1e-12)
    assert second[:2] == pytest.approx(1 + 3e-8, rel=1e-12)
    assert first[2] == pytest.approx(stats.norm.cdf(1), rel=1e-3)
    assert first[3] == 0


def test_measured_samples_are_frequencies():
    law = EmpiricalRtt(SAMPLES)
    assert law.at_most([0.04, 0.05, 0.06, 1]).tolist() == [0, 0.2, 0.6, 1]
    assert law.below([0.05, 0.06, 0.061]).tolist() == [0, 0.2, 0.6]
    assert law.mean_of_longer(0.08) == pytest.approx((3 * 0.08 + 0.09 + 0.4) / 5)
    first, second = law.inverse_moments(0.06)
    assert (first, second) == pytest.approx(
        ((1 / 0.09 + 1 / 0.4) / 5, (1 / 0.09**2 + 1 / 0.4**2) / 5), rel=1e-12
    )


def test_a_mixture_is_the_mean_of_its_laws():
    law = MixtureRtt([EmpiricalRtt([0.1]), EmpiricalRtt([0.2])], [0.25, 0.75])
    same = EmpiricalRtt([0.1, 0.2, 0.2, 0.2])
    times = np.array([0.0, 0.1, 0.15, 0.2])
    for name in ("at_most", "below", "mean_of_longer", "inverse_moments"):
        np.testing.assert_allclose(getattr(law, name)(times), getattr(same, name)(times), rtol=1e-12)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("p", [0.0003, 0.01, 0.3])
def test_moments_are_integrals_of_the_distribution(law, p):
    link = 500.0
    throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(p, 40), Basis.ROUNDS), law, link)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(0, link, 501)  # an RTT of measured samples makes steps: many short panels
    x = (edges[:-1, None] + edges[1:, None] + np.diff(edges)[:, None] * nodes) / 2
    steps = np.diff(edges)[:, None] / 2 * weights
    above = throughput.above(x)
    precision = 1e-9 if isinstance(law, NormalRtt) else 2e-3
    assert throughput.mean == pytest.approx((steps * above).sum(), rel=precision)
    square = (2 * steps * x * above).sum()
    assert throughput.standard_deviation**2 + throughput.mean**2 == pytest.approx(square, rel=precision)


@pytest.mark.parametrize("law", LAWS)
def test_the_distribution_is_one(law):
    throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(0.01, 40), Basis.ROUNDS), law, 300.0)
    x = np.linspace(-1, 301, 1000)
    below, above = throughput.below(x), throughput.above(x)
    assert np.all(np.diff(below) >= -1e-12)
    assert np.all(np.diff(above) <= 1e-12)
    assert (below[0], above[0]) == (0, 1)
    assert (below[-1], above[-1]) == (1, 0)
    assert np.all(below + above <= 1 + 1e-12)
    assert throughput.above(300) == 0 < 1 - throughput.below(300)


def test_equation_5_3_for_one_window():
    """The throughput of 30 segments is below x where the RTT is above 30 / x."""
    throughput = Throughput(ONE_WINDOW, NormalRtt(0.06, 0.03))
    x = np.array([100.0, 400.0, 1000.0])
    np.testing.assert_allclose(throughput.below(x), CUT_NORMAL.sf(30 / x), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(throughput.above(x), CUT_NORMAL.cdf(30 / x), rtol=1e-9)


def test_measured_rtts_make_steps():
    throughput = Throughput(Cwnd(np.array([0.5, 0.5])), EmpiricalRtt([0.1, 0.2]))  # 2 or 3 segments
    assert throughput.below([10, 15, 20, 30, 31]).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert throughput.above([10, 30]).tolist() == [0.75, 0]
    assert throughput.mean == pytest.approx((10 + 15 + 20 + 30) / 4)
    assert throughput.standard_deviation == pytest.approx(np.std([10, 15, 20, 30]))
    limited = Throughput(throughput.cwnd, throughput.rtt, link=18.0)
    assert limited.mean == pytest.approx((10 + 15 + 18 + 18) / 4)
    assert limited.standard_deviation == pytest.approx(np.std([10, 15, 18, 18]))


def test_without_loss_a_slow_link_is_always_full():
    for law in LAWS:
        throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(0, 1000), Basis.ROUNDS), law, 50.0)
        assert throughput.mean == pytest.approx(50, rel=1e-9)
        assert throughput.standard_deviation < 1e-3


@given(p=st.floats(0, 0.9), max_window=st.integers(2, 100), link=st.floats(5, 5000))
def test_the_mean_is_below_the_link_and_above_that_of_the_mean_rtt(p, max_window, link):
    """Chapter 2 and section 7.3: E(T) <= L, and E(T) >= E(w) / E(RTT) as long as no link limits it."""
    cwnd = cwnd_distribution(LossPattern.bernoulli(p, max_window), Basis.ROUNDS)
    for law in LAWS:
        assert Throughput(cwnd, law, link).mean <= link * (1 + 1e-12)
    free = Throughput(cwnd, EmpiricalRtt(SAMPLES))
    assert free.mean == pytest.approx(cwnd.mean * np.mean(1 / np.array(SAMPLES)), rel=1e-9)
    assert free.mean >= cwnd.mean / np.mean(SAMPLES)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NormalRtt(0, 1), "RTT mean: is 0; allowed"),
        (lambda: NormalRtt(1, -1), "RTT standard deviation: is -1; allowed"),
        (lambda: EmpiricalRtt([]), "RTT samples: allowed"),
        (lambda: EmpiricalRtt([0.1, 0.0]), "RTT samples: allowed"),
        (lambda: MixtureRtt([EmpiricalRtt([1])], [0.5]), r"RTT shares: are \[0.5\]; allowed"),
        (lambda: Throughput(ONE_WINDOW, LAWS[0], 0), "link: is 0; allowed"),
        (lambda: Throughput(ONE_WINDOW, LAWS[0]).mean, "has no mean for a normal RTT; allowed: a link"),
    ],
)
def test_bad_values_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
