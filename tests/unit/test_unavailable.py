"""The reasons why there is no number of ours, in words."""

from typing import Any, cast

import pytest

from tcpatlas.claims.answers import Answer
from tcpatlas.claims.source import Source
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


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        ({}, "not given at this point"),
        (NOT_CONVERGED | {"iteration_converged": {"unit": "1", "value": 0.5}}, "not given at this point"),
        (
            {name: NOT_CONVERGED[name] for name in ("iteration_converged", "iteration_steps")},
            "the iteration has not converged in 16 steps; its last two have send rates of … and … kbit/s, "
            "queues of … and … packets, losses of … and … %",
        ),
        (
            NOT_CONVERGED,
            "the iteration has not converged in 16 steps; its last two have send rates of 49.4 and 78.4 "
            "kbit/s, queues of 0.0353 and 0.0063 packets, losses of 0 and 0.2 %",
        ),
    ],
)
def test_an_iteration_without_a_fixed_point_says_where_it_was(metrics: dict[str, Any], says: str) -> None:
    nowhere = cast(Any, None)
    assert why_missing(Answer(Source("simulation", "fixed_point"), nowhere, nowhere, metrics)) == says
