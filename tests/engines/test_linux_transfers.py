"""Single transfers by the engine linux: their windows, losses and logs, packet by packet."""

import itertools
import os
import re
import shutil
import struct
import subprocess
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from linux_guest import MSS, PROGRAM, bulk, dumbbell, metrics, simulate, simulate_point, write_point
from processes import virtual
from queue_scripts.draws import Draws

pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")


# Of acknowledgements: a million without delay from the beginning on.
EVERY = {"packets": 2, "timeout_s": 0.04, "quick_acks": 1_000_000}


@virtual
@pytest.mark.parametrize("variant", ["newreno", "linux-2.4", "linux-6.1", "linux-reno"])
def test_a_seed_repeats_every_byte(tmp_path: Path, variant: str) -> None:
    point = write_point(tmp_path, variant=variant)
    one, other = simulate(point, 7), simulate(point, 8, "other.json")
    simulate(point, 7, "again.json")
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    assert one["metrics"] != other["metrics"]
    counters = one["counters"]
    assert counters["packets_sent"] == sum(
        counters[f"packets_{fate}"] for fate in ("delivered", "dropped", "lost", "in_flight")
    )


@virtual
def test_a_transfer_without_losses_is_as_fast_as_its_window(tmp_path: Path) -> None:
    """A window of 8 packets goes round in the empty path's time, and what its receiver makes of it.

    It waits for a second packet or for its timer, which is 40 ms and a tick of 4 ms.
    """
    point = write_point(
        tmp_path, loss_probability=0, buffer_packets=20, rwnd_packets=8, transfer_packets=4000
    )
    measured = metrics(simulate(point, 1))
    one = 0.4 + 576 * 8 / 500000
    latest = one + 0.05
    assert measured["loss_ratio"] == measured["loss_estimate"] == 0
    assert one < measured["rtt_sample_mean"] < latest
    # Handshake, slow start and closing are below 2 % of 4,000 packets.
    assert 0.98 * 8 / latest < measured["goodput"] < 8 / one
    # An acknowledgement of two lets one packet go beside 6 others, and one beside 7.
    assert 7 < measured["outstanding_mean"] < 8


@virtual
@pytest.mark.parametrize("variant", ["newreno", "linux-cubic"])
def test_receivers_may_acknowledge_every_packet(tmp_path: Path, variant: str) -> None:
    """A window of 3 packets then goes round in the empty path's time; with delays a lone packet waits."""
    goodput = {}
    for quick_acks in (0, 1_000_000):
        acks = {"packets": 2, "timeout_s": 0.04, "quick_acks": quick_acks}
        group = bulk("one", 1, variant, {"rwnd_packets": 3, "delayed_ack": acks})
        point = dumbbell(group, stop={"duration_s": 60, "warmup_s": 10})
        goodput[quick_acks] = metrics(simulate_point(tmp_path / str(quick_acks), point))["goodput"]
    assert goodput[1_000_000] == pytest.approx(3 / (0.05 + 0.0012), rel=0.005)
    assert goodput[0] < 0.95 * goodput[1_000_000]


