"""The fixed point of any local loop, by scheme 2 (Baccelli, Hong and Liu 2001, section 5.3).

The engine of this name iterates it. Scenarios that study the iteration itself name the engine; the model
answers beside exact simulation, as formulas do, by one run of moderate length for each point.
"""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tcpatlas.base.engine_call import engine_arguments, failure
from tcpatlas.base.files import read_json, to_json
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.fixed_point import FixedPoint

ENGINE = "fixed_point"
PROGRAM = Path("build/release", ENGINE, ENGINE)
SEED = 1
# Most loops of the arena converge within this many steps. A step has some packets of every user; the
# measurement after the iteration is as long as twelve steps.
STEPS = 60
STEP_PACKETS = 25_000
STEP_PACKETS_OF_A_USER = 25
MEASURED_STEPS = 12


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the engine measures of each local loop by scheme 2, in order.

    The readings of the iteration are the point's own. Where it does not converge, only how far it came is
    given. Raises PointError as `check` does, ValueError where the engine is missing or fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [_predict(point, Path(folder)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that has no fixed point of this kind."""
    if point["kind"] != "local-loop":
        problem = f"the fixed_point model cannot answer {point['kind']}; only local-loop"
        raise PointError(("kind",), problem)


def _predict(point: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    check(point)
    if not PROGRAM.is_file():
        raise ValueError(f"{PROGRAM} is missing; ./atlas reproduce builds it")
    point_file, output = folder / "point.json", folder / "run.json"
    point_file.write_text(to_json(by_scheme_2(point)))
    if problem := failure([str(PROGRAM), *engine_arguments(point_file, SEED, output)], ENGINE, output):
        raise ValueError(str(problem))
    run = read_json(output)
    output.unlink()
    return {"metrics": run["metrics"], "distributions": run["distributions"]}


def by_scheme_2(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with the model's own steps and run length in place of the scenario's."""
    users = sum(group["count"] for group in point["sources"])
    step = max(STEP_PACKETS, STEP_PACKETS_OF_A_USER * users)
    followed = {
        "scheme": "2",
        "references": max(users // FixedPoint().users_per_reference, 1),
        "averaging": "linear",
        "step_packets": step,
        "min_steps": FixedPoint().min_steps,
        "max_steps": STEPS,
    }
    stop = {"packets": MEASURED_STEPS * step, "warmup_packets": FixedPoint().min_steps * step}
    return {**point, "fixed_point": {**point["fixed_point"], **followed}, "stop": stop, "probes": []}
