"""Printed numbers that follow from other printed numbers, and numbers that could not have failed."""

from decimal import Decimal

import pytest
from conftest import change
from handmade import DEMO, Results

from tcpatlas.claims.arithmetic import arithmetic_of
from tcpatlas.claims.selection import SelectionError
from tcpatlas.claims.verdict import Estimate, power_of


def test_a_ratio_follows_to_the_rounding_of_what_it_is_of() -> None:
    """11.04 / 9.20 - 1 = 20.0 %; the rounded inputs leave 19.9 to 20.1 %, its own digits 0.005 % more."""
    table = [
        {"metric": "et", "case": "2.1", "published": "11.04"},
        {"metric": "atp", "case": "2.1", "published": "9.20"},
        {"metric": "atp", "case": "2.2", "published": "1.00"},
    ]
    ratio = arithmetic_of({"case": "2.1", "unit": "%", "published": "19.99", "from": "et over atp"}, table)
    assert ratio is not None
    assert float(ratio.value) == pytest.approx(20.0)
    low, high = (11.035 / 9.205 - 1, 11.045 / 9.195 - 1)
    assert float(ratio.width) == pytest.approx(100 * (high - low) / 2 + 0.005, rel=1e-3)


@pytest.mark.parametrize(
    ("text", "says"), [("et / atp", "'et / atp' is no arithmetic"), ("et over x", "the case has no x")]
)
def test_arithmetic_that_cannot_be_done(text: str, says: str) -> None:
    table = [{"metric": "et", "case": "a", "published": "1"}, {"metric": "x", "case": "b", "published": "1"}]
    with pytest.raises(SelectionError, match=says):
        arithmetic_of({"case": "a", "unit": "1", "published": "1", "from": text}, table)


@pytest.mark.parametrize(
    ("error", "verdict"), [("25.0", "reproduced"), ("-25.0", "deviates"), ("26.0", "deviates")]
)
def test_an_error_follows_with_its_sign_and_our_own_stands_beside_it(
    results: Results, error: str, verdict: str
) -> None:
    """Printed are 500 and 400, of which follows 25 %, whatever our own runs say; the number counts once."""
    results.workspace.print_rows(
        "simulation,goodput_per_connection,kbit/s,500.0,,a,,82",
        "simulation,queue_mean,packets,400.0,,a,,82",
        f"model,goodput_per_connection_error,%,{error},,a,goodput_per_connection over queue_mean,82",
        more="case from",
    )
    results.more = {"queue_mean": 390.0}
    change(results.workspace.items, "items/table-01/tolerances/0/metric", "*")
    arithmetic, beside = (row for row in results.claims().values() if row["row"] == "3")
    assert (arithmetic["engine"], arithmetic["value"], arithmetic["verdict"]) == ("printed", "25.0", verdict)
    assert (arithmetic["class"], arithmetic["counted"]) == ("arithmetic", "true")
    assert beside["engine"] == "model:parrot/packetsim"
    assert (beside["class"], beside["counted"]) == ("replication", "beside")


def test_other_variants_in_the_place_of_the_papers(results: Results) -> None:
    """Printed 563.1 kbit/s +- 1 %: 562 by reno would pass for it, 540 by tahoe would not."""
    results.workspace.scenario["sets"]["rivals"] = {
        "title": "Other variants",
        "models": [],
        "sweep": {"grid": {"tcp.variant": ["tahoe", "reno"], "sources.count": [82]}},
    }
    results.workspace.item["rivals"] = ["rivals"]
    results.rates |= {
        "variant-tahoe_count-82": (540000.0, 539000.0, 541000.0),
        "variant-reno_count-82": (562000.0, 561000.0, 563000.0),
    }
    claims = results.claims()
    assert claims[f"{DEMO}/1/packetsim"]["rivals"] == "tahoe deviates; reno reproduced"
    assert claims[f"{DEMO}/3/packetsim"]["rivals"] == ""


@pytest.mark.parametrize(
    ("ours", "published", "width", "power"),
    [
        (Estimate.of(Decimal("10.1")), "10.0", "0.5", "20 %"),
        (Estimate.of(Decimal("10.1")), "10.0", "2.5", "none"),
        (Estimate.of(Decimal(2)), "2", "0.5", "one"),
        (Estimate.of(Decimal(2)), "2", "1", "none"),
        (Estimate.of(Decimal(0)), "0", "0.003", "zero"),
        # A fifth more passes, a fifth less does not: it could not have failed above.
        (Estimate.of(Decimal(9), Decimal("8.9"), Decimal("9.1")), "10.0", "1.2", "none"),
    ],
)
def test_what_would_have_kept_a_number_from_being_reproduced(
    ours: Estimate, published: str, width: str, power: str
) -> None:
    assert power_of(ours, Decimal(published), Decimal(width)) == power
