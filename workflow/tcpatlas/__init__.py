"""TCP Atlas: from scenarios to points, runs, predictions, and claims about published numbers."""

from pathlib import Path

_CITATION = Path(__file__).parents[2] / "CITATION.cff"
(__version__,) = (
    line.removeprefix("version: ")
    for line in _CITATION.read_text("utf-8").splitlines()
    if line.startswith("version: ")
)
