"""A controller whose calls are machine code that its author has compiled, by numba say."""

import ctypes as c
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tcpatlas.base.errors import AtlasError
from tcpatlas.controllers.abi import CALL, CALLS, CREATE, DESTROY, SENT, SIZES, Controller, Decision, Event


def _as_record(kind: type[c.Structure]) -> np.dtype[Any]:
    """Return a structure of `tcpatlas_cc.h` as numpy has it; a pointer is a number."""
    fields = [(name, "i8" if hasattr(of, "contents") else of) for name, of, *_ in kind._fields_]
    record = np.dtype(fields, align=True)
    assert record.itemsize == c.sizeof(kind)
    return record


EVENT, DECISION = _as_record(Event), _as_record(Decision)


class Compiled:
    """Calls by their addresses, `on_ack=on_ack.address` of a numba cfunc say: (state, event, decision).

    `begin(config)` returns a connection's state, an array that the calls are handed the address of. `flags`
    are those of the header. A call may not raise, and ends no run but by an answer that is no window.
    """

    def __init__(self, begin: Callable[[Any], npt.NDArray[Any]], *, flags: int = 0, **calls: int) -> None:
        if missing := {"on_loss", "on_timeout"} - calls.keys():
            raise AtlasError(f"controller: {min(missing)} is needed")
        if unknown := calls.keys() - {*CALLS, "on_sent"}:
            raise AtlasError(
                f"controller: {min(unknown)} is no call; one of: {', '.join((*CALLS, 'on_sent'))}"
            )
        self.name = "compiled"
        self.failed: tuple[str, BaseException] | None = None
        self._begin = begin
        self._states: dict[int, npt.NDArray[Any]] = {}
        kinds = {name: SENT if name == "on_sent" else CALL for name in calls}
        made = {name: c.cast(address, kinds[name]) for name, address in calls.items()}
        create, destroy = CREATE(self._create), DESTROY(lambda address: self._states.pop(address, None))
        self.table = Controller(SIZES, flags, create, destroy, **made)

    def _create(self, config: Any, decision: Any) -> int:
        try:
            state = self._begin(config[0])
        except BaseException as error:  # raised again by the caller of the simulation
            self.failed = self.failed or ("begin", error)
            decision[0].window = float("nan")  # which ends the run
            return 0
        decision[0].ssthresh = config[0].most
        self._states[state.ctypes.data] = state
        return int(state.ctypes.data)
