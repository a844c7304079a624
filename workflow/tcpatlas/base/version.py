"""The version, which CITATION.cff states for all languages."""

from tcpatlas.base.repository import TREE

READS = ("CITATION.cff",)

(VERSION,) = (
    line.removeprefix("version: ")
    for line in (TREE / READS[0]).read_text("utf-8").splitlines()
    if line.startswith("version: ")
)
