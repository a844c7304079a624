"""results/explore.html in a browser: it searches, filters, sorts and follows a click."""

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Browser
from tree import Tree

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed"),
]

CAPTION = "document.querySelector('#claims caption').textContent"
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
    chromium.until("document.querySelector('#claims tbody td') && document.querySelector('#plot .mark')")
    return chromium


def claims(page: Path) -> list[dict[str, str]]:
    with (page.parent / "claims.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def counted(page: Path, **wanted: str) -> list[dict[str, str]]:
    """The numbers that the page shows by itself: of each published one the comparison that decides."""
    return [
        claim
        for claim in claims(page)
        if claim["counted"] == "true" and all(claim[key] == value for key, value in wanted.items())
    ]


def cells(browser: Browser, heading: str) -> list[str]:
    """The texts of a column of the table."""
    at = f"[...document.querySelectorAll('#claims thead th')].findIndex(th => th.textContent === '{heading}')"
    rows = "[...document.querySelectorAll('#claims tbody tr')]"
    return list(browser.value(f"{rows}.map(row => row.cells[{at}].textContent)"))


def shows(count: int) -> str:
    """Return whether the table has so many numbers."""
    return f"{CAPTION}.startsWith('{count:,} ')"


def test_it_is_one_file_that_asks_for_nothing(page: Path, browser: Browser) -> None:
    assert page.stat().st_size < 15 * MEGABYTE
    loaded = browser.value("performance.getEntriesByType('resource').map(one => one.name)")
    assert [address for address in loaded if not address.startswith(("data:", "blob:"))] == []


def test_every_published_number_is_in_the_table_and_every_comparison_on_demand(
    page: Path, browser: Browser
) -> None:
    browser.until(shows(len(counted(page))))
    browser.click("document.getElementById('all')")
    browser.until(shows(len(claims(page))))


def test_the_summary_counts_every_paper(page: Path, browser: Browser) -> None:
    names = browser.value(
        "[...document.querySelectorAll('#bars .row a:first-child')].map(a => a.textContent)"
    )
    assert "Zaragoza (2014)" in names
    assert "Baccelli et al. (2001)" in names
    (count,) = browser.value(
        "[...document.querySelectorAll('#bars .row')].filter(row => row.textContent.startsWith('Zaragoza'))"
        ".map(row => row.querySelector('.count').textContent)"
    )
    assert count == str(len(counted(page, paper="engset", **{"class": "replication"})))


def test_what_follows_from_print_has_bars_of_its_own(page: Path, browser: Browser) -> None:
    rows = browser.value(
        "[...document.querySelectorAll('#bars .row')].map(row => "
        "[row.querySelector('a').getAttribute('href'),"
        "row.querySelector('.count').textContent.replaceAll(',', '')])"
    )
    for name in ("replication", "arithmetic"):
        wanted = counted(page, **{"class": name})
        for paper in {claim["paper"] for claim in wanted}:
            own = [claim for claim in wanted if claim["paper"] == paper]
            assert [f"#?paper={paper}&class={name}", str(len(own))] in rows
    browser.value("location.hash = '?paper=seawind&class=arithmetic'")
    browser.until(shows(len(counted(page, paper="seawind", **{"class": "arithmetic"}))))


@pytest.mark.parametrize("words", ["goodput", "Zaragoza", "timeout", "Zaragoza goodput"])
def test_the_search_finds_what_people_look_for(browser: Browser, words: str) -> None:
    before = browser.value(CAPTION)
    browser.type("#search", words)
    browser.until(f"{CAPTION} !== '{before}'")
    assert int(browser.value(CAPTION).split()[0].replace(",", "")) > 20
    texts = browser.value("fitting().map(claim => claim.words)")
    assert all(word.lower() in text for text in texts for word in words.split())


def test_filters_follow_one_another_and_are_in_the_address(page: Path, browser: Browser) -> None:
    browser.type("#filter-paper", "")
    browser.press("A")
    browser.until("document.getElementById('filter-paper').value === 'shared-bottleneck'")
    wanted = counted(page, paper="shared-bottleneck")
    browser.until(shows(len(wanted)))
    offered = browser.value(
        "[...document.querySelectorAll('#filter-item option')].map(o => o.value).slice(1)"
    )
    assert set(offered) == {f"{claim['paper']}/{claim['item']}" for claim in wanted}
    address = browser.value("location.hash")
    assert address == "#?paper=shared-bottleneck"
    assert browser.value("document.body.classList.contains('filtered')")
    browser.value("history.back()")
    browser.until(shows(len(counted(page))))
    browser.value(f"location.hash = '{address}'")
    browser.until(shows(len(wanted)))
    browser.click("document.getElementById('clear')")
    browser.until(shows(len(counted(page))))


def test_nothing_found_says_so_and_leads_back(page: Path, browser: Browser) -> None:
    browser.type("#search", "xyzzy")
    browser.until("!document.getElementById('nothing').hidden")
    browser.click("document.querySelector('#nothing button')")
    browser.until(shows(len(counted(page))))


def test_what_is_shown_is_a_csv(page: Path, browser: Browser) -> None:
    browser.value("location.hash = '?paper=compound'")
    wanted = counted(page, paper="compound")
    browser.until(shows(len(wanted)))
    rows = list(csv.DictReader(browser.value("csv(fitting())").splitlines()))
    assert [row["claim"] for row in rows] == [claim["claim"] for claim in wanted]
    for key in ("published", "metric", "unit", "engine", "verdict"):
        assert [row[key] for row in rows] == [claim[key] for claim in wanted]
    assert [float(row["value"] or 0) for row in rows] == pytest.approx(
        [float(claim["value"] or 0) for claim in wanted], rel=1e-6
    )


def test_a_heading_sorts_by_the_number(browser: Browser) -> None:
    heading = "[...document.querySelectorAll('#claims thead th')].find(th => th.textContent === 'Published')"
    browser.click(f"{heading}.querySelector('button')")
    browser.until(f"{heading}.getAttribute('aria-sort') === 'ascending'")
    shown = [float(text) for text in cells(browser, "Published") if text]
    assert shown == sorted(shown)
    browser.press("Enter")  # The heading has kept the focus.
    browser.until(f"{heading}.getAttribute('aria-sort') === 'descending'")


def test_a_number_leads_to_its_item_by_keyboard(page: Path, browser: Browser) -> None:
    browser.value("document.querySelector('#claims tbody a').focus()")
    browser.press("Enter")
    browser.until("document.querySelector('#claim')")
    chosen = unquote(browser.value("location.hash.slice(1)"))
    (claim,) = (claim for claim in claims(page) if claim["claim"] == chosen)
    detail = browser.value("document.querySelector('#detail').textContent")
    for text in (claim["published"], claim["verdict"], claim["point"], claim["tolerance_reason"]):
        assert text in detail
    assert f"results/figures/{claim['paper']}" in detail or f"results/tables/{claim['paper']}" in detail
    assert "snakemake --cores 2 --config scale=smoke seed=1" in detail
    browser.click("[...document.querySelectorAll('.steps button')].at(-1)")
    following = counted(page)[1]["claim"]
    # The page is drawn after the address has changed; a click on what is then replaced would be lost.
    browser.until(f"shownId === '{following}'")
    browser.click("document.querySelector('#detail .steps .back')")
    browser.until("!document.getElementById('list').hidden")


def test_a_mark_of_the_plot_leads_to_a_number_and_its_item(page: Path, browser: Browser) -> None:
    browser.click("document.querySelector('#plot .mark:last-of-type')")
    browser.until("document.querySelector('#claim')")
    chosen = unquote(browser.value("location.hash.slice(1)"))
    assert chosen in {claim["claim"] for claim in claims(page)}
    item = "/".join(chosen.split("/")[:2])
    assert browser.value("document.querySelector('#item .name code').textContent") == item


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
    pictures = browser.value(
        "Object.entries(atlas.items).filter(([, item]) => item.figure).map(([name, item]) =>"
        "[name, item.figure.every(part => part.svg.startsWith('<svg'))])"
    )
    figures = page.parent / "figures"
    rendered = {str(file.relative_to(figures).with_suffix("")) for file in figures.glob("*/*.svg")}
    assert {name for name, _ in pictures} == rendered
    assert [name for name, picture in pictures if not picture] == []


@pytest.mark.parametrize("place", ["", "engset/figure-12", "engset/table-06", "?paper=seawind"])
def test_it_is_no_wider_than_a_telephone(browser: Browser, place: str) -> None:
    browser.resize(390)
    browser.value(f"location.hash = '{place}'")
    browser.until("document.documentElement.scrollWidth <= 390")


def test_what_is_tapped_is_high_enough_for_a_finger(browser: Browser) -> None:
    browser.resize(390)
    browser.value("location.hash = ''")
    browser.until(
        "[...document.querySelectorAll('main a, main button, main select, main input')].every("
        "part => !part.offsetParent || part.getBoundingClientRect().height >= 24)"
    )


def test_sentences_with_the_tcp_of_today_have_a_tab(page: Path, browser: Browser) -> None:
    with (page.parent / "now.csv").open(newline="") as file:
        sentences = [row for row in csv.DictReader(file) if row["what"] == "sentence"]
    told = "document.querySelector('#sentences caption').textContent"
    every = len({row["statement"] for row in sentences})
    browser.click("document.getElementById('now-link')")
    browser.until(f"{told} === '{every} of {every} sentences'")
    wanted = {
        row["statement"]
        for row in sentences
        if (row["tcp"], row["verdict"], row["counted"]) == ("CUBIC", "does not apply", "true")
    }
    browser.value("location.hash = 'now?now=CUBIC%3A+does+not+apply'")
    browser.until(f"{told} === '{len(wanted)} of {every} sentences'")
    assert browser.value("document.querySelectorAll('#sentences tbody tr').length") == len(wanted) > 0
    browser.click("document.querySelector('#today .back')")
    browser.until("!document.getElementById('list').hidden")
    links = browser.value("[...document.querySelectorAll('#bars .bar a')].map(a => a.getAttribute('href'))")
    assert any(link.startswith("#now?") for link in links)
