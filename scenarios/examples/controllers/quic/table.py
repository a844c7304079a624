"""`table.py [FOLDER]`: FOLDER/SUITE/CONTROLLER/judge.json as docs/nine-cubics.csv, and that as the page's."""

import csv
import json
import re
import sys
from pathlib import Path

from tcpatlas.base.statistics import Interval
from tcpatlas.judge.report import number

PAGE = Path(__file__).parents[4] / "docs" / "nine-cubics.md"
DATA = PAGE.with_suffix(".csv")
KEYS = ("suite", "controller", "question", "bound", "of_all", "case", "verdict", "low", "value", "high")
SIGNS = {"holds": "", "fails": " **fails**", "undecided": " ?"}
Row = dict[str, str]


def collect(folder: Path) -> None:
    """Write a line for each case of each question."""
    with DATA.open("w", newline="", encoding="utf-8") as file:
        (rows := csv.writer(file, lineterminator="\n")).writerow(KEYS)
        for path in sorted(folder.glob("*/*/judge.json")):
            for each in json.loads(path.read_text("utf-8"))["questions"]:
                bound = f"≤ {each['at_most']}" if "at_most" in each else f"≥ {each['at_least']}"
                first = (*path.parts[-3:-1], each["name"], bound, each["verdict"])
                for case in each["cases"] or [{"case": "", "verdict": each["verdict"]}]:
                    numbers = (f"{case.get(key, float('nan')):.6g}" for key in KEYS[-3:])
                    rows.writerow([*first, case["case"], case["verdict"], *numbers])


def decisive(rows: list[Row]) -> Row:
    """Return the case that the judge shows: furthest on the wrong side of those that decide."""
    sign = 1 if rows[0]["bound"].startswith("≤") else -1
    return max(rows, key=lambda row: (row["verdict"] == row["of_all"], sign * float(row["value"])))


def table(rows: list[Row], key: str, verdict: str) -> str:
    """Return a table with a row for each value of `key` and a column for each controller."""
    cells: dict[str, dict[str, list[Row]]] = {}
    for row in (row for row in rows if row["verdict"] != "not asked"):
        cells.setdefault(row[key], {}).setdefault(row["controller"], []).append(row)
    names = list(dict.fromkeys(row["controller"] for row in rows))
    lines = [f"| {key} | must be | {' | '.join(names)} |", "|---" * (len(names) + 2) + "|"]
    for label, of in cells.items():
        shown = [cell(decisive(of[name]), verdict) if name in of else "not asked" for name in names]
        lines.append(" | ".join((f"| {label}", next(iter(of.values()))[0]["bound"], *shown, "")).rstrip())
    return "\n".join(lines)


def cell(row: Row, verdict: str) -> str:
    """Return a number with its interval's half-width, if the run had one, and whether the question holds."""
    value = Interval(*(float(row[key]) for key in ("value", "low", "high")))
    return ((number(value) if value.mean == value.mean else "") + SIGNS[row[verdict]]).strip()


def page(text: str) -> str:
    """Return the page with tables, `<!-- SUITE -->` of all questions, `<!-- SUITE QUESTION -->` one's."""
    rows = list(csv.DictReader(DATA.read_text("utf-8").splitlines()))

    def filled(match: re.Match[str]) -> str:
        suite, _, question = match[1].partition(" ")
        these = [row for row in rows if row["suite"] == suite and question in ("", row["question"])]
        made = table(these, "case", "verdict") if question else table(these, "question", "of_all")
        return f"<!-- {match[1]} -->\n\n{made}\n\n<!-- end -->"

    return re.sub(r"<!-- (?!end)([\w -]+?) -->.*?<!-- end -->", filled, text, flags=re.DOTALL)


if __name__ == "__main__":
    if sys.argv[1:]:
        collect(Path(sys.argv[1]))
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
