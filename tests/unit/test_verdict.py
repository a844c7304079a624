"""Verdicts and tolerances, on numbers small enough to judge by eye."""

from decimal import Decimal

import pytest

from tcpatlas.claims.verdict import Tolerance, half_last_digit, holds, judge


def d(text: str) -> Decimal:
    return Decimal(text)


@pytest.mark.parametrize(
    ("published", "half"),
    [
        ("547.8", "0.05"),
        ("155", "0.5"),
        ("0.004", "0.0005"),
        ("22.0", "0.05"),
        ("0", "0.5"),
        ("-3.10", "0.005"),
    ],
)
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


@pytest.mark.parametrize(
    ("value", "predicate", "expected"),
    [
        ("10.1", "about", True),
        ("10.2", "about", False),
        ("9.9", "about", True),
        ("9.8", "about", False),
        ("3", "at most", True),
        ("10.1", "at most", True),
        ("10.11", "at most", False),
        ("30", "at least", True),
        ("9.9", "at least", True),
        ("9.89", "at least", False),
    ],
)
def test_within_a_tenth_of_ten(value: str, predicate: str, expected: bool) -> None:
    assert holds(d(value), d("10"), d("0.1"), predicate) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "max_reversal", "predicate", "expected"),
    [
        ("-3", "0", "decreasing", True),
        ("-3", "0.1", "decreasing", True),
        ("-3", "0.2", "decreasing", False),
        ("0", "0", "decreasing", False),
        ("0.05", "0.05", "decreasing", False),
        ("3", "0", "decreasing", False),
        ("3", "0.1", "increasing", True),
        ("0", "0", "increasing", False),
    ],
)
def test_a_trend_needs_a_change_and_forgives_small_reversals(
    change: str, max_reversal: str, predicate: str, expected: bool
) -> None:
    assert holds(d(change), d("0"), d("0.1"), predicate, d(max_reversal)) is expected  # type: ignore[arg-type]


def test_a_trend_has_to_exceed_a_stated_change() -> None:
    assert not holds(d("-3"), d("-4"), d("0.1"), "decreasing")
    assert holds(d("-5"), d("-4"), d("0.1"), "decreasing")


def test_a_value_on_the_edge_is_within_in_spite_of_binary_fractions() -> None:
    assert abs(547.85 - 547.8) > 0.05  # what floats would say
    assert judge(d("547.85"), d("547.8"), d("0.05")) == "reproduced"


def test_a_claim_that_must_deviate_does() -> None:
    assert judge(d("203"), d("202"), d("0.5")) == "deviates"
    assert judge(d("202.4"), d("202"), d("0.5")) == "reproduced"


def test_no_value_of_ours_deviates() -> None:
    assert judge(None, d("202"), d("0.5")) == "deviates"


def test_no_tolerance_is_never_agreement() -> None:
    assert judge(d("202"), d("202"), None) == "deviates"


def test_what_the_paper_lacks_or_contradicts_is_not_judged_at_any_scale() -> None:
    assert judge(d("1"), None, None) == "unavailable"
    assert judge(d("1"), None, None, too_short=True) == "unavailable"
    assert judge(d("1"), d("1"), d("1"), inconsistent=True, too_short=True) == "inconsistent"


def test_too_short_a_run_claims_nothing() -> None:
    assert judge(d("1"), d("1"), d("1"), too_short=True) == "smoke"
    assert judge(d("9"), d("1"), d("1"), too_short=True) == "smoke"