@virtual
def test_receivers_delay_acknowledgements_once_their_buffer_is_as_large_as_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel's receiver acknowledges each packet while its buffer grows, and every second one afterwards.

    The window grows to a round trip and a buffer of 134 packets: slow start, then an acknowledgement of two.
    """
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    one = bulk("one", 1, "linux-cubic", {"rwnd_packets": 4000})
    point = dumbbell(one, stop={"transfer_packets": 3000}, buffer_packets=100)
    simulate_point(tmp_path / "run", point | {"probes": [{"kind": "filter-log"}]})
    packets = list(logged(tmp_path / "log/sender.pcap"))
    acknowledgements = sum(not packet.from_sender for packet in packets)
    assert 0.5 < acknowledgements / sum(packet.size == 1500 for packet in packets) < 0.65


def in_flight(folder: Path, variant: str, loss: float, round_trip: float) -> float:
    """Return the mean window of a lone transfer behind random losses, every packet of it acknowledged."""
    group = bulk("one", 1, variant, {"rwnd_packets": 20_000, "delayed_ack": EVERY})
    link = {"rate_bit_per_s": 1e9, "loss_probability": loss, "buffer_packets": 2000}
    point = dumbbell(group, stop={"duration_s": 300, "warmup_s": 20}, **link)
    point["return_delay_s"] = round_trip - 0.01
    seeds = (1, 2)
    runs = [metrics(simulate_point(folder, point, seed)) for seed in seeds]
    return sum(run["goodput"] * round_trip for run in runs) / len(seeds)


@virtual
def test_reno_keeps_the_square_root_law(tmp_path: Path) -> None:
    """Mathis et al. (1997): c / sqrt(p) packets, c of 1.22 for periodic losses and 1.31 for random ones."""
    constant = in_flight(tmp_path, "newreno", 0.001, 0.05) * 0.001**0.5
    assert 0.95 * 1.22 < constant < 1.05 * 1.31


@virtual
def test_cubic_has_the_window_of_its_rfc(tmp_path: Path) -> None:
    """RFC 9438, section 5.1: 1.054 (RTT / p)^(3/4) where losses are periodic; random ones leave some more.

    Reno's window would be two thirds of it.
    """
    window = in_flight(tmp_path, "linux-cubic", 0.0001, 0.1)
    assert 1 < window / (1.054 * (0.1 / 0.0001) ** 0.75) < 1.5


@virtual
def test_losses_are_as_frequent_as_asked_for(tmp_path: Path) -> None:
    run = simulate(write_point(tmp_path, transfer_packets=5000), 3)
    counters = run["counters"]
    carried = counters["packets_sent"] - counters["packets_dropped"]
    # Four standard deviations of a binomial variable.
    assert abs(counters["packets_lost"] / carried - 0.025) < 4 * (0.025 * 0.975 / carried) ** 0.5


@virtual
@pytest.mark.skipif(shutil.which("tcptrace") is None, reason="tcptrace is not installed")
@pytest.mark.parametrize("variant", ["newreno", "linux-2.4"])
def test_tcptrace_reads_the_same_in_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(log))
    ours = metrics(simulate(write_point(tmp_path, variant=variant, transfer_packets=3000), 11))
    report = subprocess.run(
        ["tcptrace", "-lrW", "-n", log / "sender.pcap"], capture_output=True, text=True, check=True
    ).stdout
    rows = re.findall(r"^ +([A-Za-z0-9 -]+):\s+([0-9.]+)", report, flags=re.MULTILINE)
    theirs = {name.strip(): float(value) for name, value in reversed(rows)}  # the sender's column
    sent = theirs["actual data pkts"]
    assert ours["goodput"] == pytest.approx(theirs["throughput"] / MSS, abs=0.5 / MSS + 1e-6)
    assert ours["send_throughput"] == pytest.approx(sent / theirs["data xmit time"], rel=1e-5)
    assert ours["loss_by_triplicates"] == theirs["triple dupacks"] / sent
    assert ours["loss_by_post_loss"] == theirs["post-loss acks"] / sent
    # Tcptrace has one sample more, that of SYN.
    assert ours["rtt_sample_mean"] == pytest.approx(theirs["RTT avg"] / 1e3, rel=1e-3)
    # It counts a byte more than is outstanding, and takes a sample at each pure ACK as well.
    assert ours["outstanding_mean"] == pytest.approx(theirs["avg owin"] / MSS, rel=5e-3)


@virtual
def test_a_window_of_a_thousand_packets_is_in_flight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What limits the window is the receiver's, not the guest's memory; the same seed repeats each packet."""
    point = dumbbell(bulk("one", 1, "newreno"), stop={"transfer_packets": 4000}, buffer_packets=2000)
    point["return_delay_s"] = 1.99
    point["sources"][0]["tcp"]["min_rto_s"] = 3
    point["probes"] = [{"kind": "filter-log"}]
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    run = simulate_point(tmp_path, point)
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "again"))
    simulate_point(tmp_path, point, name="again.json")
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    logs = [(tmp_path / name / "sender.pcap").read_bytes() for name in ("log", "again")]
    assert logs[0] == logs[1]
    assert len(logs[0]) > 4000 * 68
    assert run["counters"]["packets_dropped"] == 0
    assert metrics(run)["queue_max"] < 1000
    # 1,000 packets a round trip of 2 s at most, 833 a second by the link: the log sees the window full.
    assert metrics(run)["outstanding_mean"] > 500


@dataclass
class Packet:
    """A packet of a capture: when it leaves the sender or arrives there, in ns, and what its headers say."""

    time: int
    from_sender: bool
    size: int
    begin: int
    asks_for_answer: bool  # data, SYN or FIN


def logged(capture: Path) -> Iterator[Packet]:
    """Yield the packets of a capture."""
    content, at = capture.read_bytes(), 24
    while at < len(content):
        seconds, rest, captured, size = struct.unpack_from("<IIII", content, at)
        begin, _, flags = struct.unpack_from(">IIH", content, at + 16 + 24)
        from_sender = content[at + 16 + 12 :][:2] == bytes([10, 1])
        data = size > 20 + (flags >> 12) * 4
        yield Packet(seconds * 10**9 + rest, from_sender, size, begin, data or bool(flags & 3))
        at += 16 + captured


