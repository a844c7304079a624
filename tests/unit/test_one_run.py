"""Printed numbers of one run, and models that are fed with what each of our runs measured."""

import json
import math
from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from dumbbell import dumbbell
from handmade import DEMO, Results

from tcpatlas.answers.derived import one_ratio, one_run
from tcpatlas.base.statistics import prediction_interval, t_interval
from tcpatlas.claims.verdict import Estimate, judge
from tcpatlas.models import floyd_fall, markov, padhye
from tcpatlas.runs.predict import predict

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


def test_enough_replications_say_how_far_one_run_scatters() -> None:
    """Between the 1st and the 39th of 39 values; a run four times as long scatters half as far."""
    whole = {"unit": "s", "value": 18.0, "values": [float(value) for value in range(1, 40)]}
    assert one_run(whole, 1) == {"unit": "s", "below": pytest.approx(17), "above": pytest.approx(21)}
    assert one_run(whole, 0.25) == {"unit": "s", "below": pytest.approx(8.5), "above": pytest.approx(10.5)}


def test_of_fewer_replications_the_standard_deviation_says_it() -> None:
    few = {"unit": "s", "value": 2.0, "values": [1.0, 2.0, 3.0]}
    assert one_run(few, 1) == {"unit": "s", "below": pytest.approx(1.96), "above": pytest.approx(1.96)}
    assert one_run({"unit": "s", "value": 2.0}, 1) is None
    assert one_run({"unit": "s", "value": 2.0, "values": [2.0]}, 1) is None


def test_a_ratio_of_two_runs_is_low_where_the_second_is_high() -> None:
    def skewed(value: float, above: float) -> dict[str, Any]:
        values = [value - 0.01] * 20 + [value + above] * 20
        return {"unit": "s", "value": value, "values": values}

    quotient = one_ratio(skewed(4.0, 1.0), skewed(10.0, 1.0), 1)
    assert quotient is not None
    assert quotient["unit"] == "1"
    # To first order 1 / 4 and 0.1 % of the quotient of 0.4 above it, 0.25 % and 1 / 10 below.
    assert quotient["above"] == pytest.approx(0.4 * math.hypot(1 / 4, 0.001))
    assert quotient["below"] == pytest.approx(0.4 * math.hypot(0.0025, 1 / 10))


def test_a_run_of_the_same_law_deviates_once_in_twenty_times_at_most() -> None:
    """The rule's promise, whatever the law: 2000 times, 100 runs of ours and one of the author's."""
    random = np.random.default_rng(7)
    verdicts: Counter[str] = Counter()
    for draw in random.exponential(size=(2000, 101)):
        ours, published = draw[:-1].tolist(), Decimal(f"{draw[-1]:.3f}")
        interval = t_interval(ours, 0.95)
        spread = one_run({"unit": "s", "value": interval.mean, "values": ours}, 1)
        assert spread is not None
        width = Decimal(spread["above" if published > interval.mean else "below"])
        ends = (Decimal(end) for end in (interval.mean, interval.low, interval.high))
        verdicts[judge(Estimate(*ends), published, width)] += 1
    assert 0 < verdicts["deviates"] / 2000 < 0.05


@pytest.mark.parametrize(
    ("published", "verdict"), [("560.5", "reproduced"), ("562.5", "undecided"), ("568.0", "deviates")]
)
def test_a_printed_run_has_its_own_sampling_error(results: Results, published: str, verdict: str) -> None:
    """Runs of 558, 560 and 562: standard deviation 2, so one run is within 3.92; the mean in [558, 562]."""
    row = f"simulation,goodput_per_connection,kbit/s,{published},,82"
    claim = results.judged(row, one_run=True)[f"{DEMO}/1/packetsim"]
    assert (claim["tolerance"], claim["verdict"]) == ("3.92", verdict)
    assert (claim["ci_low"], claim["ci_high"]) == ("558.0", "562.0")


def of_run(model: Any, run: dict[str, float]) -> dict[str, Any]:
    """Return what a model says of the point by one run."""
    ((metrics),) = (answer["metrics"] for answer in model.predict([POINT], [run]))
    return metrics


def test_the_chain_takes_a_runs_sample_and_loss_estimate() -> None:
    """Windows of one RTT: ET is the mean window over it, and its errors are against the run's own rates."""
    inferred = of_run(markov, RUN)
    (predicted,) = markov.predict([{**POINT, "return_delay_s": 0.2 + 0.1 - 0.001 - 2e-6}])
    for name in ("throughput_markov", "throughput_markov__rounds", "throughput_markov__segments"):
        assert inferred[name]["value"] == pytest.approx(predicted["metrics"][name]["value"], rel=1e-6)
    mean = inferred["throughput_markov__rounds"]["value"]
    assert inferred["markov_miss_sent__rounds"]["value"] == pytest.approx(abs(mean / 21 - 1))


def test_the_formulas_take_a_runs_mean_rtt_and_loss_estimate() -> None:
    square_root = 1.5**0.5 / (0.5 * 0.1)
    assert of_run(floyd_fall, RUN)["throughput_floyd_fall"]["value"] == pytest.approx(square_root)
    with_timeouts = of_run(padhye, {**RUN, "first_timeout_mean": 1.5})
    expected = padhye.throughput(0.5, 0.01, 1.5).item()
    assert with_timeouts["throughput_padhye"]["value"] == pytest.approx(expected)
    assert of_run(padhye, RUN)["throughput_padhye"]["value"] > expected  # the least timeout
    least = padhye.throughput(0.5, 0.01, 0.2).item()
    assert with_timeouts["throughput_padhye__least_rto"]["value"] == pytest.approx(least)


@pytest.mark.parametrize("model", [floyd_fall, padhye])
def test_no_formula_without_a_loss(model: Any) -> None:
    assert of_run(model, {**RUN, "loss_estimate": 0.0}) == {}


def test_no_chain_without_a_sample() -> None:
    assert of_run(markov, {"goodput": 20.0, "loss_estimate": 0.01}) == {}


def test_a_model_is_fed_run_by_run() -> None:
    """Two runs with losses of 1 and 4 %, whose square roots are 0.1 and 0.2; the third had none."""
    losses = [0.01, 0.04, 0.0]
    metrics = {
        "rtt_sample_mean": {"unit": "s", "value": 0.5, "values": [0.5] * 3},
        "loss_estimate": {"unit": "1", "value": sum(losses) / 3, "values": losses},
    }
    where = (POINT["set"], POINT["point"], "packetsim")
    runs: Any = {where: {"seeds": [1, 2, 3], "metrics": metrics}}
    point_set: Any = {"study": POINT["study"], "set": POINT["set"], "points": [POINT]}
    line = json.loads(predict("floyd_fall", [point_set], runs))
    fed = line["measured"]["packetsim"][POINT["point"]]["fed"]["throughput_floyd_fall"]
    assert fed["unit"] == "packets/s"
    assert fed["values"] == pytest.approx([1.5**0.5 / (0.5 * root) for root in (0.1, 0.2)])
