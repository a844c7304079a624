"""Controllers that are Python classes, and simulations in steps."""

import json
import math
from inspect import getsource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tcpatlas
from tcpatlas.controllers.compiled import DECISION, EVENT, Compiled
from tcpatlas.controllers.embedded import embedded
from tcpatlas.controllers.in_process import library

RTT_S = 0.040  # of an empty path, with a packet's transmission


def link(**other: Any) -> dict[str, Any]:
    """Return a link of 100 Mbit/s and 40 ms with one endless flow."""
    bottleneck = {"rate": "100 Mbit/s", "buffer": "333 packets", "queue": "drop-tail"}
    return {
        "links": {
            "access": {"rate": "1000 Gbit/s"},
            "bottleneck": bottleneck | other,
            "egress": {"rate": "1000 Gbit/s"},
        },
        "rtt": "40 ms",
        "packet_size": "1500 B",
        "ack_size": "0 B",
        "tcp": {
            "variant": "newreno-sack",
            "rwnd": "4000 packets",
            "initial_window": "10 packets",
            "min_rto": "200 ms",
            "max_rto": "60 s",
        },
        "sources": {"count": 1, "workload": {"kind": "bulk"}},
        "stop": {"duration": "20 s", "warmup": "2 s"},
    }


class Constant:
    """A window of 100 packets."""

    def __init__(self, config: Any) -> None:
        self.window = 100.0

    def on_loss(self, event: Any) -> None: ...

    def on_timeout(self, event: Any) -> None: ...


class Reno(Constant):
    """RFC 5681, section 3.1."""

    def __init__(self, config: Any) -> None:
        self.window, self.ssthresh, self.most = float(config.initial_window), float(config.most), config.most

    def on_ack(self, event: Any) -> None:
        self.window += event.acked if self.window < self.ssthresh else event.acked / self.window
        self.window = min(self.window, self.most)

    def on_loss(self, event: Any) -> None:
        self.ssthresh = self.window = max(self.window / 2, 2)

    def on_timeout(self, event: Any) -> None:
        self.on_loss(event)
        self.window = 1.0


class QuicConstant:
    """100 packets, with the methods of aioquic's controllers; books what happens to each packet."""

    ssthresh = None

    def __init__(self, *, max_datagram_size: int) -> None:
        self.congestion_window = 100 * max_datagram_size
        self.sent: list[int] = []
        self.ended: list[int] = []
        self.round_trips: list[float] = []
        MADE.append(self)

    def on_packet_sent(self, *, packet: Any) -> None:
        self.sent.append(packet.packet_number)

    def on_packet_acked(self, *, now: float, packet: Any) -> None:
        assert packet.sent_time < now
        self.ended.append(packet.packet_number)

    def on_packets_lost(self, *, now: float, packets: Any) -> None:
        self.ended += [packet.packet_number for packet in packets]

    def on_packets_expired(self, *, packets: Any) -> None:
        self.ended += [packet.packet_number for packet in packets]

    def on_persistent_congestion(self) -> None: ...

    def on_rtt_measurement(self, *, now: float, rtt: float) -> None:
        self.round_trips.append(rtt)


MADE: list[QuicConstant] = []


def goodput(kind: Any, **other: Any) -> float:
    """Return a lone flow's goodput in packets/s."""
    made = tcpatlas.simulate(link(**other), replications=1, controller=kind)
    return float(made.set_index("metric")["value"]["goodput"])


@pytest.mark.parametrize("kind", [Constant, QuicConstant])
def test_a_window_that_does_not_fill_the_path_gives_window_over_round_trip(kind: Any) -> None:
    assert goodput(kind) == pytest.approx(100 / RTT_S, rel=1e-3)


def test_reno_loses_as_the_square_root_says() -> None:
    """Mathis, Semke, Mahdavi and Ott 1997, equation 3: sqrt(3/2)/(RTT sqrt(p)); evenly spaced losses."""
    p = 0.001
    lossy = goodput(Reno, loss="0.1 %", loss_process={"kind": "evenly-spaced"})
    assert lossy == pytest.approx(math.sqrt(1.5 / p) / RTT_S, rel=0.05)


@pytest.mark.parametrize(
    "path", [{"loss": "2 %"}, {"rate": "400 kbit/s", "buffer": "20 packets", "loss": "30 %"}]
)
def test_each_packet_is_sent_once_and_ends_once(path: dict[str, str]) -> None:
    """On the second path some are sent again that have arrived."""
    MADE.clear()
    goodput(QuicConstant, **path)
    (flow,) = MADE
    assert flow.sent == list(range(len(flow.sent)))
    assert len(flow.ended) == len(set(flow.ended))
    assert set(flow.ended) <= set(flow.sent)
    assert len(flow.sent) - len(flow.ended) <= 101
    assert min(flow.round_trips) == pytest.approx(RTT_S, rel=1e-6)


