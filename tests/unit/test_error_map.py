"""Error maps: what neighbours let expect, how often bands hold, and where a map ends."""

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import cases, changed, data

from tcpatlas.ask.answer import expected_at
from tcpatlas.ask.question import from_file, from_options
from tcpatlas.base.errors import ConfigError
from tcpatlas.trust.error_map import ErrorMap, can_be_mapped, error_map, error_of
from tcpatlas.trust.neighbours import CALIBRATION, NEIGHBOURS, band_ends, fit, scores
from tcpatlas.trust.place import place_of
from tcpatlas.trust.stored import maps_bytes, read_maps

ROOT = Path(__file__).parents[2]
ENGSET, RATE = "engset", "goodput_per_connection"
OPTIONS = {"rate": "50 Mbit/s", "rtt": "20 ms", "users": "60", "file": "300 kB"}
POINT = dict(from_options(OPTIONS).points[0].document)


def point(buffer: int, users: int = 60, **others: Any) -> dict[str, Any]:
    return changed(POINT, {"links/bottleneck/buffer_packets": buffer, "sources/0/count": users}) | others


def space(count: int, seed: int) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Return points with buffers from 10 to 1000 and 1 to 100 users, and the logarithms of both."""
    rng = np.random.default_rng(seed)
    places = rng.random((count, 2))
    buffers, users = np.rint(10 ** (1 + 2 * places[:, 0])), np.rint(10 ** (2 * places[:, 1]))
    points = [point(int(buffer), int(user)) for buffer, user in zip(buffers, users, strict=True)]
    return points, np.log(np.column_stack([buffers, users]))


def noisy(logarithms: np.ndarray, seed: int) -> np.ndarray:
    """Return errors that bend over the space, with a scatter that grows with the buffer."""
    bent = np.sin(logarithms[:, 0]) + 0.3 * logarithms[:, 1]
    scatter = 0.02 * logarithms[:, 0] ** 2
    return bent + scatter * np.random.default_rng(seed).standard_normal(len(logarithms))


@cache
def made(count: int = 1500) -> ErrorMap:
    points, logarithms = space(count, 1)
    return error_map("set", points, {(ENGSET, RATE): noisy(logarithms, 2).tolist()})


def test_a_plane_is_found_again() -> None:
    rng = np.random.default_rng(1)
    coordinates, at = rng.random((400, 3)), rng.random((20, 3))
    slopes = np.array([[1.0, -2.0, 0.5]])
    fitted = fit(at, coordinates, coordinates @ slopes.T)
    # The penalty on slopes pulls a little towards the mean of the neighbours.
    assert fitted.value[:, 0] == pytest.approx((at @ slopes.T)[:, 0], abs=0.1)


def test_nearness_is_the_distance_of_the_neighbours_in_a_coordinate() -> None:
    line = np.linspace(0, 1, 1001)[:, None]
    fitted = fit(np.array([[0.5]]), line, line)
    # Neighbours at steps of 1/1000, half of them on each side, whose root mean square is half/sqrt(3) steps.
    assert fitted.nearness[0] == pytest.approx(NEIGHBOURS / 2000 / math.sqrt(3), rel=0.05)


def test_bands_hold_as_often_as_they_say_at_other_points() -> None:
    mapped = made()
    points, logarithms = space(1000, 3)
    inside = [
        expected[ENGSET, RATE].low <= math.exp(error) <= expected[ENGSET, RATE].high
        for expected, error in zip(mapped.expected(points), noisy(logarithms, 4), strict=True)
    ]
    # Of 1000 points 90 %, give or take three standard errors.
    assert 0.87 <= np.mean(inside) <= 0.93


def test_bands_are_wide_where_errors_scatter() -> None:
    narrow, wide = made().expected([point(12), point(900)])
    width = [
        math.log(error_map[ENGSET, RATE].high / error_map[ENGSET, RATE].low) for error_map in (narrow, wide)
    ]
    # The scatter is 0.02 ln(B)^2: 0.12 at 12 packets, 0.93 at 900.
    assert width[1] > 3 * width[0]


def test_a_map_needs_points_enough_for_neighbours() -> None:
    few = made(CALIBRATION)
    assert few.bands == {}
    assert few.outside(point(100)) == ["another network, TCP or traffic than any of its points"]


@cases("error_map.outside_is_said_with_what_is_inside")
def test_outside_is_said_with_what_is_inside(asked: dict[str, Any], said: list[str]) -> None:
    mapped, product = made(), "buffer over bandwidth-delay product"
    low, high = mapped.limits[product]
    words = {"packets": mapped.limits["buffer"][1], "ends": f"{low:.4g} to {high:.4g}"}
    assert mapped.outside(asked) == [text.format(product, **words) for text in said]


def test_points_without_a_place_in_the_map_have_nothing_to_expect() -> None:
    groups = point(100, sources=2 * POINT["sources"])
    endless = changed(POINT, {"sources/0/workload": {"kind": "bulk", "start_spread_s": 0}})
    mapped, (first, *others) = made(), made().expected([point(100), groups, endless])
    assert first.keys() == {(ENGSET, RATE)}
    assert others == [{}, {}]
    assert mapped.expected([groups, point(100)])[1] == first


@pytest.mark.parametrize(
    ("points", "can"),
    [
        ([point(10), point(20)], True),
        ([point(10), point(10)], False),
        ([], False),
        ([point(10), point(20) | {"sources": 2 * POINT["sources"]}], False),
    ],
)
def test_a_map_needs_a_number_that_varies_and_one_group(points: list[dict[str, Any]], can: bool) -> None:
    assert can_be_mapped(points) == can


LOOP = dict(from_file(str(ROOT / "scenarios/examples/web-users.yaml")).points[0].document)


def loop(users: int) -> dict[str, Any]:
    return changed(LOOP, {"sources/0/count": users})


def test_a_formula_of_saturated_loops_has_its_own_map() -> None:
    """10 Mbit/s, downloads of 50 packets of 1500 B and pauses of 30 s: 500 users saturate the loop."""
    users = [*range(200, 500), *range(501, 801)]
    formula = [math.nan if count <= 500 else 0.1 for count in users]
    errors = {("local_loop", RATE): formula, ("fixed_point", RATE): [0.3] * len(users)}
    mapped = error_map("loops", [loop(count) for count in users], errors)
    below, above = mapped.expected([loop(300), loop(700)])
    assert set(below) == {("fixed_point", RATE)}
    assert below["fixed_point", RATE].ratio == pytest.approx(math.exp(0.3))
    assert above["local_loop", RATE].ratio == pytest.approx(math.exp(0.1))
    assert mapped.outside(loop(900))[0].startswith("users 900")


def test_endless_transfers_in_a_loop_have_no_place() -> None:
    endless = changed(LOOP, {"sources/0/workload": {"kind": "bulk", "start_spread_s": 1}})
    assert place_of(endless) is None
    assert place_of(endless | {"kind": "ring"}) is None


def test_another_tcp_is_outside() -> None:
    other = changed(point(100), {"sources/0/tcp/variant": "tahoe"})
    assert made().outside(other) == ["another network, TCP or traffic than any of its points"]
    expected, note = expected_at(other, [ENGSET], [made()])
    assert expected == {}
    assert note.startswith("outside of the error map: another network")


def test_packets_of_another_size_are_no_other_place() -> None:
    half = point(100, packet_bytes=750)
    half["links"]["bottleneck"]["rate_bit_per_s"] /= 2
    half["links"]["egress"]["rate_bit_per_s"] /= 2
    half["sources"][0]["access"]["rate_bit_per_s"] /= 2
    assert made().outside(half) == []


def test_models_without_a_map_have_nothing_to_note() -> None:
    assert expected_at(point(100), ["markov"], [made()]) == ({}, "")


def test_small_losses_count_as_none() -> None:
    assert error_of("loss_ratio", POINT, 0.0, 1e-6) == pytest.approx(0, abs=0.011)
    assert error_of(RATE, POINT, 2e6, 1e6) == pytest.approx(math.log(2))
    assert math.isnan(error_of(RATE, POINT, 0.0, 1e6))


HEAD = data("error_map.head")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    mapped = made()
    file = tmp_path / "map.npz"
    file.write_bytes(maps_bytes(HEAD, [("A set", mapped)]))
    assert maps_bytes(HEAD, [("A set", mapped)]) == file.read_bytes()
    (again,) = read_maps(file)
    ours, theirs = (error_map.expected([point(100)])[0][ENGSET, RATE] for error_map in (mapped, again))
    assert theirs.error() == pytest.approx(ours.error(), abs=2e-3)
    assert again.outside(point(5000)) == mapped.outside(point(5000))


def test_gaps_are_written_and_read_back(tmp_path: Path) -> None:
    mapped = error_map(
        "loops",
        [loop(count) for count in (*range(300, 500), *range(501, 701))],
        {("local_loop", RATE): [math.nan] * 200 + [0.1] * 200, ("fixed_point", RATE): [0.3] * 400},
    )
    file = tmp_path / "map.npz"
    file.write_bytes(maps_bytes(HEAD, [("Loops", mapped)]))
    (again,) = read_maps(file)
    assert [set(errors) for errors in again.expected([loop(400), loop(600)])] == [
        {("fixed_point", RATE)},
        {("fixed_point", RATE), ("local_loop", RATE)},
    ]


@pytest.mark.parametrize("content", [b"", b"PK", b"{}"])
def test_a_file_that_is_no_map_is_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "map.npz"
    with pytest.raises(ConfigError, match=r"map\.npz: cannot be read: No such file"):
        read_maps(file)
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"map\.npz: is no error map: .+; run the study again$"):
        read_maps(file)


def test_bands_are_of_points_seen_from_others() -> None:
    rng = np.random.default_rng(5)
    coordinates = rng.random((1000, 2))
    of_points = scores(coordinates, rng.standard_normal((1000, 1)))
    low, high = (np.mean(ends) for ends in band_ends(coordinates, coordinates, of_points, 0.9))
    # The central 90 % of a normal distribution end at 1.645; fit and scatter of few neighbours add to that.
    assert -2.1 < low < -1.645
    assert 1.645 < high < 2.1


def test_a_band_is_calibrated_by_points_nearby() -> None:
    """Errors whose scatter jumps in a band narrower than the neighbourhood that measures it."""
    line = np.linspace(0, 1, 1000)[:, None]
    of_points = np.where(line < 0.5, 1.0, 3.0) * np.random.default_rng(6).standard_normal((1000, 1))
    low, high = band_ends(np.array([[0.2], [0.8]]), line, of_points, 0.9)
    assert high[1, 0] / high[0, 0] == pytest.approx(3, rel=0.35)
    assert low[1, 0] / low[0, 0] == pytest.approx(3, rel=0.35)


def test_the_load_brings_points_together_but_limits_nothing() -> None:
    """Twice as many users with files of half the size are nearer than as many with files of half the size."""

    def of(users: int, packets: int) -> dict[str, Any]:
        return changed(point(100, users), {"sources/0/workload/file_size/mean_packets": packets})

    asked, like, unlike = (place_of(point) for point in (of(60, 200), of(120, 100), of(60, 100)))
    assert asked is not None
    assert like is not None
    assert unlike is not None
    # 50 Mbit/s carry 4166.7 packets/s; a file of 200 packets takes 48 ms, and log2(21) round trips of 20 ms.
    alone = 0.048 + asked.numbers["round-trip time"] * math.log2(21)
    assert asked.numbers["load"] == pytest.approx(60 * 200 / (1 + alone) / 4166.67)
    assert like.numbers["load"] / asked.numbers["load"] == pytest.approx(1.06, abs=0.03)
    assert unlike.numbers["load"] / asked.numbers["load"] == pytest.approx(0.53, abs=0.02)
    assert not any("load" in words for words in made().outside(of(100, 20_000)))
