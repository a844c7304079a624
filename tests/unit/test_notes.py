"""Notes hold references to results in place of typed numbers."""

from conftest import Fails, cases
from handmade import DEMO, Results

NOTE = "deviations"


def with_note(results: Results, note: str) -> Results:
    """Make the model's first number deviate, 500 kbit/s at 82 sources, and say why."""
    entry = {"kind": "model", "metric": "goodput_per_connection", "note": note}
    results.workspace.item[NOTE] = [entry]
    results.model_rates["count-82"] = 500000.0
    return results


@cases("notes.a_reference_is_replaced_by_its_value")
def test_a_reference_is_replaced_by_its_value(results: Results, note: str, says: str) -> None:
    claim = with_note(results, note).claims()[f"{DEMO}/2/model:parrot"]
    assert (claim["verdict"], claim["reason"]) == ("deviates", says)


@cases("notes.a_reference_that_finds_nothing")
def test_a_reference_that_finds_nothing(results: Results, fails: Fails, reference: str, says: str) -> None:
    with_note(results, f"it is {reference}").workspace.write()
    results.write()
    line = fails("compare")
    assert line.startswith(
        "scenarios/papers/demo-paper/items.yaml: items.table-01.deviations: the reference {"
    )
    assert says in line


def test_of_smoke_runs_a_value_may_be_missing(results: Results) -> None:
    results.workspace.config["scale"] = "smoke"
    claim = with_note(results, "it is {on_time in s} s").claims()[f"{DEMO}/2/model:parrot"]
    assert claim["reason"] == "it is … s"


def test_the_note_of_a_sentence(results: Results) -> None:
    (row,) = results.statements(
        {
            "metric": "goodput_per_connection",
            "predicate": "at least",
            "bound": "600 kbit/s",
            "tolerance": "1 kbit/s",
            "where": {"sources.count": 134},
            "note": "with fewer sources it is {@ sources.count = 82}",
        }
    )
    assert row["reason"] == "with fewer sources it is 560"
