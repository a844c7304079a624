"""A progress line on standard error: updated in place in a terminal, repeated in a log."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

# Seconds until the first sign of life, and between two, in a terminal and in a log.
_PATIENCE = 3.0
_AGAIN = {True: 0.5, False: 15.0}
_CLEAR = "\r\x1b[K"


class Progress:
    """A context in which a line tells `text`, and for how many seconds it has been at work."""

    def __init__(self, text: str) -> None:
        """Begin with a text; others may be set at any time."""
        self.text = text
        self._over = threading.Event()
        self._terminal = sys.stderr.isatty()
        self._teller = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Progress:
        self._teller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._teller.join()

    def _tell(self) -> None:
        started, told, wait = time.monotonic(), False, _PATIENCE
        while not self._over.wait(wait):
            line = f"  {self.text}, {time.monotonic() - started:.0f} s so far"
            sys.stderr.write(f"{_CLEAR}{line}" if self._terminal else f"{line}\n")
            sys.stderr.flush()
            told, wait = True, _AGAIN[self._terminal]
        if told and self._terminal:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
