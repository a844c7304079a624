"""One call of an engine."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tcpatlas.base.errors import UnavailableError


def engine_arguments(point: Path, seed: int, output: Path) -> list[str]:
    """Return the options that every engine takes."""
    return ["--point", str(point), "--seed", str(seed), "--out", str(output)]


def failure(command: Sequence[str], name: str, output: Path) -> str | None:
    """Run an engine once; return what went wrong, in its own words where it has any, None if nothing did.

    `name` is what messages call the engine. If this process is interrupted, the engine ends with it.
    Raises UnavailableError if the engine says by its exit status that the machine keeps it from running.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        _, said = process.communicate()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode < 0:
        return f"{name}: killed by {signal.Signals(-process.returncode).name}"
    if process.returncode == os.EX_UNAVAILABLE:
        raise UnavailableError(said.strip())
    if process.returncode > 0:
        return said.strip() or f"{name}: exit status {process.returncode}, without a word"
    return None if output.is_file() else f"{name}: exit status 0, but no output"
