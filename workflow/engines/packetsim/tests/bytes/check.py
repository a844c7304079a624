"""Runs packetsim on the points of this folder and compares each run's bytes with the accepted ones.

    python3 workflow/engines/packetsim/tests/bytes/check.py PACKETSIM [--fix] [CASE ...]

A case is a folder with a point and, in `digest.json`, the counters and the SHA-256 of the run that seed 1
gives. In every run packets are conserved, and the same seed gives the same bytes twice. `refused.json` lists
changes to points that have to be refused in one line. `--fix` accepts what the program gives now.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def run(program: Path, point: Path, folder: Path) -> tuple[str, bytes | None]:
    """Return what the program said, and the bytes that it wrote, or None."""
    out = folder / "run.json"
    out.unlink(missing_ok=True)
    command = [program, "--point", point, "--seed", "1", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    if (done.returncode == 0) != out.exists():
        return f"exit status {done.returncode}, but a run is {'' if out.exists() else 'not '}there", None
    return done.stderr, out.read_bytes() if out.exists() else None


def digest_of(written: bytes) -> dict[str, Any]:
    """Return the counters and the SHA-256 of a run, whatever the engine's version."""
    kept = [line for line in written.splitlines() if not line.startswith(b' "engine_version"')]
    return json.loads(written)["counters"] | {"sha256": hashlib.sha256(b"\n".join(kept)).hexdigest()}


def fault_of_case(program: Path, case: Path, folder: Path, fix: bool) -> str:
    """Return what is wrong with a case; nothing if it is right."""
    said, written = run(program, case / "point.json", folder)
    if written is None:
        return said.strip()
    if run(program, case / "point.json", folder)[1] != written:
        return "the same seed gives other bytes the second time"
    got = digest_of(written)
    ends = ("delivered", "dropped", "lost", "in_flight")
    missing = got["packets_sent"] - sum(got[f"packets_{end}"] for end in ends)
    if missing:
        return f"{missing} packets are neither {', '.join(ends)}"
    accepted = case / "digest.json"
    expected = json.loads(accepted.read_text()) if accepted.exists() else {}
    if got != expected and not fix:
        changed = [
            f"{key} {expected.get(key)} -> {value}"
            for key, value in got.items()
            if value != expected.get(key)
        ]
        return ", ".join(changed)
    if got != expected:
        accepted.write_text(json.dumps(got, indent=1) + "\n")
    return ""


def fault_of_refusal(program: Path, refused: dict[str, Any], folder: Path) -> str:
    """Return what is wrong with the answer to a point that has to be refused."""
    point: Any = json.loads((HERE / refused["case"] / "point.json").read_text())
    *path, last = refused["at"]
    place = point
    for key in path:
        place = place[key]
    place[last] = refused["value"]
    file = folder / "point.json"
    file.write_text(json.dumps(point))
    said, written = run(program, file, folder)
    if written is not None:
        return f"{refused['at']} = {refused['value']!r} is not refused"
    lines = said.splitlines()
    return "" if len(lines) == 1 and f"point.json: {refused['says']}" in lines[0] else said


def main() -> int:
    """Return the exit status: 1 if a run is not as accepted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path)
    parser.add_argument("--fix", action="store_true", help="accept what the program gives now")
    parser.add_argument("cases", nargs="*", help="folders (default: all)")
    asked = parser.parse_args()
    points = sorted(HERE.glob("*/point.json"))
    cases = [point.parent for point in points if not asked.cases or point.parent.name in asked.cases]
    refusals = [] if asked.cases else json.loads((HERE / "refused.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        faults = [(case.name, fault_of_case(asked.program, case, folder, asked.fix)) for case in cases]
        faults += [("refused.json", fault_of_refusal(asked.program, refusal, folder)) for refusal in refusals]
    for name, fault in faults:
        if fault:
            print(f"{name}: {fault}")
    failed = sum(bool(fault) for _, fault in faults)
    print(f"{len(faults) - failed} passed, {failed} failed" + ("; if meant: --fix" if failed else ""))
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
