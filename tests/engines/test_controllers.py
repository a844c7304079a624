"""Controllers in shared objects: one that misbehaves ends its run in one line; CUBIC is the built-in one."""

import copy
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import tcpatlas
from tcpatlas.base.engine_call import engine_arguments, libraries_allowed
from tcpatlas.base.errors import NotOfferedError
from tcpatlas.base.files import read_yaml, to_json
from tcpatlas.base.repository import TREE, program
from tcpatlas.library import points_of
from tcpatlas.pages.laboratory import put
from tcpatlas.runs.replications import point_hash

HERE = Path(__file__).parent / "controllers"
HEADERS = TREE / "workflow/engines/packetsim/src/tcp"
EXAMPLES = TREE / "scenarios/examples/controllers"
CALLS = ["create", "on_ack", "on_loss", "on_timeout", "on_delivery", "on_sent", "destroy"]
FAULTS = read_yaml(Path(__file__).with_name("data.yaml"), "data.yaml")["controllers.faults"]
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
    assert not isinstance(error.value, NotOfferedError)
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
    found = re.search(rf": flow 0: on_loss at (\d+\.\d+) s {says}", line)
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


@pytest.mark.parametrize(("fault", "says"), [(0, "has crashed"), (8, "answers window 0")])
def test_the_flow_that_misbehaves_is_named(hostile: Path, fault: int, says: str) -> None:
    """Flows are counted from 0, group after group: the third is the second group's."""
    own = link(hostile, fault=fault, call=CALLS.index("on_loss"))
    del own["sources"]["count"]
    beside = own["tcp"] | {"variant": "cubic", "library": None, "parameters": None}
    own["groups"] = {"good": {"count": 2, "tcp": beside}, "hostile": {"count": 1}}
    with pytest.raises(tcpatlas.AtlasError, match=rf"controller\.so: flow 2: on_loss at \d+\.\d+ s {says}"):
        tcpatlas.simulate(own, replications=1, allow_library=True)


BOTTLENECK = "links.bottleneck."
DELAYED = {"tcp.delayed_ack": {"packets": 2, "timeout": "40 ms"}}
MANY = {"sources.count": 20, "sources.workload.start_spread": "1 s"}
SHALLOW, DEEP = {f"{BOTTLENECK}buffer": "10 packets"}, {f"{BOTTLENECK}buffer": "300 packets"}
BESIDE_BBR = {
    "sources.count": None,
    "groups": {
        "cubic": {"count": 2},
        "bbr": {"count": 1, "tcp": {"variant": "bbr", "library": None}},
    },
}
RACK = {"tcp.loss_detection": "rack-tlp"}
NETWORKS: dict[str, dict[str, Any]] = {
    "one flow": {},
    "shallow": SHALLOW,
    "deep": DEEP,
    "two packets": {f"{BOTTLENECK}buffer": "2 packets"},
    "random loss": {f"{BOTTLENECK}loss": "1 %"},
    "heavy loss": {f"{BOTTLENECK}loss": "20 %"},
    "delayed": DELAYED,
    "delayed, random loss": {**DELAYED, f"{BOTTLENECK}loss": "0.2 %"},
    "pie": {f"{BOTTLENECK}queue": "pie"},
    "short path": {"rtt": "4 ms"},
    "rack-tlp": RACK,
    "rack-tlp, heavy loss": {**RACK, f"{BOTTLENECK}loss": "10 %"},
    "marks": {"tcp.ecn": True, f"{BOTTLENECK}queue": "codel", f"{BOTTLENECK}ecn": True},
    "codel": {f"{BOTTLENECK}queue": "codel"},
    "fq-codel": {f"{BOTTLENECK}queue": "fq-codel"},
    "slow line": {f"{BOTTLENECK}rate": "1 Mbit/s"},
    "long path": {"rtt": "200 ms"},
    "20 flows": MANY,
    "20 flows, shallow": {**MANY, **SHALLOW},
    "20 flows, fq-codel, delayed": {**MANY, **DELAYED, f"{BOTTLENECK}queue": "fq-codel"},
    "beside BBR": BESIDE_BBR,
    "beside BBR, deep, delayed": {**BESIDE_BBR, **DEEP, **DELAYED},
    "beside BBR, codel, random loss": {
        **BESIDE_BBR,
        f"{BOTTLENECK}queue": "codel",
        f"{BOTTLENECK}loss": "1 %",
    },
}


def bytes_of(tcp: dict[str, Any], changes: dict[str, Any], folder: Path) -> bytes:
    """Return the run of endless transfers on a changed link, as packetsim writes it."""
    scenario = link(Path()) | {"stop": {"duration": "18 s", "warmup": "2 s"}}
    scenario["tcp"] = {
        key: scenario["tcp"][key] for key in ("rwnd", "initial_window", "min_rto", "max_rto")
    } | tcp
    scenario["links"]["bottleneck"]["loss"] = "0 %"
    for key, value in copy.deepcopy(changes).items():
        put(scenario, key, value)
    file, run = folder / "point.json", folder / "run.json"
    with libraries_allowed(True):
        (point,) = points_of(scenario, 1, 1, 1)
        file.write_text(to_json(point.document))
        command = [str(program("packetsim")), *engine_arguments(file, 1, run)]
    subprocess.run(command, check=True, timeout=120)
    return run.read_bytes()


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the `tcp` of the controllers that the tree has."""
    return {
        name: {
            "variant": "external",
            "library": str(built((EXAMPLES / f"{name}.c").read_text(), tmp_path_factory.mktemp(name))),
        }
        for name in ("cubic", "reno")
    }


@pytest.mark.parametrize("network", NETWORKS)
def test_cubic_behind_the_header_gives_the_same_bytes(
    examples: dict[str, dict[str, Any]], network: str, tmp_path: Path
) -> None:
    """In networks where Reno gives others."""
    changes = NETWORKS[network]
    own = bytes_of({"variant": "cubic"}, changes, tmp_path)
    assert bytes_of(examples["cubic"], changes, tmp_path) == own
    assert bytes_of(examples["reno"], changes, tmp_path) != own


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


def test_a_controller_of_every_ack_is_refused_losses_by_time(hostile: Path) -> None:
    scenario = link(hostile)
    scenario["tcp"]["loss_detection"] = "rack-tlp"
    with pytest.raises(NotOfferedError, match="neither pacing nor rack-tlp with CC_EVERY_ACK"):
        tcpatlas.simulate(scenario, replications=1, allow_library=True)


def test_a_library_runs_only_by_leave(hostile: Path) -> None:
    with pytest.raises(tcpatlas.AtlasError, match=r"library: .*allow"):
        tcpatlas.simulate(link(hostile), replications=1)


def test_a_rebuilt_library_is_another_point(hostile: Path, tmp_path: Path) -> None:
    library = Path(shutil.copy(hostile, tmp_path / "controller.so"))
    before, same = (hash_of(link(library)) for _ in range(2))
    with library.open("ab") as file:
        file.write(b" ")
    assert before == same != hash_of(link(library))
