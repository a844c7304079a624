"""What builds a program again: no less than what CMake and the compiler know it to be made of."""

import subprocess
from pathlib import Path

import pytest

from tcpatlas.points.engines import all_engines, code_of_engine, missing

ROOT = Path(__file__).parents[2]
ENGINES = Path("workflow/engines")
BUILDS = {engine: f"build/release/{engine}/{engine}" for engine in all_engines()} | {
    "wasm": "build/wasm/packetsim.wasm"
}


def ninja(folder: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        ["ninja", "-C", folder, "-t", *arguments], capture_output=True, text=True, check=True
    )
    return [line.strip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("engine", BUILDS)
def test_every_file_that_a_program_is_compiled_from_builds_it_again(engine: str) -> None:
    """Sources and headers by the compiler's own lists; what configuring reads by CMake's."""
    program = ROOT / BUILDS[engine]
    lacking = missing(engine) if engine in all_engines() else None if program.exists() else "it is not built"
    if lacking:
        pytest.skip(lacking)
    build = ROOT.joinpath(*Path(BUILDS[engine]).parts[:2])
    inputs = ninja(build, "inputs", str(program.relative_to(build)))
    used = ninja(build, "deps", *(file for file in inputs if file.endswith((".o", ".obj"))))
    configured = [file for file in ninja(build, "inputs", "build.ninja") if f"/{engine}/" in file]
    files = {Path(build, file).resolve() for file in (*inputs, *used, *configured)}
    here = {file.relative_to(ROOT) for file in files if file.is_relative_to(ROOT / ENGINES)}
    declared = {Path(file).relative_to(ROOT) for file in code_of_engine(ROOT / ENGINES, engine)}
    assert here <= declared
    assert {file.parts[2] for file in here} >= {file.parts[2] for file in declared if len(file.parts) > 3}
    assert not any("tests" in file.parts for file in declared)
