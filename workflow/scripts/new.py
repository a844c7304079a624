"""`./atlas new paper NAME`, `./atlas new scenario NAME`: a commented skeleton that runs, to start from."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_SCENARIO = """\
# {title}
#
#   ./atlas ask {file}
#   ./atlas reproduce --config scenarios={file} scale=quick
#
# docs/adding-a-scenario.md describes the keys; values have units, as people write them.
{head}
base: # a complete network
  links:
    access: {{rate: 1 Gbit/s}}
    # queue: also codel, fq-codel, red and others; loss: packets lost at random
    bottleneck: {{rate: 20 Mbit/s, buffer: 100 packets, queue: drop-tail, loss: 1 %}}
    egress: {{rate: 1 Gbit/s}}
  rtt: 30 ms # of the empty path
  packet_size: 1500 B
  ack_size: 40 B
  tcp: {{variant: newreno, rwnd: 1000 packets, initial_window: 10 packets, min_rto: 1 s, max_rto: 60 s}}
  sources:
    count: 1
    workload: {{kind: bulk}} # an endless transfer; examples/my-link.yaml has people who fetch files
  stop: {{duration: 600 s}} # the length of a run

sets: # each is an experiment, with a figure and a table of its own
  {set}:
    title: Goodput against random loss
    sweep:
      grid: # a point for each value, named by its dotted path
        links.bottleneck.loss: [0.5 %, 1 %, 2 %]
"""
_ITEMS = """\
# Which sets answer each table and figure, and how far ours may be from what is printed, with the reason.
# Decide on tolerances before you see results.
items:
  table-1:
    kind: table
    title: Goodput against random loss
    sets: [table-1]
    tolerances:
      - {kind: simulation, metric: "*", relative: 0.1, reason: a placeholder; say what the paper leaves open}
"""
# Placeholders: no paper prints these numbers.
_TABLE = """\
kind,metric,unit,published,note,links.bottleneck.loss
simulation,goodput,packets/s,500,a placeholder; put the printed number here,0.5 %
simulation,goodput,packets/s,350,,1 %
simulation,goodput,packets/s,230,,2 %
"""
_SECTION = """\
%% Numbers are references to results, never typed (docs/adding-a-paper.md).
\\section{%(title)s}
\\label{sec:%(name)s}

Of \\val{%(name)s/claims} printed numbers, \\val{%(name)s/reproduced} are reproduced.
"""


def skeleton(kind: str, name: str) -> dict[Path, str]:
    """Return the files of a skeleton, with what is in them."""
    title = name.replace("-", " ").capitalize()
    if kind == "scenario":
        head = (
            f"title: {title}\nquestion: What does a transfer get of a link that loses packets?\nmodels: auto"
        )
        file = Path(f"{name}.yaml")
        return {file: _SCENARIO.format(title=title, file=file, head=head, set="loss")}
    folder = Path("config/papers", name)
    file = folder / "scenario.yaml"
    head = f"paper: {name}\ntitle: {title}\nmodels: [] # the model of the paper, once it is there"
    return {
        file: _SCENARIO.format(title=title, file=file, head=head, set="table-1"),
        folder / "items.yaml": _ITEMS,
        folder / "table-1.csv": _TABLE,
        Path("paper/sections", f"{name}.tex"): _SECTION % {"title": title, "name": name},
    }


def main(arguments: list[str]) -> str | None:
    """Write a skeleton; return what is wrong, in one line, if anything is."""
    match arguments:
        case [("paper" | "scenario") as kind, name]:
            pass
        case _:
            return "atlas: new: what? new paper NAME, or new scenario NAME"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return f"atlas: new: {name!r} is no name; lower-case letters, digits and hyphens, e.g. my-link"
    files = skeleton(kind, name)
    for file in files:
        if file.exists():
            return f"atlas: new: {file} is there already; choose another name, or remove it"
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"wrote {file}")
    print(f"next: ./atlas reproduce --config scenarios={next(iter(files))} scale=quick")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
