"""Sentences of a paper: which points each speaks of, and whether it holds there."""

import pytest
from conftest import Fails, Refused
from handmade import Results

RATE = "goodput_per_connection"
FALLS = {"metric": RATE, "predicate": "decreasing", "along": "sources.count", "tolerance": "1 kbit/s"}
AT_82 = {"sources.count": 82}


def test_a_bound(results: Results) -> None:
    """The rates are 560 and, of the model, 547.76 kbit/s."""
    bound = {"metric": RATE, "bound": "600 kbit/s", "tolerance": "0 kbit/s", "where": AT_82}
    of_model = {"kind": "model", "bound": "0.5 Mbit/s", "tolerance": "1 kbit/s"}
    below, above, predicted = results.statements(
        bound | {"predicate": "at most"},
        bound | {"predicate": "at least", "tolerance": "0 bit/s"},
        bound | {"predicate": "at least"} | of_model,
    )
    assert [row["verdict"] for row in (below, above, predicted)] == ["holds", "fails", "holds"]
    assert (below["statement"], below["point"]) == ("demo-paper/table-01/1", "count-82")
    assert (below["engine"], predicted["engine"]) == ("packetsim", "model:parrot")
    assert (predicted["tolerance"], predicted["unit"]) == ("0.001", "Mbit/s")


def test_a_trend(results: Results) -> None:
    """The rates are 560 and 156 kbit/s with half-widths of 2 and 0.1, those of the model 547.76 and 154.9."""
    falls, rises, beyond, far, enough, predicted = results.statements(
        FALLS,
        FALLS | {"predicate": "increasing"},
        FALLS | {"bound": "-407 kbit/s"},
        FALLS | {"bound": "-405 kbit/s"},
        FALLS | {"bound": "-401 kbit/s"},
        FALLS | {"kind": "model"},
    )
    verdicts = [row["verdict"] for row in (falls, rises, beyond, far, enough, predicted)]
    assert verdicts == ["holds", "fails", "fails", "undecided", "holds", "holds"]
    assert (falls["value"], falls["point"], falls["along"]) == ("-404.0", "count-82", "sources.count")
    assert float(falls["ci_high"]) + 404 == pytest.approx((2**2 + 0.1**2) ** 0.5)
    assert float(predicted["value"]) == pytest.approx(-392.86)
    assert rises["max_reversal"] == "404.0"


def test_the_mean_change_of_all_curves_is_one_case(results: Results) -> None:
    """Of one curve it is that curve's change, whatever lies between its ends."""
    (row,) = results.statements(FALLS | {"mean": True})
    assert (row["value"], row["along"], row["verdict"]) == ("-404.0", "mean sources.count", "holds")
    assert float(row["ci_high"]) + 404 == pytest.approx((2**2 + 0.1**2) ** 0.5)


def test_a_trend_of_errors_and_of_their_magnitudes(results: Results) -> None:
    """The errors are 547.76 / 560 - 1 = -2.186 % and 154.9 / 156 - 1 = -0.705 %."""
    trend = {"predicate": "increasing", "along": "sources.count"}
    signed, size = results.statements(
        trend | {"metric": f"{RATE}_error"}, trend | {"metric": f"{RATE}_error_size"}
    )
    assert float(signed["value"]) == pytest.approx(1.480586, abs=1e-6)
    assert float(size["value"]) == pytest.approx(-1.480586, abs=1e-6)
    assert (signed["verdict"], size["verdict"]) == ("holds", "fails")
    assert (size["metric"], size["statistic"]) == (RATE, "error_size")


def test_the_mean_over_all_points_and_over_that_of_another_metric(results: Results) -> None:
    plain, itself = results.statements(
        {"metric": f"{RATE}_error_size", "predicate": "about", "bound": "1.4 %", "mean": True},
        {"metric": f"{RATE}_error", "predicate": "at most", "bound": "-199.9 %", "mean": True}
        | {"against": f"{RATE}_error_size"},
    )
    assert float(plain["value"]) == pytest.approx((2.185714 + 0.705128) / 2, abs=1e-6)
    assert float(itself["value"]) == pytest.approx(-200)  # minus the same, over it, minus one
    assert (plain["verdict"], itself["verdict"]) == ("holds", "undecided")


def test_a_mean_leaves_out_where_a_metric_is_missing(results: Results) -> None:
    results.model_rates["count-82"] = 0.0  # an error of -100 %
    results.rates["count-134"] = (0.0, 0.0, 0.0)  # of which there is no error
    (row,) = results.statements(
        {"metric": f"{RATE}_error", "predicate": "about", "bound": "-100 %", "mean": True}
    )
    assert (row["value"], row["verdict"]) == ("-100.0", "holds")


def test_all_that_a_metric_is_given_of(results: Results) -> None:
    """In the order of the sizes, not of the names: 3-6, 15-30, then all above 30."""
    results.more = {"queue_seen[15-30]": 2.0, "queue_seen[>30]": 1.0, "queue_seen[3-6]": 5.0}
    every = {"metric": "queue_seen[*]", "tolerance": "0.1 packets", "where": AT_82}
    falls, mean = results.statements(
        every | {"predicate": "decreasing"}, every | {"predicate": "at least", "bound": "2.6 packets"}
    )
    assert (falls["value"], falls["verdict"]) == ("-4.0", "holds")
    assert float(mean["value"]) == pytest.approx(8 / 3)


def test_a_sentence_has_a_row_for_each_setting(results: Results) -> None:
    """Two points by two metrics; of a list of selections each in its turn."""
    both = results.statements({"metric": [f"{RATE}_error", "queue_by_time[1]"], "predicate": "about"})
    assert [(row["metric"], row["statistic"], row["point"]) for row in both] == [
        (RATE, "error", "count-82"),
        (RATE, "error", "count-134"),
        ("queue_by_time[1]", "value", "count-82"),
        ("queue_by_time[1]", "value", "count-134"),
    ]


