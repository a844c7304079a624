"""From answers to the tables of results: the cells of each row."""

import json
from pathlib import Path

import pytest
from conftest import Fails, cases, change, data
from handmade import DEMO, Results

from tcpatlas import cli
from tcpatlas.pipeline.compare import ALL_COLUMNS
from tcpatlas.runs.replications import file_hash


def test_observations_predictions_and_errors(results: Results) -> None:
    results.claims()
    observations, predictions, errors = map(results.table, ("observations", "predictions", "errors"))
    assert [row["point"] for row in observations] == ["count-82", "count-134"]
    assert observations[0] == data("compare.observation")
    assert predictions[0] == data("compare.prediction")
    error = errors[0]
    assert error["engine"] == "model:parrot/packetsim"
    assert (error["metric"], error["unit"]) == ("goodput_per_connection", "1")
    assert float(error["value"]) == pytest.approx(-0.021857142857)  # 547760 / 560000 - 1
    assert float(error["ci_low"]) == pytest.approx(-0.025338078292)  # 547760 / 562000 - 1
    assert float(error["ci_high"]) == pytest.approx(-0.018351254480)  # 547760 / 558000 - 1


def test_points_are_a_table_of_their_own(results: Results) -> None:
    results.claims()
    assert results.table("points")[0] == {
        "set": "demo/load",
        "point": "count-82",
        "parameter": "sources.count",
        "value": "82",
        "unit": "",
    }


def test_items_and_tolerances(results: Results) -> None:
    """R reads results only: what is rendered, and how far off a number may be, is in them."""
    results.statements(
        {"metric": "goodput_per_connection_error", "predicate": "at least", "where": {"sources.count": 82}}
    )
    (item,) = results.table("items")
    assert (item["item"], item["kind"], item["sets"]) == ("table-01", "table", "load")
    assert (item["numbers"], item["statements"], item["metrics"]) == ("3", "1", "")
    (study,) = results.table("studies")
    assert (study["study"], study["title"], study["paper"]) == ("demo", "A demonstration", "demo-paper")
    assert (study["folder"], study["authors"]) == ("scenarios/papers/demo-paper", "")
    assert study["digest"] == file_hash(Path("results/points/demo.json"))
    simulation, model = results.table("tolerances")
    assert (simulation["width"], model["width"]) == ("1 % of the number", "half of the last printed digit")


def test_the_tables_of_all_studies_are_joined(results: Results) -> None:
    results.claims()
    assert cli.main(["gather"]) == 0
    for name, columns in ALL_COLUMNS.items():
        text = Path(f"results/{name}.csv").read_text()
        assert text == Path(f"results/studies/demo/{name}.csv").read_text()
        assert text.splitlines()[0] == ",".join(columns)


def test_a_study_that_is_not_there(results: Results, fails: Fails) -> None:
    results.write()
    assert fails("compare", "--study", "dmo") == "--study: dmo: there is no such study; one of: demo"


def test_distributions(results: Results) -> None:
    results.claims()
    rows = results.table("distributions")
    assert tuple(rows[0]) == ALL_COLUMNS["distributions"]
    assert len(rows) == 4
    assert rows[1] == data("compare.distribution")


def test_a_metric_that_nobody_gives(results: Results, fails: Fails) -> None:
    table = results.workspace.table.replace("goodput_per_connection", "on_time")
    results.workspace.table = table.replace("kbit/s", "s")
    results.workspace.item["tolerances"][0]["metric"] = "*"
    results.workspace.write()
    results.write()
    line = fails("compare")
    assert line.startswith("scenarios/papers/demo-paper/table-01.csv: row 1.metric: nobody gives on_time")
    assert line.endswith("one of: goodput_per_connection")
    assert not Path("results/studies/demo/claims.csv").exists()
    assert not Path("results/studies/demo/observations.csv").exists()
    # What is rare may not happen in shorter runs.
    results.workspace.config["scale"] = "quick"
    results.workspace.config["scales"]["quick"] = {"length": 0.1}
    lines = results.workspace.table.splitlines(keepends=True)
    results.workspace.table = "".join(line for line in lines if not line.startswith("model"))
    results.workspace.item["tolerances"] = results.workspace.item["tolerances"][:1]
    simulated = results.claims().values()
    assert {(row["verdict"], row["reason"]) for row in simulated} == {
        ("unavailable", "not given at this point")
    }


@cases("compare.a_result_that_metrics_yaml_does_not_know")
def test_a_result_that_metrics_yaml_does_not_know(
    results: Results, fails: Fails, name: str, unit: str, says: str
) -> None:
    results.write()
    path = Path("results/runs/demo/packetsim-1.jsonl")
    first, *others = path.read_text().splitlines()
    run = json.loads(first)
    run["metrics"][name] = run["metrics"]["goodput_per_connection"] | {"unit": unit}
    path.write_text("\n".join([json.dumps(run), *others]))
    assert fails("compare").startswith(f"{path}: line 1.{says}")


def test_a_run_that_is_not_there(results: Results, fails: Fails) -> None:
    results.write()
    Path("results/runs/demo/packetsim-1.jsonl").unlink()
    line = fails("compare")
    assert line == "results/runs/demo/packetsim-1.jsonl: cannot be read: No such file or directory"


def test_a_run_of_another_point(results: Results, fails: Fails) -> None:
    results.write()
    path = Path("results/runs/demo/packetsim-1.jsonl")
    path.write_text(path.read_text().replace("count-82", "count-83"))
    assert fails("compare") == "runs by packetsim: load.count-82: is missing; simulate again"


