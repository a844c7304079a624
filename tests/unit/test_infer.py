"""The inverse of the model on the command line: the cross traffic of a path from measurements."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import cases
from dumbbell import dumbbell

import tcpatlas
from tcpatlas.models import shared_bottleneck
from tcpatlas.models.shared_bottleneck.__main__ import main

# Theorem 3.1 (i) by hand (see test_model_shared_bottleneck.py): mu 100 packets/s, tau 0.19 s, B 20, no cross
# traffic. T is 0.2 s, W~ 20 and W_th 21; a cycle has 19, 1 and 661.5 packets in its three phases.
THROUGHPUT = 681.5 / (0.2 * math.log(20) + 0.01 + 6.615)  # packets/s
RTT = (19 * 0.2 + 0.1575 + 661.5 * 14 / 9 * 0.21) / 681.5  # s
OPTIONS = {
    "--rate": "1.2 Mbit/s",
    "--buffer": "20 packets",
    "--propagation": "190 ms",
    "--packet-size": "1500 B",
    "--throughput": f"{THROUGHPUT * 12} kbit/s",
    "--rtt": f"{RTT} s",
}


def arguments(**changes: str) -> list[str]:
    options = OPTIONS | {f"--{name}": value for name, value in changes.items()}
    return [*(word for pair in options.items() for word in pair)]


def test_a_path_without_cross_traffic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments()) == 0
    rate, fit = capsys.readouterr().out.splitlines()
    assert rate.startswith("cross traffic: 0 kbit/s, 0 packets/s, 0.0%")
    assert "a throughput of 1132 kbit/s (+0.0%) and a round-trip time of 322.9 ms (+0.0%)" in fit


def test_less_throughput_means_more_cross_traffic(capsys: pytest.CaptureFixture[str]) -> None:
    rates = []
    for throughput in ("900 kbit/s", "600 kbit/s", "300 kbit/s"):
        assert main(arguments(throughput=throughput)) == 0
        rates.append(float(capsys.readouterr().out.split()[2]))
    assert 0 < rates[0] < rates[1] < rates[2] < 1200


@cases("infer.bad_input_is_one_line")
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], change: dict[str, str], message: str
) -> None:
    # A value that begins with a minus is joined to its option.
    words = arguments(**change)
    joined = [f"{name}={value}" for name, value in zip(words[::2], words[1::2], strict=True)]
    assert main(joined) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def point(rate: float) -> dict:
    return dumbbell(
        1.2e6,
        20,
        {"variant": "tahoe"},
        delays=(0.0475, 0.0475, 0, 0.095),
        access=1e9,
        cross_traffic={"kind": "poisson", "rate_bit_per_s": rate},
    )


def test_what_runs_measured_is_inferred_from() -> None:
    """The same path measured beside 12 packets/s, which the model puts at 0: an error of -12 % of 100."""
    measured = {"goodput": THROUGHPUT, "rtt_path_mean": RTT}
    runs = [{"goodput": 90.0}, measured, measured | {"goodput": 0.0}]
    answers = shared_bottleneck.infer([point(144000)] * 3, runs)
    nothing, busy, stalled = (answer["metrics"] for answer in answers)
    assert nothing == stalled == {}
    assert busy["inferred_exogenous_rate"]["value"] == pytest.approx(0, abs=1e-6)
    assert busy["inferred_exogenous_share_error"]["value"] == pytest.approx(-0.12)


def test_a_slow_access_link_is_one_line() -> None:
    """Table 2, case 1 of the paper: the model warns, and answers all the same."""
    slow = point(144000)
    slow["sources"][0]["access"]["rate_bit_per_s"] = 1e6
    code = (
        "import json, sys, warnings\n"
        "from tcpatlas.base import command\nfrom tcpatlas.models import shared_bottleneck\n"
        "warnings.formatwarning = command.warning_line; shared_bottleneck.predict([json.loads(sys.argv[1])])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(slow)],
        env=os.environ | {"PYTHONPATH": str(Path(tcpatlas.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = done.stderr.splitlines()
    warning = "warning: test/test/base: links.access.rate: 83.3333 packets/s are less than the 88 that"
    assert line.startswith(warning)
