"""Files that follow from others (`python -m tcpatlas generate`): JSON Schemas, pages, literal versions."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import create_model

from tcpatlas.answers.metrics import entries_of
from tcpatlas.base.files import read_yaml, write_if_changed
from tcpatlas.base.validation import json_schema
from tcpatlas.claims.documents import Causes, Items, Statements
from tcpatlas.config.load import Config
from tcpatlas.points.documents import POINT, Points
from tcpatlas.points.engines import Engine
from tcpatlas.points.kinds import ANY_BASE
from tcpatlas.points.scenario import Scenario
from tcpatlas.points.scenario_file import DerivedScenario
from tcpatlas.runs.documents import Predictions, Replications, Run

SCHEMAS = Path("workflow/schemas")
METRICS = Path("docs/metrics.md")
API = Path("docs/api.md")
# Where the library's names are defined, in the order of the page; methods of classes are told, too.
PUBLIC = {
    "library.py": ("simulate", "predict", "ask", "cdf", "environment"),
    "controllers/environment.py": ("Environment",),
    "base/errors.py": ("AtlasError",),
}
# Places of a literal version, which must be that of CITATION.cff.
VERSIONS = {
    Path("workflow/engines/kit/VERSION"): r"(?m)^.+$",
    Path("workflow/figures/DESCRIPTION"): r"(?m)(?<=^Version: )\S+$",
    Path("docs/formats.md"): r'(?<="engine_version": ")\d+\.\d+\.\d+',
    Path("docs/cite.md"): r"(?<=version = \{)[^}]+",
    Path("docs/in-a-container.md"): r"(?<=tcp-atlas[:-])\d+\.\d+\.\d+",
}


def texts(root: Path) -> dict[Path, str]:
    """Return the required content of each generated file of the tree at `root`, by its path in the tree.

    Of the JSON Schemas only that of scenarios, which people write, is in the repository.
    """
    citation = read_yaml(root / "CITATION.cff", "CITATION.cff")
    stated = {
        file: re.sub(form, str(citation["version"]), (root / file).read_text("utf-8"))
        for file, form in VERSIONS.items()
    }
    metrics = (root / METRICS).read_text("utf-8")
    return {SCHEMAS / name: text for name, text in schemas().items()} | {
        Path("codemeta.json"): codemeta(citation),
        METRICS: metrics_page(metrics, entries_of(root / "workflow/metrics.yaml")),
        API: api_page((root / API).read_text("utf-8"), root / "workflow/tcpatlas"),
        **stated,
    }


def stale(root: Path) -> list[Path]:
    """Return the generated files of the repository that are out of date."""
    kept = {
        file: text
        for file, text in texts(root).items()
        if file.parent != SCHEMAS or file.name == "scenario.schema.json"
    }
    return [
        file
        for file, text in kept.items()
        if not (root / file).exists() or (root / file).read_text("utf-8") != text
    ]


def write(root: Path) -> None:
    """Write the generated files that changed."""
    for file, text in texts(root).items():
        write_if_changed(root / file, text)


def codemeta(citation: Mapping[str, Any]) -> str:
    """Return the text of codemeta.json (CodeMeta 2.0) from CITATION.cff."""
    described = {
        "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
        "@type": "SoftwareSourceCode",
        "author": [{"@type": "Person", "name": author["name"]} for author in citation["authors"]],
        "description": " ".join(citation["abstract"].split()),
        "keywords": citation["keywords"],
        "license": f"https://spdx.org/licenses/{citation['license']}",
        "name": citation["title"],
        "version": str(citation["version"]),
    }
    return json.dumps(described, indent=2) + "\n"


def metrics_page(page: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return docs/metrics.md: its head as it is, and a table of each kind of result of metrics.yaml."""
    lines = [page.partition("\n## ")[0].rstrip()]
    for kind in dict.fromkeys(entry.get("kind", "metric") for entry in entries.values()):
        lines += [f"\n## {kind.capitalize()}s\n", "| name | title, symbol | unit | given by | definition |"]
        lines.append("|---|---|---|---|---|")
        for name, entry in entries.items():
            if entry.get("kind", "metric") == kind:
                title = ", ".join([entry["title"], *([entry["symbol"]] if "symbol" in entry else [])])
                cells = (f"`{name}`", title, entry["unit"], entry.get("by", "engines"), entry["definition"])
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def api_page(page: str, package: Path) -> str:
    """Return docs/api.md: its head as it is, and signature and docstring of each public name."""
    lines = [page.partition("\n## ")[0].rstrip()]
    for file, names in PUBLIC.items():
        defined = {
            node.name: node
            for node in ast.parse((package / file).read_text("utf-8")).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        for name in names:
            lines += _told(defined[name], "##", "" if name == "Environment" else "tcpatlas.")
    return "\n".join(lines) + "\n"


def _told(node: ast.FunctionDef | ast.ClassDef, head: str, of: str) -> list[str]:
    """Return a function, or a class and its public methods, as lines of Markdown."""
    signature, methods = node.name, []
    if isinstance(node, ast.FunctionDef):
        returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        signature += f"({ast.unparse(node.args).removeprefix('self, ').removeprefix('self')}){returned}"
    else:
        found = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name[0] != "_"]
        methods = [line for part in found for line in _told(part, "###", "")]
    text, example, rest = (ast.get_docstring(node) or "").partition(">>> ")
    code = ["", "```pycon", f"{example}{rest}", "```"] if example else []
    return [f"\n{head} {of}{node.name}\n", f"`{signature}`\n", text.rstrip(), *code, *methods]


def schemas() -> dict[str, str]:
    """Return the JSON Schema of all that people and programs write, by the name of its file."""
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


def _text(name: str, kind: Any) -> str:
    mode: Literal["validation", "serialization"] = (
        "serialization" if kind in (POINT, Points) else "validation"
    )
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema = {"$schema": draft, "$id": name, **json_schema(kind, mode)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
