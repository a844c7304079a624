"""Claims: the cells of a row, its verdict and the reason of a deviation."""

import json
from pathlib import Path

import pytest
from conftest import cases, change, data
from handmade import DEMO, Results

from tcpatlas import cli
from tcpatlas.answers.source import Source
from tcpatlas.base.errors import ConfigError
from tcpatlas.claims.notes import Reason, reason_of
from tcpatlas.pipeline.compare import ALL_COLUMNS


def test_claims_in_full(results: Results) -> None:
    """Printed 563.1 +- 1 % is reproduced by 560; 547.8 to its digits by 547.76; 154.7 +- 1 % by 156."""
    claims = results.claims()
    first = claims[f"{DEMO}/1/packetsim"]
    assert tuple(first) == ALL_COLUMNS["claims"]
    worked_out = {name: first[name] for name in ("relative_error", "tolerance_reason")}
    assert first == data("claims.first") | worked_out

    assert float(first["relative_error"]) == pytest.approx((560 - 563.1) / 563.1)
    assert [claim["verdict"] for claim in claims.values()] == ["reproduced"] * 3
    assert claims[f"{DEMO}/2/model:parrot"]["tolerance"] == "0.05"


@cases("claims.a_simulation_that_is_off_deviates")
def test_a_simulation_that_is_off_deviates(results: Results, rate: float, verdict: str) -> None:
    results.rates["count-82"] = (rate, rate - 1, rate + 1)
    assert results.claims()[f"{DEMO}/1/packetsim"]["verdict"] == verdict


def test_a_wide_interval_decides_nothing(results: Results) -> None:
    results.rates["count-82"] = (500000.0, 400000.0, 600000.0)
    claim = results.claims()[f"{DEMO}/1/packetsim"]
    assert claim["verdict"] == "undecided"
    assert claim["note"] == "page 25; the printed number lies inside our interval"


def test_a_model_that_is_off_in_the_last_digit_deviates(results: Results) -> None:
    results.model_rates["count-82"] = 547700.0
    assert results.claims()[f"{DEMO}/2/model:parrot"]["verdict"] == "deviates"


def test_what_engines_give_stands_beside_the_numbers_of_models(results: Results) -> None:
    """Printed by a model 547.8, +- 1 % by simulation: 560 deviates, and counts nowhere; so of 545."""
    results.workspace.item["simulated"] = True
    claims = results.claims()
    model, beside = claims[f"{DEMO}/2/model:parrot"], claims[f"{DEMO}/2/packetsim"]
    assert (model["counted"], model["verdict"]) == ("true", "reproduced")
    assert (beside["counted"], beside["verdict"]) == ("simulated", "deviates")
    assert (beside["kind"], beside["relation"]) == ("model", "simulation")
    assert (beside["value"], beside["tolerance"]) == ("560.0", "5.478")
    assert claims[f"{DEMO}/1/packetsim"]["counted"] == "true"
    results.rates["count-82"] = (545000.0, 544000.0, 546000.0)
    assert results.claims()[f"{DEMO}/2/packetsim"]["verdict"] == "reproduced"


def test_what_is_simulated_beside_a_model_needs_a_tolerance(results: Results) -> None:
    results.workspace.item["simulated"] = True
    results.workspace.print_rows("model,goodput_per_connection,kbit/s,547.8,,82")
    del results.workspace.item["tolerances"][0]
    results.workspace.write()
    with pytest.raises(ConfigError, match=r"row 1 \(simulation, goodput_per_connection\) has no tolerance"):
        results.write()


def test_why_is_said_only_where_it_deviates(results: Results) -> None:
    entry = {
        "metric": "goodput_per_connection",
        "where": {"sources.count": [82]},
        "note": "the paper rounds twice",
    }
    results.workspace.item["deviations"] = [entry]
    results.model_rates["count-82"] = 500000.0
    claims = results.claims()
    assert claims[f"{DEMO}/2/model:parrot"]["note"] == "the paper rounds twice"
    assert claims[f"{DEMO}/1/packetsim"]["note"] == "page 25"
    assert claims[f"{DEMO}/3/packetsim"]["note"] == "page 25"


