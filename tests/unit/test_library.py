"""The library's functions, in this tree."""

from __future__ import annotations

import pytest

import tcpatlas

# The link and the RTT of the Seawind report's figures 8.7 and 8.8.
REPORT = {
    "links": {
        "access": {"rate": "1000 Gbit/s"},
        "bottleneck": {"rate": "12 Mbit/s", "buffer": "70 packets", "queue": "drop-tail", "loss": "1 %"},
        "egress": {"rate": "1000 Gbit/s"},
    },
    "rtt": "60 ms",
    "rtt_distribution": {"mean": "60 ms", "standard_deviation": "30 ms"},
    "packet_size": "1500 B",
    "ack_size": "0 B",
    "tcp": {
        "variant": "newreno",
        "rwnd": "70 packets",
        "initial_window": "2 packets",
        "min_rto": "1 s",
        "max_rto": "64 s",
    },
    "sources": {"count": 1, "workload": {"kind": "bulk"}},
    "stop": {"duration": "100 s"},
}


def test_a_model_is_asked_with_every_key_that_it_takes() -> None:
    """packetsim takes no distribution of the RTT; the Markov chain does, and is not packetsim."""
    asked = tcpatlas.predict("markov", REPORT).set_index("metric")["value"]
    fixed = tcpatlas.predict("markov", {**REPORT, "rtt_distribution": None})
    assert asked["throughput_markov"] != fixed.set_index("metric")["value"]["throughput_markov"]
    with pytest.raises(tcpatlas.AtlasError, match="rtt_distribution: packetsim does not take it"):
        tcpatlas.simulate(REPORT)


def test_a_model_refuses_in_one_line() -> None:
    with pytest.raises(
        tcpatlas.AtlasError, match=r"^scenario: base\.tcp\.variant: the markov model cannot"
    ) as e:
        tcpatlas.predict("markov", {**REPORT, "tcp": {**REPORT["tcp"], "variant": "tahoe"}})
    assert "\n" not in str(e.value)
