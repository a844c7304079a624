"""Provenance of the results: versions, commit, machine, seed and scale (no host name, no paths)."""

import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_json, to_json, write_if_changed
from tcpatlas.base.version import VERSION
from tcpatlas.config.project import Project
from tcpatlas.config.study_sources import UNPACKED
from tcpatlas.points.engines import why_left_out
from tcpatlas.points.scenario import study_name
from tcpatlas.runs.jobs import jobs
from tcpatlas.runs.replications import file_hash

INPUTS_FILE = "inputs.json"
_PACKAGES = ("snakemake", "numpy", "scipy", "pint", "pydantic")
_TOOLS = {"r": ("R", "--version"), "latex": ("pdflatex", "--version"), "compiler": ("c++", "--version")}


def record_inputs(project: Project, results: Path) -> None:
    """Write the digests of the files that a run was planned with, if they have changed."""
    write_if_changed(results / INPUTS_FILE, to_json(_digests(project)))


def provenance(project: Project, results: Path) -> dict[str, Any]:
    """Return the provenance of the results; None for what is not installed or versioned.

    Raises ConfigError if a file is not what the run was planned with: some results would be of the one, some
    of the other.
    """
    inputs, files = _digests(project), input_files(project)
    planned = read_json(results / INPUTS_FILE) if (results / INPUTS_FILE).exists() else inputs
    for name in sorted({*planned, *inputs}):
        if planned.get(name) != inputs.get(name):
            changed = "changed while the run was going"
            raise ConfigError(files.get(name, name), "", changed, "run again: what it changes is made anew")
    return {
        "schema": "tcp-atlas/provenance/1",
        "tcp_atlas": VERSION,
        "scale": project.scale,
        "seed": project.config["seed"],
        "confidence": project.config["confidence"],
        "scenarios": [_name(project, file) for file in project.config["scenarios"]],
        "inputs": inputs,
        "commit": _commit(project),
        "engines": _engine_versions(project, results),
        "left_out": _left_out(project),
        "python": platform.python_version(),
        "packages": {name: _package_version(name) for name in _PACKAGES},
        "tools": {name: _tool_version(command) for name, command in _TOOLS.items()},
        "machine": {
            "system": _system(),
            "architecture": platform.machine(),
            "cpu": cpu_model(),
            "cores": os.cpu_count(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        },
    }


def input_files(project: Project) -> dict[str, str]:
    """Return the files that decide the points and what they are compared with: scenarios, items, numbers.

    The keys are the names by which results call them: paths below the root of the project; for a scenario
    from elsewhere the name of its study, with its ending, or below that name all that lies in its folder. The
    files are relative to the root.
    """
    folders = [Path(study.folder) for study in project.studies if study.folder]
    beside = {
        folder / path.relative_to(project.root / folder)
        for folder in folders
        for pattern in ("*.*", "models/*.py")
        for path in (project.root / folder).glob(pattern)
        if path.is_file()
    }
    names = {_name(project, file): file for file in project.config["scenarios"] if Path(file) not in beside}
    return dict(sorted((names | {_name(project, str(file), folders): str(file) for file in beside}).items()))


def _name(project: Project, file: str, folders: Iterable[Path] = ()) -> str:
    """Return the name of an input in results, relative to these folders: never a path of this machine."""
    # A link in this folder is called by its own name.
    root, place = (Path(os.path.normpath(path.absolute())) for path in (project.root, project.root / file))
    if place.is_relative_to(root) and not place.is_relative_to(root / UNPACKED):
        return str(place.relative_to(root))
    # Two studies cannot have one name.
    for folder in folders:
        if Path(file).is_relative_to(folder):
            return f"{folder.name}/{Path(file).relative_to(folder)}"
    return study_name(file) + place.suffix


def _digests(project: Project) -> dict[str, str]:
    return {name: file_hash(project.root / file) for name, file in input_files(project).items()}


def _commit(project: Project) -> dict[str, Any] | None:
    """Return the commit, and whether tracked files differ from it or an input is not tracked.

    Git fails on files outside of the repository, which are not tracked either.
    """
    git = ("git", "--literal-pathspecs", "-C", str(project.root))
    commit = _output((*git, "rev-parse", "HEAD"))
    if not commit:
        return None
    changes = _output((*git, "status", "--porcelain", "--untracked-files=no"))
    untracked = _output((*git, "status", "--porcelain", "--ignored", "--", *input_files(project).values()))
    date = _output((*git, "show", "--no-patch", "--format=%cs", "HEAD"))
    return {"id": commit, "date": date, "dirty": changes != "" or untracked != ""}


def _engine_versions(project: Project, results: Path) -> dict[str, str]:
    versions: dict[str, str] = {}
    for job in (job for study in (*project.studies, *project.again) for job in jobs(study)):
        if job.engine not in versions and (path := job.file(results)).exists():
            versions[job.engine] = json.loads(path.read_text().partition("\n")[0])["engine_version"]
    return versions


def _left_out(project: Project) -> dict[str, str]:
    """Return why engines that a set asks for are not here."""
    names = sorted({name for scenario_set in project.sets for name in scenario_set.left_out})
    return {name: why_left_out(name) for name in names}


def _package_version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _tool_version(command: tuple[str, ...]) -> str | None:
    """Return the first line of a tool's version output; None if it is missing."""
    if shutil.which(command[0]) is None:
        return None
    lines = (_output(command) or "").splitlines()
    return lines[0].strip() if lines else None


def _output(command: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def cpu_model() -> str | None:
    """Return the name of the processor; None if unknown."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return None
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1] if match else None
