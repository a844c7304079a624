"""A kernel's congestion control, one C file as it is, linked into the kernel that the engine linux runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tcpatlas.base.errors import AtlasError
from tcpatlas.base.repository import TREE
from tcpatlas.points.engines import all_engines

_SCRIPT = TREE / "workflow/engines/linux/uml/module.sh"


def link(file: Path) -> None:
    """Compile the file and link it, unless that has been done; AtlasError has the tools' first error."""
    (kernel,) = (place for needed in all_engines()["linux"].requires for place in needed.places)
    kernel = Path(os.environ.get("TCP_ATLAS_UML", kernel)).absolute()
    done = subprocess.run(
        [_SCRIPT, kernel.parent, file],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["it cannot be linked"]
        raise AtlasError(f"{file}: {next((line for line in lines if 'error' in line), lines[-1])}")
