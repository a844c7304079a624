"""What is read from filter logs: made by hand with known answers, and recorded, beside tcptrace."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tcp_log import SENDER, Log

from tcpatlas.base.errors import AtlasError
from tcpatlas.filterlog.pcap import read_pcap
from tcpatlas.filterlog.transfer import read_transfers

RECORDED = Path(__file__).parent / "data" / "seawind-set-9.pcap"


def fast_retransmit(isn: int = 100) -> Log:
    """Five segments in flight, the second lost: three duplicates, a retransmission, one ACK for all."""
    log = Log(isn)
    log.handshake(0, 400)
    for i in range(5):
        log.data(400 + i, i)
    log.ack(800, 1)  # sample: 400 ms
    for i in range(3):
        log.ack(802 + i, 1)
    log.data(805, 1)
    log.ack(1_205, 5)  # segment 4 left before the retransmission: no sample, a post-loss ACK
    log.data(1_205, 5)
    log.ack(1_705, 6)  # sample: 500 ms
    return log


def test_measures_of_a_fast_retransmit(tmp_path: Path) -> None:
    (transfer,) = read_transfers(fast_retransmit().write(tmp_path / "log.pcap"))
    assert transfer.rtt == pytest.approx([0.4, 0.4, 0.5])  # the SYN's first
    assert transfer.rtt_time == pytest.approx([0.4, 0.8, 1.705])
    assert (transfer.triplicate_acks, transfer.post_loss_acks) == (1, 1)
    assert (transfer.segments_sent, transfer.retransmitted_segments) == (7, 1)
    assert (transfer.unique_bytes, transfer.retransmitted_bytes, transfer.mss) == (600, 100, 100)
    assert transfer.throughput == pytest.approx(600 / 1.705)
    assert transfer.send_rate == pytest.approx(700 / (1.205 - 0.4))
    assert transfer.outstanding.tolist() == [100, 200, 300, 400, 500, 100]
    assert transfer.throughput_without_timeouts == pytest.approx((1600 / 6) / (1.3 / 3))
    assert transfer.loss_bounds == pytest.approx((1 / 7, 1 / 7))


def test_sequence_numbers_wrap(tmp_path: Path) -> None:
    (plain,) = read_transfers(fast_retransmit().write(tmp_path / "plain.pcap"))
    (wrapped,) = read_transfers(fast_retransmit(isn=2**32 - 250).write(tmp_path / "wrapped.pcap"))
    for name, value in vars(plain).items():
        assert np.array_equal(value, getattr(wrapped, name)), name


def test_a_retransmitted_segment_gives_no_sample(tmp_path: Path) -> None:
    log = Log()
    log.handshake(0, 400)
    log.data(400, 0)
    log.data(1_400, 0)  # after a timeout
    log.ack(1_800, 1)  # of which of the two? (Karn and Partridge)
    (transfer,) = read_transfers(log.write(tmp_path / "log.pcap"))
    assert transfer.rtt == pytest.approx([0.4])
    assert (transfer.post_loss_acks, transfer.retransmitted_segments) == (0, 1)


def test_an_acknowledgement_with_another_window_is_no_duplicate(tmp_path: Path) -> None:
    log = Log()
    log.handshake(0, 400)
    for i in range(6):
        log.data(400 + i, i)
    for i, window in enumerate((1_000, 1_000, 1_000, 900, 900, 900)):
        log.ack(800 + i, 1, window=window)
    (transfer,) = read_transfers(log.write(tmp_path / "log.pcap"))
    assert transfer.triplicate_acks == 0


def test_connections_are_told_apart(tmp_path: Path) -> None:
    log = fast_retransmit()
    first = log.records
    other = fast_retransmit()
    port = (4000).to_bytes(2, "big")
    log.records = first + other.records.replace(port, (4001).to_bytes(2, "big"))
    transfers = read_transfers(log.write(tmp_path / "log.pcap"))
    assert [t.segments_sent for t in transfers] == [7, 7]


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**12), st.integers(0, 2**32 - 1), st.integers(0, 255), st.integers(0, 1460)
        ),
        min_size=1,
    )
)
def test_pcap_columns_are_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, int, int]]
) -> None:
    log = Log()
    for ns, seq, flags, payload in rows:
        log.packet(ns / 1e6, SENDER, seq, seq, flags, payload)
    packets = read_pcap(log.write(tmp_path_factory.mktemp("pcap") / "log.pcap"))
    assert (packets.time_ns - 10**18).tolist() == [round(ns / 1e6 * 1e6) for ns, *_ in rows]
    assert packets.seq.tolist() == packets.ack.tolist() == [seq for _, seq, *_ in rows]
    assert packets.flags.tolist() == [flags for *_, flags, _ in rows]
    assert packets.payload_bytes.tolist() == [payload for *_, payload in rows]


@pytest.mark.parametrize("cut", [10, 30, 70])
def test_a_cut_log_is_named(tmp_path: Path, cut: int) -> None:
    path = fast_retransmit().write(tmp_path / "log.pcap")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(AtlasError, match=r"log\.pcap: (not a pcap|ends inside)"):
        read_transfers(path)


def tcptrace(path: Path) -> dict[str, float]:
    """Return the sender's column of tcptrace's long report."""
    report = subprocess.run(
        ["tcptrace", "-lrW", "-n", path], capture_output=True, text=True, check=True
    ).stdout
    rows = re.findall(r"^ +([A-Za-z0-9 -]+):\s+([0-9.]+)", report, flags=re.MULTILINE)
    values = {name.strip(): float(value) for name, value in rows}
    minutes, seconds = re.findall(r"^\telapsed time: +\d+:(\d+):([0-9.]+)", report, flags=re.MULTILINE)[0]
    return values | {"elapsed": 60 * int(minutes) + float(seconds)}


@pytest.mark.skipif(shutil.which("tcptrace") is None, reason="tcptrace is not installed")
def test_agrees_with_tcptrace() -> None:
    (ours,) = read_transfers(RECORDED)
    theirs = tcptrace(RECORDED)
    counts = {
        "unique bytes sent": ours.unique_bytes,
        "actual data pkts": ours.segments_sent,
        "rexmt data pkts": ours.retransmitted_segments,
        "rexmt data bytes": ours.retransmitted_bytes,
        "RTT samples": len(ours.rtt),
        "post-loss acks": ours.post_loss_acks,
        "triple dupacks": ours.triplicate_acks,
        "max segm size": ours.mss,
    }
    assert counts == {name: theirs[name] for name in counts}
    assert min(ours.triplicate_acks, ours.post_loss_acks, ours.retransmitted_segments) > 0
    # As printed: whole bytes per second, tenths of a millisecond, whole bytes.
    assert ours.throughput == pytest.approx(theirs["throughput"], abs=0.5)
    assert ours.elapsed == pytest.approx(theirs["elapsed"], abs=2e-6)
    assert ours.data_time == pytest.approx(theirs["data xmit time"], abs=0.51e-3)
    for name, value in {
        "min": ours.rtt.min(),
        "max": ours.rtt.max(),
        "avg": ours.rtt.mean(),
        "stdev": ours.rtt.std(ddof=1),
    }.items():
        assert 1e3 * value == pytest.approx(theirs[f"RTT {name}"], abs=0.051), name
    # Tcptrace counts a byte more than is outstanding, and takes a sample at each pure ACK as well.
    samples, pure = len(ours.outstanding), theirs["pure acks sent"]
    window = (ours.outstanding.sum() + samples + pure) / (samples + pure)
    assert np.floor(window) == theirs["avg owin"]
