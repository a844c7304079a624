"""Build hook of the wheels: puts packetsim, and the files of the tree that the library reads, into them."""

import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "build/release/packetsim"  # of the program, and of the same for controllers in Python
MODULE = "build/wasm/packetsim.wasm"
HEADERS = "workflow/engines/packetsim/src/tcp"
FILES = ("CITATION.cff", "workflow/metrics.yaml", "workflow/engines/*/engine.yaml", "config/error-maps/*.npz",
         "config/judge/*.yaml", "workflow/pages/*.*", "paper/judge.tex", f"{HEADERS}/*.h")  # fmt: skip
# By $TCP_ATLAS_WHEEL: as compiled here, linked for older C libraries, as WebAssembly.
KINDS = {
    "": ("build/release/packetsim", sysconfig.get_platform().translate(str.maketrans("-.", "__"))),
    "manylinux": ("build/portable", "manylinux_2_28_x86_64"),
    "any": ("", "any"),
}


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the other files of the wheel, and its platform tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to what is built; `version` is that of the form of the wheel."""
        root = Path(self.root)
        built, platform = KINDS[os.environ.get("TCP_ATLAS_WHEEL", "")]
        packed = {path.relative_to(root).as_posix(): "" for form in FILES for path in root.glob(form)}
        if built:
            packed |= {f"{built}/{name}": f"{PLACE}/{name}" for name in ("packetsim", "libpacketsim.so")}
        else:
            packed[MODULE] = MODULE
        for file in packed:
            if not (root / file).is_file():
                raise FileNotFoundError(f"{file} is missing; run ./atlas setup")
        build_data["force_include"].update(
            {file: f"tcpatlas/tree/{place or file}" for file, place in packed.items()}
        )
        build_data["pure_python"] = not built
        build_data["tag"] = f"py3-none-{platform}"
