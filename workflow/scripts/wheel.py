"""Build hook of the wheel: puts packetsim, and the files of the tree that the library reads, into it."""

import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAM = "build/release/packetsim/packetsim"
LIBRARY = "build/release/packetsim/libpacketsim.so"  # the same for controllers in Python
FILES = ("CITATION.cff", "workflow/metrics.yaml", "workflow/engines/*/engine.yaml", "config/error-maps/*.npz")


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the other files of the wheel, and its platform tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to what is built; `version` is that of the form of the wheel."""
        root = Path(self.root)
        for built in (PROGRAM, LIBRARY):
            if not (root / built).is_file():
                raise FileNotFoundError(f"{built} is missing; run ./atlas setup")
        packed = [
            PROGRAM,
            LIBRARY,
            *(path.relative_to(root).as_posix() for form in FILES for path in root.glob(form)),
        ]
        build_data["force_include"].update({file: f"tcpatlas/tree/{file}" for file in packed})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().translate(str.maketrans('-.', '__'))}"
