"""Rates that step in time and token buckets, and web users in dumbbells: what points hold of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import cases, data
from handmade import expanded

from tcpatlas import models
from tcpatlas.base.errors import ConfigError
from tcpatlas.points.engines import check_takes
from tcpatlas.points.errors import PointError
from tcpatlas.points.kinds import dumbbell

REPLICATIONS = {"minimum": 1, "maximum": 1}
STEPS = [{"at": "10 s", "rate": "5 Mbit/s"}, {"at": "1 min", "rate": "20 Mbit/s"}]
BUCKET = {"rate": "2 Mbit/s", "burst": "15 kB"}
WEB = data("varying_link.web")


def document(scenario: dict[str, Any], **override: Any) -> dict[str, Any]:
    """Return the one point of a set with these values."""
    paths = {key.replace("__", "."): value for key, value in override.items()}
    (point,) = expanded(scenario["base"], {"override": paths}, scenario.get("replications", REPLICATIONS))
    return dict(point.document)


def test_a_point_has_the_steps_and_the_bucket_in_si_units(scenario: dict[str, Any]) -> None:
    override = {"links__bottleneck__rate_steps": STEPS, "links__bottleneck__token_bucket": BUCKET}
    bottleneck = document(scenario, **override)["links"]["bottleneck"]
    assert bottleneck["rate_steps"] == [
        {"at_s": 10, "rate_bit_per_s": 5000000},
        {"at_s": 60, "rate_bit_per_s": 20000000},
    ]
    assert bottleneck["token_bucket"] == {"rate_bit_per_s": 2000000, "burst_bytes": 15000}


@pytest.mark.parametrize("key", ["rate_steps", "token_bucket"])
def test_packetsim_alone_takes_a_rate_that_varies(scenario: dict[str, Any], key: str) -> None:
    values = {"rate_steps": STEPS, "token_bucket": BUCKET}
    point = document(scenario, tcp__max_rto="120 s", **{f"links__bottleneck__{key}": values[key]})
    check_takes("packetsim", point)
    for engine in ("ns3", "linux"):
        with pytest.raises(PointError, match="does not take it"):
            check_takes(engine, point)
    with pytest.raises(PointError, match="cannot answer a rate that varies"):
        models.load("engset").predict([point])


def traced(scenario: dict[str, Any], file: Path, text: str) -> Any:
    file.write_text(text)
    steps = {"file": str(file)}
    return document(scenario, links__bottleneck__rate_steps=steps)["links"]["bottleneck"]["rate_steps"]


def test_a_trace_is_a_file(scenario: dict[str, Any], tmp_path: Path) -> None:
    """Mahimahi's has two packets of 1504 B in its second millisecond, and one in its fourth, the last."""
    rates = traced(scenario, tmp_path / "rates.csv", "time,rate\n0,2e6\n1.5,0\n60,1000000\n")
    assert rates == {"at_s": [0, 1.5, 60], "rate_bit_per_s": [2e6, 0, 1e6]}
    opportunities = traced(scenario, tmp_path / "cell.up", "2\n2\n4\n")
    assert opportunities == {
        "at_s": [0, 0.001, 0.002, 0.003],
        "rate_bit_per_s": [0, 2 * 12.032e6, 0, 12.032e6],
        "period_s": 0.004,
    }


@cases("varying_link.what_is_no_trace")
@pytest.mark.filterwarnings("ignore:loadtxt")
def test_what_is_no_trace(scenario: dict[str, Any], tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=rf"rate_steps: .*trace\.csv: .*{says}"):
        traced(scenario, tmp_path / "trace.csv", text)


def test_a_trace_that_is_not_there(scenario: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="none: No such file"):
        document(scenario, links__bottleneck__rate_steps={"file": "none"})


DELAYS: dict[str, Any] = data("varying_link.delays")


@pytest.mark.parametrize("key", DELAYS)
def test_packetsim_and_the_kernel_take_a_delay_that_varies(scenario: dict[str, Any], key: str) -> None:
    written, expected = DELAYS[key]
    point = document(scenario, tcp__max_rto="120 s", **{f"links__bottleneck__{key}": written})
    assert point["links"]["bottleneck"][key] == expected
    check_takes("packetsim", point)
    for engine in ("ns3", "linux"):
        if engine == "ns3" or key == "delay_steps":
            with pytest.raises(PointError, match=f"{engine} does not take it"):
                check_takes(engine, point)
        else:
            check_takes(engine, point)
    with pytest.raises(PointError, match="cannot answer a delay that varies"):
        models.load("engset").predict([point])


