"""Measurements that people bring: what iperf3 and flent write, by their documented formats."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import cases

from tcpatlas.ask.question import from_file
from tcpatlas.base.errors import AtlasError
from tcpatlas.measurement import comparison
from tcpatlas.measurement.__main__ import main, read, shown
from tcpatlas.measurement.measured import LARGEST

Write = Callable[[Any], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(content: Any) -> str:
        file = tmp_path / "measurement.json"
        file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(file)

    return written


def document(tool: str) -> Any:
    """Return a measurement by hand.

    iperf3: two streams of 3 MB/s (6 in the first second) that resend a packet a second; round trips grow from
    20 ms by 1 ms a second. flent: two uploads of 4 Mbit/s from 1 s to 11 s, 8 in the first 2 s, over IPv6;
    a ping of 10 ms, then 30.
    """
    return json.loads((Path(__file__).parent / f"measurements/{tool}.json").read_text())


def test_iperf3(write: Write) -> None:
    measured = read(write(document("iperf3")))
    # A fifth of ten seconds is start-up; then 6 MB/s, a packet in each stream's 3 MB resent, 22 to 29 ms.
    assert (measured.start_up_s, measured.seconds, measured.goodput) == (2, 8, 48e6)
    assert measured.rtt == pytest.approx((0.019, 0.0255, 0.031))
    assert measured.resent == pytest.approx(1448 / 3e6)
    assert measured.cwnd == 50
    assert (measured.mss, measured.packet, measured.tcp, measured.streams) == (1448, 1500, "reno", 2)
    assert measured.title == "iperf 3.12 · upload · 2 streams"
    # 100 blocks of each stream are 26.2 MB: five seconds.
    assert measured.best() == (48e6, 5)
    assert measured.resolution == 2 * 8 * 131072 / 8


def test_what_iperf3_left_out_is_start_up(write: Write) -> None:
    changed = document("iperf3")
    changed["intervals"][0]["sum"]["omitted"] = True
    assert read(write(changed)).start_up_s == 1
    assert read(write(changed), omit="3 s").start_up_s == 3


def test_a_receiver_knows_no_round_trips(write: Write) -> None:
    changed = document("iperf3")
    changed["start"]["test_start"]["reverse"] = 1
    for one in changed["intervals"]:
        for part in (one["sum"], *one["streams"]):
            for key in {"rtt", "retransmits", "snd_cwnd", "pmtu"} & part.keys():
                del part[key]
    measured = read(write(changed))
    assert "download (-R)" in measured.title
    assert (measured.rtt, measured.resent, measured.cwnd) == (None, None, None)
    # IPv6 has 20 B more of headers.
    assert measured.packet == 1448 + 72
    with pytest.raises(AtlasError, match=r"^--rtt is missing: the file has no round-trip times"):
        comparison.link_of(measured, {})


def test_flent(write: Write) -> None:
    measured = read(write(gzip.compress(json.dumps(document("flent")).encode())))
    assert [measured.start_up_s, measured.goodput] == pytest.approx([2, 8e6])
    assert measured.rtt == pytest.approx((0.01, 0.03, 0.03))
    assert (measured.mss, measured.packet, measured.tcp, measured.resent) == (1428, 1500, "bbr", None)
    assert measured.title == "flent 2.1.1 tcp_nup · upload · 2 streams"


def test_of_two_directions_the_other_shares_the_way_back(write: Write) -> None:
    """20 and 8 Mbit/s of 1448 B in packets of 1520, 40 B for two; half of 20 ms is 17.3 packets, and 7.1."""
    changed = document("flent")
    changed["results"]["TCP download BE"] = [
        value and 5 * value for value in changed["results"]["TCP upload sum"]
    ]
    download, upload = (read(write(changed), direction=way) for way in ("download", "upload"))
    assert (download.streams, upload.streams) == (1, 2)
    assert download.other is not None
    assert download.other.way == "upload"
    link = comparison.link_of(download, {})
    assert (link.options["rate"], link.options["buffer"]) == ("20.9945 Mbit/s", "18 packets")
    assert link.back == {"rate": "8.67403 Mbit/s", "buffer": "10 packets"}
    packetsim, kernel = comparison.candidates(download, link, ["cubic"], kernel=True)
    groups = [(each["count"], each.get("direction")) for each in packetsim.document["sources"]]
    assert groups == [(1, None), (2, "return")]
    assert "return" not in kernel.document["links"]
    variants = packetsim.document["replications"]["variants"]
    assert {8, 12} < {one["links.return.buffer_packets"] for one in variants}
    values = comparison.values_of(download)
    assert values["goodput_per_user[upload]"] == pytest.approx(4e6)
    metrics = {"goodput_per_user[upload]": {"values": [4e6, 4.4e6]}}
    rows = {row.metric: row for row in comparison.rows_of(download, values, packetsim, metrics)}
    assert rows["goodput_per_user[upload]"].value == pytest.approx(4.2e6 * 1448 / 1520)


def test_what_is_not_said_is_inferred(write: Write) -> None:
    link = comparison.link_of(read(write(document("iperf3"))), {})
    # 48 Mbit/s of 1448 B in packets of 1500 B; 12 ms at this rate are 49.7 packets.
    assert link.options["rate"] == "49.7238 Mbit/s"
    assert [link.options[name] for name in ("rtt", "buffer", "packet")] == ["19 ms", "50 packets", "1500 B"]
    assert link.spread == {"rate": 0.01, "rtt": 0.02, "buffer": 0.2}
    assert [text.partition(",")[0] for text in link.assumed] == [
        "a link of 49.7 Mbit/s",
        "an empty path of 19.0 ms",
        "a buffer of 50 packets",
    ]
    own = {"rate": "50 Mbit/s", "rtt": "20 ms", "buffer": "9 packets"}
    assert comparison.link_of(read(write(document("iperf3"))), own).assumed == ()


def test_runs_are_as_long_as_what_was_measured(write: Write, tmp_path: Path) -> None:
    measured = read(write(document("iperf3")))
    among = comparison.candidates(measured, comparison.link_of(measured, {}), [], kernel=False)
    # The kernel's reno is packetsim's with SACK.
    assert [each.name for each in among] == ["newreno-sack", "cubic", "bbr"]
    for each in among:
        assert each.document["stop"] == {"duration_s": 8, "warmup_s": 2}
        assert each.document["sources"][0]["count"] == 2
    variants = among[0].document["replications"]["variants"]
    buffers = [one["links.bottleneck.buffer_packets"] for one in variants]
    assert (len(buffers), min(buffers), max(buffers)) == (comparison.RUNS - 1, 40, 59)
    saved = tmp_path / "saved.yaml"
    saved.write_text(json.dumps(comparison.scenario("Measured", among)))
    for each, point in zip(among, from_file(str(saved)).points, strict=True):
        assert point.document["links"] == each.document["links"]
        assert point.document["sources"] == each.document["sources"]


@pytest.mark.parametrize(
    ("value", "verdict", "difference"), [(99.0, "inside", 0), (89.0, "below", -0.011), (121.0, "above", 0.1)]
)
def test_a_verdict(write: Write, value: float, verdict: str, difference: float) -> None:
    """Runs of 90 to 110 hold 99, to within a block of 0.5."""
    measured = read(write(document("iperf3")))
    (candidate,) = comparison.candidates(measured, comparison.link_of(measured, {}), ["cubic"], kernel=False)
    values = [value_of_run * 1500 / 1448 for value_of_run in range(90, 111)]
    metrics = {"goodput_of_all": {"values": values}, "loss_ratio": {"values": [0.0, 0.0]}}
    measured = replace(measured, block=0.5 * measured.seconds)
    (row,) = comparison.rows_of(measured, {"goodput_of_all": value}, candidate, metrics)
    assert row.verdict == verdict
    assert row.difference == pytest.approx(difference, abs=1e-3)
    (said,) = (line for line in shown(measured, "Link", [row], ["a link"]) if "packetsim:cubic" in line)
    assert said.endswith(verdict)
    (row,) = comparison.rows_of(measured, {"retransmission_ratio": 0.1}, candidate, metrics)
    assert (row.verdict, row.difference) == ("above", None)


@cases("measurement.what_is_not_comparable_is_one_line")
def test_what_is_not_comparable_is_one_line(
    write: Write, tool: str, path: str, value: Any, message: str
) -> None:
    changed = document(tool)
    *parts, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    inner: Any = changed
    for part in parts:
        inner = inner[part]
    inner[last] = value
    with pytest.raises(AtlasError) as error:
        read(write(changed))
    assert str(error.value).partition("measurement.json: ")[2].startswith(message)


@cases("measurement.a_foreign_file_is_one_line")
def test_a_foreign_file_is_one_line(
    write: Write, capsys: pytest.CaptureFixture[str], content: str, times: int, packed: bool, message: str
) -> None:
    text = content.encode("latin-1") * times
    assert main([write(gzip.compress(text)[:-9] if packed else text)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.partition("measurement.json: ")[2].startswith(message)


def test_what_unpacks_to_more_than_is_read(write: Write) -> None:
    with pytest.raises(AtlasError, match=r"measurement.json: is too long; at most 34 MB of text$"):
        read(write(gzip.compress(bytes(LARGEST + 1))))


def test_a_file_that_does_not_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert [main([name]) for name in ("/dev/zero", "nowhere.json")] == [1, 1]
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("/dev/zero: is no file that ends; ")
    assert second.startswith("nowhere.json: no such file; what iperf3 -J prints, or a .flent.gz")
