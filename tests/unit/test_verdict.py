"""Verdicts and tolerances, on numbers small enough to judge by eye."""

from decimal import Decimal

import pytest

from tcpatlas.claims.verdict import Tolerance, half_last_digit, judge, within


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
    ("value", "relation", "expected"),
    [
        ("10.1", "=", True),
        ("10.2", "=", False),
        ("9.9", "=", True),
        ("9.8", "=", False),
        ("3", "<=", True),
        ("10.1", "<=", True),
        ("10.11", "<=", False),
        ("30", ">=", True),
        ("9.9", ">=", True),
        ("9.89", ">=", False),
    ],
)
def test_within_a_tenth_of_ten(value: str, relation: str, expected: bool) -> None:
    assert within(d(value), d("10"), d("0.1"), relation) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "setback", "relation", "expected"),
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
def test_a_trend_needs_a_change_and_forgives_small_steps_back(
    change: str, setback: str, relation: str, expected: bool
) -> None:
    assert within(d(change), d("0"), d("0.1"), relation, d(setback)) is expected  # type: ignore[arg-type]


def test_a_trend_that_must_deviate_does() -> None:
    assert judge(d("-3"), d("0"), d("0.1"), "decreasing", setback=d("0.2")) == "deviates"
    assert judge(d("-3"), d("-4"), d("0.1"), "decreasing") == "deviates"
    assert judge(d("-5"), d("-4"), d("0.1"), "decreasing") == "reproduced"


def test_a_value_on_the_edge_is_within_in_spite_of_binary_fractions() -> None:
    assert abs(547.85 - 547.8) > 0.05  # what floats would say
    assert within(d("547.85"), d("547.8"), d("0.05"), "=")


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
