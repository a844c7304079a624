"""The replications driver, with an engine that invents its numbers and misbehaves when asked to."""

import gzip
import itertools
import json
import math
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from conftest import Fails, cases
from driver import CACHE, OUT, POINT, POINTS, Driver
from handmade import run_of

from tcpatlas.base.statistics import t_interval
from tcpatlas.base.validation import check
from tcpatlas.runs.cache import Cache
from tcpatlas.runs.documents import Replications
from tcpatlas.runs.replications import point_hash, replication_seed
from tcpatlas.runs.simulate import _rounds, summarise


def test_the_minimum_is_enough_where_the_targets_hold(
    driver: Driver, capsys: pytest.CaptureFixture[str]
) -> None:
    assert driver.run() == 0
    result = driver.result()
    check(Replications, result, OUT)
    point = json.loads((driver.root / POINT).read_text())
    assert result["seeds"] == [replication_seed(point, n) for n in (1, 2, 3)]
    rate = result["metrics"]["goodput_per_connection"]
    interval = t_interval(rate["values"], 0.95)
    assert (rate["value"], rate["ci_low"], rate["ci_high"]) == (interval.mean, interval.low, interval.high)
    assert result["distributions"]["queue_by_time"]["probability"] == [0.75, 0.25]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert "demo/load/count-82: replication 3 of 3 to 6" in lines[2]
    assert lines[2].endswith("targets hold")


def test_wide_intervals_take_more_up_to_the_maximum(
    driver: Driver, capsys: pytest.CaptureFixture[str]
) -> None:
    driver.mode("noisy")
    assert driver.run() == 0
    assert len(driver.result()["seeds"]) == 6
    assert "still wide: goodput_per_connection" in capsys.readouterr().err


def test_seeds_are_independent_and_fit_every_reader() -> None:
    point = {"seed": 1, "study": "a", "set": "b", "point": "c", "replications": {}}
    variants = [point | change for change in ({}, {"seed": 2}, {"study": "x"}, {"set": "x"}, {"point": "x"})]
    seeds = {replication_seed(variant, n) for variant in variants for n in range(1, 101)}
    assert len(seeds) == 500
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_points_with_common_random_numbers_have_the_seeds_of_the_first() -> None:
    first = {"seed": 1, "study": "a", "set": "b", "point": "c", "replications": {}}
    other = first | {"point": "d", "replications": {"seeds_of": "c"}}
    assert [replication_seed(other, n) for n in (1, 2)] == [replication_seed(first, n) for n in (1, 2)]


def test_a_second_run_makes_nothing_again(driver: Driver, capsys: pytest.CaptureFixture[str]) -> None:
    assert driver.run() == 0
    first = (driver.root / OUT).read_bytes()
    assert driver.run() == 0
    assert driver.calls() == 3
    assert (driver.root / OUT).read_bytes() == first
    assert capsys.readouterr().err.count("kept") == 3


def test_more_replications_go_on_from_those_there_are(driver: Driver) -> None:
    assert driver.run() == 0
    driver.edit_point(replications={"minimum": 5, "maximum": 5, "targets": {}})
    assert driver.run() == 0
    assert driver.calls() == 5
    assert len(driver.result()["seeds"]) == 5


@pytest.mark.parametrize("changes", [{"ack_bytes": 40}, {"seed": 2}])
def test_a_changed_point_makes_all_again(driver: Driver, changes: dict[str, Any]) -> None:
    assert driver.run() == 0
    driver.edit_point(**changes)
    assert driver.run() == 0
    assert driver.calls() == 6


def test_a_changed_engine_makes_all_again(driver: Driver) -> None:
    assert driver.run() == 0
    driver.engine.write_text(driver.engine.read_text() + "# a new build\n")
    assert driver.run() == 0
    assert driver.calls() == 6


@pytest.mark.parametrize(
    "damage",
    [lambda kept: b"", lambda kept: kept[:-1], lambda kept: kept[:40] + bytes([kept[40] ^ 1]) + kept[41:]],
)
def test_a_damaged_replication_is_made_again(driver: Driver, damage: Callable[[bytes], bytes]) -> None:
    assert driver.run() == 0
    first = (driver.root / OUT).read_bytes()
    path = driver.kept()[1]
    path.write_bytes(damage(path.read_bytes()))
    assert driver.run() == 0
    assert driver.calls() == 4
    assert (driver.root / OUT).read_bytes() == first


