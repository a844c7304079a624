"""The swarm: what it draws, what it calls a difference, a violation and a cause, and how it shrinks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tcpatlas.ask.question import from_file
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.validation import read
from tcpatlas.swarm.network import Group, Network, drawn, restored, stored
from tcpatlas.swarm.settings import Cause, settings, space_of
from tcpatlas.swarm.shrink import shrunk, write_scenario
from tcpatlas.swarm.trial import Difference, differences, judged, of_twins, violations

PLAIN = Network(10_000_000, 0.04, "drop-tail", 33, (Group("cubic", 2),))


def test_a_seed_draws_the_same_networks_within_the_space() -> None:
    space = settings().space
    networks = [drawn(space, 3, number, 10_000) for number in range(1, 60)]
    assert networks == [drawn(space, 3, number, 10_000) for number in range(1, 60)]
    assert len(set(networks)) == 59
    assert all(1e5 <= each.rate <= 1e10 and 1 <= each.flows <= 1000 and each.buffer >= 2 for each in networks)
    assert {group.variant for each in networks for group in each.groups} == set(space.variants)
    assert any(len(each.groups) == 3 for each in networks)
    assert any(each.flows == 1 and not each.file for each in networks)
    assert networks == [restored(stored(each)) for each in networks]


def test_a_difference_is_significant_where_its_whole_interval_is_beyond() -> None:
    """Means 12 by 10; the pairs 11/10, 13/10, 12/10 have residuals -1, 1, 0, and t of 99 % is 9.925."""
    values = {"packetsim": {"goodput": [11.0, 13.0, 12.0]}, "linux": {"goodput": [10.0, 10.0, 10.0]}}
    (found,) = differences(values)
    half = 9.92484 / 3**0.5 / 10
    assert (found.size, found.low, found.high) == pytest.approx((0.2, 0.2 - half, 0.2 + half), rel=1e-5)
    assert not found.significant(0.02)
    assert Difference("goodput", 0.2, 0.1, 0.3).significant(0.09)
    assert Difference("goodput", -0.2, -0.3, -0.1).significant(0.09)
    assert not Difference("goodput", 0.2, 0.1, 0.3).significant(0.1)


def run(**changes: Any) -> dict[str, Any]:
    counters = {"packets_sent": 100, "packets_delivered": 90, "packets_dropped": 5, "packets_lost": 1}
    counters["packets_in_flight"] = 4
    metrics = {"goodput": 800.0, "utilisation": 0.97, "loss_ratio": 0.05, "queue_max": 33.0, **changes}
    return {"counters": counters, "metrics": {name: {"value": value} for name, value in metrics.items()}}


def test_what_must_be_true_of_every_run() -> None:
    assert violations(PLAIN, run()) == []
    lost = run()
    lost["counters"]["packets_in_flight"] = 3
    assert violations(PLAIN, lost) == ["100 packets sent, 99 accounted for"]
    # 10 Mbit/s carry 833.3 packets/s; two receivers' windows of 133 packets are 3.2 a second of 84 s.
    (found,) = violations(PLAIN, run(goodput=837.0))
    assert found.startswith("goodput 837 packets/s")
    assert violations(PLAIN, run(utilisation=1.01)) == ["utilisation 1.01, at most 1"]
    long_run = replace(PLAIN, packets=1_000_000)
    assert violations(long_run, run(**{"goodput_share[a]": 1e-5, "goodput_share[b]": 0.9})) == [
        "a group starves: it gets 1e-05 of the goodput"
    ]


def test_windows_are_between_one_and_the_receivers() -> None:
    tcps = {"cubic-1": "cubic", "bbr-2": "bbr"}
    sources = [{"name": name, "tcp": {"variant": tcp, "rwnd_packets": 40}} for name, tcp in tcps.items()]

    def found(trace: str, *windows: float) -> list[str]:
        twin = run() | {"traces": {trace: {"value": list(windows)}, "queue": {"value": [99]}}}
        return of_twins({"sources": sources}, run(), twin)

    assert found("window", 1, 10, 40) == found("window[cubic-1]", 1, 40) == found("window[bbr-2]", 90) == []
    assert found("window", 1, 41) == ["window from 1 to 41 of 1 to 40"]
    assert found("window[cubic-1]", 0, 10) == ["window[cubic-1] from 0 to 10 of 1 to 40"]


def test_red_has_thresholds_that_the_kernel_takes() -> None:
    """Its mean queue has 31 bits, in bytes of frames of 1,514, nine of them for the weight."""
    red = replace(PLAIN, queue="red", buffer=90_000).base()["links"]["bottleneck"]
    assert int(red["max_threshold"].removesuffix(" packets")) * 1514 * 512 < 2**31
    assert int(red["min_threshold"].removesuffix(" packets")) > 900


def test_a_difference_without_a_cause_is_seen_twice() -> None:
    """By other seeds it must be significant again, and in the same direction."""
    one = {"metric": "loss_ratio", "size": 0.3, "low": 0.2, "high": 0.4}
    rules = settings().model_copy(update={"causes": []})

    def fails(**again: float) -> bool:
        result = {"differences": [one], "again": [one | again]}
        return bool(judged(PLAIN, result, rules)[1])

    assert judged(PLAIN, {"differences": [one]}, rules)[1]
    assert fails()
    assert not fails(low=0.05)
    assert not fails(size=-0.3, low=-0.4, high=-0.2)


def cause(**changes: Any) -> Cause:
    document = {"name": "c", "why": "Because.", "page": "docs/x.md", "sizes": {"loss_ratio": [0.1, 0.3]}}
    return read(Cause, document | {"when": {"flows": [2, 5], "variants": ["cubic"]}} | changes, "causes")


def test_a_cause_explains_what_fits_its_place_and_its_size() -> None:
    found = [{"metric": "loss_ratio", "size": 0.2, "low": 0.15, "high": 0.25}]
    rules = settings().model_copy(update={"causes": [cause()]})

    def named(network: Network, size: float = 0.2) -> list[str]:
        result = {"differences": [{**found[0], "size": size}]}
        return [name for _, name in judged(network, result, rules)[0]]

    assert named(PLAIN) == ["c"]
    assert named(PLAIN, 0.4) == []
    assert named(replace(PLAIN, groups=(Group("cubic", 6),))) == []
    assert named(replace(PLAIN, groups=(Group("bbr", 2),))) == []
    assert named(replace(PLAIN, groups=(Group("bbr", 2), Group("cubic", 2)))) == ["c"]
    with pytest.raises(ConfigError, match="'speed' is unknown; one of: variants"):
        cause(when={"speed": [1, 2]})
    with pytest.raises(ConfigError, match="rate: 2000 is more than 1000"):
        read(type(rules.space), {**_SPACE, "rate": ["2000 bit/s", "1000 bit/s"]}, "space")


_SPACE = {"variants": ["cubic"], "queues": ["codel"], "rate": ["1 Mbit/s"] * 2, "rtt": ["10 ms"] * 2} | {
    "flows": [1, 1],
    "buffer_bdp": [1, 1],
}


def test_each_known_cause_has_a_page() -> None:
    for each in settings().causes:
        assert (Path(__file__).parents[2] / each.page.partition("#")[0]).is_file(), each.name


def test_a_failure_is_shrunk_to_what_it_needs(tmp_path: Path) -> None:
    large = Network(
        87_000_000, 0.2, "codel", 700, (Group("bbr", 31), Group("cubic", 9, 0.3)), 0.01, file=20, ecn=True
    )
    small = shrunk(large, lambda network: network.queue == "codel" and network.flows >= 2)
    assert (small.queue, small.loss, small.file, small.ecn, len(small.groups)) == ("codel", 0, 0, False, 1)
    assert 2 <= small.flows < 31
    file = write_scenario(tmp_path, "point-1", small, "queue_mean +20 %")
    (point,) = from_file(str(file)).points
    assert point.document["links"]["bottleneck"]["queue"] == "codel"


def test_a_space_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "space.yaml"
    file.write_text("variants: [cubic]\nqueues: [codel]\nrate: [1 Mbit/s, 2 Mbit/s]\nrtt: [10 ms, 20 ms]\n"
                    "flows: [1, 2]\nbuffer_bdp: [1, 2]\n")  # fmt: skip
    network = drawn(space_of(str(file)), 1, 1, 10_000)
    assert (network.queue, network.groups[0].variant, network.loss) == ("codel", "cubic", 0.0)
    file.write_text("variants: [cubic]\n")
    with pytest.raises(ConfigError, match="queues: is missing"):
        space_of(str(file))