def test_settings_one_after_the_other(results: Results) -> None:
    where = [{"sources.count": 134}, {"sources.count": 82, "metric": "queue_by_time[1]"}]
    rows = results.statements(
        {"metric": "queue_by_time[0]", "predicate": "at least", "bound": "35 %", "where": where}
    )
    assert [(row["point"], row["value"], row["verdict"]) for row in rows] == [
        ("count-134", "75.0", "holds"),
        ("count-82", "25.0", "fails"),
    ]


def test_simulation_and_model_under_one_sentence(results: Results) -> None:
    """It is true if both say so: the rates are 560 and, of the model, 547.76 kbit/s."""
    about = {"predicate": "about", "bound": "560 kbit/s"}
    asked = [{"kind": kind, "metric": RATE, **AT_82} for kind in ("simulation", "model")]
    rows = results.statements(about | {"where": asked, "tolerance": "10 kbit/s"})
    assert [(row["kind"], row["engine"], row["verdict"]) for row in rows] == [
        ("simulation", "packetsim", "holds"),
        ("model", "model:parrot", "fails"),
    ]
    assert {row["statement"] for row in rows} == {"demo-paper/table-01/1"}


def test_what_no_result_could_make_fail_says_why(results: Results) -> None:
    about = {"predicate": "at least", "bound": "0 kbit/s", "tolerance": "0 kbit/s", "metric": RATE}
    bound, free = results.statements(
        about | {"where": AT_82, "by_construction": "a rate is not negative"}, about | {"where": AT_82}
    )
    assert (bound["verdict"], bound["by_construction"]) == ("holds", "a rate is not negative")
    assert free["by_construction"] == ""


def test_one_case_of_several_fails_by_chance_and_of_one_does_not(results: Results) -> None:
    """The rate is 560 kbit/s, known to 2 by three runs: of two cases to 2 t(1 - 0.025) / t(0.95) = 2.9."""
    bound = {"metric": RATE, "predicate": "at most", "bound": "557.5 kbit/s", "tolerance": "0 kbit/s"}
    one, first, second = results.statements(bound | {"where": AT_82}, bound)
    assert [row["verdict"] for row in (one, first, second)] == ["fails", "undecided", "holds"]
    assert first["reason"] == "fails by itself, as one of 2 cases may by chance"
    further = results.statements(bound | {"bound": "557 kbit/s"})
    assert [row["verdict"] for row in further] == ["fails", "holds"]
    of_model = results.statements(bound | {"bound": "547 kbit/s", "kind": "model"})
    assert [row["verdict"] for row in of_model] == ["fails", "holds"]


def test_why_it_fails_and_where_the_paper_contradicts_itself(results: Results) -> None:
    rows = results.statements(
        {
            "metric": RATE,
            "predicate": "at least",
            "bound": "600 kbit/s",
            "tolerance": "0 kbit/s",
            "inconsistent": [{"where": {"sources.count": 134}, "note": "page 3 says 100"}],
            "note": [{"where": AT_82, "note": "ties"}, {"where": {"sources.count": 134}, "note": "other"}],
        }
    )
    assert [(row["verdict"], row["reason"]) for row in rows] == [
        ("fails", "ties"),
        ("inconsistent", "page 3 says 100"),
    ]


def test_what_cannot_be_compared(results: Results) -> None:
    results.workspace.statements = {"table-01": [{"text": "it differs little", "unavailable": "by what?"}]}
    results.claims()
    (row,) = results.table("statements")
    assert (row["verdict"], row["reason"], row["engine"]) == ("unavailable", "by what?", "")


def test_a_count_in_a_whole_run_is_as_much_more_of_a_shorter_one(results: Results) -> None:
    """The rate is 560 kbit/s, known to 2: above 557 with a tolerance of 0.5, not with that of a tenth, 5."""
    bound = {"metric": RATE, "predicate": "at most", "bound": "557 kbit/s", "tolerance": "0.5 kbit/s"}
    bound |= {"where": AT_82}
    fails, whole = results.statements(bound, bound | {"of_whole_run": True})
    assert (fails["verdict"], whole["verdict"], whole["tolerance"]) == ("fails", "fails", "0.5")
    results.workspace.config["scale"] = "quick"
    results.workspace.config["scales"]["quick"] = {"length": 0.1}
    fails, shorter = results.statements(bound, bound | {"of_whole_run": True})
    assert (fails["verdict"], shorter["verdict"], shorter["tolerance"]) == ("fails", "holds", "5.0")


def test_smoke_judges_models_only(results: Results) -> None:
    results.workspace.config["scale"] = "smoke"
    simulated, predicted = results.statements(FALLS, FALLS | {"kind": "model"})
    assert (simulated["verdict"], predicted["verdict"]) == ("smoke", "holds")


def test_a_sentence_of_no_item(results: Results, refused: Refused) -> None:
    results.workspace.statements = {"table-02": [{"text": "a", "unavailable": "b"}]}
    assert "table-02: is no item of scenarios/papers/demo-paper/items.yaml; one of: table-01" in refused()


def test_a_unit_that_is_not_the_metrics(results: Results, fails: Fails) -> None:
    results.workspace.statements = {"table-01": [{"text": "a", "reason": "b", **FALLS, "tolerance": "1 ms"}]}
    results.workspace.write()
    results.write()
    assert "table-01[0].metric: the unit 'bit/s' does not convert to 'ms'" in fails("compare")
