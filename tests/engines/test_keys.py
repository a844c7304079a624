"""Keys of another TCP, queue, workload or loss process: each changes the run, or one line refuses it."""

import copy
import functools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tcpatlas
from tcpatlas import library
from tcpatlas.base.engine_call import engine_arguments
from tcpatlas.base.files import read_yaml, to_json
from tcpatlas.base.repository import program
from tcpatlas.pages.laboratory import put
from tcpatlas.points.parts.links import QueuedLink
from tcpatlas.points.parts.losses import LossProcess
from tcpatlas.points.parts.tcp import Tcp
from tcpatlas.points.parts.workload import FileSize, OffTime, Workload

DATA = read_yaml(Path(__file__).with_name("data.yaml"), "data.yaml")
TCP, QUEUE, SIZE, OFF, WORKLOAD, LOSSES, ANY_QUEUE, LOOP = (
    DATA[f"keys.{name}"]
    for name in ("tcp", "queue", "size", "off", "workload", "losses", "any_queue", "loop")
)
IN_LOOPS = ("informed-reno", "lifelong-reno")
VARIANTS = ("newreno", "reno", "tahoe", "newreno-sack", "cubic", "dctcp", "bbr", "compound", *IN_LOOPS)
QUEUES = ("drop-tail", "fair-individual", "fair-shared", "codel", "fq-codel", "pie", "red", "step")


def network(kind: str, variant: str) -> dict[str, Any]:
    """Return a few users behind a queue that may mark, or bulk transfers behind a long one."""
    web = kind == "web"
    queue = (
        {"queue": "codel", "buffer": "40 packets"} if web else {"queue": "drop-tail", "buffer": "90 packets"}
    )
    base: dict[str, Any] = {
        "links": {
            "access": {"rate": "1 Gbit/s"},
            "egress": {"rate": "1 Gbit/s"},
            "bottleneck": {
                "rate": "2 Mbit/s" if web else "5 Mbit/s",
                "loss": "3 %" if web else "0.05 %",
                **queue,
            },
        },
        "rtt": "80 ms",
        "ack_size": "40 B",
        "packet_size": "1500 B",
    }
    if variant in IN_LOOPS:
        base = copy.deepcopy(LOOP)
    largest = {"informed-reno": "24 h", "lifelong-reno": "64 s"}
    own = (
        {"clock_tick": "100 ms", "initial_window": "1 packet", "max_rto": largest[variant]}
        if variant in IN_LOOPS
        else {}
    )
    base["tcp"] = {
        "variant": variant,
        "rwnd": "200 packets",
        "initial_window": "2 packets",
        "min_rto": "200 ms",
        "max_rto": "64 s",
        **own,
    }
    size = {"distribution": "lognormal", "mean": "25 packets", "standard_deviation": "20 packets"}
    pause = {"distribution": "lognormal", "mean": "1 s", "standard_deviation": "500 ms"}
    workload = {"kind": "http", "file_size": size, "off_time": pause}
    base["sources"] = {"count": 4 if web else 2, "workload": workload if web else {"kind": "bulk"}}
    base["stop"] = {"packets": "12000 packets"}
    return base


def changed(base: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    base = copy.deepcopy(base)
    put(base, path, value)
    return base


@functools.cache
def run_of(text: str, folder: Path) -> bytes:
    """Return the bytes of a scenario's run without its point, or what refuses it; that is one line."""
    try:
        (point,) = library.points_of(json.loads(text), 2, 1, 1)
    except tcpatlas.AtlasError as error:
        return b"" if "\n" not in str(error) else b"refused in many lines"
    point_file, run = folder / "point.json", folder / "run.json"
    point_file.write_text(to_json(point.document))
    command = [str(program("packetsim")), *engine_arguments(point_file, 1, run)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        assert len(done.stderr.splitlines()) == 1
        return b""
    measured = json.loads(run.read_bytes())
    return json.dumps([measured["metrics"], measured["counters"]]).encode()


def cases() -> Iterator[Any]:
    def of(path: str, tags: tuple[str, ...], values: dict[str, Any]) -> Iterator[Any]:
        for tag in tags:
            for key in values:
                yield pytest.param(path, tag, key, values[key], id=f"{path}-{tag}-{key}")

    workload = "sources.workload"
    yield from of("tcp.variant", VARIANTS, TCP)
    yield from of("links.bottleneck.queue", QUEUES, QUEUE)
    sizes = ("fixed", "exponential", "exponential-pareto", "exponential-exponential", "lognormal")
    yield from of(f"{workload}.file_size.distribution", sizes, SIZE)
    yield from of(f"{workload}.off_time.distribution", ("fixed", "exponential", "lognormal"), OFF)
    yield from of(f"{workload}.kind", ("on-off", "http", "bulk", "arrivals"), WORKLOAD)
    losses = ("independent", "evenly-spaced", "bursts", "timed-bursts")
    yield from of("links.bottleneck.loss_process.kind", losses, LOSSES)


def needed(base: dict[str, Any], path: str, tag: str) -> dict[str, Any]:
    """Return a base with the tag, and with what it cannot be without."""
    base = changed(base, path, tag)
    folder = path.rpartition(".")[0]
    for name, of in (("burst", "bursts"), ("standard_deviation", "lognormal")):
        if tag == of:
            base = changed(base, f"{folder}.{name}", "5 packets" if "off_time" not in path else "500 ms")
        elif name == "standard_deviation":
            base = changed(base, f"{folder}.{name}", None)
    if tag == "timed-bursts":
        base = changed(base, f"{folder}.burst_time", "20 ms")
    if tag == "red":
        base = changed(base, f"{folder}.min_threshold", "2 packets")
        base = changed(base, f"{folder}.max_threshold", "9 packets")
    if path == "links.bottleneck.queue":
        base = changed(base, "tcp.ecn", True)
    if path == "sources.workload.kind" and tag == "bulk":
        base["sources"]["workload"] = {"kind": "bulk"}
    if path == "sources.workload.kind" and tag == "arrivals":
        base = changed(base, "sources.workload.load", "60 %")
        del base["sources"]["workload"]["off_time"]
    return base


@pytest.mark.parametrize(("path", "tag", "key", "values"), [*cases()])
def test_a_key_changes_the_run_or_is_refused(
    tmp_path: Path, path: str, tag: str, key: str, values: list[Any]
) -> None:
    variant = tag if path == "tcp.variant" else "cubic"
    for kind in ("web", "bulk") if path.startswith(("tcp", "links")) else ("web",):
        base = needed(network(kind, variant), path, tag)
        before = run_of(json.dumps(base), tmp_path)
        place = f"{path.rpartition('.')[0]}.{key}"
        if before and any(
            run_of(json.dumps(changed(base, place, value)), tmp_path) != before for value in values
        ):
            return
    pytest.fail("the key is taken, and nothing changes")


def test_every_key_is_tried() -> None:
    # A controller in a library is code: tests/engines/test_controllers.py runs some.
    assert set(TCP) == set(Tcp.model_fields) - {"variant", "library", "parameters"}
    assert set(QUEUE) == set(QueuedLink.model_fields) - set(ANY_QUEUE)
    assert set(SIZE) == set(FileSize.model_fields) - {"distribution"}
    assert set(OFF) == set(OffTime.model_fields) - {"distribution"}
    assert set(WORKLOAD) == set(Workload.model_fields) - {"kind"}
    assert set(LOSSES) == set(LossProcess.model_fields) - {"kind"}