@pytest.mark.parametrize("call", ["__init__", "on_ack", "on_loss", "on_timeout", "on_delivery", "on_sent"])
def test_what_a_call_raises_ends_the_run_with_its_name(call: str) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("nothing")

    broken = type("Broken", (Reno,), {call: fail})
    with pytest.raises(
        tcpatlas.AtlasError, match=rf"controller Broken: {call}: KeyError: 'nothing'"
    ) as error:
        goodput(broken, loss="10 %")
    assert isinstance(error.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("window", "says"), [(math.nan, "window nan"), (0, "window 0"), (-math.inf, "window -inf")]
)
def test_what_is_no_window_ends_the_run(window: float, says: str) -> None:
    def shrink(self: Any, event: Any) -> None:
        self.window = window

    broken = type("Broken", (Reno,), {"on_ack": shrink})
    with pytest.raises(tcpatlas.AtlasError, match=rf"Broken.*on_ack at 0\.\d+ s answers {says}"):
        goodput(broken)


def test_a_class_without_its_calls_and_an_unknown_group_are_refused() -> None:
    with pytest.raises(tcpatlas.AtlasError, match="controller object: has no method on_loss"):
        goodput(object)
    with pytest.raises(tcpatlas.AtlasError, match="controller: 'mine' is no group; one of"):
        goodput({"mine": Reno})


def test_another_queue_is_refused_by_name() -> None:
    with pytest.raises(tcpatlas.AtlasError, match="must be a dumbbell with a drop-tail queue"):
        goodput(Reno, queue="codel")
    with pytest.raises(tcpatlas.AtlasError, match="must be a dumbbell with a drop-tail queue"):
        tcpatlas.environment(link(queue="codel")).reset()


def test_an_environment_has_a_duration_and_a_group_of_its_own() -> None:
    with pytest.raises(tcpatlas.AtlasError, match="environment: stop must have a duration"):
        tcpatlas.environment({**link(), "stop": {"packets": "1000 packets"}})
    with pytest.raises(tcpatlas.AtlasError, match="controller: 'mine' is no group; one of"):
        tcpatlas.environment(link(), group="mine")


def test_ctrl_c_in_a_call_is_no_fault_of_the_controller() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        goodput(type("Waits", (Reno,), {"on_ack": interrupt}))


class Ten(Constant):
    """The initial window, in recoveries, too."""

    own_recovery = True

    def __init__(self, config: Any) -> None:
        self.window = 10.0

    def on_delivery(self, event: Any) -> None: ...


def test_a_window_that_steps_set_measures_as_one_of_a_class() -> None:
    """From the warm-up's end on, wherever the steps end."""
    lossy = {"loss": "1 %", "loss_process": {"kind": "evenly-spaced"}}
    environment = tcpatlas.environment(link(**lossy), interval=1.1)  # 22 s are 20 steps
    environment.reset()
    while not environment.step(10.0)[3]:
        pass
    assert environment.measurements()["metrics"]["goodput"]["value"] == goodput(Ten, **lossy)


def steps(interval: float, window: float, **other: Any) -> tuple[list[Any], Any]:
    """Return what a flow with a constant window saw in 5 s, and its run."""
    environment = tcpatlas.environment(link(**other), interval=interval)
    environment.reset(seed=3)
    seen = [environment.step(window)[0] for _ in range(int(5 / interval) - 1)]
    run = environment.measurements()
    environment.close()
    return seen, run


def test_steps_of_any_length_give_the_same_numbers() -> None:
    runs = [steps(interval, 50.0, loss="1 %")[1] for interval in (5.0, 0.01, 0.0125)]
    # The action reaches the flow with the first step: the first interval is the initial window's.
    assert runs[1]["counters"] == pytest.approx(runs[2]["counters"], rel=1e-3)
    whole = tcpatlas.environment(link(loss="1 %"), interval=5.0)
    parts = tcpatlas.environment(link(loss="1 %"), interval=0.001)
    whole.reset(seed=3)
    parts.reset(seed=3)
    for _ in range(4999):
        parts.step(10.0)
    assert json.dumps(whole.measurements()) == json.dumps(parts.measurements())


def test_a_step_sees_what_the_window_delivers() -> None:
    seen, _ = steps(0.4, 100.0)  # ten round trips
    delivered, lost, srtt, min_rtt, in_flight, rate = seen[-1]
    per_second = 100 / RTT_S
    assert delivered == pytest.approx(per_second * 0.4, abs=2)
    assert lost == 0
    assert srtt == pytest.approx(RTT_S, rel=1e-6)
    assert min_rtt == pytest.approx(RTT_S, rel=1e-6)
    assert in_flight in (99, 100)
    assert rate == pytest.approx(per_second, rel=0.02)


