"""The worked examples of the TCP-Engset paper, against its numbers and a file followed by packets."""

from collections import deque

import pytest
from dumbbell import dumbbell
from hypothesis import given
from hypothesis import strategies as st

from tcpatlas.models import engset_worked
from tcpatlas.models.engset_worked import queue_found, rto_over_rtt


def point(file_size: int = 347, rwnd: int = 44) -> dict[str, object]:
    """Return the special setting of section 4.2: 128 kbit/s, packets of 576 bytes, RTT_0 341.83 ms."""
    return dumbbell(
        128e3,
        200,
        {"variant": "newreno", "rwnd_packets": rwnd, "initial_window_packets": 2, "min_rto_s": 1.0},
        delays=(0, 0, 0, 0.34183 - 0.036),
        packet_bytes=576,
        workload={
            "kind": "on-off",
            "file_size": {"distribution": "fixed", "mean_packets": file_size},
            "off_time": {"distribution": "fixed", "mean_s": 5.0},
        },
    )


def timer(round_trip_times: list[float]) -> float:
    """RFC 6298 with a granularity of 0, step by step."""
    smoothed, variation = round_trip_times[0], round_trip_times[0] / 2
    for measured in round_trip_times[1:]:
        variation += (abs(smoothed - measured) - variation) / 4
        smoothed += (measured - smoothed) / 8
    return smoothed + 4 * variation


@given(st.integers(1, 60), st.floats(0.01, 100))
def test_the_timer_after_equal_round_trip_times_is_that_of_rfc_6298(count: int, rtt: float) -> None:
    assert rto_over_rtt(count) == pytest.approx(timer([rtt] * count) / rtt)


def found_by(last: int, rtt: float) -> dict[int, int]:
    """Follow slow start packet by packet over a link of a packet a unit of time; `rtt` includes its own.

    Return what each packet finds at the link, the packet in transmission included.
    """
    arrivals = deque([(0.0, 1), (0.0, 2)])
    departures: list[float] = []
    queue_before = {}
    while arrivals:
        time, packet = arrivals.popleft()
        queue_before[packet] = sum(departure > time + 1e-9 for departure in departures)
        departures.append(max([time, *departures[-1:]]) + 1)
        if 2 * packet + 1 <= last:
            back = departures[-1] + rtt - 1
            arrivals.extend([(back, 2 * packet + 1), (back, 2 * packet + 2)])
    return queue_before


@given(st.floats(2.01, 40).filter(lambda beta: 0.01 < beta % 1 < 0.99))
def test_a_packet_finds_what_the_slow_link_has_not_passed_on(beta: float) -> None:
    followed = found_by(400, beta)
    flight = 2
    while flight <= beta:
        flight *= 2
    for packet in range(flight - 1, 400):
        assert queue_found(packet, beta, flight - 1) == followed[packet], packet


def test_the_special_setting_of_section_4_2() -> None:
    """A queue of 19 packets waits 684 ms; packet 54 is late; 35 packets wait at most, 3 with W_R 12."""
    (metrics,) = (answer["metrics"] for answer in engset_worked.predict([point()]))
    assert metrics["late_queue"]["value"] == 19
    assert metrics["late_wait"]["value"] == pytest.approx(0.684)
    assert metrics["late_packet"]["value"] == 54
    assert metrics["waiting_highest"]["value"] == 35
    (small,) = (answer["metrics"] for answer in engset_worked.predict([point(rwnd=12)]))
    assert small["waiting_highest"]["value"] == 3
    assert "late_packet" not in small


def test_the_example_of_section_4_4() -> None:
    (metrics,) = (answer["metrics"] for answer in engset_worked.predict([point()]))
    terms = ("isolated_queue_before", "isolated_queue_after", "isolated_queue_highest")
    assert [metrics[name]["value"] for name in terms] == [35, 11025, 37]
    # (35 + 11025) packet times of 36 ms in 13319 + 5000 ms, each packet of which takes 36 ms
    assert metrics["isolated_queue_rtt"]["value"] == pytest.approx(
        0.34183 + 11060 * 0.036 / 18.319 * 0.036, abs=1e-4
    )


def test_the_queue_that_a_round_trip_time_stands_for() -> None:
    run = {"rtt_sender_mean": 0.34183 + 10 * 0.036}
    of_run, of_nothing = (answer["metrics"] for answer in engset_worked.predict([point()] * 2, [run, {}]))
    assert of_run == {"queue_by_rtt": {"unit": "packets", "value": pytest.approx(10, rel=1e-6)}}
    assert of_nothing == {}
