"""What every page is put into: `page.html` with the styles of all pages and its own."""

import re
from collections.abc import Mapping

from tcpatlas.base.repository import TREE

FOLDER = TREE / "workflow/pages"
READS = ("workflow/pages/page.html", "workflow/pages/shell.css")


def text(name: str) -> str:
    """Return a file of the folder of pages."""
    return (FOLDER / name).read_text(encoding="utf-8").rstrip("\n")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with each `{name}` replaced; what is put in is not looked at again."""
    return re.sub(r"\{([a-z]+)\}", lambda place: parts[place[1]], template)


def page(title: str, styles: str, body: str) -> str:
    """Return a self-contained page; its styles are in the file of that name."""
    return filled(
        text("page.html"),
        {"title": title, "styles": f"{text('shell.css')}\n{text(styles)}", "body": body},
    )