def test_an_environment_begins_and_ends() -> None:
    environment = tcpatlas.environment(link(), interval=1.0)
    with pytest.raises(tcpatlas.AtlasError, match=r"reset\(\) comes first"):
        environment.step(10)
    first = environment.reset(seed=1)[0]
    truncated = [environment.step((20, 0.0))[3] for _ in range(21)]
    assert truncated == [False] * 20 + [True]
    assert (environment.reset(seed=1)[0] == first).all()
    with pytest.raises(tcpatlas.AtlasError, match="window nan"):
        environment.step(math.nan)


def test_a_compiled_controller_gives_the_same_bytes_as_its_class() -> None:
    """Reno by numba's cfuncs."""
    import numba

    state = np.dtype([("most", "f8")])
    pointers = [numba.types.CPointer(numba.from_dtype(each)) for each in (state, EVENT, DECISION)]
    cfunc = numba.cfunc(numba.void(*pointers), error_model="numpy")

    @cfunc
    def on_ack(own, event, decision):  # type: ignore[no-untyped-def]
        d, acked = numba.carray(decision, 1)[0], numba.carray(event, 1)[0].acked
        d.window += acked if d.window < d.ssthresh else acked / d.window
        d.window = min(d.window, numba.carray(own, 1)[0].most)

    @cfunc
    def on_loss(own, event, decision):  # type: ignore[no-untyped-def]
        d = numba.carray(decision, 1)[0]
        d.ssthresh = d.window = max(d.window / 2, 2.0)

    @cfunc
    def on_timeout(own, event, decision):  # type: ignore[no-untyped-def]
        d = numba.carray(decision, 1)[0]
        d.ssthresh = max(d.window / 2, 2.0)
        d.window = 1.0

    calls = {each.__name__: each.address for each in (on_ack, on_loss, on_timeout)}
    compiled = Compiled(lambda config: np.array([(config.most,)], state), **calls)
    assert goodput(compiled, loss="0.1 %") == goodput(Reno, loss="0.1 %")
    with pytest.raises(tcpatlas.AtlasError, match="controller: on_loss is needed"):
        Compiled(lambda _: np.zeros(1), on_timeout=1)


def test_environments_are_links_side_by_side_and_begin_again() -> None:
    """Each is what it is alone, from a seed of its own; one at its end begins again at the next step."""
    scenario = {**link(loss="1 %"), "stop": {"duration": "2 s", "warmup": "0 s"}}
    swept = {
        "base": scenario,
        "sets": {"two": {"title": "two", "sweep": {"grid": {"rtt": ["40 ms", "80 ms"]}}}},
    }
    both = tcpatlas.environments({"title": "two", **swept}, interval=0.5)
    seen = [both.reset(seed=5)[0]]
    truncated = []
    for _ in range(4):
        observed, rewards, _, over, _ = both.step([10.0, 20.0])
        seen.append(observed)
        truncated.append(over.tolist())
        assert rewards.shape == (2,)
    assert truncated == [[False, False]] * 2 + [[True, True]] + [[False, False]]
    alone = both.each[1]
    assert (alone.reset(seed=6)[0] == seen[0][1]).all()
    assert (alone.step(20.0)[0] == seen[1][1]).all()
    assert (alone.reset(seed=8)[0] == seen[4][1]).all()
    with pytest.raises(tcpatlas.AtlasError, match="step: 1 actions for 2 links"):
        both.step([10.0])


def test_a_table_of_other_sizes_is_refused() -> None:
    from tcpatlas.controllers.python_class import PythonController

    table = PythonController(Reno).table
    table.built_for[2] += 8
    assert not library().packetsim_use(b"stale", table)
    assert b"built for another" in library().packetsim_why()


def test_a_class_in_a_shared_object_gives_the_numbers_that_it_gives_here(tmp_path: Path) -> None:
    """The judge runs it so, in every network."""
    (file := tmp_path / "mine.py").write_text(
        f"Any = object\n{getsource(Constant)}\n{getsource(Reno)}\nclass Bad(Reno):\n    on_ack = None\n"
    )

    def numbers(name: str) -> Any:
        scenario = link()
        scenario["tcp"] |= {"variant": "external", "library": str(embedded(f"{file}:{name}", tmp_path))}
        return tcpatlas.simulate(scenario, allow_library=True, replications=1).set_index("metric")["value"]

    here = tcpatlas.simulate(link(), controller=Reno).set_index("metric")["value"]
    assert numbers("Reno").to_dict() == here.to_dict()
    says = "Bad: TypeError: 'NoneType' object is not callable; .*flow 0: on_ack at 0.04"
    with pytest.raises(tcpatlas.AtlasError, match=says):
        numbers("Bad")
    with pytest.raises(tcpatlas.AtlasError, match=r"mine.py: has no class Worse"):
        embedded(f"{file}:Worse", tmp_path)
