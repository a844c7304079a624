"""The reasons why there is no number of ours, in words."""

from typing import Any, cast

from conftest import cases

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.source import Source
from tcpatlas.claims.unavailable import why_missing

NOT_CONVERGED: dict[str, Any] = {
    "iteration_converged": {"unit": "1", "value": 0},
    "iteration_steps": {"unit": "1", "value": 16},
    "iterate_send_rate[before-last]": {"unit": "bit/s", "value": 49400},
    "iterate_send_rate[last]": {"unit": "bit/s", "value": 78400},
    "iterate_queue[before-last]": {"unit": "packets", "value": 0.0353},
    "iterate_queue[last]": {"unit": "packets", "value": 0.0063},
    "iterate_loss_ratio[before-last]": {"unit": "1", "value": 0},
    "iterate_loss_ratio[last]": {"unit": "1", "value": 0.002},
}


@cases("unavailable.an_iteration_without_a_fixed_point_says_where_it_was")
def test_an_iteration_without_a_fixed_point_says_where_it_was(metrics: dict[str, Any], says: str) -> None:
    nowhere = cast(Any, None)
    assert why_missing(Answer(Source("simulation", "fixed_point"), nowhere, nowhere, metrics)) == says
