"""CUBIC's formula of goodput: the mean window of RFC 9438, and what limits it."""

import pytest
from dumbbell import dumbbell

from tcpatlas.models import automatic, cubic
from tcpatlas.points.errors import PointError

TCP = {"variant": "cubic", "rwnd_packets": 1000, "initial_window_packets": 10, "min_rto_s": 1}
# 10 Mbit/s carry 833.3 packets/s of 1500 B.
LINK, RTT = 1e7 / 12000, 0.1


def point(loss=5e-4, **own):
    """Return a path of 100 ms, 98.8 ms of it propagation, whose slowest link takes 1.2 ms for a packet."""
    return dumbbell(
        1e7, 100, {**TCP, **own}, delays=(0, 0.05, 0, 0.0488), loss=loss, access=1e15, egress=1e15
    )


def goodput(at):
    (answer,) = cubic.predict([at])
    assert answer["metrics"]["goodput"]["unit"] == "packets/s"
    return answer["metrics"]["goodput"]["value"]


def test_a_window_a_round_trip():
    """Section 5.1, equation 6, for C = 0.4: 1.054 (RTT/p)^(3/4) = 56.06 packets; Reno's 1.2/sqrt(p) below."""
    assert goodput(point()) == pytest.approx(1.054 * 200**0.75 / RTT, rel=1e-3)
    assert goodput(point(1e-3)) == pytest.approx(1.2 / 1e-3**0.5 / RTT)
    assert goodput(point(5e-4, c=0.8)) == pytest.approx(2**0.25 * 1.054 * 200**0.75 / RTT, rel=1e-3)


def test_the_link_and_the_receiver_limit_it():
    assert goodput(point(1e-6)) == pytest.approx(LINK)
    assert goodput(point(1e-6, rwnd_packets=20)) == pytest.approx(20 / RTT)


@pytest.mark.parametrize("variant", ["newreno", "newreno-sack", "linux-cubic"])
def test_other_tcps_are_not_its(variant):
    with pytest.raises(PointError, match=r"the cubic model cannot answer .*; allowed: cubic"):
        cubic.check(point(variant=variant))


def test_ask_puts_it_beside_a_lossy_link():
    assert "cubic" in automatic()
    assert "rfc9438" not in automatic()