@virtual
@pytest.mark.parametrize("seed", [1, 2])
def test_random_losses_are_where_the_simulators_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The n-th packet with data is lost by the n-th draw, and only what is lost is sent again."""
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    point = dumbbell(bulk("one", 1, "linux-cubic"), stop={"transfer_packets": 3000}, loss_probability=0.01)
    point["links"]["bottleneck"]["buffer_packets"] = 1000
    run = simulate_point(tmp_path / "run", point | {"probes": [{"kind": "filter-log"}]}, seed)
    sent = [packet.begin for packet in logged(tmp_path / "log/sender.pcap") if packet.size == 1500]
    draws = Draws(seed, stream=3)  # kLinkLoss of kit/random/random.hpp
    lost = [number for number in range(len(sent)) if draws.uniform() <= 0.01]
    assert run["counters"]["packets_dropped"] == 0
    assert 15 < len(lost) < 60
    assert [number for number, begin in enumerate(sent) if begin in sent[number + 1 :]] == lost


@virtual
@pytest.mark.parametrize("variant", ["newreno", "linux-2.4"])
@pytest.mark.parametrize("buffer", [21, 42, 200])
def test_the_link_is_that_of_a_simulator_to_the_nanosecond(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, buffer: int
) -> None:
    """When packets are sent says which ones find the buffer full, and when each other one is acknowledged.

    All are, one by one: as soon as transmission, 800 ns a byte, and the delays of 50 ms are over. SYN and FIN
    have the wait, but take no room.
    """
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    group = bulk("one", 1, variant, {"delayed_ack": EVERY})
    point = dumbbell(group, stop={"transfer_packets": 2000}, buffer_packets=buffer)
    run = simulate_point(tmp_path / "run", point | {"probes": [{"kind": "filter-log"}]})
    ends: deque[int] = deque()
    dropped, free = 0, 0
    due, arrived = [], []
    for packet in logged(tmp_path / "log/sender.pcap"):
        if not packet.from_sender:
            arrived.append(packet.time)
            continue
        while ends and ends[0] <= packet.time:
            ends.popleft()
        if packet.size < 1500:
            if packet.asks_for_answer:
                due.append(max(free, packet.time) + 50_000_000)
            continue
        if len(ends) == buffer:
            dropped += 1
            continue
        free = max(free, packet.time) + 800 * packet.size
        ends.append(free)
        due.append(free + 50_000_000)
    assert dropped == run["counters"]["packets_dropped"]
    assert dropped > 0
    assert len(due) > 2000
    late = {time - expected for time, expected in zip(arrived, due, strict=False)}
    assert late <= set(range(5))  # each reading of the clock takes a nanosecond


@virtual
def test_selective_acknowledgements_repair_a_burst_of_losses_sooner(tmp_path: Path) -> None:
    goodput = {}
    for sack in (True, False):
        group = bulk("one", 1, "linux-cubic", {"sack": sack})
        point = dumbbell(group, stop={"transfer_packets": 3000}, buffer_packets=20)
        goodput[sack] = metrics(simulate_point(tmp_path, point))["goodput"]
    assert goodput[False] < goodput[True]


@virtual
@pytest.mark.parametrize(("timestamps", "header"), [(True, 52), (False, 40)])
def test_time_stamps_are_twelve_bytes_of_a_packet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timestamps: bool, header: int
) -> None:
    """20 of IP, 20 of TCP, 12 of the option (RFC 7323); the log says where packets of 1,500 bytes begin."""
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    group = bulk("one", 1, "linux-cubic", {"timestamps": timestamps})
    point = dumbbell(group, stop={"transfer_packets": 10}) | {"probes": [{"kind": "filter-log"}]}
    simulate_point(tmp_path / "run", point)
    begins = [packet.begin for packet in logged(tmp_path / "log/sender.pcap") if packet.size == 1500]
    assert {later - before for before, later in itertools.pairwise(begins)} == {1500 - header}


@virtual
def test_every_packet_on_the_link_is_of_full_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No segmentation offload: 2,000 segments are 2,000 packets of 1,500 bytes, and more if sent again."""
    monkeypatch.setenv("TCP_ATLAS_LOGS", str(tmp_path / "log"))
    point = dumbbell(bulk("one", 1, "linux-cubic"), stop={"transfer_packets": 2000})
    run = simulate_point(tmp_path / "run", point | {"probes": [{"kind": "filter-log"}]})
    sizes = Counter(packet.size for packet in logged(tmp_path / "log/sender.pcap"))
    assert max(sizes) == 1500
    assert sizes[1500] == 2000 + run["counters"]["packets_dropped"] > 2000
