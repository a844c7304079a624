"""The distance of two engines, judged by what a study states of it."""

from typing import Any

import pytest
from conftest import Refused
from handmade import DEMO, Results

from tcpatlas.points import engines

RATE = "goodput_per_connection"


def rule(statistic: str, within: str, *metrics: str) -> dict[str, Any]:
    return {
        "text": "they agree",
        "predicate": "agree",
        "sets": ["lo*"],
        "statistic": statistic,
        "tolerances": [{"metrics": list(metrics), "within": within, "reason": "a test"}],
        "notes": [{"metrics": [RATE], "note": "rates differ"}],
    }


@pytest.fixture
def both(results: Results, monkeypatch: pytest.MonkeyPatch) -> Results:
    """Return results of two engines, of which the second finds rates 1 % higher."""
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    results.workspace.scenario["sets"]["load"]["engines"] = ["packetsim", {"ns3": {"length": 1}}]
    results.factors = {"ns3": 1.01}
    return results


def judged(results: Results, *rules: dict[str, Any]) -> dict[tuple[str, str], dict[str, str]]:
    results.workspace.agreements = list(rules)
    results.claims()
    return {(row["point"], row["metric"]): row for row in results.table("equivalence")}


def test_the_difference_of_two_engines_in_percent(both: Results) -> None:
    """The replications are pairs, each 1 % apart, so that the interval has no width."""
    rows = judged(both)
    row = rows["count-82", RATE]
    assert (row["engine"], row["reference"], row["unit"], row["verdict"]) == ("ns3", "packetsim", "%", "")
    assert [float(row[key]) for key in ("value", "ci_low", "ci_high")] == pytest.approx([1, 1, 1])
    assert float(rows["count-82", "largest_difference"]["value"]) == pytest.approx(100 * 0.01 / 1.01)


@pytest.mark.parametrize("statistic", ["value", "bound"])
@pytest.mark.parametrize(("within", "verdict"), [("2 %", "agrees"), ("0.5 %", "differs")])
def test_an_agreement_judges_its_metrics(both: Results, statistic: str, within: str, verdict: str) -> None:
    rows = judged(both, rule(statistic, within, RATE))
    row = rows["count-134", RATE]
    assert (row["statistic"], row["verdict"]) == (statistic, verdict)
    assert row["tolerance"] == str(float(within[:-2]))
    assert row["reason"] == ("rates differ" if verdict == "differs" else "")
    assert rows["count-134", "largest_difference"]["verdict"] == ""


def test_rates_that_are_too_low_differ_as_well(both: Results) -> None:
    both.factors = {"ns3": 0.99}
    for statistic in ("value", "bound"):
        assert judged(both, rule(statistic, "0.5 %", RATE))["count-134", RATE]["verdict"] == "differs"


def test_the_first_agreement_for_a_point_judges_it(both: Results) -> None:
    isolated = rule("value", "0.1 %", RATE) | {"isolated": True}
    rows = judged(both, isolated, rule("value", "2 %", RATE), rule("value", "0.1 %", RATE))
    assert rows["count-82", RATE]["verdict"] == "agrees"


def test_an_agreement_of_one_engine_judges_no_other(both: Results) -> None:
    both.workspace.scenario["base"]["tcp"]["max_rto"] = "120 s"  # which both have
    both.workspace.scenario["sets"]["load"]["engines"].append("linux")
    both.factors["linux"] = 1.03
    one = {name: rule("value", "2 %", RATE) | {"engine": name} for name in ("ns3", "linux")}
    one["linux"]["notes"] = [{"note": "another TCP"}]
    judged(both, *one.values())
    rows = {row["engine"]: row for row in both.table("equivalence") if row["metric"] == RATE}
    assert {name: (row["verdict"], row["reason"]) for name, row in rows.items()} == {
        "ns3": ("agrees", ""),
        "linux": ("differs", "another TCP"),
    }


def test_what_is_too_small_is_not_judged(both: Results) -> None:
    one = rule("value", "0.1 %", RATE)
    one["tolerances"][0]["at_least"] = "100 %"  # of 1; the rates are larger
    assert judged(both, one)["count-82", RATE]["verdict"] == "differs"
    both.rates = dict.fromkeys(both.rates, (0.9, 0.8, 1.0))
    assert judged(both, one)["count-82", RATE]["verdict"] == ""


def test_the_mean_over_the_points_of_a_sampled_set(both: Results) -> None:
    """Without sampled points all belong to one nameless set."""
    rows = judged(both, rule("mean", "2 %", RATE))
    mean = rows["", RATE]
    assert float(mean["value"]) == pytest.approx(1)
    assert (mean["statistic"], mean["verdict"]) == ("mean", "agrees")
    assert rows["count-82", RATE]["verdict"] == ""


def test_smoke_judges_nothing(both: Results) -> None:
    both.workspace.config["scale"] = "smoke"
    assert judged(both, rule("value", "0.1 %", RATE))["count-82", RATE]["verdict"] == "smoke"


def test_what_one_that_is_left_out_would_have_said_is_unavailable(
    both: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: "it is gone" if engine == "ns3" else None)
    assert judged(both, rule("value", "2 %", RATE)) == {}
    claims = {row["claim"].removeprefix(f"{DEMO}/"): row for row in both.table("claims")}
    assert claims.keys() == {"1/packetsim", "1/ns3", "2/model:parrot", "3/packetsim", "3/ns3"}
    for claim in ("1/ns3", "3/ns3"):
        row = claims[claim]
        assert (row["verdict"], row["reason"], row["value"]) == ("unavailable", "it is gone", "")


def test_an_agreement_for_no_set(both: Results, refused: Refused) -> None:
    one = rule("value", "2 %", RATE) | {"sets": ["laod"]}
    both.workspace.config["scale"] = "smoke"
    both.workspace.config["scales"]["smoke"]["points"] = 3
    both.workspace.agreements = [one]
    assert "table-01[0].sets[0]: there is no set 'laod'; scenarios/demo.yaml has: load" in refused()


def test_an_agreement_of_an_engine_that_is_not_asked(both: Results, refused: Refused) -> None:
    both.workspace.config["scale"] = "smoke"
    both.workspace.config["scales"]["smoke"]["points"] = 3
    both.workspace.agreements = [rule("value", "2 %", RATE) | {"engine": "linux"}]
    assert "table-01[0].engine: demo/load asks no engine 'linux'; one of: packetsim, ns3" in refused()
