"""The table of calls of a controller that is a Python class.

A class has `__init__(config)` and the attribute `window` (packets, at least 1), if it likes `ssthresh` and
`pacing_rate` (bytes/s), and of the calls in `tcpatlas_cc.h` those that it needs, `on_ack(event)` say, beside
`on_loss` and `on_timeout`. `own_recovery = True` keeps its window in a recovery, `each_mark = True` has each
ECN mark echoed.
"""

import math
from collections.abc import Callable
from typing import Any

from tcpatlas.base.errors import AtlasError
from tcpatlas.controllers.abi import (
    CALL,
    CALLS,
    CREATE,
    DESTROY,
    EACH_MARK,
    EVERY_ACK,
    OWN_RECOVERY,
    SENT,
    SIZES,
    Controller,
    Event,
)

_NEEDED = ("on_loss", "on_timeout")


class PythonController:
    """The calls of a class; `table` is theirs, `failed` what one of them has raised."""

    def __init__(self, kind: Callable[[Any], Any]) -> None:
        if missing := [name for name in _NEEDED if not hasattr(kind, name)]:
            raise AtlasError(f"controller {name_of(kind)}: has no method {missing[0]}")
        self.name = name_of(kind)
        self.failed: tuple[str, BaseException] | None = None
        self._kind = kind
        self._flows: dict[int, Any] = {}
        self._count = 0
        hears_all = any(hasattr(kind, name) for name in ("on_delivery", "on_sent", "pacing_rate"))
        flags = (
            EVERY_ACK * hears_all
            | OWN_RECOVERY * bool(getattr(kind, "own_recovery", False))
            | EACH_MARK * bool(getattr(kind, "each_mark", False))
        )
        calls = {name: CALL(self._call(name)) for name in CALLS if hasattr(kind, name)}
        if hasattr(kind, "on_sent"):
            calls["on_sent"] = SENT(self._sent())
        self.table = Controller(SIZES, flags, CREATE(self._create), DESTROY(self._destroy), **calls)

    def _fails(self, call: str, error: BaseException, decision: Any = None) -> None:
        self.failed = self.failed or (call, error)
        if decision is not None:
            decision[0].window = math.nan  # which ends the run

    def _create(self, config: Any, decision: Any) -> int:
        self._count += 1
        try:
            flow = self._flows[self._count] = self._kind(config[0])
            _say(flow, decision[0])
        except BaseException as error:  # raised again by the caller of the simulation
            self._fails("__init__", error, decision)
        return self._count

    def _destroy(self, number: int) -> None:
        self._flows.pop(number, None)

    def _call(self, name: str) -> Callable[[int, Any, Any], None]:
        method, flows, say = getattr(self._kind, name), self._flows, _say

        def call(number: int, event: Any, decision: Any) -> None:
            try:
                flow = flows[number]
                method(flow, event[0])
                say(flow, decision[0])
            except BaseException as error:
                self._fails(name, error, decision)

        return call

    def _sent(self) -> Callable[[int, Any], None]:
        method, flows = self._kind.on_sent, self._flows  # type: ignore[attr-defined]

        def sent(number: int, packet: Any) -> None:
            try:
                method(flows[number], packet[0])
            except BaseException as error:
                self._fails("on_sent", error)

        return sent


def _say(flow: Any, decision: Any) -> None:
    decision.window = flow.window
    decision.ssthresh = getattr(flow, "ssthresh", decision.ssthresh)
    decision.pacing_rate = getattr(flow, "pacing_rate", 0)


def name_of(kind: Any) -> str:
    """Return what messages call a class."""
    return str(getattr(kind, "__name__", type(kind).__name__))


def lost_packets(event: Event) -> list[int]:
    """Return the numbers of the transmissions that an event finds lost."""
    return [event.lost_packets[i].number for i in range(event.lost)]
