"""The blocking of the classical Engset model, by the package fast-engset."""

import os

import pytest

os.environ["FAST_ENGSET_NO_JIT"] = "1"  # compiling takes longer than the tests
import fast_engset


def assert_is_engset_blocking(blocking: float, servers: int, sources: int, idle_traffic: float) -> None:
    """Assert that so many servers block such a share of arrivals; traffic includes what is blocked."""
    traffic = sources * idle_traffic / (1 + idle_traffic * (1 - blocking))
    result = fast_engset.blocking_prob(
        servers, sources, traffic, alg=fast_engset.Algorithm.BISECT, tol=2.0**-45
    )
    assert result.status is fast_engset.Status.OK
    assert blocking == pytest.approx(result.value, rel=1e-9)
