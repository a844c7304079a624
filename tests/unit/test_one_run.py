"""Printed numbers of one run, and models that are fed with what each of our runs measured."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from dumbbell import dumbbell

from tcpatlas.base.statistics import prediction_interval
from tcpatlas.claims.answers import Answer, _inferred_from_runs
from tcpatlas.claims.verdict import Estimate, Tolerance, judge
from tcpatlas.models import floyd_fall, markov, padhye
from tcpatlas.points.types import ScenarioSet

SAMPLE = {f"rtt_quantile[{number}]": 0.5 for number in range(1, 21)}
POINT = dumbbell(
    1e6,
    4,
    {"variant": "newreno", "rwnd_packets": 64, "min_rto_s": 0.6},
    delays=(0, 0.2, 0, 0.2),
    access=1e9,
    egress=1e9,
    loss=0.01,
    packet_bytes=125,
)
RUN = {
    **SAMPLE,
    "rtt_sample_mean": 0.5,
    "loss_estimate": 0.01,
    "goodput": 20.0,
    "send_throughput": 21.0,
    "throughput_without_timeouts": 25.0,
}


def test_the_prediction_interval_covers_one_more_value_as_often_as_it_says() -> None:
    """Between the 1st and the 39th of 39 values lie 38 of 40 ranks of one more."""
    assert prediction_interval(range(1, 40), 0.95) == pytest.approx((1, 39))
    random = np.random.default_rng(1)
    draws = random.exponential(size=(2000, 201))
    ends = np.array([prediction_interval(draw[:-1], 0.95) for draw in draws])
    covered = np.mean((ends[:, 0] <= draws[:, -1]) & (draws[:, -1] <= ends[:, 1]))
    assert covered == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        ("9.95", "reproduced"),
        ("9.94", "deviates"),
        ("12.04", "reproduced"),
        ("12.1", "deviates"),
        ("12", "reproduced"),
    ],
)
def test_a_printed_run_is_reproduced_between_the_ends_to_its_digits(published: str, verdict: str) -> None:
    ours = Estimate(Decimal(11), Decimal("9.954"), Decimal("12.036"))
    width = Tolerance("", one_run=True).width(Decimal(published))
    assert judge(ours, Decimal(published), width, one_run=True) == verdict


def test_the_chain_takes_a_runs_sample_and_loss_estimate() -> None:
    """Windows of one RTT: ET is the mean window over it, and its errors are against the run's own rates."""
    said = markov.infer_run(POINT, RUN)
    (predicted,) = markov.predict([{**POINT, "return_delay_s": 0.2 + 0.1 - 0.001 - 2e-6}])
    for name in ("throughput_markov", "throughput_markov__rounds", "throughput_markov__segments"):
        assert said[name]["value"] == pytest.approx(predicted["metrics"][name]["value"], rel=1e-6)
    mean = said["throughput_markov__rounds"]["value"]
    assert said["markov_miss_sent__rounds"]["value"] == pytest.approx(abs(mean / 21 - 1))


def test_the_formulas_take_a_runs_mean_rtt_and_loss_estimate() -> None:
    square_root = 1.5**0.5 / (0.5 * 0.1)
    assert floyd_fall.infer_run(POINT, RUN)["throughput_floyd_fall"]["value"] == pytest.approx(square_root)
    with_timeouts = padhye.infer_run(POINT, {**RUN, "first_timeout_mean": 1.5})
    expected = padhye.throughput(0.5, 0.01, 1.5).item()
    assert with_timeouts["throughput_padhye"]["value"] == pytest.approx(expected)
    assert padhye.infer_run(POINT, RUN)["throughput_padhye"]["value"] > expected  # the least timeout


@pytest.mark.parametrize("model", [floyd_fall, padhye])
def test_no_formula_without_a_loss(model: object) -> None:
    assert model.infer_run(POINT, {**RUN, "loss_estimate": 0.0}) == {}  # type: ignore[attr-defined]


def test_no_chain_without_a_sample() -> None:
    assert markov.infer_run(POINT, {"goodput": 20.0, "loss_estimate": 0.01}) == {}


def test_a_model_is_fed_run_by_run() -> None:
    """Two runs with losses of 1 and 4 %, whose square roots are 0.1 and 0.2; the third had none."""
    losses = (0.01, 0.04, 0.0)
    metrics = {
        "rtt_sample_mean": {"unit": "s", "value": 0.5, "values": [0.5] * 3},
        "loss_estimate": {"unit": "1", "value": sum(losses) / 3, "values": list(losses)},
    }
    scenario_set = ScenarioSet("study", "set", "Set", {"packetsim": 1}, (), ())

    class Point:
        document = POINT

    answer = Answer("simulation", scenario_set, Point(), "packetsim", metrics, 3, seeds=(1, 2, 3))  # type: ignore[arg-type]
    said = _inferred_from_runs("floyd_fall", answer, 0.95)["throughput_floyd_fall"]
    each = [1.5**0.5 / (0.5 * root) for root in (0.1, 0.2)]
    assert said["values"] == pytest.approx(each)
    assert said["value"] == pytest.approx(sum(each) / 2)
