"""Notes hold references to results in place of typed numbers."""

from __future__ import annotations

import pytest
from conftest import Fails
from handmade import DEMO, Results

NOTE = "deviations"


def with_note(results: Results, note: str) -> Results:
    """Make the model's first number deviate, 500 kbit/s at 82 sources, and say why."""
    entry = {"kind": "model", "metric": "goodput_per_connection", "note": note}
    results.workspace.item[NOTE] = [entry]
    results.model_rates["count-82"] = 500000.0
    return results


@pytest.mark.parametrize(
    ("note", "says"),
    [
        ("ours is {}", "ours is 500"),
        ("at 134: {@ sources.count = 134} kbit/s", "at 134: 155 kbit/s"),
        ("{goodput_per_connection @ sources.count = 134 in Mbit/s:.4f}", "0.1549"),
        ("{goodput_per_connection @ sources.count = 134 in bit/s}", "155000"),  # no exponent
        ("off by {goodput_per_connection_error in %:+.1f} %", "off by -10.7 %"),  # 500 over 560, minus one
        ("{queue_by_time[1] in %} % of the time", "25 % of the time"),  # only the engine gives it
        ("no reference", "no reference"),
    ],
)
def test_a_reference_is_replaced_by_its_value(results: Results, note: str, says: str) -> None:
    claim = with_note(results, note).claims()[f"{DEMO}/2/model:parrot"]
    assert (claim["verdict"], claim["reason"]) == ("deviates", says)


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("{on_time}", "{on_time}: nobody gives on_time there"),
        ("{@ sources.count = 83}", "nobody gives goodput_per_connection there"),
        ("{@ set = other}", "there is no set demo/other"),
        ("{@ sources.count}", "'sources.count' is not <path> = <value>"),
        ("{in ms}", "the unit 'bit/s' does not convert to 'ms'"),
        ("{on time}", "'on time' is not a metric"),
    ],
)
def test_a_reference_that_finds_nothing(results: Results, fails: Fails, reference: str, says: str) -> None:
    with_note(results, f"it is {reference}").workspace.write()
    results.write()
    line = fails("compare")
    assert line.startswith("config/papers/demo-paper/items.yaml: items.table-01.deviations: the reference {")
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
