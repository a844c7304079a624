"""The response functions of RFC 9438 against its own derivation, and the tables of RFC 3649."""

import pytest
from dumbbell import dumbbell

from tcpatlas.models import rfc9438
from tcpatlas.points.errors import PointError

CUBIC = {"variant": "cubic", "rwnd_packets": 1000, "initial_window_packets": 10, "min_rto_s": 1}


def point(loss=1e-4, count=1, **own):
    """Return a path of 100 ms, 98.88 ms of it propagation, whose slowest link takes 1.2 ms for a packet."""
    delays = (0, 0.05, 0, 0.0488)
    return dumbbell(1e7, 100, CUBIC | own, delays=delays, loss=loss, access=1e15, egress=1e15, count=count)


def metric(name, at):
    (answer,) = rfc9438.predict([at])
    return answer["metrics"][name]["value"]


@pytest.mark.parametrize("c", [0.04, 0.4, 4.0])
def test_cubic_is_the_mean_of_its_concave_half(c):
    """Summed here: from 0.7 W to W by the cubic, with 1/p packets sent until it is there."""
    rtt, steps, most = 0.1, 100_000, 5000.0
    k = (0.3 * most / c) ** (1 / 3)
    windows = [c * (k * (i + 0.5) / steps - k) ** 3 + most for i in range(steps)]
    mean = sum(windows) / steps
    packets = mean * k / rtt
    assert rfc9438.cubic(1 / packets, rtt, c) == pytest.approx(mean, rel=1e-6)


def test_cubic_is_reno_where_that_is_more():
    assert rfc9438.cubic(1e-4, 0.01, 0.4) == rfc9438.reno(1e-4) == pytest.approx(120)
    assert rfc9438.cubic(1e-4, 0.1, 0.4) == pytest.approx(1.054 * 1000**0.75, rel=1e-3)


def test_highspeed_meets_its_two_points():
    """RFC 3649, section 5: from 38 packets at 10^-3 to 83,000 at 10^-7; Reno below."""
    assert rfc9438.highspeed(1e-3) == pytest.approx(38, rel=0.02)
    assert rfc9438.highspeed(1e-7) == pytest.approx(83_000, rel=0.02)
    assert rfc9438.highspeed(1e-2) == rfc9438.reno(1e-2)


@pytest.mark.parametrize("window", [8.3, 30, 83.3, 833.3, 83333.3])
def test_what_is_needed_is_the_inverse(window):
    assert rfc9438.cubic(rfc9438.cubic_loss(window, 0.1, 0.4), 0.1, 0.4) == pytest.approx(window)
    assert rfc9438.highspeed(rfc9438.highspeed_loss(window)) == pytest.approx(window)


def test_a_point_has_the_window_of_its_own_tcp():
    assert metric("cwnd_mean", point()) == pytest.approx(187.4, abs=0.05)
    assert metric("cwnd_mean", point(c=4)) == pytest.approx(333.25, abs=0.05)
    assert metric("cwnd_mean", point(variant="newreno-sack")) == metric("cwnd_mean[reno]", point()) == 120
    assert metric("goodput", point()) == pytest.approx(1874, abs=0.5)
    assert metric("cwnd_mean[rate]", point()) == pytest.approx(1e7 * 0.1 / 12000)
    assert metric("loss_ratio[cubic]", point()) == pytest.approx(2.946e-4, rel=1e-3)


def test_what_it_cannot_answer():
    for wrong, problem in (
        (point(loss=0), "a link without losses; allowed: a loss above 0"),
        (point(variant="tahoe"), "tahoe; allowed: cubic, newreno, newreno-sack, reno"),
        (point(count=2), "2; allowed: 1"),
    ):
        with pytest.raises(PointError, match=f"the rfc9438 model cannot answer {problem}"):
            rfc9438.check(wrong)
