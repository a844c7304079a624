"""results/explore.html in a browser: it searches, filters, sorts and follows a click."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Browser
from tree import Tree

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")

INFO = "document.querySelector('.dataTables_info').textContent"
MEGABYTE = 1_000_000


@pytest.fixture
def page(smoke: Tree) -> Path:
    return smoke.root / "results/explore.html"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture
def browser(chromium: Browser, page: Path) -> Browser:
    """The page, newly opened."""
    chromium.open(page.as_uri())
    chromium.until("document.querySelector('#claims tbody td') && document.querySelector('#scatter .point')")
    return chromium


def claims(page: Path) -> list[dict[str, str]]:
    with (page.parent / "claims.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def cells(browser: Browser, heading: str) -> list[str]:
    """The texts of a column of the table's page."""
    at = f"[...document.querySelectorAll('#claims thead th')].findIndex(th => th.textContent === '{heading}')"
    rows = "[...document.querySelectorAll('#claims tbody tr')]"
    return list(browser.value(f"{rows}.map(row => row.cells[{at}].textContent)"))


def of_total(count: int) -> str:
    return f"{INFO}.includes('of {count:,} ')"


def test_it_is_one_file_that_asks_for_nothing(page: Path, browser: Browser) -> None:
    assert page.stat().st_size < 15 * MEGABYTE
    loaded = browser.value("performance.getEntriesByType('resource').map(one => one.name)")
    assert [one for one in loaded if not one.startswith(("data:", "blob:"))] == []


def test_every_comparison_is_in_the_table(page: Path, browser: Browser) -> None:
    browser.until(of_total(len(claims(page))))


def test_the_search_finds_an_item(page: Path, browser: Browser) -> None:
    wanted = [
        claim for claim in claims(page) if claim["item"] == "figure-15" and claim["paper"] == "compound"
    ]
    browser.type(".dataTables_filter input", "compound figure-15")
    browser.until(of_total(len(wanted)))
    assert set(cells(browser, "Item")) == {"figure-15"}


def test_a_filter_chosen_by_keyboard_leaves_one_paper(page: Path, browser: Browser) -> None:
    count = sum(claim["paper"] == "shared-bottleneck" for claim in claims(page))
    browser.type("#filter-paper", "")
    browser.press("sh")
    browser.until("document.getElementById('filter-paper').value === 'shared-bottleneck'")
    browser.until(of_total(count))
    assert set(cells(browser, "Paper")) == {"shared-bottleneck"}


def test_a_heading_sorts_by_the_number(browser: Browser) -> None:
    browser.click(
        "[...document.querySelectorAll('#claims thead th')].find(th => th.textContent === 'Printed')"
    )
    browser.until("document.querySelector('#claims thead th.sorting_asc').textContent === 'Printed'")
    shown = [float(text) for text in cells(browser, "Printed") if text]
    assert shown == sorted(shown)


def test_a_number_leads_to_its_item_by_keyboard(page: Path, browser: Browser) -> None:
    browser.value("document.querySelector('#claims tbody a').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('#claim')")
    chosen = unquote(browser.value("location.hash.slice(1)"))
    (claim,) = (one for one in claims(page) if one["claim"] == chosen)
    said = browser.value("document.querySelector('#detail').textContent")
    for text in (claim["published"], claim["verdict"], claim["point"], claim["tolerance_reason"]):
        assert text in said
    assert f"results/figures/{claim['paper']}" in said or f"results/tables/{claim['paper']}" in said
    assert "snakemake --cores 2 --config scale=smoke seed=1" in said


def test_a_click_on_the_scatter_leads_to_a_number_and_its_item(page: Path, browser: Browser) -> None:
    browser.click("document.querySelector('#scatter .points .point')")
    browser.until("document.querySelector('#claim')")
    chosen = unquote(browser.value("location.hash.slice(1)"))
    assert chosen in {claim["claim"] for claim in claims(page)}
    item = "/".join(chosen.split("/")[:2])
    assert browser.value("document.querySelector('#item .name').textContent") == item


FIRST_POINT = """(() => {
    const svg = document.querySelector(".curves svg");
    svg.scrollIntoView({ block: "center", behavior: "instant" });
    const frame = svg.getBoundingClientRect();
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const curve = atlas.items["compound/figure-01"].figure[0].series[0];
    return [frame.x + (curve.px[0] / width) * frame.width, frame.y + (curve.py[0] / height) * frame.height];
})()"""
TIP = "document.querySelector('.curves .tip').textContent"


def test_a_figure_tells_its_points_by_hovering_and_by_keyboard(browser: Browser) -> None:
    browser.value("location.hash = 'compound/figure-01'")
    browser.until("document.querySelector('.curves svg')")
    curve = browser.value("atlas.items['compound/figure-01'].figure[0].series[0]")
    assert len(curve["x"]) > 1
    browser.hover(*browser.value(FIRST_POINT))
    browser.until(TIP)
    hovered = browser.value(TIP)
    assert curve["y"][0] in hovered
    browser.hover(0, 0)
    browser.until(f"!{TIP}")
    browser.value("document.querySelector('.curves svg').focus()")
    browser.press("ArrowRight")
    first = browser.value(TIP)
    assert curve["x"][0] in first
    assert curve["y"][0] in first
    browser.press("ArrowRight")
    assert curve["y"][1] in browser.value(TIP)


def test_every_figure_has_its_picture(page: Path, browser: Browser) -> None:
    known = browser.value(
        "Object.entries(atlas.items).filter(([, item]) => item.figure).map(([name, item]) =>"
        "[name, item.figure.every(part => part.svg.startsWith('<svg'))])"
    )
    figures = page.parent / "figures"
    rendered = {str(file.relative_to(figures).with_suffix("")) for file in figures.glob("*/*.svg")}
    assert {name for name, _ in known} == rendered
    assert [name for name, picture in known if not picture] == []


@pytest.mark.parametrize("place", ["", "engset/figure-12", "engset/table-06"])
def test_it_is_no_wider_than_a_telephone(browser: Browser, place: str) -> None:
    browser.resize(400)
    browser.value(f"location.hash = '{place}'")
    browser.until("document.documentElement.scrollWidth <= 400")
