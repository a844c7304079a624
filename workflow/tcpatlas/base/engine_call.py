"""Runs engines as child processes."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType

from tcpatlas.base.errors import AtlasError, EngineError, NotOfferedError
from tcpatlas.base.repository import INSTALLED, program

# Set by the command line alone: a scenario is data, the library that it names is code.
ALLOW_LIBRARY = "TCP_ATLAS_ALLOW_LIBRARY"
# The exit status of an engine that does not simulate such a point (docs/adding-an-engine.md).
_NOT_OFFERED = 3


def engine_command(engine: str) -> tuple[str, ...]:
    """Return how to call an engine: its program or, in the wheel for any machine, Python running its module.

    Raises AtlasError if there is neither.
    """
    built = program(engine)
    if built.is_file():
        return (str(built),)
    if not INSTALLED:
        raise AtlasError(f"build/release/{engine}/{engine} is missing; run ./atlas setup")
    if engine != "packetsim":
        raise AtlasError(f"the engine {engine} needs the tree of TCP Atlas; the wheel has packetsim alone")
    return _module_command()


@functools.cache
def _module_command() -> tuple[str, ...]:
    """Compile the module, before anybody waits for an answer of it; its compiler keeps what it made."""
    # By its file, from a safe path: what lies in the user's folder is no part of it.
    command = (sys.executable, "-P", str(Path(__file__).with_name("module.py")))
    done = subprocess.run([*command, "--compile"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AtlasError(done.stderr.strip())
    return command


@contextmanager
def libraries_allowed(allowed: bool) -> Iterator[None]:
    """Let engines run the shared objects that points name, if this is `allowed`."""
    before = os.environ.get(ALLOW_LIBRARY, "")
    os.environ[ALLOW_LIBRARY] = "1" if allowed else before
    try:
        yield
    finally:
        os.environ[ALLOW_LIBRARY] = before


def engine_arguments(point: Path, seed: int, output: Path) -> list[str]:
    """Return the options that every engine takes, and the leave to run the library that a point names."""
    options = ["--point", str(point), "--seed", str(seed), "--out", str(output)]
    allowed = os.environ.get(ALLOW_LIBRARY) == "1" and b'"library":' in point.read_bytes()
    return [*options, "--allow-library"] if allowed else options


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


def failure(
    command: Sequence[str], name: str, output: Path, engines: Engines | None = None
) -> EngineError | None:
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
        return EngineError(f"{name}: killed by {signal.Signals(-process.returncode).name}")
    if process.returncode > 0:
        kind = NotOfferedError if process.returncode == _NOT_OFFERED else EngineError
        return kind(messages.strip() or f"{name}: exit status {process.returncode}, without a word")
    return None if output.is_file() else EngineError(f"{name}: exit status 0, but no output")
