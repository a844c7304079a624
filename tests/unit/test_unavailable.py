"""The reasons for a missing number."""

from typing import Any, cast

from conftest import cases, data

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.source import Source
from tcpatlas.claims.notes import why_missing

NOT_CONVERGED: dict[str, Any] = data("unavailable.not_converged")


@cases("unavailable.an_iteration_without_a_fixed_point_says_where_it_was")
def test_an_iteration_without_a_fixed_point_says_where_it_was(metrics: dict[str, Any], says: str) -> None:
    nowhere = cast(Any, None)
    assert why_missing(Answer(Source("simulation", "fixed_point"), nowhere, nowhere, metrics)) == says
