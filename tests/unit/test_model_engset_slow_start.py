"""Rounds and flights against a packet-by-packet simulation of an isolated connection in whole nanoseconds."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tcpatlas.models.engset.slow_start import Rounds, isolated_flights, last_in_slow_start, whole_part

# Transmission times of 1500 B in ns.
AT_100M, AT_10M, AT_2M, AT_1G = 120_000, 1_200_000, 6_000_000, 12_000


def on_time(file_size: int, rwnd: int, packet_times: list[int], delay: int, window: int = 2) -> int:
    """From the first packet to the last acknowledgement, each of which opens the window by one up to rwnd.

    The links follow one another, each first in first out; `delay` is all propagation.
    """
    free = [0] * len(packet_times)
    acknowledgements: list[int] = []
    cwnd = min(window, rwnd)

    def send(now: int) -> None:
        for link, packet_time in enumerate(packet_times):
            now = free[link] = max(now, free[link]) + packet_time
        acknowledgements.append(now + delay)

    for acknowledged in range(file_size):
        now = acknowledgements[acknowledged - 1] if acknowledged else 0
        if acknowledged:
            cwnd = min(cwnd + 1, rwnd)
        while len(acknowledgements) < min(file_size, acknowledged + cwnd):
            send(now)
    return acknowledgements[-1]


def predicted_on_time(file_size: int, rwnd: int, packet_times: list[int], delay: int, window: int = 2) -> int:
    rtt, slowest = sum(packet_times) + delay, max(packet_times)
    rounds = isolated_flights(file_size, rwnd, rtt / slowest, window).rounds
    return rounds.trips * rtt + rounds.extra_packets * slowest


@pytest.mark.parametrize("rwnd", [1, 2, 8, 12, 20, 44])
@pytest.mark.parametrize(
    ("bottleneck", "egress", "rtt"),
    [
        (AT_10M, AT_2M, 50_000_000),
        (AT_10M, AT_2M, 100_000_000),
        (AT_10M, AT_1G, 50_000_000),
        (AT_10M, AT_1G, 100_000_000),
        (AT_2M, AT_1G, 48_000_000),  # beta is exactly 8
    ],
)
def test_every_file_size_takes_the_simulated_time(rwnd: int, bottleneck: int, egress: int, rtt: int) -> None:
    links = [AT_100M, bottleneck, egress]
    delay = rtt - sum(links)
    for file_size in range(1, 401):
        expected = on_time(file_size, rwnd, links, delay)
        assert predicted_on_time(file_size, rwnd, links, delay) == expected, file_size


@given(
    file_size=st.integers(1, 300),
    rwnd=st.integers(1, 70),
    window=st.integers(1, 10),
    packet_times=st.lists(st.integers(1, 50), min_size=1, max_size=4),
    delay=st.integers(0, 2000),
)
def test_any_path_takes_the_simulated_time(
    file_size: int, rwnd: int, window: int, packet_times: list[int], delay: int
) -> None:
    expected = on_time(file_size, rwnd, packet_times, delay, window)
    assert predicted_on_time(file_size, rwnd, packet_times, delay, window) == expected


isolated = {
    "file_size": st.integers(1, 5000),
    "rwnd": st.integers(1, 200),
    "beta": st.floats(1, 500),
    "initial_window": st.integers(1, 10),
}


@given(**isolated)
def test_flights_sum_to_the_file_and_keep_to_the_window_until_saturation(
    file_size: int, rwnd: int, beta: float, initial_window: int
) -> None:
    *flights, last = isolated_flights(file_size, rwnd, beta, initial_window).sizes
    assert sum(flights) + last == file_size
    assert last >= 1
    assert all(flight <= min(rwnd, whole_part(beta)) for flight in flights)
    assert all(after == min(2 * before, rwnd) for before, after in pairwise(flights))
    if last > rwnd:
        assert min(2 * flights[-1] if flights else initial_window, rwnd) > beta


@given(**isolated)
def test_a_longer_file_takes_longer(file_size: int, rwnd: int, beta: float, initial_window: int) -> None:
    shorter, longer = (
        isolated_flights(size, rwnd, beta, initial_window).rounds.duration(beta, 1)
        for size in (file_size, file_size + 1)
    )
    assert longer > shorter


@given(**isolated)
def test_renormalised_rounds_last_as_long_to_a_packet(
    file_size: int, rwnd: int, beta: float, initial_window: int
) -> None:
    rounds = isolated_flights(file_size, rwnd, beta, initial_window).rounds
    renormalised = rounds.renormalised(beta)
    assert 0 <= renormalised.extra_packets <= whole_part(beta)
    cut = rounds.duration(beta, 1) - renormalised.duration(beta, 1)
    assert -1e-6 <= cut < 1 + 1e-6
    if rwnd <= beta:
        assert renormalised == rounds


@given(trips=st.integers(0, 100), packets=st.integers(1, 100), beta=st.integers(1, 1000))
def test_whole_part_forgives_rounding_errors(trips: int, packets: int, beta: int) -> None:
    assume(packets < beta)
    unit = 0.1
    assert whole_part((trips * beta + packets) * unit / (beta * unit)) == trips
    assert whole_part(trips * beta * unit / (beta * unit)) == trips


def test_a_file_of_1e9_packets_needs_no_list() -> None:
    assert isolated_flights(10**9, 8, 8.3).rounds == Rounds(2 + 124_999_999 + 1, 1)


@pytest.mark.parametrize(
    "arguments", [(0, 44, 8.3, 2), (12, 0, 8.3, 2), (12, 44, 0.0, 2), (12, 44, 8.3, 0), (12, 44, -1.0, 2)]
)
def test_arguments_must_be_positive(arguments: tuple[int, int, float, int]) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        isolated_flights(*arguments)


@pytest.mark.parametrize("initial", [1, 2, 4])
@pytest.mark.parametrize("rwnd", [1, 2, 3, 12, 44])
def test_last_packet_of_slow_start_by_counting_acknowledgements(rwnd: int, initial: int) -> None:
    acknowledged, window = 0, min(initial, rwnd)
    while window < rwnd:
        acknowledged, window = acknowledged + 1, window + 1
    assert last_in_slow_start(rwnd, initial) == acknowledged + window


def test_last_packet_of_slow_start_as_printed() -> None:
    assert [last_in_slow_start(44), last_in_slow_start(12)] == [86, 22]  # section 5.2
