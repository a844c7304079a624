"""Runs an engine on the points of a folder and compares each run's bytes with the accepted ones.

    python3 workflow/engines/kit/tests/same_bytes.py PROGRAM workflow/engines/packetsim/tests/bytes [--fix]

A case is a folder with a point and, in `digest.json`, the counters and the SHA-256 of the run that seed 1
gives. In every run packets are conserved, and the same seed gives the same bytes twice. `refused.json` lists
points of cases with a change by which they are refused in one line, and what it says (null: they are taken
all the same). `--fix` accepts what the program gives now.
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
    missing = got["packets_sent"] - sum(got.get(f"packets_{end}", 0) for end in ends)
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


def changed(point: Any, changes: dict[str, Any]) -> Any:
    """Return a point with the values at JSON pointers replaced; `...` leaves a key out."""
    for pointer, value in changes.items():
        *path, last = (int(key) if key.isdigit() else key for key in pointer.split("/")[1:])
        place = point
        for key in path:
            place = place[key]
        if value == "...":
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(value)
        else:
            place[last] = value
    return point


def fault_of_refusal(program: Path, cases: Path, refusal: dict[str, Any], folder: Path) -> str:
    """Return what is wrong with the answer to a changed point."""
    point = json.loads((cases / refusal["case"] / "point.json").read_text())
    file = folder / "point.json"
    file.write_text(json.dumps(changed(point, refusal["with"])))
    said, written = run(program, file, folder)
    if refusal["says"] is None or written is not None:
        return "" if refusal["says"] is None and written is not None else f"{refusal}: {said or 'is taken'}"
    lines = said.splitlines()
    return "" if len(lines) == 1 and f"point.json: {refusal['says']}" in lines[0] else f"{refusal}: {said}"


def main() -> int:
    """Return the exit status: 1 if a run is not as accepted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path)
    parser.add_argument("cases", type=Path, help="the folder of the cases")
    parser.add_argument("--fix", action="store_true", help="accept what the program gives now")
    asked = parser.parse_args()
    cases = sorted(file.parent for file in asked.cases.glob("*/point.json"))
    refusals = json.loads((asked.cases / "refused.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        faults = [(case.name, fault_of_case(asked.program, case, folder, asked.fix)) for case in cases]
        faults += [
            ("refused.json", fault_of_refusal(asked.program, asked.cases, refusal, folder))
            for refusal in refusals
        ]
    for name, fault in faults:
        if fault:
            print(f"{name}: {fault}")
    failed = sum(bool(fault) for _, fault in faults)
    print(f"{len(faults) - failed} passed, {failed} failed" + ("; if meant: --fix" if failed else ""))
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
