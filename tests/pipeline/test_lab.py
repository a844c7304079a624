"""results/lab.html from disk: the native program's bytes, by mouse and keyboard, wide and narrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from browser import Browser
from tree import Tree

from packetsim_points import SEED, accepted, digest_of

pytestmark = pytest.mark.slow

MEGABYTE = 1_000_000
# A worker like the page's own, which is handed any point.
RUN = """(() => {
  const worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent])));
  const wasm = Uint8Array.from(atob(byId("module").textContent), (letter) => letter.charCodeAt(0));
  return new Promise((resolve) => {
    worker.onmessage = ({data}) => {
      const asked = {traced: POINT, plain: POINT, seeds: [SEED], seconds: 0, ticket: 1};
      if (data.kind === "ready") worker.postMessage(asked);
      if (data.kind === "traced") resolve(data.run);
      if (data.kind === "failed") resolve(data.text);
    };
    worker.postMessage({wasm});
  }).finally(() => worker.terminate());
})()"""


@pytest.fixture(scope="module")
def page(smoke: Tree) -> Path:
    file = smoke.root / "results/lab.html"
    if not file.exists():
        pytest.skip("the compiler of the laboratory is not installed")
    return file


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


def opened(browser: Browser, page: Path, state: str = "", width: int = 1280) -> None:
    browser.open(f"{page.as_uri()}#{state}", width)
    browser.until("window.done || window.failure")
    assert browser.value("window.failure") is None


def address(browser: Browser) -> dict[str, list[str]]:
    return parse_qs(browser.value("location.hash").removeprefix("#"))


def test_it_writes_the_bytes_of_the_native_program(chromium: Browser, page: Path) -> None:
    assert page.stat().st_size < MEGABYTE
    opened(chromium, page)
    for name, (point, digest) in list(accepted().items())[::6]:
        script = RUN.replace("POINT", json.dumps(point)).replace("SEED", str(SEED))
        assert digest_of(chromium.value(script)) == digest, name


@pytest.mark.parametrize("width", [1280, 390])
def test_every_experiment_shows_numbers_and_a_picture(chromium: Browser, page: Path, width: int) -> None:
    opened(chromium, page, width=width)
    for name in chromium.value("Object.keys(DATA.experiments)"):
        opened(chromium, page, f"experiment={name}", width)
        # Nothing is random where one sender has a link without random loss to itself. Periodic cross traffic
        # locks Altman's sender into one cycle: its intervals are narrower than the last digit shown.
        interval = "±" in chromium.value("byId('numbers').textContent")
        assert interval == (name not in ("one", "compound", "altman")), name
        assert chromium.value("byId('chart').getAttribute('aria-label')"), name
        assert chromium.value("document.documentElement.scrollWidth") <= width, name


def test_a_slider_by_keyboard_changes_the_answer_and_the_address(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=files")
    before = chromium.value("window.traced")
    chromium.value("byId('set-users').closest('.setting').querySelector('[type=range]').focus()")
    chromium.press("ArrowRight")
    chromium.until("values.users === 16 && window.traced !== " + json.dumps(before))
    assert address(chromium) == {"experiment": ["files"], "users": ["16"]}
    assert "count: 16" in chromium.value("byId('yaml').textContent")


def test_a_link_brings_back_the_state(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=two&tcp-1=reno&rate=50&users-2=7&queue=fq-codel&rtt=nonsense")
    assert chromium.value("byId('set-tcp-1').value") == "reno"
    assert chromium.value("byId('set-rate').valueAsNumber") == 50
    point = chromium.value("pointOf(experiment, values)")
    assert point["links"]["bottleneck"]["rate_bit_per_s"] == 50e6
    assert point["links"]["bottleneck"]["queue"] == "fq-codel"
    assert [group["count"] for group in point["sources"]] == [1, 7]
    assert chromium.value("values.rtt") == chromium.value("experiment.settings.rtt.start")


def test_what_cannot_be_is_said(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=altman")
    chromium.value("(put(experiment.point, ['packet_bytes'], 'many'), ask())")
    chromium.until("window.failure")
    assert "packet_bytes" in chromium.value("byId('state').textContent")
