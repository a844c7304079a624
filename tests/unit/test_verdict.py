"""Verdicts and tolerances, on numbers small enough to judge by eye."""

from decimal import Decimal

import pytest
from conftest import cases
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from tcpatlas.claims.verdict import Estimate, Predicate, Tolerance, half_last_digit, hides, holds, judge


def d(text: str) -> Decimal:
    return Decimal(text)


def exact(text: str) -> Estimate:
    return Estimate.of(d(text))


def said(true: bool) -> str:
    return "holds" if true else "fails"


def between(low: str, high: str) -> Estimate:
    return Estimate((d(low) + d(high)) / 2, d(low), d(high))


@cases("verdict.half_a_unit_of_the_last_printed_digit")
def test_half_a_unit_of_the_last_printed_digit(published: str, half: str) -> None:
    assert half_last_digit(d(published)) == d(half)


@pytest.mark.parametrize(
    ("tolerance", "published", "width"),
    [
        (Tolerance("", relative=d("0.01")), "563.1", "5.631"),
        (Tolerance("", relative=d("0.01")), "-563.1", "5.631"),
        (Tolerance("", absolute=d("0.15")), "563.1", "0.15"),
        (Tolerance("", printed_digits=True), "563.1", "0.05"),
        (Tolerance("", relative=d("0.1"), absolute=d("0.15")), "0.41", "0.15"),
        (Tolerance("", relative=d("0.1"), absolute=d("0.15")), "4.80", "0.480"),
        (Tolerance("", relative=d("0.1"), absolute=d("0.03"), printed_digits=True), "0.1", "0.05"),
    ],
)
def test_the_tolerance_is_the_largest_of_what_is_given(
    tolerance: Tolerance, published: str, width: str
) -> None:
    assert tolerance.width(d(published)) == d(width)


@cases("verdict.within_a_tenth_of_ten")
def test_within_a_tenth_of_ten(value: str, predicate: str, expected: bool) -> None:
    assert holds(exact(value), d("10"), d("0.1"), predicate) == said(expected)  # type: ignore[arg-type]


@cases("verdict.a_trend_needs_a_change_and_forgives_small_reversals")
def test_a_trend_needs_a_change_and_forgives_small_reversals(
    change: str, max_reversal: str, predicate: str, expected: bool
) -> None:
    assert holds(exact(change), d("0"), d("0.1"), predicate, exact(max_reversal)) == said(expected)  # type: ignore[arg-type]


def test_a_trend_has_to_exceed_a_stated_change() -> None:
    assert holds(exact("-3"), d("-4"), d("0.1"), "decreasing") == "fails"
    assert holds(exact("-5"), d("-4"), d("0.1"), "decreasing") == "holds"


def test_a_value_on_the_edge_is_within_in_spite_of_binary_fractions() -> None:
    assert abs(547.85 - 547.8) > 0.05  # what floats would say
    assert judge(exact("547.85"), d("547.8"), d("0.05")) == "reproduced"


@cases("verdict.a_share_of_so_many_events_has_a_sampling_error")
def test_a_share_of_so_many_events_has_a_sampling_error(
    printed: str, trials: int, whole: str, width: str
) -> None:
    assert Tolerance("", trials=trials, whole=d(whole)).width(d(printed)) == d(width)


def test_the_sampling_error_of_a_share_holds_95_of_100_samples() -> None:
    counts, trials = stats.binom(80000, 0.0413), 80000
    width = float(Tolerance("", trials=trials).width(d("0.0413")))
    within = counts.cdf((0.0413 + width) * trials) - counts.cdf((0.0413 - width) * trials)
    assert within == pytest.approx(0.95, abs=0.002)


def test_the_sampling_error_of_one_run_counts_only_where_the_number_is_of_one() -> None:
    assert Tolerance("", absolute=d("3"), one_run=True).width(d("20"), d("4")) == d("4")
    assert Tolerance("", absolute=d("3")).width(d("20"), d("4")) == d("3")


def test_a_tolerance_as_large_as_its_number_shows_no_agreement() -> None:
    assert judge(exact("1.5"), d("1.6"), d("2")) == "undecided"
    assert judge(exact("9"), d("1.6"), d("2")) == "deviates"
    assert judge(exact("0"), d("0"), d("2")) == "reproduced"


def test_a_claim_that_must_deviate_does() -> None:
    assert judge(exact("203"), d("202"), d("0.5")) == "deviates"
    assert judge(exact("202.4"), d("202"), d("0.5")) == "reproduced"


def test_without_a_value_of_ours_there_is_nothing_to_judge() -> None:
    assert judge(None, d("202"), d("0.5")) == "unavailable"


def test_no_tolerance_is_never_agreement() -> None:
    with pytest.raises(ValueError, match="202 has no tolerance"):
        judge(exact("202"), d("202"), None)


def test_what_the_paper_lacks_or_contradicts_is_not_judged_at_any_scale() -> None:
    assert judge(exact("1"), None, None) == "unavailable"
    assert judge(exact("1"), None, None, too_short=True) == "unavailable"
    assert judge(exact("1"), d("1"), d("1"), inconsistent=True, too_short=True) == "inconsistent"
    assert judge(exact("1"), d("1"), d("1"), not_reproducible=True, too_short=True) == "not-reproducible"
    assert judge(None, d("1"), None, not_reproducible=True) == "not-reproducible"