@pytest.mark.parametrize(("engines", "note"), [(["packetsim"], "it is short"), (["ns3"], "page 25")])
def test_a_reason_may_be_of_some_engines(results: Results, engines: list[str], note: str) -> None:
    entry = {"metric": "goodput_per_connection", "engines": engines, "note": "it is short"}
    results.workspace.item["deviations"] = [entry]
    results.workspace.item["tolerances"] = [
        {"kind": kind, "metric": "*", "absolute": "0.001 bit/s", "reason": "x"}
        for kind in ("simulation", "model")
    ]
    claim = results.claims()[f"{DEMO}/3/packetsim"]
    assert (claim["verdict"], note in claim["note"]) == ("deviates", True)
    assert ("it is short" in claim["note"]) == (engines == ["packetsim"])


def test_a_reason_of_an_engine_is_of_the_models_that_it_feeds() -> None:
    reasons = [Reason("all"), Reason("some", ["packetsim", "linux"])]
    assert reason_of(reasons, Source("fed", model="markov", fed_by="linux")) == "all; some"
    assert reason_of(reasons, Source("simulation", "linux")) == "all; some"
    assert reason_of(reasons, Source("fed", model="markov", fed_by="ns3")) == "all"
    assert reason_of(reasons, Source("model", model="markov")) == "all"


def test_the_first_tolerance_that_matches_holds(results: Results) -> None:
    tolerances = results.workspace.item["tolerances"]
    special = {
        "kind": "simulation",
        "metric": "*",
        "where": {"sources.count": 134},
        "absolute": "200 bit/s",
        "reason": "x",
    }
    tolerances.insert(0, special)
    claims = results.claims()
    assert claims[f"{DEMO}/3/packetsim"]["tolerance"] == "0.2"
    assert claims[f"{DEMO}/3/packetsim"]["verdict"] == "deviates"
    assert claims[f"{DEMO}/1/packetsim"]["tolerance"] == "5.631"


def test_smoke_judges_models_only(results: Results) -> None:
    results.workspace.config["scale"] = "smoke"
    results.model_rates["count-82"] = 1.0
    claims = results.claims()
    assert [claim["verdict"] for claim in claims.values()] == ["smoke", "deviates", "smoke"]


def test_what_the_paper_lacks_or_contradicts(results: Results) -> None:
    results.workspace.print_rows(
        "simulation,goodput_per_connection,kbit/s,,,,82",
        "model,goodput_per_connection,kbit/s,1.0,page 9,the flights give 2,82",
        more="inconsistent",
    )
    change(results.workspace.items, "items/table-01/tolerances", ...)
    claims = results.claims()
    lacking, contradicted = claims.values()
    assert (lacking["verdict"], lacking["published"], lacking["relative_error"]) == ("unavailable", "", "")
    assert lacking["value"] == "560.0"
    assert (contradicted["verdict"], contradicted["note"]) == ("inconsistent", "page 9; the flights give 2")


def test_a_printed_zero_has_no_relative_error(results: Results) -> None:
    results.workspace.print_rows("model,goodput_per_connection,kbit/s,0,,82")
    results.workspace.item["tolerances"].pop(0)
    (claim,) = results.claims().values()
    assert (claim["relative_error"], claim["tolerance"], claim["verdict"]) == ("", "0.5", "deviates")


def test_a_metric_that_is_missing_at_one_point_is_unavailable(results: Results) -> None:
    results.claims()
    path = Path("results/predictions/demo/parrot.jsonl")
    data = json.loads(path.read_text())
    data["points"]["count-82"]["metrics"] = {}
    path.write_text(json.dumps(data))
    assert cli.main(["compare"]) == 0
    claim = {row["claim"]: row for row in results.table("claims")}[f"{DEMO}/2/model:parrot"]
    assert (claim["value"], claim["verdict"], claim["note"]) == ("", "unavailable", "not given at this point")


def test_numbers_of_one_case_belong_together_whatever_their_notes_say(results: Results) -> None:
    results.workspace.print_rows(
        "simulation,goodput_per_connection,kbit/s,563.1,page 25,transfer 1,82",
        "model,goodput_per_connection,kbit/s,547.8,page  25,transfer 1,82",
        more="case",
    )
    simulated, predicted = results.claims().values()
    assert simulated["case"] == predicted["case"] == "transfer 1"
    assert (simulated["case"], simulated["row_note"]) == ("transfer 1", "page 25")
