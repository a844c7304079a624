"""`./atlas new paper NAME`, `./atlas new scenario NAME`: a commented skeleton that runs, to start from."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from string import Template


def _filled(file_name: str, **words: object) -> str:
    """Return a template of the folder `skeletons` with its words."""
    text = Path(__file__).with_name("skeletons").joinpath(file_name).read_text("utf-8")
    return Template(text).substitute(words)


def skeleton(kind: str, name: str, elsewhere: Path | None = None) -> dict[Path, dict[Path, str]]:
    """Return what is written: files and folders, each with its files below it and what is in them.

    A paper may be `elsewhere`, in a folder that is no part of this tree.
    """
    title = name.replace("-", " ").capitalize()
    if kind == "scenario":
        head = (
            f"title: {title}\nquestion: What does a transfer get of a link that loses packets?\nmodels: auto"
        )
        file = (elsewhere or Path()) / f"{name}.yaml"
        return {file: {Path(): _filled("scenario.yaml", title=title, file=file, head=head, set="loss")}}
    folder = (elsewhere or Path("scenarios/papers")) / name
    head = f"paper: {name}\ntitle: {title}\nmodels: [] # the model of the paper, once it is there"
    section = _filled("section.tex", title=title, name=name)
    files = {
        Path("scenario.yaml"): _filled(
            "scenario.yaml", title=title, file=folder / "scenario.yaml", head=head, set="table-1"
        ),
        Path("items.yaml"): _filled("items.yaml"),
        Path("table-1.csv"): _filled("table-1.csv"),
    }
    if elsewhere:
        return {folder: {**files, Path("section.tex"): section}}
    return {folder: files, Path("paper/sections", f"{name}.tex"): {Path(): section}}


def write(units: dict[Path, dict[Path, str]]) -> None:
    """Write all files or none; OSError if one cannot be written."""
    done: list[Path] = []
    with tempfile.TemporaryDirectory(dir=".", prefix=".partial-") as folder:
        try:
            for number, (unit, files) in enumerate(units.items()):
                made = Path(folder, str(number))
                for file, text in files.items():
                    (made / file).parent.mkdir(parents=True, exist_ok=True)
                    (made / file).write_text(text, encoding="utf-8")
                unit.parent.mkdir(parents=True, exist_ok=True)
                # Over another file system, too.
                shutil.move(made, unit)
                done.append(unit)
        except BaseException:
            for unit in done:
                shutil.rmtree(unit) if unit.is_dir() else unit.unlink()
            raise


def main(arguments: list[str]) -> str | None:
    """Write a skeleton; return what is wrong, in one line, if anything is."""
    elsewhere = None
    match arguments:
        case [("paper" | "scenario") as kind, name]:
            pass
        case [("paper" | "scenario") as kind, name, folder]:
            elsewhere = Path(folder)
        case _:
            return "atlas: new: what? new paper NAME [FOLDER], or new scenario NAME [FOLDER]"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return f"atlas: new: {name!r} is no name; lower-case letters, digits and hyphens, e.g. my-link"
    units = skeleton(kind, name, elsewhere)
    files = [unit / file for unit, below in units.items() for file in below]
    for place in (*units, *files):
        if os.path.lexists(place):
            return f"atlas: new: {place} is there already; choose another name, or remove it"
    try:
        write(units)
    except OSError as error:
        return f"atlas: new: {error.filename2 or error.filename}: {error.strerror}"
    for file in files:
        print(f"wrote {file}")
    print(f"next: ./atlas reproduce --config scenarios={files[0]} scale=quick")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
