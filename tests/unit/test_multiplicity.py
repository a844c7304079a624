"""Holm's correction over the cases of a sentence, against its definition by p-values."""

from decimal import Decimal
from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tcpatlas.base.statistics import t_quantile
from tcpatlas.claims import multiplicity
from tcpatlas.claims.multiplicity import failing_together
from tcpatlas.claims.verdict import Estimate

ALPHA = 0.05
Case = tuple[float, int]  # by how many standard errors the mean of so many runs is above the bound, 0

cases_of_a_sentence = st.lists(st.tuples(st.floats(-10, 40), st.integers(2, 40)), min_size=1, max_size=30)


def p_value(case: Case) -> float:
    """Return that of Student's test, both sides of it; 1 below the bound."""
    mean, runs = case
    return float(2 * stats.t(runs - 1).sf(mean)) if mean > 0 else 1.0


def by_definition(cases: list[Case]) -> set[int]:
    """Return what Holm (1979) rejects: in the order of p-values, as long as each is small enough."""
    in_order = sorted(range(len(cases)), key=lambda at: p_value(cases[at]))
    rejected: set[int] = set()
    for rank, at in enumerate(in_order):
        if p_value(cases[at]) > ALPHA / (len(cases) - rank):
            break
        rejected.add(at)
    return rejected


def fails(estimate: Estimate, factor: Decimal) -> bool:
    return estimate.widened(factor).at_most(Decimal(0)) == "fails"


def as_test(case: Case) -> multiplicity.Test:
    mean, runs = case
    half = t_quantile(runs, 1 - ALPHA)
    estimate = Estimate(Decimal(mean), Decimal(mean - half), Decimal(mean + half))
    return multiplicity.Test(runs, 1 - ALPHA, partial(fails, estimate))


@given(cases_of_a_sentence)
def test_it_is_holms_procedure(cases: list[Case]) -> None:
    assert failing_together([as_test(case) for case in cases]) == by_definition(cases)


def test_one_failure_by_a_hair_among_many_is_chance_and_what_fails_by_far_fails() -> None:
    hair, holds = (2.1, 40), (-1.0, 40)
    assert failing_together([as_test(hair)]) == {0}
    assert failing_together([as_test(hair), *[as_test(holds)] * 151]) == set()
    assert failing_together([as_test((9.0, 40)), *[as_test(holds)] * 151]) == {0}
    # Two fail together that would not each beside one that holds: the first leaves the other alone.
    assert failing_together([as_test((9.0, 40)), as_test(hair)]) == {0, 1}
    assert failing_together([]) == set()
