"""The queue of an isolated connection: the paper's own examples, and a queue followed packet by packet."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models.engset.isolated_queue import Round, rounds_of, time_at_levels
from tcpatlas.models.engset.slow_start import isolated_flights


def test_example_of_section_4_4() -> None:
    """F 347 behind 128 kbit/s, beta* 9.5: 3 + 8 + 24 before saturation, then 11025 with W_R 44."""
    rounds = list(rounds_of(isolated_flights(347, 44, 9.5), 44))
    assert [round_.packet_times for round_ in rounds] == [3, 8, 24, 11025]
    assert rounds[-1].highest == 37


def test_case_1_the_window_doubles() -> None:
    """tau = nu (nu + 2) Delta; where an odd number of packets ends the file, (nu + 1) (nu + 2) - 1."""
    assert [Round(nu, nu).packet_times for nu in range(1, 9)] == [nu * (nu + 2) for nu in range(1, 9)]
    (*_, last) = rounds_of(isolated_flights(5, 44, 100), 44)
    assert last.packet_times == 2 * 3 - 1


def test_case_2_the_window_is_reached() -> None:
    """W_R 12 after a flight of 8: nu = 4 increases on n = 8 acknowledgements; then nu = 0 and tau = n."""
    (*_, reached, full, _) = rounds_of(isolated_flights(2 + 4 + 8 + 12 + 12 + 5, 12, 100), 12)
    assert reached.packet_times == 5 * 9 - 1
    assert full.packet_times == 12


def followed(one: Round) -> Iterator[int]:
    """Yield the queue in each packet time: a departure, then what the next acknowledgement releases."""
    queue = 0
    for acknowledgement in range(one.acknowledgements):
        queue += 2 if acknowledgement < one.pairs else 1
        yield queue
        queue -= 1
    while queue:
        yield queue
        queue -= 1


@given(st.integers(1, 60), st.integers(0, 60))
def test_a_round_followed_packet_by_packet(acknowledgements: int, pairs: int) -> None:
    one = Round(acknowledgements, min(pairs, acknowledgements))
    queue = list(followed(one))
    assert max(queue) == one.highest
    assert sum(queue) == one.packet_times
    assert np.bincount(queue, minlength=one.highest + 1).tolist() == one.times_at().tolist()


@pytest.mark.parametrize(
    ("file", "rwnd", "beta"), [(347, 44, 9.5), (120, 20, 41.7), (10, 1, 9.5), (9, 44, 1.5)]
)
def test_the_levels_sum_up_the_rounds(file: int, rwnd: int, beta: float) -> None:
    flights = isolated_flights(file, rwnd, beta)
    times = time_at_levels(flights, rwnd)
    assert times[0] == 0
    assert int(times.sum()) >= file  # the link sends every packet, one packet time each
    assert int(np.arange(times.size) @ times) == sum(
        round_.packet_times for round_ in rounds_of(flights, rwnd)
    )
