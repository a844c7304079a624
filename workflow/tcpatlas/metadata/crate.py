"""Describes the results as a Workflow Run Crate: workflow, inputs, authors and outputs.

Profile: Workflow Run Crate 0.5, on RO-Crate 1.1. The crate's root is the folder of results. Each figure and
table names the comparisons with print that are its own, by their keys in `claims.csv`.
"""

from __future__ import annotations

import json
import mimetypes
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpatlas.base.files import read_csv_rows, read_text, read_yaml, to_json, write_atomically
from tcpatlas.config.project import Project
from tcpatlas.metadata.provenance import input_files

if TYPE_CHECKING:
    from rocrate.model import ContextEntity
    from rocrate.rocrate import ROCrate

READS = ("CITATION.cff", "workflow/Snakefile")
METADATA = "ro-crate-metadata.json"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_TERMS = "https://w3id.org/ro/terms/workflow-run/context"
_LICENSE = "https://spdx.org/licenses/MIT"
_PARAMETERS = {"scale": "Text", "seed": "Integer", "confidence": "Float"}
_WORKFLOW = "workflow/Snakefile"
# Results outside the folders of figures and tables.
_FILES = {
    "claims.csv": "Every number of ours beside the printed one, with its interval and verdict",
    "statements.csv": "Every sentence of the papers that can be tested, with its verdict",
    "equivalence.csv": "How far the engines are apart on the same points",
    "observations.csv": "Every metric of every simulated point, with its interval",
    "predictions.csv": "Every metric of every point by every model",
    "provenance.json": "Versions, commit, machine, seed, and digests of all inputs",
    "report.pdf": "The report",
}
_ENCODINGS = {".csv": "text/csv", ".tex": "application/x-tex", ".yaml": "application/yaml"}


def write_crate(project: Project, results: Path) -> None:
    """Write `ro-crate-metadata.json`, and under `inputs/` beside it the workflow and the files that it read.

    Raises ConfigError for a file that cannot be read.
    """
    from rocrate.rocrate import ROCrate

    crate = ROCrate(version="1.1")
    crate.metadata.extra_contexts.append(_TERMS)
    citation = read_yaml(project.root / "CITATION.cff", "CITATION.cff")
    provenance = json.loads(read_text(results / "provenance.json", results / "provenance.json"))
    _describe(crate, citation, provenance)
    files = input_files(project)
    inputs = [_input(crate, project.root / file, name, results) for name, file in files.items()]
    workflow = _workflow(crate, project.root, citation, provenance, results)
    outputs = [_file(crate, name, what) for name, what in _FILES.items() if (results / name).exists()]
    outputs += _items(crate, project, results)
    _papers(crate, citation)
    times = _times(results)
    root = crate.root_dataset
    root["datePublished"] = times["endTime"]
    crate.add_action(
        workflow,
        identifier="#run",
        object=[*inputs, *_values(crate, workflow, provenance)],
        result=outputs,
        properties={"name": f"Run at scale {provenance['scale']}", "agent": root["author"], **times}
        | {"actionStatus": {"@id": "http://schema.org/CompletedActionStatus"}},
    )
    write_atomically(results / METADATA, to_json(crate.metadata.generate()))


def _add(crate: ROCrate, at: str, kind: str | list[str], **properties: Any) -> ContextEntity:
    from rocrate.model import ContextEntity

    return crate.add(ContextEntity(crate, at, properties={"@type": kind, **properties}))


def _file(crate: ROCrate, name: str, what: str, **properties: Any) -> Any:
    """Add an existing file of the results."""
    ending = Path(name).suffix
    encoding = _ENCODINGS.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return crate.add_file(dest_path=name, properties={"name": what, "encodingFormat": encoding, **properties})


def _describe(crate: ROCrate, citation: Mapping[str, Any], provenance: Mapping[str, Any]) -> None:
    """Add the crate's description, authors and licence."""
    commit = provenance["commit"] or {"id": "unknown", "dirty": False}
    changed = ", with changes" if commit["dirty"] else ""
    crate.name = f"Results of {citation['title']} at scale {provenance['scale']}"
    crate.description = f"{' '.join(citation['abstract'].split())} Commit {commit['id']}{changed}."
    root = crate.root_dataset
    root["license"] = _add(crate, _LICENSE, "CreativeWork", name=citation["license"])
    root["author"] = [_author(crate, author) for author in citation["authors"]]
    root["conformsTo"] = [
        _add(crate, url, ["CreativeWork", "Profile"], name=name, version=url.rsplit("/", 1)[1])
        for url, name in _PROFILES.items()
    ]


