"""Claims on several answers at once: one against another, means, trends, tails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from handmade import DEMO, Results


def test_a_claim_on_one_point_against_another(results: Results) -> None:
    results.workspace.table = (
        "kind,metric,unit,published,note,against,sources.count\n"
        "simulation,goodput_per_connection,%,259,,sources.count = 134,82\n"
    )
    tolerance = {"kind": "simulation", "metric": "*", "printed_digits": True, "reason": "a test"}
    results.workspace.items["items"]["table-01"]["tolerances"] = [tolerance]
    claim = results.claims()[f"{DEMO}/1/packetsim"]
    assert float(claim["value"]) == pytest.approx(258.974358974)  # 560000 / 156000 - 1, in percent
    # The relative half-widths 2000 / 560000 and 100 / 156000 in quadrature, of 358.974 %.
    assert float(claim["ci_high"]) - float(claim["value"]) == pytest.approx(1.302539, rel=1e-6)
    assert claim["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("against", "says"),
    [
        ("sources.count = 7", "row 1.against: sources.count = 7 leads to no other point of demo/load"),
        ("sources.cuont = 7", "row 1.against: unknown key 'cuont'"),
        ("sources.count", "row 1.against: "),
    ],
)
def test_a_wrong_point_to_compare_with(
    results: Results, fails: Callable[..., str], against: str, says: str
) -> None:
    results.workspace.table = (
        "kind,metric,unit,published,note,against,sources.count\n"
        f"simulation,goodput_per_connection,%,1,,{against},82\n"
    )
    results.workspace.write()
    assert says in fails("check")


HEADER = "kind,metric,unit,published,note,relation,against,along,sources.count"


def judged(results: Results, *rows: str, absolute: str = "1 %") -> list[dict[str, str]]:
    """Return the claims of rows with these cells, all with one tolerance."""
    results.workspace.table = "\n".join((HEADER, *rows, ""))
    results.workspace.items["items"]["table-01"]["tolerances"] = [
        {"kind": kind, "metric": "*", "absolute": absolute, "reason": "a test"}
        for kind in ("simulation", "model")
        if any(row.startswith(kind) for row in rows)
    ]
    return list(results.claims().values())


def test_a_trend(results: Results) -> None:
    """The rates are 560 and 156 kbit/s with half-widths of 2 and 0.1, those of the model 547.76 and 154.9."""
    falls, rises, far, enough, predicted = judged(
        results,
        "simulation,goodput_per_connection,kbit/s,0,,decreasing,,sources.count,82",
        "simulation,goodput_per_connection,kbit/s,0,,increasing,,sources.count,82",
        "simulation,goodput_per_connection,kbit/s,-405,,decreasing,,sources.count,82",
        "simulation,goodput_per_connection,kbit/s,-403,,decreasing,,sources.count,82",
        "model,goodput_per_connection,kbit/s,0,,decreasing,,sources.count,82",
        absolute="1 kbit/s",
    )
    verdicts = [claim["verdict"] for claim in (falls, rises, far, enough, predicted)]
    assert verdicts == ["reproduced", "deviates", "deviates", "reproduced", "reproduced"]
    assert (falls["value"], falls["point"]) == ("-404.0", "count-82")
    assert float(falls["ci_high"]) + 404 == pytest.approx((2**2 + 0.1**2) ** 0.5)
    assert float(predicted["value"]) == pytest.approx(-392.86)
    assert rises["note"] == "the paper says increasing; the largest step the other way is 404 kbit/s"


def test_a_trend_of_ratios_and_of_their_magnitudes(results: Results) -> None:
    """The errors are 547.76 / 560 - 1 = -2.186 % and 154.9 / 156 - 1 = -0.705 %."""
    signed, size = judged(
        results,
        "simulation,goodput_per_connection_error,%,0,,increasing,,sources.count,82",
        "simulation,goodput_per_connection_error_size,%,0,,increasing,,sources.count,82",
    )
    assert float(signed["value"]) == pytest.approx(1.480586, abs=1e-6)
    assert float(size["value"]) == pytest.approx(-1.480586, abs=1e-6)
    assert (signed["verdict"], size["verdict"]) == ("reproduced", "deviates")


def test_the_mean_over_all_points_and_over_that_of_another_metric(results: Results) -> None:
    plain, itself = judged(
        results,
        "simulation,goodput_per_connection_error_size,%,1.4,,,,*,",
        "simulation,goodput_per_connection_error,%,-200,,<=,goodput_per_connection_error_size,*,",
        absolute="0.1 %",
    )
    assert float(plain["value"]) == pytest.approx((2.185714 + 0.705128) / 2, abs=1e-6)
    assert float(itself["value"]) == pytest.approx(-200)  # minus the same, over it, minus one
    assert (plain["verdict"], itself["verdict"]) == ("reproduced", "reproduced")


def test_a_mean_over_all_points_leaves_out_where_a_metric_is_missing(results: Results) -> None:
    results.model_rates["count-82"] = 0.0  # an error of -100 %
    results.rates["count-134"] = (0.0, 0.0, 0.0)  # of which there is no error
    (claim,) = judged(results, "simulation,goodput_per_connection_error,%,-100,,,,*,")
    assert (claim["value"], claim["verdict"]) == ("-100.0", "reproduced")


def test_one_metric_over_another_at_one_point(results: Results) -> None:
    (claim,) = judged(results, "simulation,queue_by_time[1],%,-66.7,,,queue_by_time[0],,82")
    assert float(claim["value"]) == pytest.approx(-200 / 3)  # 0.25 over 0.75, minus one
    assert claim["verdict"] == "reproduced"


def test_the_tail_of_a_distribution_and_its_error(results: Results) -> None:
    results.model_queues = {"queue_by_time": {"unit": "packets", "probability": [0.5, 0.25, 0.25]}}
    tail, error = judged(
        results,
        "simulation,queue_by_time[>0],%,25,,,,,82",
        "simulation,queue_by_time_error[>0],%,100,,,,,82",
    )
    assert (tail["value"], tail["ci_low"], tail["verdict"]) == ("25.0", "", "reproduced")
    assert (float(error["value"]), error["verdict"]) == (100.0, "reproduced")  # 0.5 over 0.25, minus one


def test_all_that_a_metric_is_given_of(results: Results) -> None:
    """In the order of the sizes, not of the names: 3-6, 15-30, then all above 30."""
    results.more = {"seen[15-30]": 2.0, "seen[>30]": 1.0, "seen[3-6]": 5.0}
    falls, mean = judged(
        results,
        "simulation,seen[*],packets,0,,decreasing,,,82",
        "simulation,seen[*],packets,2.6,,>=,,,82",
        absolute="0.1 packets",
    )
    assert (falls["value"], falls["verdict"], falls["note"]) == (
        "-4.0",
        "reproduced",
        "the paper says decreasing",
    )
    assert float(mean["value"]) == pytest.approx(8 / 3)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            "goodput_per_connection,%,0,,decreasing,,,82",
            "row 1.along: '' has no direction, but decreasing is a trend; a parameter, or a metric with [*]",
        ),
        (
            "goodput_per_connection,%,0,,decreasing,,*,82",
            "row 1.along: '*' has no direction, but decreasing is a trend",
        ),
        (
            "goodput_per_connection,%,0,,decreasing,,sources.count,134",
            "row 1.along: sources.count leads from count-134 to no other point; a parameter whose",
        ),
        ("goodput_per_connection,%,0,,,,rtt,82", "row 1.along: rtt is no number at count-82"),
        (
            "seen[*],%,0,,,,sources.count,82",
            "row 1.along: there are already several seen[*]; one or the other",
        ),
        (
            "goodput_per_connection,%,0,,,set = buffer,,82",
            "row 1.against: 'buffer' is none of the item's sets",
        ),
        ("goodput_per_connection,%,0,,,set = load,,82", "row 1.against: set = load has no point count-82"),
    ],
)
def test_a_wrong_trend(results: Results, fails: Callable[..., str], row: str, says: str) -> None:
    results.workspace.table = f"{HEADER}\nsimulation,{row}\n"
    results.workspace.write()
    assert says in fails("check")


def test_a_metric_against_one_that_nobody_gives(results: Results, fails: Callable[..., str]) -> None:
    results.workspace.table = f"{HEADER}\nsimulation,goodput_per_connection,%,0,,,conection_rate,,82\n"
    results.workspace.items["items"]["table-01"]["tolerances"][0] |= {"metric": "*"}
    results.workspace.items["items"]["table-01"]["tolerances"].pop()
    results.workspace.write()
    results.write()
    assert "row 1.metric: nobody gives goodput_per_connection and conection_rate in demo/load" in fails(
        "compare"
    )