def test_a_study_without_paper_has_observations_and_no_claims(results: Results) -> None:
    del results.workspace.scenario["paper"]
    assert results.claims() == {}
    assert len(results.table("observations")) == 2
    assert [(row["item"], row["kind"]) for row in results.table("items")] == [
        ("load", "figure"),
        ("load", "table"),
    ]


def test_a_claim_on_the_error_of_a_model(results: Results) -> None:
    claims = results.judged("simulation,goodput_per_connection_error,%,-2.2,,82", absolute="0.1 %")
    claim = claims[f"{DEMO}/1/model:parrot/packetsim"]
    assert float(claim["value"]) == pytest.approx(-2.1857142857)  # 547760 / 560000 - 1, in percent
    assert claim["verdict"] == "undecided"  # -2.2 % within 0.1 %, of -2.53 to -1.84 %


def test_a_claim_on_a_distribution(results: Results) -> None:
    claims = results.judged(
        "simulation,queue_by_time[1],%,25,,82",
        "simulation,queue_by_time[9],%,0,,82",
        metric="queue_by_time[*]",
        printed_digits=True,
    )
    assert [claims[f"{DEMO}/{row}/packetsim"]["value"] for row in (1, 2)] == ["25.0", "0.0"]
    assert [claims[f"{DEMO}/{row}/packetsim"]["verdict"] for row in (1, 2)] == ["undecided", "reproduced"]


def test_estimates_of_a_metric_are_compared_with_it(results: Results) -> None:
    results.write()
    path = Path("results/predictions/demo/parrot.jsonl")
    predictions = json.loads(path.read_text())
    predictions["points"]["count-82"]["metrics"]["goodput_per_connection_1"] = {
        "unit": "bit/s",
        "value": 616000.0,
    }
    path.write_text(json.dumps(predictions) + "\n")
    assert cli.main(["compare"]) == 0
    (error,) = (row for row in results.table("errors") if row["metric"] == "goodput_per_connection_1")
    assert float(error["value"]) == pytest.approx(0.1)  # 616000 / 560000 - 1


def test_a_set_may_leave_distributions_out(results: Results) -> None:
    change(results.workspace.scenario, "sets/load/distributions", [])
    results.claims()
    assert results.table("distributions") == []


def test_a_set_may_show_the_extremes_of_a_metric(results: Results) -> None:
    """Of 558, 560 and 562 kbit/s."""
    change(results.workspace.scenario, "sets/load/extremes", ["goodput_per_connection"])
    results.claims()
    rows = {
        row["metric"]: row
        for row in results.table("observations")
        if row["engine"] == "packetsim" and row["point"] == "count-82"
    }
    assert {name for name in rows if name.endswith(("_lowest", "_highest"))} == {
        "goodput_per_connection_lowest",
        "goodput_per_connection_highest",
    }
    assert float(rows["goodput_per_connection_lowest"]["value"]) == 558000
    assert float(rows["goodput_per_connection_highest"]["value"]) == 562000
    assert rows["goodput_per_connection_lowest"]["ci_low"] == ""


def test_what_is_exact_says_so_and_has_no_interval(results: Results) -> None:
    results.rates = {"count-82": (560000.0,) * 3, "count-134": (156000.0,) * 3}
    results.exact = {"exact": True}
    claim = next(row for row in results.claims().values() if row["engine"] == "packetsim")
    rows = [claim, *(row for row in results.table("observations") if row["engine"] == "packetsim")]
    rows += results.table("errors")
    assert {(row["interval"], row["ci_low"], row["ci_high"]) for row in rows} == {("exact", "", "")}
    assert claim["verdict"] == "reproduced"  # 560 is within 1 % of 563.1


def test_replications_that_happen_to_be_alike_have_no_interval_and_are_not_exact(results: Results) -> None:
    results.more = {"queue_max": 200.0}
    results.claims()
    rows = {row["metric"]: row for row in results.table("observations")}
    alike, other = rows["queue_max"], rows["goodput_per_connection"]
    assert (alike["interval"], alike["ci_low"], alike["ci_high"]) == ("alike", "", "")
    assert other["interval"] == "confidence"


def test_a_model_has_neither_an_interval_nor_the_word_exact(results: Results) -> None:
    (claim,) = (row for row in results.claims().values() if row["engine"] == "model:parrot")
    assert (claim["interval"], claim["ci_low"]) == ("", "")


def own_scenario(results: Results, **more: float) -> None:
    """Compare a study of the user's own, whose packetsim also gives the metrics `more`."""
    del results.workspace.scenario["paper"]
    results.workspace.scenario["question"] = "How fast?"
    results.more = more
    results.claims()


def test_a_scenario_of_ones_own_shows_what_people_ask_for(results: Results) -> None:
    own_scenario(results, queue_mean=3.0, queue_max=9.0)
    items = results.table("items")
    assert [item["kind"] for item in items] == ["figure", "table"]
    assert {item["metrics"] for item in items} == {"goodput_per_connection queue_mean"}
    (study,) = results.table("studies")
    assert (study["question"], study["paper"]) == ("How fast?", "")


def test_a_set_may_name_the_metrics_that_it_shows(results: Results, fails: Fails) -> None:
    results.workspace.scenario["sets"]["load"]["metrics"] = ["queue_max", "goodput_per_connection"]
    own_scenario(results, queue_max=9.0)
    assert {item["metrics"] for item in results.table("items")} == {"queue_max goodput_per_connection"}
    results.workspace.scenario["sets"]["load"]["metrics"] = ["queue_max", "on_time"]
    results.workspace.write()
    results.write()
    line = fails("compare")
    assert line.startswith("scenarios/demo.yaml: sets.load.metrics[1]: nobody gives 'on_time'")
    assert "goodput_per_connection" in line