def _author(crate: ROCrate, author: Mapping[str, str]) -> ContextEntity:
    kind = "Organization" if "name" in author else "Person"
    name = author.get("name") or f"{author['given-names']} {author['family-names']}"
    return _add(crate, "#" + "-".join(name.lower().split()), kind, name=name)


def _input(crate: ROCrate, file: Path, name: str, results: Path) -> Any:
    """Add a file that the run read, as a copy of this name in inputs/."""
    write_atomically(results / "inputs" / name, read_text(file, file))
    return _file(crate, f"inputs/{name}", name)


def _workflow(
    crate: ROCrate, root: Path, citation: Mapping[str, Any], provenance: Mapping[str, Any], results: Path
) -> Any:
    """Add the workflow with its parameters, and the engines and packages that it ran."""
    write_atomically(results / "inputs" / _WORKFLOW, read_text(root / _WORKFLOW, _WORKFLOW))
    workflow = crate.add_workflow(
        dest_path=f"inputs/{_WORKFLOW}",
        main=True,
        lang="snakemake",
        lang_version=provenance["packages"]["snakemake"],
        properties={"name": citation["title"], "version": str(citation["version"])},
    )
    workflow["input"] = [
        _add(crate, f"#parameter-{name}", "FormalParameter", name=name, additionalType=kind)
        for name, kind in _PARAMETERS.items()
    ]
    programs = {**provenance["engines"], **provenance["packages"], "Python": provenance["python"]}
    workflow["softwareRequirements"] = [
        _add(crate, f"#software-{name}", "SoftwareApplication", name=name, version=version)
        for name, version in programs.items()
        if version
    ]
    workflow["license"], workflow["author"] = crate.root_dataset["license"], crate.root_dataset["author"]
    return workflow


def _values(crate: ROCrate, workflow: Any, provenance: Mapping[str, Any]) -> list[ContextEntity]:
    """Add the values of the workflow's parameters."""
    return [
        _add(
            crate,
            f"#value-{name}",
            "PropertyValue",
            name=name,
            value=provenance[name],
            exampleOfWork=parameter,
        )
        for name, parameter in zip(_PARAMETERS, workflow["input"], strict=True)
    ]


def _papers(crate: ROCrate, citation: Mapping[str, Any]) -> None:
    """Add the papers that the results are compared with."""
    crate.root_dataset["citation"] = [
        _add(
            crate,
            f"#{'-'.join(paper['title'].lower().split()[:4])}-{paper['year']}",
            "ScholarlyArticle",
            name=" ".join(paper["title"].split()),
            author=[_author(crate, author) for author in paper["authors"]],
            datePublished=str(paper["year"]),
        )
        for paper in citation["references"]
    ]


def _items(crate: ROCrate, project: Project, results: Path) -> list[Any]:
    """Add every figure and table in each of its formats, with the comparisons that it shows."""
    claims: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in read_csv_rows(results / "claims.csv"):
        claims.setdefault((row["paper"], row["item"]), []).append(row)
    papers = {study.name: study.subject for study in project.studies}
    files = []
    for row in read_csv_rows(results / "items.csv"):
        study, item = row["study"], row["item"]
        properties = _compared(crate, f"{study}/{item}", claims.get((papers[study], item), []))
        for file in sorted((results / f"{row['kind']}s" / study).glob(f"{item}.*")):
            place = file.relative_to(results).as_posix()
            files.append(_file(crate, place, f"{study}/{item}: {row['title']}", **properties))
    return files


def _compared(crate: ROCrate, item: str, claims: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Add the verdicts of an item's comparisons with print; nothing if nothing is printed."""
    if not claims:
        return {}
    verdicts = Counter(row["verdict"] for row in claims)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
    keys = [row["claim"] for row in claims]
    return {"subjectOf": _add(crate, f"#claims/{item}", "CreativeWork", name=summary, identifier=keys)}


def _times(results: Path) -> dict[str, str]:
    """Return when the first simulation and the last table of the results were written."""
    runs = [file.stat().st_mtime for file in (results / "runs").glob("*/*")]
    ended = (results / "claims.csv").stat().st_mtime
    stamps = {"startTime": min([*runs, ended]), "endTime": ended}
    return {
        name: datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds") for name, at in stamps.items()
    }
