"""The formulas of Floyd and Fall and of Padhye et al., against the paper that compares them and limits."""

import math

import numpy as np
import pytest

from tcpatlas.models import floyd_fall, padhye

# p and FF of table 7.2 (Bogoiavlenskaia et al. 2002), which has a mean RTT of 0.679 s.
TABLE_7_2 = np.array(
    [
        *((0.9, 1.90), (0.5, 2.55), (0.1, 5.70), (0.05, 8.07), (0.01, 18.03), (5e-3, 25.51), (1e-3, 57.04)),
        *((5e-4, 80.66), (1e-4, 180.38), (1e-5, 570.41), (1e-6, 1804.00), (1e-7, 5704.00), (1e-8, 18040.00)),
    ]
)


def test_floyd_and_falls_formula():
    p, printed = TABLE_7_2.T
    np.testing.assert_allclose(floyd_fall.throughput(0.679, p), printed, rtol=1e-3)
    assert floyd_fall.throughput(0.1, 0.01) == pytest.approx(122.47, abs=0.005)
    assert math.isinf(floyd_fall.throughput(0.1, 0))


def test_padhyes_formula():
    """Rare losses are recovered without timeouts; at p = 0.5 a timeout is certain: 1 / (0.0577 + 4.5).

    At p = 0.02 it follows 26 % of losses: 1 / (0.011547 + 0.259808 * 0.020256).
    """
    assert padhye.throughput(0.1, 0.02, 1) == pytest.approx(59.490, abs=0.005)
    assert padhye.throughput(0.1, 1e-8, 1) == pytest.approx(floyd_fall.throughput(0.1, 1e-8), rel=1e-5)
    assert padhye.throughput(0.1, 0.5, 1) == pytest.approx(1 / (0.1 / math.sqrt(3) + 4.5))
    assert padhye.throughput(0.1, 1e-8, 1, max_window=64) == pytest.approx(640)


@pytest.mark.parametrize("formula", [floyd_fall.throughput, lambda *of: padhye.throughput(*of, 1.0)])
@pytest.mark.parametrize(
    ("rtt", "p", "key"), [(0, 0.1, "rtt"), (0.1, 1, "loss_prob"), (0.1, -0.1, "loss_prob")]
)
def test_the_formulas_refuse_what_has_no_throughput(formula, rtt, p, key):
    with pytest.raises(ValueError, match=f"{key}.*: allowed"):
        formula(rtt, p)


def test_padhyes_formula_refuses_a_timeout_of_0():
    with pytest.raises(ValueError, match="timeout: allowed"):
        padhye.throughput(0.1, 0.1, 0)
