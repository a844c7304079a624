"""The plot of an answer, drawn by the R package of all figures."""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tcpatlas.answers.headline_metrics import shown
from tcpatlas.ask.answer import Answer
from tcpatlas.ask.wording import label, unit_for
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import to_csv
from tcpatlas.base.repository import INSTALLED

_SCRIPT = "workflow/figures/bin/ask.R"
_COLUMNS = ("panel", "label", "source", "model", "value", "low", "high")


def plot(title: str, answers: Sequence[Answer], out: Path) -> None:
    """Draw the answers into a file; raises AtlasError if that fails."""
    draw(title, to_csv(_COLUMNS, _rows(answers)), out, "--plot")


def draw(title: str, rows: str, out: Path, option: str) -> None:
    """Draw rows of CSV into a file; raises AtlasError, which names the option, if that fails."""
    if INSTALLED:
        raise AtlasError(
            f"{option} {out}: pictures need the tree of TCP Atlas; --json and --trace's CSV do not"
        )
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rows.csv"
        table.write_text(rows, encoding="utf-8")
        command = ["Rscript", _SCRIPT, "--rows", str(table), "--out", str(out), "--title", title]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise AtlasError(f"{option}: Rscript is missing; run ./atlas setup") from None
    if done.returncode:
        *_, last = done.stderr.strip().splitlines() or ["R failed without a word"]
        raise AtlasError(f"{option} {out}: {last}")


def _rows(answers: Sequence[Answer]) -> Iterator[dict[str, Any]]:
    """Yield the values of each metric in one unit, metric by metric."""
    metrics, above = {}, ""
    for row in (row for answer in answers for row in shown(answer.point.document)):
        # An indented row is a part of the one above.
        if row.title.startswith(" "):
            metrics[row.metric] = f"{above}, {row.title.strip()}"
        else:
            metrics[row.metric], above = row.title, row.title.partition(",")[0]
    for metric, title in metrics.items():
        values = [(answer, value) for answer in answers if (value := answer.value(metric))]
        if not values:
            continue
        unit = unit_for(metric, max(value.simulated.mean for _, value in values))
        panel = f"{title} [{unit.name}]" if unit.name else title
        for answer, value in values:
            mean, name = value.simulated, label(answer.point)
            yield {
                "panel": panel,
                "label": name,
                "source": answer.simulated.runs["engine"],
                "value": mean.mean / unit.size,
                "low": mean.low / unit.size,
                "high": mean.high / unit.size,
            }
            for model, predicted in value.models.items():
                if not value.unusable(model):
                    beside = {"panel": panel, "label": name, "source": f"model:{model}", "model": model}
                    yield beside | {"value": predicted / unit.size}
