"""Claims on how far two engines are apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from handmade import DEMO, Results

from tcpatlas.points import engines

ROWS = (
    "kind,metric,unit,published,note,sources.count\n"
    "equivalence,goodput_per_connection_error,%,0,,82\n"
    "equivalence,goodput_per_connection_error_bound,%,0,,82\n"
    "equivalence,largest_difference,%,0,,82\n"
    "simulation,goodput_per_connection,kbit/s,560,,82\n"
)


@pytest.fixture
def both(results: Results, monkeypatch: pytest.MonkeyPatch) -> Results:
    """Return results of two engines, of which the second finds rates 1 % higher."""
    monkeypatch.setattr(engines, "_NEEDS", {})
    results.workspace.scenario["sets"]["load"]["engines"] = ["packetsim", {"ns3": {"length": 1}}]
    results.workspace.table = ROWS
    results.workspace.items["items"]["table-01"]["tolerances"] = [
        {
            "kind": "equivalence",
            "metric": "goodput_per_connection_error_bound",
            "absolute": "0.5 %",
            "reason": "a test",
        },
        {"kind": "equivalence", "metric": "*", "absolute": "2 %", "reason": "a test"},
        {"kind": "simulation", "metric": "*", "relative": "2 %", "reason": "a test"},
    ]
    results.factors = {"ns3": 1.01}
    return results


def test_a_claim_on_the_difference_of_two_engines(both: Results) -> None:
    """The replications are pairs, each 1 % apart, so that the interval has no width."""
    claims = both.claims()
    assert set(claims) == {
        *(f"{DEMO}/{row}/ns3/packetsim" for row in (1, 2, 3)),
        f"{DEMO}/4/packetsim",
        f"{DEMO}/4/ns3",
    }
    difference, bound, largest = (claims[f"{DEMO}/{row}/ns3/packetsim"] for row in (1, 2, 3))
    assert [float(claim["value"]) for claim in (difference, bound)] == pytest.approx([1, 1])
    assert float(largest["value"]) == pytest.approx(100 * 0.01 / 1.01)
    verdicts = [claim["verdict"] for claim in (difference, bound, largest)]
    assert verdicts == ["reproduced", "deviates", "reproduced"]
    assert difference["kind"] == "equivalence"


def test_where_one_of_them_is_not_there_nothing_is_said_of_their_difference(
    both: Results, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engines, "_NEEDS", {"ns3": ("a.h", "ns-3", "libns3-dev")})
    monkeypatch.setattr(engines, "_INCLUDE_FOLDERS", (tmp_path,))
    assert set(both.claims()) == {f"{DEMO}/4/packetsim"}


def test_the_difference_of_a_set_that_one_engine_answers(both: Results, fails: Callable[..., str]) -> None:
    both.workspace.scenario["sets"]["load"]["engines"] = ["packetsim"]
    both.workspace.write()
    both.write()
    assert "row 1.metric: nobody gives goodput_per_connection_error in demo/load" in fails("compare")
