"""What a job reads is among its inputs: an edit of anything else would leave its output stale."""

import os
import shutil

import pytest
from tree import Tree

LONG_AGO = 10**18
# Programs have tests/engines/test_sources.py; the HTML report reads the workflow and Snakemake's records.
NOT_ASKED = {"build", "build_module", "configuration", "report_html"}
# Points, by digests among the parameters; what a run says when it begins; the version, for --version.
OTHERWISE = ("results/points/", "results/inputs.json", "CITATION.cff")
# Code is followed by its imports (tests/unit/test_imports.py).
CODE = (".py", ".pyc", ".R")


def read_by(tree: Tree, command: str) -> set[str]:
    """Return the files that a command reads, by the times of their last access, and does not write itself."""
    there = {}
    for path in tree.root.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.suffix not in CODE:
            there[path] = path.stat().st_mtime_ns
            os.utime(path, ns=(LONG_AGO, there[path]))
    tree.output("env", "PYTHONPATH=workflow", f"PATH=.venv/bin:{os.environ['PATH']}", "sh", "-c", command)
    after = ((path, path.stat()) for path in there if path.exists())
    read = (path for path, now in after if now.st_atime_ns > LONG_AGO and now.st_mtime_ns == there[path])
    return {str(path.relative_to(tree.root)) for path in read}


def test_what_a_job_reads_is_among_its_inputs(smoke: Tree, new_tree: Tree) -> None:
    """One job of each rule, as it was called."""
    for folder in ("results", "build"):
        ignored = shutil.ignore_patterns("cache", "work", "uml", "CMakeFiles")
        shutil.copytree(smoke.root / folder, new_tree.root / folder, ignore=ignored)
    if read_by(new_tree, "cat config/config.yaml") != {"config/config.yaml"}:
        pytest.skip("this file system keeps no times of access")
    summary = smoke.output(".venv/bin/snakemake", "--detailed-summary", "--configfile", "results/config.json")
    rows = (line.split("\t") for line in summary.splitlines() if not line.startswith("output_file"))
    # A study's figures, and its tables, are made by rules of their own.
    jobs = {
        row[2].rpartition("_")[2]: (row[2], *row[4:6])
        for row in rows
        if len(row) == 8 and "linux" not in row[5]
    }
    unknown = {}
    for rule, inputs, command in jobs.values():
        if rule not in NOT_ASKED:
            read = read_by(new_tree, command) - {*inputs.split(",")}
            unknown[rule] = sorted(file for file in read if not file.startswith(OTHERWISE))
    assert len(unknown) > 10
    assert not any(unknown.values()), unknown
