"""JSON Schemas of all that people and programs write (`python -m tcpatlas schemas`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import create_model

from tcpatlas.base.files import write_if_changed
from tcpatlas.base.validation import json_schema
from tcpatlas.claims.documents import Causes, Items, Statements
from tcpatlas.config import Config
from tcpatlas.points.documents import POINT, Points
from tcpatlas.points.engines import Engine
from tcpatlas.points.kinds import ANY_BASE
from tcpatlas.points.scenario import Scenario
from tcpatlas.points.scenario_file import DerivedScenario
from tcpatlas.runs.documents import Predictions, Replications, Run

FOLDER = Path(__file__).resolve().parents[1] / "schemas"


def texts() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    scenario = create_model("Scenario", __base__=Scenario, __doc__=Scenario.__doc__, base=(ANY_BASE, ...))
    types: Mapping[str, Any] = {
        "causes": Causes,
        "config": Config,
        "engine": Engine,
        "items": Items,
        "point": POINT,
        "points": Points,
        "predictions": Predictions,
        "replications": Replications,
        "run": Run,
        "scenario": scenario | DerivedScenario,
        "statements": Statements,
    }
    return {f"{name}.schema.json": _text(f"{name}.schema.json", kind) for name, kind in types.items()}


def write() -> None:
    """Write the schemas that changed."""
    for name, text in texts().items():
        write_if_changed(FOLDER / name, text)


def _text(name: str, kind: Any) -> str:
    mode: Literal["validation", "serialization"] = (
        "serialization" if kind in (POINT, Points) else "validation"
    )
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema = {"$schema": draft, "$id": name, **json_schema(kind, mode)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
