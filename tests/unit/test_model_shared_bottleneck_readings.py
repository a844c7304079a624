"""The ranking of the readings of the printed equations."""

import itertools
import math

import numpy as np
import pytest

from tcpatlas.models.shared_bottleneck.fluid import DERIVED, Path, cycle
from tcpatlas.models.shared_bottleneck.readings import (
    ALTERNATIVES,
    Printed,
    combinations,
    ranking,
    reading_of,
)

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

    best = ranking(TABLE_1, Printed(throughput, rtt))[0]
    assert best.within_rounding == 18
    assert best.largest_error == pytest.approx(0, abs=1e-12)
    assert best.alternatives["tau"] == "one_way"
    assert best.alternatives["starts"] == "one"
    assert best.alternatives["found"] == "at_once"


def test_no_reading_gives_the_printed_analysis() -> None:
    """The evidence behind calling the printed analytic column of tables 1 and 3 inconsistent."""
    fits = ranking(TABLE_1, Printed(THROUGHPUT, RTT))
    assert max(fit.within_rounding for fit in fits) < 9
    assert min(fit.largest_error for fit in fits) > 0.1
    assert all(ours.mean_error <= theirs.mean_error for ours, theirs in itertools.pairwise(fits))