def test_other_results_of_this_machine_use_the_same_replications(driver: Driver) -> None:
    assert driver.run() == 0
    shutil.rmtree(driver.root / "results/work")
    (driver.root / OUT).unlink()
    assert driver.run() == 0
    assert driver.calls() == 3


@pytest.mark.parametrize("cache", ["off", "/proc/none"])
def test_without_a_cache_of_the_machine_the_results_have_their_own(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    monkeypatch.setenv("TCP_ATLAS_CACHE", cache)
    assert driver.run() == 0
    assert driver.run() == 0
    assert driver.calls() == 3
    assert len(list((driver.root / "results/cache").rglob("*.json.gz"))) == 3


def test_the_cache_drops_what_was_read_longest_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Cache(tmp_path, "engine")
    monkeypatch.setattr(Cache, "_path", lambda _self, _point, seed: tmp_path / f"00-{seed}")
    kept.keep("point", 0, b"{}")
    monkeypatch.setattr("tcpatlas.runs.cache.LARGEST_PART", 3 * (tmp_path / "00-0").stat().st_size)
    for seed in (1, 2):
        kept.keep("point", seed, b"{}")
        os.utime(tmp_path / f"00-{seed}", (seed, seed))
    kept.read("point", 0)
    kept.keep("point", 3, b"{}")
    assert [kept.read("point", seed) for seed in range(4)] == [b"{}", None, b"{}", b"{}"]


def test_what_an_engine_writes_is_kept_as_it_is(driver: Driver) -> None:
    assert driver.run() == 0
    seed = driver.result()["seeds"][0]
    alone = driver.root / "alone.json"
    subprocess.run(
        [driver.engine, driver.root, "--point", POINT, "--seed", str(seed), "--out", alone], check=True
    )
    assert gzip.decompress(driver.kept()[0].read_bytes()) == alone.read_bytes()


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("fail", f"{POINT}: tcp.variant: is unknown; one of: newreno"),
        ("fail silently", "exit status 4, without a word"),
        ("crash", "killed by SIGSEGV"),
        ("no output", "exit status 0, but no output"),
    ],
)
def test_a_failing_engine(driver: Driver, capsys: pytest.CaptureFixture[str], mode: str, says: str) -> None:
    """Its own line, then the command that shows it again; nothing is written."""
    driver.mode(mode)
    assert driver.run() == 1
    problem, again = capsys.readouterr().err.splitlines()
    assert says in problem
    assert again.startswith("again: ")
    assert not (driver.root / OUT).exists()
    done = subprocess.run(
        shlex.split(again.removeprefix("again: ")), capture_output=True, text=True, check=False
    )
    if mode == "fail":
        assert done.stderr.strip() == problem
    driver.mode("")
    assert driver.run() == 0


def test_an_old_output_is_not_taken_for_a_new_one(driver: Driver, capsys: pytest.CaptureFixture[str]) -> None:
    assert driver.run() == 0
    driver.edit_point(ack_bytes=40)
    driver.mode("no output")
    assert driver.run() == 1
    assert "exit status 0, but no output" in capsys.readouterr().err


@cases("simulate.a_run_that_is_none")
def test_a_run_that_is_none(driver: Driver, fails: Fails, mode: str, says: str) -> None:
    driver.mode(mode)
    assert says in fails(*driver.arguments)
    assert not (driver.root / OUT).exists()
    assert driver.kept() == []


def test_an_engine_that_is_not_there(driver: Driver, fails: Fails) -> None:
    driver.engine.unlink()
    assert (
        fails(*driver.arguments)
        == f"{driver.engine}: the engine packetsim is not there; build it, or name its program"
    )


def test_a_point_that_is_wrong(driver: Driver, fails: Fails) -> None:
    driver.edit_point(ack_bytes=-1)
    assert fails(*driver.arguments) == f"{POINTS}: points[0].ack_bytes: -1 is less than the minimum of 0"
    assert driver.calls() == 0


