"""packetsim in this process (`packetsim/src/session.cpp`), for controllers that are Python's."""

import ctypes as c
import functools
import json
from collections.abc import Mapping
from typing import Any

from tcpatlas.base.errors import AtlasError, EngineError
from tcpatlas.base.repository import INSTALLED, program
from tcpatlas.controllers.abi import Controller
from tcpatlas.controllers.compiled import Compiled
from tcpatlas.controllers.python_class import PythonController

# Keys of a point's TCP that any variant has; the rest are parameters of the one that is replaced.
_COMMON = (
    "rwnd_packets",
    "initial_window_packets",
    "min_rto_s",
    "max_rto_s",
    "clock_tick_s",
    "idle_restart_s",
    "delayed_ack",
    "ecn",
    "loss_detection",
)
AGENT = "agent"  # of the library: a controller that its board steers


class Board(c.Structure):
    """What a steered flow sees and is told: packets, bytes/s, packets/s, picoseconds, packets."""

    _fields_ = (
        *((name, c.c_double) for name in ("window", "pacing_rate", "delivery_rate")),
        *((name, c.c_int64) for name in ("now", "srtt", "min_rtt", "delivered", "lost", "in_flight")),
        ("acknowledgements", c.c_int64),
    )


@functools.cache
def library() -> c.CDLL:
    """Return packetsim's library; AtlasError if it is not built."""
    file = program("packetsim").with_name("libpacketsim.so")
    if not file.is_file():
        lacking = "is in the wheel for Linux on x86-64" if INSTALLED else "is built by ./atlas setup"
        raise AtlasError(f"libpacketsim.so, which controllers in Python need, {lacking}")
    lib = c.CDLL(str(file))
    text, session = c.c_char_p, c.c_void_p
    for name, result, arguments in (
        ("why", text, []),
        ("use", c.c_bool, [text, c.POINTER(Controller)]),
        ("simulate", text, [text, c.c_uint64]),
        ("open", session, [text, c.c_uint64]),
        ("run_until", c.c_bool, [session, c.c_int64]),
        ("flow", c.POINTER(Board), [session, c.c_size_t]),
        ("run", text, [session]),
        ("close", None, [session]),
    ):
        function = getattr(lib, f"packetsim_{name}")
        function.restype, function.argtypes = result, arguments
    return lib


def why() -> str:
    """Return what the library says of the call that failed."""
    return str(library().packetsim_why().decode())


def with_controllers(point: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a point whose groups have the controllers `names`, by group; "" is any group's.

    Raises AtlasError for a name that no group has.
    """
    groups = [group["name"] for group in point["sources"]]
    if unknown := [group for group in names if group and group not in groups]:
        raise AtlasError(f"controller: {unknown[0]!r} is no group; one of: {', '.join(groups)}")
    sources = []
    for group in point["sources"]:
        if (name := names.get(group["name"], names.get(""))) is None:
            sources.append(group)
            continue
        common = {key: value for key, value in group["tcp"].items() if key in _COMMON}
        sources.append({**group, "tcp": {**common, "variant": "external", "library": f"sha256: {name}"}})
    return {**point, "sources": sources}


def run(point: Mapping[str, Any], seed: int, controllers: Mapping[str, PythonController | Compiled]) -> Any:
    """Return the run of a point (`docs/formats.md`) whose groups have these controllers.

    Raises AtlasError with the controller, its call and what it raised, EngineError for what packetsim
    refuses.
    """
    lib = library()
    names = {group: f"{each.name}#{id(each)}" for group, each in controllers.items()}
    for group, each in controllers.items():
        each.failed = None
        if not lib.packetsim_use(names[group].encode(), each.table):
            raise EngineError(why())
    made = lib.packetsim_simulate(json.dumps(with_controllers(point, names)).encode(), seed)
    for each in controllers.values():
        if each.failed:
            call, error = each.failed
            if not isinstance(error, Exception):  # Ctrl-C
                raise error
            raise AtlasError(f"controller {each.name}: {call}: {type(error).__name__}: {error}") from error
    if made is None:
        raise EngineError(why())
    return json.loads(made)
