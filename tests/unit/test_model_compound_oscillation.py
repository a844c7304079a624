"""The oscillation of phase 3 against table 1, theorem 1 and the text of sections 3.3 and 3.4."""

from math import isqrt

import numpy as np
import pytest
from conftest import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from tcpatlas.models.compound.cycles import cycles_exist, find_types, interval
from tcpatlas.models.compound.oscillation import settle, window_sequence
from tcpatlas.models.compound.parameters import Parameters
from tcpatlas.models.compound.window_map import FLOAT, MODULE, fourth_root_power

PAPER = Parameters()
MBIT_PER_PACKET = 1500 * 8 / 0.05 / 1e6


def test_the_integer_power_is_256_w_over_an_integer_root():
    windows = np.arange(1, 20000)
    expected = [256 * w // isqrt(65536 * isqrt(w)) for w in range(1, 20000)]
    assert fourth_root_power(windows).tolist() == expected


# Table 1, for gamma 30, but for the border between 3:1 and 5:2, which follows from the module's own growth.
@cases("model_compound_oscillation.the_ends_of_table_1_are_within_a_packet")
def test_the_ends_of_table_1_are_within_a_packet(m, n, end, published):
    ends = interval(PAPER, np.arange(300, 1500), m, n)
    assert ends is not None
    assert ends[end] == pytest.approx(published, abs=1)


@settings(max_examples=50)
@given(bdp=st.floats(302, 512))
def test_a_settled_3_1_cycle_is_a_fixed_point(bdp):
    """Theorem 1 and equations 13 and 14, written out again for the 3:1 cycle."""
    windows = window_sequence(PAPER, bdp, FLOAT, 800)[0][-8:, 0]
    w1 = windows.min()
    w2 = w1 + w1**0.75 / 8
    w3 = w2 + w2**0.75 / 8
    w4 = w3 + w3**0.75 / 8
    assert w4 - w3 * (1 - bdp / (w2 + 1)) + 1 == pytest.approx(w1, abs=1e-6)
    assert windows.max() == pytest.approx(w4, abs=1e-6)


def test_where_several_cycles_exist_figure_3_decides():
    assert cycles_exist(PAPER, 550, 2, 1)[0]
    assert cycles_exist(PAPER, 1400, 4, 2)[0]
    types = find_types(PAPER, [400, 550, 565, 600, 1300, 1400, 1500])
    assert types == [(3, 1), (5, 2), (5, 2), (4, 2), (4, 2), (3, 2), (3, 2)]


def test_small_products_give_one_cut_after_four_to_six_growths():
    assert find_types(PAPER, [125, 180, 250]) == [(6, 1), (5, 1), (4, 1)]


def test_a_product_without_a_cycle_has_an_explicit_none():
    assert find_types(PAPER, [532, 600]) == [None, (4, 2)]


def test_with_gamma_5_the_only_type_is_3_2():
    types = find_types(Parameters(gamma=5), np.arange(70, 1500, 10))
    assert set(types) == {(3, 2)}


def test_the_oscillations_of_3_2_are_the_same_with_gamma_5_and_30():
    bdps = np.arange(1420, 1500, 7)
    thirty, five = (settle(Parameters(gamma=gamma), bdps, MODULE) for gamma in (30, 5))
    assert thirty.highest - thirty.lowest == pytest.approx(five.highest - five.lowest, abs=2)


@pytest.mark.parametrize(
    ("mbit_per_s", "type_below", "type_above"),
    [(131, (3, 1), (5, 2)), (138, (0, 0), (4, 2)), (320, (4, 2), (3, 2))],
)
def test_the_type_changes_within_3_mbit_per_s_of_the_papers_capacities(mbit_per_s, type_below, type_above):
    oscillation = settle(PAPER, np.array([mbit_per_s - 3, mbit_per_s + 3]) / MBIT_PER_PACKET, MODULE)
    types = list(zip(oscillation.growths.tolist(), oscillation.cuts.tolist(), strict=True))
    assert types == [type_below, type_above]


@pytest.mark.parametrize("mbit_per_s", [273, 400])
def test_the_oscillations_reach_the_buffer_within_3_mbit_per_s_of_the_papers_capacities(mbit_per_s):
    bdps = np.arange(round((mbit_per_s - 6) / MBIT_PER_PACKET), round((mbit_per_s + 6) / MBIT_PER_PACKET))
    overflows = settle(PAPER, bdps, MODULE).highest - bdps >= 100
    assert bdps[np.argmax(overflows)] * MBIT_PER_PACKET == pytest.approx(mbit_per_s, abs=3)


@pytest.mark.parametrize("reading", [FLOAT, MODULE])
def test_every_settled_oscillation_lies_round_the_product_plus_gamma(reading):
    bdps = np.array([100.0, 400.0, 800.0, 1500.0])
    oscillation = settle(PAPER, bdps, reading)
    assert np.all(oscillation.lowest >= bdps - 3)
    assert np.all(oscillation.highest >= bdps + PAPER.gamma)
    assert np.all(oscillation.mean == (oscillation.highest + oscillation.lowest) / 2)


def test_windows_of_integer_arithmetic_are_whole():
    windows, _ = window_sequence(PAPER, [417.3, 1000.0], MODULE, 200)
    assert np.array_equal(windows, np.round(windows))
