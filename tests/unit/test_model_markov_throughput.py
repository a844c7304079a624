"""Distributions of the RTT and of the throughput, against quadrature, scipy and closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from tcpatlas.models.markov.cwnd import ROUNDS, Cwnd, cwnd_distribution
from tcpatlas.models.markov.loss import LossPattern
from tcpatlas.models.markov.rtt import EmpiricalRtt, LogNormalRtt, MixtureRtt, NormalRtt, mean_rtt
from tcpatlas.models.markov.throughput import Throughput

SAMPLES = [0.05, 0.06, 0.06, 0.09, 0.4]
CUT_NORMAL = stats.truncnorm(-2, np.inf, 0.06, 0.03)
SIGMA = math.sqrt(math.log1p(0.25))
LOG_NORMAL = stats.lognorm(SIGMA, scale=0.06 * math.exp(-(SIGMA**2) / 2))
CONTINUOUS = [(NormalRtt(0.06, 0.03), CUT_NORMAL), (LogNormalRtt(0.06, 0.03), LOG_NORMAL)]
LAWS = [
    NormalRtt(0.06, 0.03),
    NormalRtt(0.06, 0.03, "zero"),
    LogNormalRtt(0.06, 0.03),
    EmpiricalRtt(SAMPLES),
    MixtureRtt([NormalRtt(0.06, 0.01), EmpiricalRtt([0.4])], [0.9, 0.1]),
]
ONE_WINDOW = Cwnd(np.array([0.0] * 28 + [1.0]))  # always 30 segments


@pytest.mark.parametrize(("law", "reference"), CONTINUOUS)
def test_a_law_is_scipys(law, reference):
    times = np.array([-0.01, 0.0, 0.001, 0.03, 0.06, 0.1, 0.25])
    np.testing.assert_allclose(law.at_most(times), reference.cdf(times), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(law.below(times), reference.cdf(times), rtol=1e-9, atol=1e-15)
    assert mean_rtt(law) == pytest.approx(reference.mean(), rel=1e-9)


@pytest.mark.parametrize(("law", "reference"), CONTINUOUS)
def test_partial_moments_are_those_of_quadrature(law, reference):
    bounds = np.array([0.2, 0.002, 0.03, 0.06, 0.07])
    first, second = law.inverse_moments(bounds)
    longer = law.mean_of_longer(bounds)
    for i, bound in enumerate(bounds):

        def integral(function, bound=bound):
            points = [x for x in (0.01, 0.05, 0.1, 0.3) if x > bound]
            return quad(
                lambda x: function(x) * reference.pdf(x),
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


def test_a_normal_rtt_not_above_0_is_excluded_or_counts_as_0():
    excluded, zero = NormalRtt(0.06, 0.03), NormalRtt(0.06, 0.03, "zero")
    nonpositive = stats.norm.cdf(-2)
    assert zero.at_most(0) == pytest.approx(nonpositive)
    assert zero.below(0) == excluded.at_most(0) == 0
    assert zero.at_most(0.05) == pytest.approx(stats.norm.cdf(0.05, 0.06, 0.03))
    assert mean_rtt(excluded) * (1 - nonpositive) == pytest.approx(mean_rtt(zero))
    # The sender is then at its link rate, so what is excluded only scales the rest.
    with_zero, without = (Throughput(ONE_WINDOW, law, 200).mean for law in (zero, excluded))
    assert with_zero == pytest.approx(nonpositive * 200 + (1 - nonpositive) * without, rel=1e-12)


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
    throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(p, 40), ROUNDS), law, link)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(0, link, 501)  # an RTT of measured samples makes steps: many short panels
    x = (edges[:-1, None] + edges[1:, None] + np.diff(edges)[:, None] * nodes) / 2
    steps = np.diff(edges)[:, None] / 2 * weights
    above = throughput.above(x)
    precision = 1e-9 if isinstance(law, NormalRtt | LogNormalRtt) else 2e-3
    assert throughput.mean == pytest.approx((steps * above).sum(), rel=precision)
    square = (2 * steps * x * above).sum()
    assert throughput.standard_deviation**2 + throughput.mean**2 == pytest.approx(square, rel=precision)


@pytest.mark.parametrize("law", LAWS)
def test_the_distribution_is_one(law):
    throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(0.01, 40), ROUNDS), law, 300.0)
    x = np.linspace(-1, 301, 1000)
    at_most = throughput.at_most(x)
    assert np.all(np.diff(at_most) >= -1e-12)
    assert at_most[0] == 0
    assert at_most[-1] == 1
    np.testing.assert_allclose(at_most + throughput.above(x), 1, rtol=0, atol=1e-12)
    assert np.all(throughput.below(x) <= at_most + 1e-12)
    assert throughput.at_most(300) == 1 > throughput.below(300)


def test_equation_5_3_for_one_window_and_a_lognormal_rtt():
    """w / RTT is then lognormal too."""
    throughput = Throughput(ONE_WINDOW, LogNormalRtt(0.06, 0.03))
    reference = stats.lognorm(SIGMA, scale=30 / LOG_NORMAL.median())
    x = np.array([100.0, 400.0, 1000.0])
    np.testing.assert_allclose(throughput.below(x), reference.cdf(x), rtol=1e-12)
    np.testing.assert_allclose(throughput.above(x), reference.sf(x), rtol=1e-12)
    assert throughput.mean == pytest.approx(reference.mean(), rel=1e-12)
    assert throughput.standard_deviation == pytest.approx(reference.std(), rel=1e-9)
    np.testing.assert_allclose(
        throughput.quantile([0.05, 0.5, 0.99]), reference.ppf([0.05, 0.5, 0.99]), rtol=1e-9
    )


def test_measured_rtts_make_steps():
    throughput = Throughput(Cwnd(np.array([0.5, 0.5])), EmpiricalRtt([0.1, 0.2]))  # 2 or 3 segments
    assert throughput.at_most([9, 10, 15, 20, 30]).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert throughput.below([10, 15, 20, 30, 31]).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert throughput.above([10, 30]).tolist() == [0.75, 0]
    assert throughput.mean == pytest.approx((10 + 15 + 20 + 30) / 4)
    assert throughput.standard_deviation == pytest.approx(np.std([10, 15, 20, 30]))
    assert throughput.quantile([0.2, 0.3, 0.6, 0.8]) == pytest.approx([10, 15, 20, 30])
    limited = Throughput(throughput.cwnd, throughput.rtt, link=18.0)
    assert limited.mean == pytest.approx((10 + 15 + 18 + 18) / 4)
    assert limited.standard_deviation == pytest.approx(np.std([10, 15, 18, 18]))
    assert limited.quantile(0.9) == pytest.approx(18)


def test_without_loss_a_slow_link_is_always_full():
    for law in LAWS[2:4]:
        throughput = Throughput(cwnd_distribution(LossPattern.bernoulli(0, 1000), ROUNDS), law, 50.0)
        assert throughput.mean == pytest.approx(50, rel=1e-9)
        assert throughput.standard_deviation < 1e-3


@given(p=st.floats(0, 0.9), max_window=st.integers(2, 100), link=st.floats(5, 5000))
def test_the_mean_is_below_the_link_and_above_that_of_the_mean_rtt(p, max_window, link):
    """Chapter 2 and section 7.3: E(T) <= L, and E(T) >= E(w) / E(RTT) as long as no link limits it."""
    cwnd = cwnd_distribution(LossPattern.bernoulli(p, max_window), ROUNDS)
    for law in LAWS:
        assert Throughput(cwnd, law, link).mean <= link * (1 + 1e-12)
    law = LogNormalRtt(0.06, 0.03)
    free = Throughput(cwnd, law)
    # 1 / RTT is lognormal: its mean is (1 + (sd / mean)^2) / mean.
    assert free.mean == pytest.approx(cwnd.mean * 1.25 / 0.06, rel=1e-9)
    assert free.mean >= cwnd.mean / mean_rtt(law)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NormalRtt(0, 1), "RTT mean: is 0; allowed"),
        (lambda: LogNormalRtt(1, -1), "RTT standard deviation: is -1; allowed"),
        (lambda: EmpiricalRtt([]), "RTT samples: allowed"),
        (lambda: EmpiricalRtt([0.1, 0.0]), "RTT samples: allowed"),
        (lambda: MixtureRtt([EmpiricalRtt([1])], [0.5]), r"RTT shares: are \[0.5\]; allowed"),
        (lambda: Throughput(ONE_WINDOW, LAWS[0], 0), "link: is 0; allowed"),
        (lambda: Throughput(ONE_WINDOW, LAWS[0]).mean, "has no mean for a normal RTT; allowed: a link"),
        (lambda: Throughput(ONE_WINDOW, LAWS[2]).quantile(1), "level: allowed: numbers between 0 and 1"),
    ],
)
def test_bad_values_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
