"""The command `simulate`, with an engine that invents its numbers and misbehaves when asked to."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tcpatlas import cli

ENGINE = Path(__file__).with_name("fake_engine.py")
POINTS = "results/points/demo/load.json"
OUT = "results/runs/demo/packetsim-1.jsonl"
WORK = "results/work/demo/load/count-82/packetsim"
POINT = f"{WORK}/point.json"
CACHE = "kept"


class Driver:
    """The driver, called on the point count-82 of the demonstration."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.engine = root / "engine.py"
        self.engine.write_text(f"#!{Path(sys.executable).resolve()} -IS\n{ENGINE.read_text()}")
        self.engine.chmod(0o755)
        command = shlex.join([str(self.engine), str(root)])
        share = ["--share", POINTS, "0", "1", "1"]
        engine = ["--engine", "packetsim", "--engine-command", command]
        self.arguments = ["simulate", *share, *engine, "--out", OUT]
        self.work = root / WORK

    def run(self) -> int:
        return cli.main(self.arguments)

    def started(self, *python: str) -> subprocess.Popen[str]:
        """Start it as a process of its own: Python with these options."""
        return subprocess.Popen(
            [sys.executable, *python, *self.arguments],
            env=os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[1])},
            stderr=subprocess.PIPE,
            text=True,
            # A job in a shell's background ignores SIGINT, and what it starts inherits that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def mode(self, mode: str) -> None:
        (self.root / "mode").write_text(mode)

    def kept(self) -> list[Path]:
        """The replications in the cache, the first one kept first."""
        return sorted((self.root / CACHE).rglob("*.json.gz"), key=lambda path: path.stat().st_mtime_ns)

    def calls(self) -> int:
        path = self.root / "calls"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def result(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads((self.root / OUT).read_text())
        return data

    def edit_point(self, **changes: Any) -> None:
        path = self.root / POINTS
        data = json.loads(path.read_text())
        data["points"][0] |= changes
        path.write_text(json.dumps(data))
