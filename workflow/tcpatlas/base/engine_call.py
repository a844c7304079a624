"""Runs engines as child processes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Lock
from types import TracebackType


def engine_arguments(point: Path, seed: int, output: Path) -> list[str]:
    """Return the options that every engine takes."""
    return ["--point", str(point), "--seed", str(seed), "--out", str(output)]


class Engines:
    """Engines run by several threads at once; leaving the `with` block ends all of them.

    Only the main thread receives signals: the other threads would wait until their engines are done.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._started: list[subprocess.Popen[str]] = []
        self._ended = False

    def __enter__(self) -> Engines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._ended = True
            for process in self._started:
                process.terminate()

    def start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        """Start an engine; raises CancelledError if the others have been ended."""
        with self._lock:
            if self._ended:
                raise CancelledError
            process = _start(command)
            self._started.append(process)
            return process


def _start(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def failure(command: Sequence[str], name: str, output: Path, engines: Engines | None = None) -> str | None:
    """Run an engine once; return its error, in its own words if it gave any, or None.

    `name` is what messages call the engine. If this process is interrupted, the engine ends with it; outside
    of the main thread it must be one of `engines` for that.
    """
    process = _start(command) if engines is None else engines.start(command)
    try:
        _, messages = process.communicate()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode < 0:
        return f"{name}: killed by {signal.Signals(-process.returncode).name}"
    if process.returncode > 0:
        return messages.strip() or f"{name}: exit status {process.returncode}, without a word"
    return None if output.is_file() else f"{name}: exit status 0, but no output"
