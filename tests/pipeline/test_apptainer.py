"""Snakemake runs every job in the image that the workflow names, if --sdm apptainer says so.

A program takes the place of Apptainer, which Debian 12 lacks: it checks its arguments, and runs the command.
"""

from pathlib import Path

import pytest
from tree import Tree

from tcpatlas import __version__

pytestmark = pytest.mark.slow

IMAGE = f"tcp-atlas-{__version__}.sif"
STAND_IN = """\
#!/bin/bash
[[ $1 != --version ]] || exec echo apptainer version 1.3.6
[[ $1 == exec && $2 == --home && $3 == "$PWD" ]] || exit 64
shift 3
while [[ $1 == --bind && -e $2 ]]; do shift 2; done
[[ $1 == {image} && -e $1 && $2 == bash && $3 == -c && $# == 4 ]] || exit 65
printf '%s\\n' "${{4//$'\\n'/ }}" >>calls
exec "${{@:2}}"
"""


def test_every_job_runs_in_the_image(built_tree: Tree, tmp_path: Path) -> None:
    apptainer = tmp_path / "bin/apptainer"
    apptainer.parent.mkdir()
    apptainer.write_text(STAND_IN.format(image=IMAGE))
    apptainer.chmod(0o755)
    (built_tree.root / IMAGE).touch()
    arguments = ("--until", "compare", "--config", "scenarios=scenarios/examples/my-link.yaml", "scale=smoke")
    command = (".venv/bin/snakemake", "--cores", "2", "--sdm", "apptainer", *arguments)
    built_tree.output(*command, path=str(apptainer.parent))
    calls = (built_tree.root / "calls").read_text().splitlines()
    steps = [step.split()[0] for call in calls for step in call.split("python -m tcpatlas ")[1:]]
    assert sorted(steps) == ["compare", "predict", "simulate"]
    # The fourth writes the configuration.
    assert len(calls) == 4