def test_too_short_a_run_claims_nothing() -> None:
    assert judge(exact("1"), d("1"), d("1"), too_short=True) == "smoke"
    assert judge(exact("9"), d("1"), d("1"), too_short=True) == "smoke"


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (between("99", "101"), "reproduced"),
        (between("98.9", "101"), "undecided"),
        (between("99", "101.1"), "undecided"),
        (between("90", "110"), "undecided"),
        (between("101", "102"), "undecided"),
        (between("101.1", "102"), "deviates"),
        (between("90", "98.9"), "deviates"),
    ],
)
def test_the_whole_interval_decides(ours: Estimate, verdict: str) -> None:
    """Printed is 100, within 1."""
    assert judge(ours, d("100"), d("1")) == verdict


@pytest.mark.parametrize(
    ("ours", "predicate", "expected"),
    [
        (between("9", "10.1"), "at most", "holds"),
        (between("9", "10.2"), "at most", "undecided"),
        (between("10.2", "11"), "at most", "fails"),
        (between("9.9", "12"), "at least", "holds"),
        (between("9.8", "12"), "at least", "undecided"),
        (between("9", "9.8"), "at least", "fails"),
        (between("9.9", "10.1"), "about", "holds"),
        (between("9", "11"), "about", "undecided"),
        (between("10.2", "11"), "about", "fails"),
        (between("10.1", "12"), "increasing", "holds"),
        (between("10", "12"), "increasing", "undecided"),
        (between("9", "10"), "increasing", "fails"),
        (between("9", "10"), "decreasing", "undecided"),
        (between("10", "11"), "decreasing", "fails"),
    ],
)
def test_a_statement_holds_of_the_whole_interval(ours: Estimate, predicate: Predicate, expected: str) -> None:
    """The bound is 10, the tolerance 0.1; a trend has to exceed the bound."""
    assert holds(ours, d("10"), d("0.1"), predicate) == expected


@pytest.mark.parametrize(
    ("reversal", "expected"),
    [(("0", "0.1"), "holds"), (("0", "0.2"), "undecided"), (("0.2", "0.3"), "fails")],
)
def test_a_reversal_has_an_interval_too(reversal: tuple[str, str], expected: str) -> None:
    assert holds(between("2", "3"), d("0"), d("0.1"), "increasing", between(*reversal)) == expected


numbers = st.decimals(-1000, 1000, places=2)
widths = st.decimals(0, 1000, places=2)
predicates: list[Predicate] = ["at most", "at least", "about", "increasing", "decreasing"]
MIRRORED: dict[Predicate, Predicate] = {
    "about": "about",
    "at most": "at least",
    "at least": "at most",
    "increasing": "decreasing",
    "decreasing": "increasing",
}


@st.composite
def estimates(draw: st.DrawFn) -> Estimate:
    low, value, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return Estimate(value, low, high)


def mirrored(one: Estimate) -> Estimate:
    return Estimate(-one.value, -one.high, -one.low)


@given(estimates(), numbers, widths, widths)
def test_a_wider_tolerance_never_turns_agreement_into_deviation(
    ours: Estimate, published: Decimal, width: Decimal, more: Decimal
) -> None:
    assume(not hides(width + more, published))
    order = ["deviates", "undecided", "reproduced"]
    narrow, wide = (judge(ours, published, each) for each in (width, width + more))
    assert order.index(narrow) <= order.index(wide)


@given(estimates(), numbers, widths, widths, st.sampled_from(predicates), estimates())
def test_a_wider_tolerance_never_makes_a_sentence_fail(
    ours: Estimate,
    bound: Decimal,
    tolerance: Decimal,
    more: Decimal,
    predicate: Predicate,
    reversal: Estimate,
) -> None:
    order = ["fails", "undecided", "holds"]
    narrow, wide = (holds(ours, bound, each, predicate, reversal) for each in (tolerance, tolerance + more))
    assert order.index(narrow) <= order.index(wide)


@given(estimates(), numbers, widths)
def test_verdicts_are_symmetric(ours: Estimate, published: Decimal, width: Decimal) -> None:
    """A change of sign of all numbers changes nothing, nor does a common shift."""
    assume(not hides(width, published))
    verdict = judge(ours, published, width)
    assert judge(mirrored(ours), -published, width) == verdict
    shifted = Estimate(ours.value - published, ours.low - published, ours.high - published)
    assert judge(shifted, Decimal(0), width) == verdict


@given(estimates(), numbers, widths, st.sampled_from(predicates), estimates())
def test_sentences_are_symmetric(
    ours: Estimate, bound: Decimal, tolerance: Decimal, predicate: Predicate, reversal: Estimate
) -> None:
    direct = holds(ours, bound, tolerance, predicate, reversal)
    assert holds(mirrored(ours), -bound, tolerance, MIRRORED[predicate], reversal) == direct


@given(estimates(), numbers, widths)
def test_a_decision_is_that_of_every_number_in_the_interval(
    ours: Estimate, published: Decimal, width: Decimal
) -> None:
    """What is decided of an interval is decided alike of its ends and its value, taken as exact."""
    assume(not hides(width, published))
    verdict = judge(ours, published, width)
    alone = {judge(Estimate.of(each), published, width) for each in (ours.low, ours.value, ours.high)}
    assert "undecided" not in alone
    if verdict != "undecided":
        assert alone == {verdict}


@given(numbers, st.decimals("0.01", 1000, places=2))
def test_every_verdict_is_reachable(published: Decimal, width: Decimal) -> None:
    assume(not hides(width, published))
    ends = {"reproduced": (0, 1), "undecided": (0, 2), "deviates": (2, 3)}
    for verdict, (low, high) in ends.items():
        ours = Estimate(published + high * width, published + low * width, published + high * width)
        assert judge(ours, published, width) == verdict
