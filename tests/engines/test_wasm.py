"""packetsim in WebAssembly: the bytes of the native program, in Node."""

import json
import shutil
import subprocess

import pytest
from processes import BUILD

from packetsim_points import ROOT, SEED, accepted, digest_of

MODULE = BUILD / "wasm/packetsim.wasm"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not MODULE.exists(), reason="packetsim is not compiled for a browser"),
]


def in_node(texts: list[str]) -> list[dict[str, str]]:
    lines = "\n".join(json.dumps({"point": text, "seed": SEED}) for text in texts)
    command = ["node", "tests/engines/run_module.mjs", MODULE, "workflow/pages/lab/worker.js"]
    done = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_module_writes_the_bytes_of_the_native_program() -> None:
    cases = accepted()
    answers = in_node([point for point, _ in cases.values()])
    for (name, (_, digest)), answer in zip(cases.items(), answers, strict=True):
        assert "run" in answer, (name, answer.get("failed"))
        assert digest_of(answer["run"]) == digest, name


def test_an_error_arrives_in_its_words() -> None:
    wrong = json.loads(accepted()["newreno-drop-tail-http"][0])
    wrong["packet_bytes"] = "many"
    assert "point: packet_bytes: " in in_node([json.dumps(wrong)])[0]["failed"]