def test_a_target_that_nobody_measures(driver: Driver, fails: Fails) -> None:
    driver.edit_point(replications={"minimum": 2, "maximum": 2, "targets": {"hapiness": {"relative": 0.1}}})
    driver.mode("")
    line = fails(*driver.arguments)
    assert line.startswith(
        f"{POINT}: replications.targets.hapiness: the engine gives no such metric; one of: "
    )


def test_a_full_disk(
    driver: Driver, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def full(path: Path, target: Path) -> Path:
        if target.name.endswith(".json.gz"):
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", full)
    assert driver.run() == 0
    assert capsys.readouterr().err.count(".json.gz: not kept: No space left on device\n") == 3
    assert [path.name for path in driver.work.iterdir()] == ["point.json"]
    assert list((driver.root / CACHE).glob("*/*")) == []


def test_the_hash_of_a_point_leaves_out_how_many_replications_there_are() -> None:
    point = {"seed": 1, "replications": {"minimum": 3}, "stop": {"connections": 5}}
    assert point_hash(point) == point_hash(point | {"replications": {"minimum": 9}})
    assert point_hash(point) != point_hash(point | {"stop": {"connections": 6}})


def test_what_only_some_replications_give_is_averaged_over_these() -> None:
    metrics = [
        {"on_time[3-6]": {"unit": "s", "value": 1.0}},
        {"on_time[3-6]": {"unit": "s", "value": 2.0}, "on_time[>6]": {"unit": "s", "value": 5.0}},
        {"on_time[>6]": {"unit": "s", "value": 7.0}, "alone": {"unit": "s", "value": 9.0}},
    ]
    summary = summarise([run_of(1.0, [1.0, 0.0]) | {"metrics": of_run} for of_run in metrics], 0.95)
    check(Replications, summary, "summary")
    assert summary["metrics"]["on_time[3-6]"]["values"] == [1.0, 2.0]
    assert summary["metrics"]["on_time[>6]"]["value"] == 6.0
    assert summary["metrics"]["alone"] == {"unit": "s", "value": 9.0, "values": [9.0]}
    assert summary["distributions"]["queue"]["probability"] == [1.0]


@pytest.mark.parametrize(
    ("values", "random", "exact"),
    [((96.4, 96.4), False, True), ((96.4, 96.4), True, False), ((96.4, 96.5), False, False)],
)
def test_runs_are_exact_if_nothing_in_them_is_random_and_they_are_alike(
    values: tuple[float, ...], random: bool, exact: bool
) -> None:
    summary = summarise([run_of(value) for value in values], 0.95, random=random)
    check(Replications, summary, "summary")
    assert ("exact" in summary) == exact


def test_replications_of_a_nuisance_have_points_of_their_own(driver: Driver) -> None:
    rate, other = "links.bottleneck.rate_bit_per_s", {"links.bottleneck.rate_bit_per_s": 10_000_001}
    bounds = {"minimum": 3, "maximum": 3, "targets": {}}
    driver.edit_point(replications=bounds | {"variants": [other, {rate: 9_999_999}]})
    assert driver.run() == 0
    assert driver.calls() == 3
    files = [driver.root / POINT, *(driver.work / f"point-{number}.json" for number in (2, 3))]
    rates = [json.loads(file.read_text())["links"]["bottleneck"]["rate_bit_per_s"] for file in files]
    assert rates == [10_000_000, 10_000_001, 9_999_999]
    # Another variant is another run, the others are used again.
    driver.edit_point(replications=bounds | {"variants": [other, {rate: 9_999_998}]})
    assert driver.run() == 0
    assert driver.calls() == 4


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("deadline", [3, 5, 8])
def test_a_deadline_does_not_favour_runs_that_are_short(threads: int, deadline: int) -> None:
    """Runs take 1 or 3 and measure what they take: 2 on average over everything that may happen."""
    means = []
    for durations in itertools.product([1, 3], repeat=9 - 9 % threads):
        futures: list[Future[int]] = [Future() for _ in durations]
        for thread in range(threads):
            series = itertools.accumulate(durations[thread::threads])
            for place, end in enumerate(series):
                # The driver waits for the first three, however late they are.
                if end <= deadline or place * threads < 3:
                    number = place * threads + thread
                    futures[number].set_result(durations[number])
        counted = list(_rounds(futures, threads, -math.inf))
        means.append(sum(counted) / len(counted))
    assert sum(means) / len(means) == pytest.approx(2, rel=1e-12)
