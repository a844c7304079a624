"""Controllers in shared objects: what is no controller, and what one does wrong, ends its run in one line."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import tcpatlas
from tcpatlas.base.repository import TREE
from tcpatlas.library import points_of
from tcpatlas.runs.replications import point_hash

HERE = Path(__file__).parent / "controllers"
HEADERS = TREE / "workflow/engines/packetsim/src/tcp"
CALLS = ["create", "on_ack", "on_loss", "on_timeout", "on_delivery", "on_sent", "destroy"]
FAULTS = [
    ("a null pointer", "has crashed"),
    ("abort()", "has aborted"),
    ("a division by zero", "has divided by zero"),
    ("a loop without an end", "does not return"),
    ("an illegal instruction", "has crashed"),
    ("exit()", r"has called exit\(\)"),
    ("a recursion without an end", "has crashed"),
    ("a window that is no number", "answers window -?nan"),
    ("a window of zero", "answers window 0"),
    ("a window below zero", "answers window -inf"),
    ("an ssthresh that is no number", "answers .*ssthresh -?nan"),
    ("a pacing rate below zero", "answers .*pacing_rate -1"),
]
ANSWERS = [name for name, says in FAULTS if "answers" in says]


def built(source: str, folder: Path, *options: str) -> Path:
    """Compile a controller as its users do; `source` is a file or its text."""
    text = folder / "controller.c"
    text.write_text((HERE / source).read_text() if source.endswith(".c") else source)
    library = folder / "controller.so"
    build = ["cc", "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(
        [*build, f"-I{HEADERS}", *options, "-o", str(library), str(text), "-lm"], check=True, timeout=60
    )
    return library


def link(library: Path, **parameters: float) -> dict[str, Any]:
    """Return a link of 20 Mbit/s and 20 ms whose one in 20 packets is lost: all calls happen."""
    own = {"variant": "external", "library": str(library), "parameters": parameters}
    timers = {"rwnd": "1000 packets", "initial_window": "10 packets", "min_rto": "200 ms", "max_rto": "60 s"}
    return {
        "links": {
            "access": {"rate": "1 Gbit/s"},
            "bottleneck": {"rate": "20 Mbit/s", "buffer": "30 packets", "queue": "drop-tail", "loss": "5 %"},
            "egress": {"rate": "1 Gbit/s"},
        },
        "rtt": "20 ms",
        "packet_size": "1500 B",
        "ack_size": "40 B",
        "tcp": timers | own,
        "sources": {"count": 1, "workload": {"kind": "bulk"}},
        "stop": {"duration": "60 s"},
    }


def refusal(library: Path, **parameters: float) -> str:
    """Return the one line that a run ends in; what follows it is the command that runs it again."""
    with pytest.raises(tcpatlas.AtlasError) as error:
        tcpatlas.simulate(link(library, **parameters), replications=1, allow_library=True)
    line, *again = str(error.value).split("\n")
    assert all(each.startswith("again: ") for each in again)
    assert "controller.so" in line
    return line


def hash_of(scenario: dict[str, Any]) -> str:
    """Return what the runs of the scenario's point are stored by."""
    (point,) = points_of(scenario, 1, 1, 1)
    return point_hash(point.document)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("hostile.c", tmp_path_factory.mktemp("hostile"))


def test_without_a_fault_it_runs(hostile: Path) -> None:
    made = tcpatlas.simulate(link(hostile), replications=1, allow_library=True).set_index("metric")["value"]
    assert 0 < made["goodput"] < 20e6


@pytest.mark.parametrize(("fault", "says"), FAULTS, ids=[name for name, _ in FAULTS])
def test_a_fault_of_on_loss_ends_the_run(hostile: Path, fault: str, says: str) -> None:
    number = [name for name, _ in FAULTS].index(fault)
    line = refusal(hostile, fault=number, call=CALLS.index("on_loss"))
    found = re.search(rf"on_loss at (\d+\.\d+) s {says}", line)
    assert found, line
    assert 0 < float(found[1]) < 60


@pytest.mark.parametrize("call", CALLS)
def test_a_crash_in_any_call_names_the_call(hostile: Path, call: str) -> None:
    assert f"{call} at " in refusal(hostile, fault=0, call=CALLS.index(call))


@pytest.mark.parametrize("call", [call for call in CALLS if call not in ("on_sent", "destroy")])
@pytest.mark.parametrize("fault", ANSWERS)
def test_no_call_may_answer_what_is_no_window(hostile: Path, fault: str, call: str) -> None:
    number = [name for name, _ in FAULTS].index(fault)
    assert f"{call} at " in refusal(hostile, fault=number, call=CALLS.index(call))


TABLE = ".create = (void *(*)(const cc_config *, cc_decision *))1, .on_loss = f, .on_timeout = f"
HEAD = """#include "tcpatlas_cc.h"
static void f(void *s, const cc_event *e, cc_decision *d) { (void)s, (void)e, (void)d; }
"""
USE = f"{HEAD}const cc_controller *tcpatlas_cc(void)"
GIVE = f"{USE} {{ static cc_controller c ="
OTHER = "was built for another tcpatlas_cc.h"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("int nothing;", r"has no function tcpatlas_cc\(\)"),
        (f"{USE} {{ f(0, 0, 0); return 0; }}", "gives a controller"),
        (
            f"{GIVE} {{.built_for = CC_SIZES, .on_loss = f}}; return &c; }}",
            "must have",
        ),
        (
            f"{GIVE} {{{TABLE}}}; return &c; }}",
            "was built for another tcpatlas_cc.h",
        ),
        # What a header that appended a field, or was appended to, leaves behind.
        *[
            (
                f"{GIVE} {{.built_for = CC_SIZES, {TABLE}}};\nc.built_for.{size} += {change}; return &c; }}",
                OTHER,
            )
            for size in ("abi", "config", "event", "decision", "controller")
            for change in (-8, 8)
        ],
        ("extern int missing(void);\nvoid *tcpatlas_cc(void) { return (void *)(long)missing(); }", "missing"),
        (f"{USE} {{ f(0, 0, 0); return *(const cc_controller **)0; }}", "has crashed"),
    ],
)
def test_what_is_no_controller_is_refused(source: str, says: str, tmp_path: Path) -> None:
    assert re.search(says, refusal(built(source, tmp_path)))


@pytest.mark.parametrize("content", [b"", b"no object", b"\x7fELF" + bytes(100)])
def test_a_file_that_is_no_object_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "controller.so").write_bytes(content)
    refusal(tmp_path / "controller.so")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    refusal(tmp_path / "controller.so")
    (tmp_path / "controller.so").mkdir()
    refusal(tmp_path / "controller.so")


def test_a_library_runs_only_by_leave(hostile: Path) -> None:
    with pytest.raises(tcpatlas.AtlasError, match=r"library: .*allow"):
        tcpatlas.simulate(link(hostile), replications=1)


def test_a_rebuilt_library_is_another_point(hostile: Path, tmp_path: Path) -> None:
    library = Path(shutil.copy(hostile, tmp_path / "controller.so"))
    before, same = (hash_of(link(library)) for _ in range(2))
    with library.open("ab") as file:
        file.write(b" ")
    assert before == same != hash_of(link(library))