def test_delays_of_a_file(scenario: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "delays.csv"
    file.write_text("delay_s\n0.01\n0\n")
    point = document(scenario, links__bottleneck__jitter={"file": str(file), "reorders": True})
    jitter = point["links"]["bottleneck"]["jitter"]
    assert jitter == {"distribution": "sample", "delays_s": [0.01, 0], "reorders": True}
    check_takes("packetsim", point)
    with pytest.raises(
        PointError, match=r"linux does not take links\.bottleneck\.jitter\.distribution sample"
    ):
        check_takes("linux", point | {"sources": [{**point["sources"][0], "tcp": {"variant": "cubic"}}]})


@cases("varying_link.what_are_no_delays")
def test_what_are_no_delays(scenario: dict[str, Any], tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "delays.csv"
    file.write_text(text)
    with pytest.raises(ConfigError, match=rf"links.bottleneck.jitter: .*{says}"):
        document(scenario, links__bottleneck__jitter={"file": str(file)})


def test_acknowledgements_may_queue(scenario: dict[str, Any]) -> None:
    back = {"rate": "50 kbit/s", "buffer": "20 packets"}
    override = {"ack_size": "40 B", "tcp__max_rto": "120 s", "rtt": "100 ms"}
    plain, point = (document(scenario, **override, **more) for more in ({}, {"links__return": back}))
    expected = {"rate_bit_per_s": 50000, "buffer_packets": 20, "loss_probability": 0}
    assert point["links"]["return"] == expected
    # Delays no longer hold an acknowledgement's transmission, and the empty path is as long as before.
    delays = [p["return_delay_s"] + p["links"]["bottleneck"]["delay_s"] for p in (plain, point)]
    assert delays[0] - delays[1] == pytest.approx(320 / 50000)
    for engine in ("packetsim", "linux"):
        check_takes(engine, point)
    with pytest.raises(PointError, match="ns3 does not take it"):
        check_takes("ns3", point)
    with pytest.raises(PointError, match="cannot answer a way back that queues"):
        models.load("engset").predict([point])
    with pytest.raises(ConfigError, match="is 0 B, which takes no time there"):
        document(scenario, **override | {"ack_size": "0 B"}, links__return=back)


def test_reordering_is_not_of_web_users(scenario: dict[str, Any]) -> None:
    override = {"sources__workload": WEB, "stop": {"packets": "50000 packets"}, "tcp__idle_restart": "3 s"}
    for key, refused in (("jitter", r"jitter\.reorders"), ("reordering", "reordering")):
        point = document(scenario, **override, **{f"links__bottleneck__{key}": DELAYS[key][0]})
        with pytest.raises(PointError, match=f"does not take links.bottleneck.{refused}"):
            check_takes("packetsim", point)


def test_steps_of_a_delay_increase_in_time(scenario: dict[str, Any]) -> None:
    steps = [{"at": "1 min", "extra_delay": "9 ms"}, {"at": "5 s", "extra_delay": "0 s"}]
    with pytest.raises(ConfigError, match="5 s comes after 60 s; times that increase"):
        document(scenario, links__bottleneck__delay_steps=steps)


def test_cross_traffic_may_be_too_much_and_have_steps(scenario: dict[str, Any]) -> None:
    steps = [{"at": "10 s", "rate": "0 bit/s"}, {"at": "1 min", "rate": "2 Gbit/s"}]
    traffic = {"kind": "poisson", "rate": "1 Gbit/s", "rate_steps": steps}
    point = document(scenario, cross_traffic=traffic, links__bottleneck__queue="drop-tail")
    assert point["cross_traffic"]["rate_steps"] == [
        {"at_s": 10, "rate_bit_per_s": 0},
        {"at_s": 60, "rate_bit_per_s": 2000000000},
    ]
    for engine in ("packetsim", "ns3"):
        check_takes(engine, point)
    with pytest.raises(PointError, match="linux does not take it"):
        check_takes("linux", document(scenario, tcp__max_rto="120 s", cross_traffic=traffic))
    with pytest.raises(ConfigError, match="10 s comes after 60 s; times that increase"):
        document(scenario, cross_traffic=traffic | {"rate_steps": steps[::-1]})
    nothing = {"kind": "poisson", "rate": "0 bit/s", "rate_steps": steps[:1]}
    assert "cross_traffic" not in document(scenario, cross_traffic=nothing)


def test_cross_traffic_before_every_queue_of_packetsim(scenario: dict[str, Any]) -> None:
    traffic = {"kind": "poisson", "rate": "1 Mbit/s"}
    point = document(scenario, cross_traffic=traffic, links__bottleneck__queue="fair-shared")
    check_takes("packetsim", point)
    with pytest.raises(PointError, match=r"ns3 does not take cross_traffic with links\.bottleneck\.queue"):
        check_takes("ns3", point)


def test_web_users_go_on_until_packets_are_sent(scenario: dict[str, Any]) -> None:
    stop = {"packets": "50000 packets"}
    point = document(scenario, sources__workload=WEB, stop=stop, tcp__idle_restart="3 s")
    assert point["stop"] == {"packets": 50000, "warmup_packets": 5000}
    for engine in ("packetsim", "ns3"):
        check_takes(engine, point)
    assert dumbbell.packets(point) == 55000
    assert dumbbell.shortest(point)["stop"]["packets"] == 10000


def test_on_off_sources_count_packets_where_the_warm_up_is_given(scenario: dict[str, Any]) -> None:
    stop = {"packets": "50000 packets"}
    assert "connections" in document(scenario, stop=stop)["stop"]
    stop["warmup_packets"] = "100 packets"
    assert document(scenario, stop=stop)["stop"] == {"packets": 50000, "warmup_packets": 100}


def test_a_pause_restarts_no_on_off_source(scenario: dict[str, Any]) -> None:
    with pytest.raises(PointError, match="does not take it"):
        check_takes("packetsim", document(scenario, tcp__idle_restart="3 s"))
