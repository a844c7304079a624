"""`./atlas ask`: answers that must be right, beside long runs, closed forms and the link itself."""

import csv
import math
import time
from pathlib import Path

import pytest
from conftest import cases

from tcpatlas.answers import headline_metrics
from tcpatlas.ask import path, progress, question, simulation, target, trace
from tcpatlas.ask.progress import Progress
from tcpatlas.base.errors import AtlasError
from tcpatlas.runs.simulate import Waiting

ROOT = Path(__file__).parents[2]


def simulated(seconds: float = 2.0, **options: str) -> simulation.Simulated:
    """Return the simulation of a network that options describe, in about so many seconds."""
    points = question.from_options(options).points
    (one,) = simulation.simulated("packetsim", points, 0.02, seconds, Path(options.pop("folder")))
    return one


@pytest.mark.parametrize(
    ("options", "loss"),
    [
        # Over 10,000 s, by the simulator and (0.170) by Linux; the first 40 s are of slow start.
        ({"rate": "10 Mbit/s", "rtt": "20 ms", "buffer": "400 packets"}, 0.00179),
        pytest.param(
            {"rate": "1 Gbit/s", "rtt": "100 ms", "window": "40000 packets", "buffer": "8000 packets"},
            0.000019,
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.parametrize("seconds", [0.2, 2.0])
def test_a_lone_flow_has_the_loss_of_a_long_run(
    tmp_path: Path, options: dict[str, str], loss: float, seconds: float
) -> None:
    of = simulated(seconds, **options, folder=str(tmp_path)).interval("loss_ratio")
    assert of is not None
    assert of.mean == pytest.approx(loss, rel=0.1) or of.low <= loss <= of.high
    assert of.half_width > 0


def test_no_window_limits_a_fat_path_unless_it_is_given(tmp_path: Path) -> None:
    fat = {"rate": "1 Gbit/s", "rtt": "200 ms", "buffer": "16667 packets", "folder": str(tmp_path)}
    full, limited = simulated(0.2, **fat), simulated(0.2, **fat, window="1000 packets")
    use = full.interval("utilisation")
    assert use is not None
    assert use.mean > 0.99
    assert full.limited() is None
    # 1000 packets of 12,000 bits each 200 ms.
    speed = limited.interval("goodput_per_user")
    assert speed is not None
    assert speed.mean == pytest.approx(60e6, rel=0.02)
    assert limited.limited() == 1000


def test_the_delay_of_endless_transfers_is_what_the_round_trip_grows_by(tmp_path: Path) -> None:
    for queue in ("drop-tail", "codel", "fq-codel", "pie", "red"):
        one = simulated(0.2, rate="20 Mbit/s", rtt="40 ms", users="4", queue=queue, folder=str(tmp_path))
        delay, trip = one.interval("queueing_delay_mean"), one.interval("rtt_path_mean")
        assert delay is not None
        assert trip is not None
        assert delay.mean == pytest.approx(trip.mean - 0.04, rel=0.05), queue


@cases("ask_truth.a_window_that_limits_is_known")
def test_a_window_that_limits_is_known(values: dict[str, float], window: int | None) -> None:
    options = {"rate": "1 Gbit/s", "rtt": "200 ms", "window": "1000 packets"}
    assert path.limited(question.from_options(options).points[0].document, values) == window


@cases("ask_truth.a_cycle_of_the_window_takes_as_long_as_its_rules_say")
def test_a_cycle_of_the_window_takes_as_long_as_its_rules_say(
    options: dict[str, str], seconds: float
) -> None:
    assert path.cycle(question.from_options(options).points[0].document) == pytest.approx(seconds, rel=0.02)


@cases("ask_truth.every_target_that_is_offered_is_told_by_runs")
def test_every_target_that_is_offered_is_told_by_runs(
    tmp_path: Path, options: dict[str, str], offered: list[str]
) -> None:
    asked = question.from_options({"rate": "20 Mbit/s", "rtt": "40 ms", **options}, "buffer")
    (first,) = asked.points
    metrics = simulation.given("packetsim", first, tmp_path)
    names = {row.name: row.metric for row in headline_metrics.HEADLINES if row.metric in metrics}
    assert sorted(set(names)) == offered
    buffer = target.parameter_of(first, "buffer")
    for name, metric in names.items():
        bound = target.Target(metric, at_most=True, bound=0.0, text=name)
        told = target.by_simulation(asked, buffer, bound, tmp_path, {}, Progress(""))(50)
        assert math.isfinite(told), name


def test_a_long_search_tells_how_far_it_is_in_a_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Long enough for a busy machine to name the packets first.
    monkeypatch.setattr(progress, "_PATIENCE", 0.15)
    with Progress("searching the buffer") as line:
        line.text = "searching the buffer: 64 packets"
        time.sleep(0.3)
    (told,) = capsys.readouterr().err.splitlines()
    assert told.strip() == "searching the buffer: 64 packets, 0 s so far"


def test_marks_take_the_place_of_losses(tmp_path: Path) -> None:
    network = {
        "rate": "20 Mbit/s",
        "rtt": "40 ms",
        "users": "4",
        "queue": "fq-codel",
        "folder": str(tmp_path),
    }
    marked, lost = simulated(0.2, **network, ecn="yes"), simulated(0.2, **network)
    assert lost.interval("mark_ratio") is None
    marks, drops, losses = (
        marked.interval("mark_ratio"),
        marked.interval("loss_ratio"),
        lost.interval("loss_ratio"),
    )
    assert marks is not None
    assert drops is not None
    assert losses is not None
    assert drops.mean == 0
    assert marks.mean == pytest.approx(losses.mean, rel=0.3)


@pytest.mark.parametrize("options", [{"users": "1000"}, {"tcp": "500 cubic, 500 newreno-sack"}])
def test_users_receive_no_more_than_the_link_carries(tmp_path: Path, options: dict[str, str]) -> None:
    """However short the run: what came out of order before the warm-up's end is not of the time after it."""
    fat = {"rate": "100 Mbit/s", "rtt": "50 ms", "queue": "fq-codel", "buffer": "10240 packets", **options}
    (asked,) = question.from_options(fat).points
    document = {**asked.document, "stop": {"duration_s": 4.0, "warmup_s": 2.0}}
    document["replications"] = {"minimum": 3, "maximum": 3, "targets": {}}
    waiting = Waiting(None, 2, simulation._derived, lambda *_: None)
    (runs,) = simulation._simulate("packetsim", [document], tmp_path, waiting)
    for name in ("goodput_per_user", "goodput", "goodput_of_all"):
        metric = runs["metrics"][name]
        limit = 100e6 / {"goodput_per_user": 1000, "goodput": 12_000, "goodput_of_all": 1}[name]
        assert metric["ci_low"] <= limit * 1.001, name


def test_the_trace_is_the_sawtooth_between_the_full_path_and_half_of_it(tmp_path: Path) -> None:
    """20 Mbit/s times 40 ms are 66.7 packets, and the buffer holds 60: NewReno goes from 63 to 127."""
    saw = {"rate": "20 Mbit/s", "rtt": "40 ms", "buffer": "60 packets", "tcp": "newreno-sack"}
    trace.trace(question.from_options(saw), tmp_path / "cwnd.csv", tmp_path)
    rows = list(csv.DictReader((tmp_path / "cwnd.csv").open()))
    later = [float(row["cwnd_packets"]) for row in rows if float(row["time_s"]) > 10]
    assert (min(later), max(later)) == (pytest.approx(63, abs=2), pytest.approx(127, abs=3))


def test_a_trace_is_of_one_network(tmp_path: Path) -> None:
    several = question.from_file(str(ROOT / "scenarios/examples/bufferbloat.yaml"))
    with pytest.raises(AtlasError, match=r"^--trace: of one network; .* has 10 points$"):
        trace.trace(several, tmp_path / "cwnd.csv", tmp_path)
