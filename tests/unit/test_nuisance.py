"""Parameters a little off: what changes in a point, what is run, and the resulting band."""

import json
from decimal import Decimal
from typing import Any

import pytest
from conftest import SCENARIO
from handmade import expanded, run_of

from tcpatlas.answers.derived import interval, mean, ratio
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.statistics import band_of, pointwise_band
from tcpatlas.base.validation import check
from tcpatlas.claims.verdict import Estimate, judge
from tcpatlas.points.documents import check_point
from tcpatlas.points.nuisance import applied, changes, shifts
from tcpatlas.runs.documents import Replications
from tcpatlas.runs.simulate import summarise

REPLICATIONS = {"minimum": 3, "maximum": 5, "targets": {}}


def points(nuisance: dict[str, str], **spec: Any) -> list[dict[str, Any]]:
    own = {"maximum": 5, "nuisance": nuisance}
    return [
        dict(point.document)
        for point in expanded(SCENARIO["base"], {"replications": own, **spec}, REPLICATIONS)
    ]


def test_shifts_fill_their_range_evenly_and_differ_from_parameter_to_parameter() -> None:
    for place in range(4):
        drawn = shifts(1000, place)
        assert all(-1 <= shift < 1 for shift in drawn)
        # Equidistribution: each tenth of the range has a tenth of them, give or take a few.
        tenths = [sum(-1 + k / 5 <= shift < -1 + (k + 1) / 5 for shift in drawn) for k in range(10)]
        assert all(abs(count - 100) <= 5 for count in tenths)
    pairs = zip(shifts(1000, 0), shifts(1000, 1), strict=True)
    # Of 1000 independent ones: 1000 / 3 / sqrt(1000) = 11.
    assert abs(sum(one * other for one, other in pairs)) < 50


def test_only_what_differs_is_kept_and_put_back() -> None:
    before = {"a": {"b": 1, "c": [1, {"d": 2}]}, "e": 5}
    after = {"a": {"b": 1, "c": [1, {"d": 3}]}, "e": 6}
    kept = changes(before, after)
    assert kept == {"a.c.1.d": 3, "e": 6}
    assert applied(before, kept) == after
    assert before["a"] == {"b": 1, "c": [1, {"d": 2}]}


def test_a_round_trip_that_is_off_moves_both_delays_and_nothing_else() -> None:
    (point,) = points({"rtt": "1 %"})
    check_point(point, "point")
    variants = point["replications"]["variants"]
    assert len(variants) == 4
    assert {tuple(sorted(variant)) for variant in variants} == {
        ("links.bottleneck.delay_s", "return_delay_s")
    }
    whole = point["links"]["bottleneck"]["delay_s"] + point["return_delay_s"]
    for variant in variants:
        assert abs(sum(variant.values()) - whole) <= 0.01 * 0.05 + 1e-12  # 1 % of the 50 ms


def test_all_replications_up_to_the_maximum_are_made() -> None:
    (point,) = points({"links.bottleneck.rate": "0.0001 %"})
    assert (point["replications"]["minimum"], point["replications"]["targets"]) == (5, {})
    rates = [variant["links.bottleneck.rate_bit_per_s"] for variant in point["replications"]["variants"]]
    assert len(set(rates)) == 4
    assert all(abs(rate / point["links"]["bottleneck"]["rate_bit_per_s"] - 1) <= 1e-6 for rate in rates)


@pytest.mark.parametrize("path", ["tcp.variant", "links.bottleneck.rat", "sources.count"])
def test_what_is_no_quantity_cannot_be_off(path: str) -> None:
    with pytest.raises(ConfigError, match=rf"sets.set.replications.nuisance.{path}: is no quantity"):
        points({path: "0.1 %"})


def test_a_band_is_the_first_number_between_the_lowest_and_the_highest() -> None:
    runs = [run_of(value, [value / 100, 1 - value / 100]) for value in (90.0, 95.0, 88.0)]
    summary = summarise(runs, 0.95, random=False, band=True)
    check(Replications, json.loads(json.dumps(summary)), "summary")
    goodput = summary["metrics"]["goodput"]
    assert (goodput["value"], goodput["ci_low"], goodput["ci_high"]) == (90.0, 88.0, 95.0)
    assert summary["distributions"]["queue"]["ci_high"] == [0.95, pytest.approx(0.12)]
    assert summary.get("band") is True
    assert interval({**goodput, "band": True}) == {"interval": "band", "ci_low": 88.0, "ci_high": 95.0}


def test_a_number_that_nothing_moves_is_exact() -> None:
    summary = summarise([run_of(90.0)] * 3, 0.95, random=False, band=True)
    assert summary.get("exact") is True
    assert "band" not in summary


def test_bands_of_two_numbers_meet_in_quadrature_by_their_longer_sides() -> None:
    one = {"unit": "s", "value": 10.0, "ci_low": 9.0, "ci_high": 10.5, "band": True}
    other = {"unit": "s", "value": 20.0, "ci_low": 19.9, "ci_high": 22.0, "band": True}
    ends = interval(mean([one, other]))
    assert ends["interval"] == "band"
    half = (1.0**2 + 2.0**2) ** 0.5 / 2
    assert (ends["ci_low"], ends["ci_high"]) == pytest.approx((15 - half, 15 + half))
    exact = {"unit": "s", "value": 5.0, "ci_low": 5.0, "ci_high": 5.0, "exact": True}
    assert interval(ratio(one, exact) or {})["interval"] == "band"


def test_a_knife_edge_is_undecided() -> None:
    band = band_of([96.4, 96.5, 91.0])
    ours = Estimate(*(Decimal(str(end)) for end in (band.mean, band.low, band.high)))
    assert judge(ours, Decimal("96.4"), Decimal(1)) == "undecided"
    assert judge(Estimate.of(Decimal("96.4")), Decimal("96.4"), Decimal(1)) == "reproduced"


def test_a_band_of_distributions_is_taken_value_by_value() -> None:
    first, low, high = pointwise_band([[0.5, 0.5], [0.25, 0.5, 0.25]])
    assert first.tolist() == [0.5, 0.5, 0.0]
    assert low.tolist() == [0.25, 0.5, 0.0]
    assert high.tolist() == [0.5, 0.5, 0.25]
