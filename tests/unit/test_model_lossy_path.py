"""Answers of the models of random loss to a point, against closed forms, and the points that they refuse."""

import copy
import importlib
import math

import numpy as np
import pytest
from conftest import cases, changed
from dumbbell import dumbbell

from tcpatlas.models import floyd_fall, markov, padhye
from tcpatlas.models.markov.prediction import BASES
from tcpatlas.points.errors import PointError

MODELS = ("floyd_fall", "markov", "padhye")
# An RTT of 0.1 s, 1 ms of it for the transmission on each link; 1000 packets/s.
LINK, RTT = 1000.0, 0.1
POINT = dumbbell(
    12e6,
    100,
    {"variant": "newreno", "rwnd_packets": 64, "initial_window_packets": 2, "min_rto_s": 1},
    delays=(0.01, 0.05, 0.007, 0.03),
    access=12e6,
    egress=12e6,
    loss=0.01,
)


def point(**values):
    """Return POINT with some values changed, by the last part of their path."""
    changed = copy.deepcopy(POINT)
    group = changed["sources"][0]
    for place in (changed, changed["links"]["bottleneck"], group, group["tcp"]):
        place.update({key: values.pop(key) for key in list(values) if key in place or key == "cross_traffic"})
    assert not values
    return changed


def goodput(model, **values):
    (answer,) = model.predict([point(**values)])
    assert answer["metrics"]["goodput"]["unit"] == "packets/s"
    return answer["metrics"]["goodput"]["value"]


def test_floyd_and_falls_goodput():
    """sqrt(1.5) / (0.1 s 0.1); the link does not limit it."""
    assert goodput(floyd_fall) == pytest.approx(math.sqrt(1.5) / 0.01)
    assert goodput(floyd_fall, loss_probability=1e-6) > LINK


def test_padhyes_goodput():
    """At p = 0.5 a timeout is certain; the RTO is the least one or, if that is shorter, the RTT."""
    avoidance = RTT / math.sqrt(3)
    assert goodput(padhye, loss_probability=0.5) == pytest.approx(1 / (avoidance + 4.5))
    assert goodput(padhye, loss_probability=0.5, min_rto_s=0.02) == pytest.approx(1 / (avoidance + 0.45))
    assert goodput(padhye, loss_probability=1e-9) == pytest.approx(64 / RTT)


def test_a_window_that_is_always_2():
    """With w_max = 2 no loss changes cwnd: 2 packets a round trip."""
    (answer,) = markov.predict([point(rwnd_packets=2, loss_probability=0.3)])
    values = {name: metric["value"] for name, metric in answer["metrics"].items()}
    always = {"throughput_markov": 2 / RTT, "throughput_sd": 0, "cwnd_mean": 2, "cwnd_sd": 0, "cwnd_mode": 2}
    readings = {f"{name}{suffix}": value for name, value in always.items() for suffix in BASES}
    below = {"throughput_above_half": 0, "throughput_below_half": 1}  # of 1000 packets/s
    assert values == pytest.approx({"goodput": 2 / RTT, **readings, **below})
    for distribution in answer["distributions"].values():
        assert distribution == {"unit": "packets", "probability": [0, 0, 1]}


def test_a_window_of_2_or_3():
    """With w_max = 3 a round leads to 3 unless it loses: pi_3 (1 - g^3) = pi_2 g^2, whose sum is 1."""
    p = 0.2
    delivered = {window: (1 - p) ** window for window in (2, 3)}
    three = delivered[2] / (1 - delivered[3] + delivered[2])
    by_rounds = {2: 1 - three, 3: three}
    sent = {window: (1 - delivered[window]) / p for window in (2, 3)}
    by_segments = np.array([by_rounds[window] * sent[window] for window in (2, 3)])
    by_time = np.array([by_rounds[window] * sent[window] / window for window in (2, 3)])
    expected = {
        "cwnd_by_rounds": [1 - three, three],
        "cwnd_by_segments": by_segments / by_segments.sum(),
        "cwnd_by_time": by_time / by_time.sum(),
    }
    (answer,) = markov.predict([point(rwnd_packets=3, loss_probability=p)])
    assert answer["distributions"].keys() == expected.keys()
    for name, shares in expected.items():
        assert answer["distributions"][name]["probability"] == pytest.approx([0, 0, *shares])
    mean = expected["cwnd_by_time"] @ [2, 3]
    assert answer["metrics"]["cwnd_mean"] == {"unit": "packets", "value": pytest.approx(mean)}
    deviation = math.sqrt(np.prod(expected["cwnd_by_time"]))
    assert answer["metrics"]["cwnd_sd"] == {"unit": "packets", "value": pytest.approx(deviation)}
    assert answer["metrics"]["goodput"]["value"] == pytest.approx(mean / RTT)


def test_a_slow_link_limits_the_goodput():
    """At 3 packets/s already 2 packets take longer than the round trip of 0.43 s."""
    assert goodput(markov, rate_bit_per_s=36e3) == pytest.approx(3)


def test_rare_random_losses_give_the_constant_of_mathis():
    """C of C / (RTT sqrt(p)) is 1.31 where losses are random (Mathis et al. 1997, table 1), and not 1.22."""
    p = 1e-6
    # Packets of a byte take no time to transmit.
    rate = goodput(markov, loss_probability=p, rwnd_packets=100_000, packet_bytes=1)
    assert rate * 0.097 * math.sqrt(p) == pytest.approx(1.31, abs=0.005)


@pytest.mark.parametrize("model", MODELS)
def test_reno_is_answered_like_newreno(model):
    module = importlib.import_module(f"tcpatlas.models.{model}")
    module.check(point(variant="reno"))
    assert module.predict([point(variant="reno"), POINT]) == 2 * module.predict([POINT])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["independent", "evenly-spaced", "bursts"])
def test_a_loss_process_is_answered_by_the_models_that_are_about_it(model, kind):
    lossy = changed(POINT, {"links/bottleneck/loss_process": {"kind": kind}})
    module = importlib.import_module(f"tcpatlas.models.{model}")
    allowed = ["independent", "evenly-spaced"] if model == "floyd_fall" else ["independent"]
    if kind in allowed:
        assert module.predict([lossy]) == module.predict([POINT])
    else:
        with pytest.raises(PointError, match=f"cannot answer {kind}; allowed: {', '.join(allowed)}$"):
            module.check(lossy)


@pytest.mark.parametrize("model", MODELS)
@cases("model_lossy_path.what_the_models_refuse")
def test_what_the_models_refuse(model, values, path, problem):
    module = importlib.import_module(f"tcpatlas.models.{model}")
    for ask in (module.check, lambda refused: module.predict([refused])):
        with pytest.raises(PointError) as error:
            ask(point(**values))
        assert error.value.paths == (path,)
        assert str(error.value) == f"the {model} model cannot answer {problem}"
