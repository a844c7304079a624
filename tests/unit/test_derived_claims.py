"""Claims on a ratio: of one point to another, of one metric to another; and on tails of distributions."""

import pytest
from conftest import Fails, Refused, cases
from handmade import DEMO, Results

from tcpatlas.answers.quantity import Quantity


def test_a_claim_on_one_point_against_another(results: Results) -> None:
    row = "simulation,goodput_per_connection,%,259,,sources.count = 134,82"
    claim = results.judged(row, more="against", printed_digits=True)[f"{DEMO}/1/packetsim"]
    assert float(claim["value"]) == pytest.approx(258.974358974)  # 560000 / 156000 - 1, in percent
    # The relative half-widths 2000 / 560000 and 100 / 156000 in quadrature, of 358.974 %.
    assert float(claim["ci_high"]) - float(claim["value"]) == pytest.approx(1.302539, rel=1e-6)
    assert claim["verdict"] == "undecided"  # 1.3 around 258.97 reach beyond 0.5 around 259


@cases("derived_claims.a_wrong_point_to_compare_with")
def test_a_wrong_point_to_compare_with(results: Results, refused: Refused, against: str, says: str) -> None:
    results.workspace.print_rows(f"simulation,goodput_per_connection,%,1,,{against},82", more="against")
    assert says in refused()


def test_one_metric_over_another_at_one_point(results: Results) -> None:
    row = "simulation,queue_by_time[1],%,-66.7,,queue_by_time[0],82"
    (claim,) = results.judged(row, more="against", absolute="1 %").values()
    assert float(claim["value"]) == pytest.approx(-200 / 3)  # 0.25 over 0.75, minus one
    assert (claim["verdict"], claim["reference"]) == ("undecided", "queue_by_time[0]")


def test_the_tail_of_a_distribution_and_its_error(results: Results) -> None:
    results.model_queues = {"queue_by_time": {"unit": "packets", "probability": [0.5, 0.25, 0.25]}}
    rows = ("simulation,queue_by_time[>0],%,25,,82", "simulation,queue_by_time_error[>0],%,100,,82")
    tail, error = results.judged(*rows, absolute="5 %").values()
    assert (tail["value"], tail["ci_low"], tail["ci_high"], tail["verdict"]) == (
        "25.0",
        "24.5",
        "25.5",
        "reproduced",
    )
    # 0.5 over 0.25, minus one, and over the ends of the interval.
    ends = [float(error[key]) for key in ("value", "ci_low", "ci_high")]
    assert ends == pytest.approx([100, 100 * (0.5 / 0.255 - 1), 100 * (0.5 / 0.245 - 1)])
    assert error["verdict"] == "reproduced"
    assert (error["quantity"], error["statistic"]) == ("queue_by_time[>0]", "error")


def test_a_metric_against_one_that_nobody_gives(results: Results, fails: Fails) -> None:
    results.workspace.print_rows("simulation,goodput_per_connection,%,0,,on_time,82", more="against")
    results.workspace.item["tolerances"][0] |= {"metric": "*"}
    results.workspace.item["tolerances"].pop()
    results.workspace.write()
    results.write()
    assert "row 1.metric: nobody gives goodput_per_connection and on_time in demo/load" in fails("compare")


def test_brackets_hold_numbers_or_the_names_of_groups() -> None:
    names = ["goodput[far-2]", "goodput[far]", "on_time[7-9]", "on_time[3-6]", "on_time[>9]"]
    times, rates = (Quantity.parse(name).each(names) for name in ("on_time[*]", "goodput[*]"))
    assert [quantity.of for quantity in times] == ["[3-6]", "[7-9]", "[>9]"]
    assert [quantity.of for quantity in rates] == ["[far-2]", "[far]"]
    assert Quantity.parse("goodput[far-2]").name == "goodput[far-2]"
