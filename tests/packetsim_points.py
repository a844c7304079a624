"""The accepted bytes of packetsim's runs, which its module in WebAssembly has to write, too."""

import json
import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ENGINES = ROOT / "workflow/engines"
BYTES = ENGINES / "packetsim/tests/bytes"
SEED = 1


def accepted() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the text of each case's point and the digest of its run."""
    folders = [file.parent for file in sorted(BYTES.glob("*/point.json"))]
    return {
        folder.name: ((folder / "point.json").read_text(), json.loads((folder / "digest.json").read_text()))
        for folder in folders
    }


def digest_of(run: str) -> dict[str, Any]:
    """Return the digest of what was written, as packetsim's own tests form it."""
    digest: dict[str, Any] = runpy.run_path(str(ENGINES / "kit/tests/same_bytes.py"))["digest_of"](
        run.encode()
    )
    return digest
