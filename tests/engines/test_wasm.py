"""packetsim in WebAssembly: the bytes of the native program, in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from processes import BUILD

from packetsim_points import POINTS, ROOT, SEED, native, points

MODULE = BUILD / "wasm/packetsim.wasm"
PROGRAM = BUILD / "release/packetsim/packetsim"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not MODULE.exists(), reason="packetsim is not compiled for a browser"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="packetsim is not built"),
]


def in_node(texts: list[str]) -> list[dict[str, str]]:
    lines = "\n".join(json.dumps({"point": text, "seed": SEED}) for text in texts)
    command = ["node", "tests/engines/run_module.mjs", MODULE, "workflow/lab/worker.js"]
    done = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_module_writes_the_bytes_of_the_native_program(tmp_path: Path) -> None:
    texts = points()
    assert len(texts) == POINTS
    for text, answer in zip(texts, in_node(texts), strict=True):
        name = f"{json.loads(text)['study']}/{json.loads(text)['set']}"
        assert answer.get("run") == native(PROGRAM, text, tmp_path), (name, answer.get("failed"))


def test_an_error_arrives_in_its_words() -> None:
    wrong = json.loads(points()[0])
    wrong["packet_bytes"] = "many"
    assert "point: packet_bytes: " in in_node([json.dumps(wrong)])[0]["failed"]
