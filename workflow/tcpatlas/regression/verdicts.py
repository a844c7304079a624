"""Verdicts and texts about them, as columns of accepted files: see `items.py`.

For a study: the counts of claims, sentences and comparisons of engines by verdict. For a re-evaluation: its
verdicts, and the numbers judged. For all re-evaluations together: the texts of README and the report.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_csv_rows, read_text
from tcpatlas.config.project import Project
from tcpatlas.points.engines import all_engines
from tcpatlas.regression.drawn import Column, summed_up

# The joint results of all re-evaluations, in files of their own.
NOW = "now"
SUMMARY = "summary"


@dataclass(frozen=True)
class Verdicts:
    """A table of results; each line covers all rows with equal `keys`.

    A line has the counts of each value in the columns `counted`, and all values of the columns `listed`.
    """

    name: str
    path: str
    keys: tuple[str, ...]
    counted: tuple[str, ...] = ("verdict",)
    listed: tuple[str, ...] = ()
    kind: str = "verdicts"

    def file(self, results: Path) -> Path:
        """Return the table."""
        return results / self.path

    def columns(self, results: Path) -> list[Column]:
        """Read the file; ConfigError if that is not possible, or a column is missing.

        Rows of engines whose numbers no seed repeats are left out.
        """
        path = self.file(results)
        needed = (*self.keys, *self.counted, *self.listed)
        unrepeated = [name for name, engine in all_engines().items() if not engine.deterministic]
        lines: dict[str, list[Mapping[str, str]]] = {}
        for row in read_csv_rows(path):
            if missing := [name for name in needed if name not in row]:
                raise ConfigError(path, missing[0], "the column is missing", f"needed: {', '.join(needed)}")
            if row.get("engine") not in unrepeated:
                lines.setdefault(", ".join(row[key] or "-" for key in self.keys), []).append(row)
        columns = [self._column("", "lines", [str(len(lines))])]
        for line, same in lines.items():
            cells = {name: [row[name] for row in same] for name in (*self.counted, *self.listed)}
            columns += [
                self._column(line, name, [_counts(values)] if name in self.counted else values)
                for name, values in cells.items()
                if any(values)
            ]
        return columns

    def _column(self, line: str, axis: str, values: Sequence[str]) -> Column:
        return summed_up((self.name, "", "", line, "", axis), values)


@dataclass(frozen=True)
class Told:
    """A text of results, and the studies that it is about."""

    name: str
    path: str
    studies: tuple[str, ...]
    kind: str = "verdicts"

    def file(self, results: Path) -> Path:
        """Return the text."""
        return results / self.path

    def columns(self, results: Path) -> list[Column]:
        """Read the file; ConfigError if that is not possible."""
        file = self.file(results)
        texts = {"text": read_text(file, file).strip(), "of": " ".join(self.studies)}
        return [summed_up((self.name, "", "", "", "", name), [text]) for name, text in texts.items()]


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{count} {value}" for value, count in sorted(Counter(values).items()) if value)


def verdicts(project: Project) -> dict[str, list[Verdicts | Told]]:
    """Return the watched tables and texts of each study, and of `now`."""
    found: dict[str, list[Verdicts | Told]] = {}
    for study in project.studies:
        folder = f"studies/{study.name}"
        found[study.name] = [
            Verdicts(
                "claims",
                f"{folder}/claims.csv",
                ("paper", "item", "metric", "kind", "class", "engine", "counted"),
                ("verdict", "power"),
            ),
            Verdicts(
                "statements", f"{folder}/statements.csv", ("paper", "item", "statement", "engine", "counted")
            ),
            Verdicts("equivalence", f"{folder}/equivalence.csv", ("set", "engine", "reference", "metric")),
        ]
    for study in project.again:
        keys = ("what", "paper", "item", "statement", "tcp", "engine", "set", "point", "metric", "unit")
        numbers = ("value", "ci_low", "ci_high")
        found[study.name] = [Verdicts("verdicts", f"now/{study.name}/verdicts.csv", keys, listed=numbers)]
    if project.again:
        series = ("panel", "metric", "unit", "then", "tcp", "engine")
        found[NOW] = [
            Told(SUMMARY, "now.txt", tuple(sorted(study.name for study in project.again))),
            Verdicts("table", "now.csv", ("what", "paper", "tcp", "counted"), ("verdict", "engines")),
            Verdicts("figure", "now_figure.csv", series, (), ("x", "value", "ci_low", "ci_high")),
            Verdicts("findings", "now_findings.csv", ("panel",), (), ("question", "finding")),
        ]
    return found
