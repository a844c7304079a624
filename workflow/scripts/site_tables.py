"""Generated parts of the site on models and engines: which of them answers what."""

from collections.abc import Iterator, Mapping
from typing import Any

from tcpatlas.models import check, known_models, load, predicts
from tcpatlas.pages.laboratory import expanded, laboratory, put
from tcpatlas.points.engines import all_engines
from tcpatlas.points.errors import PointError

# Kinds of networks: an experiment of the laboratory, and values that differ from it.
NETWORKS: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("users who fetch files", "files", {}),
    ("with random loss", "files", {"links.bottleneck.loss": "1 %"}),
    ("with fair queueing", "files", {"links.bottleneck.queue": "fair-shared"}),
    ("one endless transfer", "one", {"tcp.variant": "newreno"}),
    ("with random loss", "one", {"tcp.variant": "newreno", "links.bottleneck.loss": "1 %"}),
    ("Tahoe beside cross traffic", "altman", {}),
    ("Compound TCP alone", "compound", {}),
    ("a local loop", "loop", {}),
)


def table(head: list[str], rows: Iterator[list[str]]) -> str:
    """Return a table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def answered() -> dict[str, list[bool]]:
    """Return of each model whether it answers each kind of network, as its own check says."""
    lab = laboratory()
    points = []
    for _, experiment, values in NETWORKS:
        written = lab.experiments[experiment].written
        for path, value in values.items():
            put(written, path, value)
        points.append(expanded(experiment, written))
    return {name: [_answers(name, point) for point in points] for name in known_models() if predicts(name)}


def _answers(model: str, point: Mapping[str, Any]) -> bool:
    try:
        check(model, point)
    except PointError:
        return False
    return True


def models() -> str:
    """Return a table of models and the kinds of networks that they answer."""

    def row(name: str, cells: list[bool]) -> list[str]:
        asked_by_itself = "" if getattr(load(name), "BY_NAME_ONLY", False) else "yes"
        return [f"`{name}`", *("✓" if cell else "" for cell in cells), asked_by_itself]

    head = ["model", *(title for title, *_ in NETWORKS), "asked by `ask`"]
    return table(head, (row(name, cells) for name, cells in answered().items()))


def engines() -> str:
    """Return a table of engines, and the kinds of networks, TCPs and queues that they take."""

    def row(name: str) -> list[str]:
        taken = all_engines()[name].takes[0].only
        lists = (taken.get(path, []) for path in ("kind", "sources.tcp.variant", "links.bottleneck.queue"))
        return [f"`{name}`", *(", ".join(values) if isinstance(values, list) else "any" for values in lists)]

    return table(["engine", "networks", "TCP", "queues"], (row(name) for name in all_engines()))
