"""The readings of the printed equations, and how near each comes to the printed analysis."""

import math

import numpy as np

from tcpatlas.models.shared_bottleneck.fluid import DERIVED, Path, cycle
from tcpatlas.models.shared_bottleneck.readings import ALTERNATIVES, combinations, reading_of

# Table 1: B, BW_in, mu, lambda, tau_1, tau_2, printed analysis (throughput, round-trip time).
BUFFER = np.array([5, 15, 10, 10, 10, 5, 5, 10, 5])
ACCESS = np.array([300, 300, 290, 150, 150, 150, 100, 100, 100])
MU = np.array([170, 170, 160, 60, 60, 80, 60, 60, 60])
EXOGENOUS = np.array([10, 40, 10, 22, 22, 10, 20, 20, 5])
BEFORE = np.array([0.05, 0.06, 0.07, 0.15, 0.08, 0.11, 0.06, 0.08, 0.15])
AFTER = np.array([0.05, 0.04, 0.08, 0.15, 0.15, 0.11, 0.06, 0.05, 0.10])
THROUGHPUT = np.array([82.1, 122.9, 82.7, 34.9, 36.1, 36.2, 36.7, 39.3, 28.9])
RTT = np.array([0.222, 0.248, 0.332, 0.685, 0.557, 0.481, 0.312, 0.379, 0.560])
TABLE_1 = Path.of(BUFFER, MU, EXOGENOUS, BEFORE, AFTER, ACCESS)
CHUNK = 4096  # readings computed at a time: bounds the memory, not the result


def errors(throughput: np.ndarray, rtt: np.ndarray) -> np.ndarray:
    """Return a row for each combination: relative errors of nine throughputs and nine round-trip times."""
    found = combinations()
    rows = []
    for first in range(0, len(found), CHUNK):
        result = cycle(TABLE_1, reading_of(found[first : first + CHUNK]))
        rows.append(np.hstack([result.throughput / throughput - 1, result.mean_delay / rtt - 1]))
    return np.vstack(rows)


def test_every_combination_once_and_the_derived_reading_first() -> None:
    found = combinations()
    assert len(found) == math.prod(len(alternatives) for alternatives in ALTERNATIVES.values())
    assert len({tuple(chosen.values()) for chosen in found}) == len(found)
    first = cycle(TABLE_1, reading_of(found[:1]))
    derived = cycle(TABLE_1, DERIVED)
    assert first.throughput[0].tolist() == derived.throughput.tolist()
    assert first.mean_delay[0].tolist() == derived.mean_delay.tolist()


def test_the_reading_that_made_a_column_is_found() -> None:
    """A column made by hand from theorem 3.1 alone with tau = tau_1 + tau_2 is given back its reading."""
    tau = BEFORE + AFTER
    round_trip = tau + 1 / MU
    available = MU - EXOGENOUS
    pipe = round_trip * available
    peak = (BUFFER / MU + round_trip) * available + EXOGENOUS / MU + 2
    threshold = peak / 2
    queued = pipe < threshold
    low = np.minimum(pipe, threshold)
    high = np.maximum(pipe, threshold)
    durations = [
        round_trip * np.log(low),
        np.where(queued, (high - low) / (MU - EXOGENOUS / 2), round_trip * (high - low)),
        (peak**2 - high**2) / 2 / available,
    ]
    packets = [low - 1, np.where(queued, high - low, (high**2 - low**2) / 2), (peak**2 - high**2) / 2]
    delays = [
        round_trip,
        np.where(queued, (high + low - 2) / (2 * MU - EXOGENOUS) + 1 / MU - BEFORE, round_trip),
        (2 / 3 * (peak**2 + peak * high + high**2) / (peak + high) - EXOGENOUS / MU) / available,
    ]
    throughput = sum(packets) / sum(durations)
    rtt = sum(n * r for n, r in zip(packets, delays, strict=True)) / sum(packets)

    largest = np.abs(errors(throughput, rtt)).max(axis=1)
    best = combinations()[largest.argmin()]
    assert largest.min() < 1e-12
    assert (best["tau"], best["starts"], best["found"]) == ("one_way", "one", "at_once")


def test_no_reading_gives_the_printed_analysis() -> None:
    """The evidence behind calling the printed analytic column of tables 1 and 3 inconsistent."""
    off = np.abs(errors(THROUGHPUT, RTT))
    rounding = np.concatenate([0.05 / THROUGHPUT, 0.0005 / RTT])
    assert (off <= rounding).sum(axis=1).max() < 9
    assert off.max(axis=1).min() > 0.1
