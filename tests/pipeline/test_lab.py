"""results/lab.html from disk: the native program's bytes, by mouse and keyboard, wide and narrow."""

import json
import math
from collections.abc import Callable, Iterator
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
    assert page.stat().st_size < 1.5 * MEGABYTE
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
        assert interval == (name not in ("one", "compound", "altman", "asymmetric")), name
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


def packets(settings: dict[str, float], rate: float = 20, rtt: float = 40) -> float:
    """Return what the path holds: rate in Mbit/s, round trip in ms, packets of 1500 bytes."""
    return settings.get("rate", rate) * settings.get("rtt", rtt) / 12


def busy(path: float, buffer: float) -> float:
    """Return the share of a link that a window from half of path and buffer to all of it keeps busy."""
    half, full = (path + buffer) / 2, path + buffer
    queued = (full**2 - path**2) / 2
    return ((path**2 - half**2) / 2 + queued) / ((path - half) * path + queued)


def milliseconds(settings: dict[str, float]) -> float:
    """Return what a page takes by slow start: ten packets, then twice as many each round trip."""
    return settings["rtt"] * math.ceil(math.log2(settings["file"] / 10 + 1))


# What a student can work out, by exercise; BBR beside CUBIC, and a policer, have no formula that simple.
PREDICTED: dict[str, Callable[[dict[str, float]], float]] = {
    "sawtooth": lambda own: packets(own) + own["buffer"],
    "bdp": lambda own: 100 * busy(packets(own), own["buffer"]),
    "bufferbloat": lambda own: own["rtt"] + 12 * own["buffer"] / own["rate"],
    "near-far": lambda own: (own["far"] + own["rtt"] + 5) / (own["rtt"] + 5),
    "cubic-clock": lambda own: (0.3 * (packets(own) + 100) / 0.4) ** (1 / 3) + 1.4,
    "codel": lambda own: own["rtt"] + 5,
    "ecn": lambda own: 15000 / ((packets(own) + 5 * own["rate"] / 12) / 2) ** 2,
    "first-window": milliseconds,
}


def test_what_an_exercise_explains_is_what_its_simulation_gives(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "exercise=bdp&name=Ada&said=90")
    assert chromium.value("byId('verdict').textContent").startswith("Simulated: ")
    chromium.value("(byId('names').value = 'Ada\\nBen', byId('key').click())")
    chromium.until("window.answers")
    _, *rows = chromium.value("window.answers")
    within = chromium.value(
        "Object.fromEntries(Object.entries(DATA.exercises).map(([key, each]) => [key, each.within]))"
    )
    assert sorted(key for _, key, *_ in rows) == sorted([*within] * 2)
    for student, key, settings, answer, _ in rows:
        if key in PREDICTED:
            own = {name: float(value) for name, value in (each.split("=") for each in settings.split())}
            assert PREDICTED[key](own) == pytest.approx(answer, rel=within[key]), (student, key, own)


def test_an_exercise_waits_for_a_prediction_and_its_address_has_the_progress(
    chromium: Browser, page: Path
) -> None:
    opened_at = f"{page.as_uri()}#exercise=sawtooth&name=Ada"
    chromium.open(opened_at, 390)
    chromium.until("document.body.classList.contains('unanswered')")
    assert chromium.value("getComputedStyle(byId('answer').querySelector('canvas')).visibility") == "hidden"
    chromium.type("#said", "90")
    chromium.press("Enter")
    chromium.until("byId('verdict').textContent")
    assert address(chromium) == {
        "exercise": ["sawtooth"],
        "name": ["Ada"],
        "said": ["90"],
        "done": ["sawtooth"],
    }
    assert chromium.value("document.documentElement.scrollWidth") <= 390
    chromium.value("byId('next').click()")
    assert address(chromium) == {"exercise": ["bdp"], "name": ["Ada"], "done": ["sawtooth"]}
    assert chromium.value("byId('progress-made').textContent") == "1 of 10 done"


def test_the_axis_stays_and_the_last_state_is_told(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=bufferbloat")
    axis = chromium.value("axis")
    chromium.value(
        "rested = 0, window.done = null, byId('set-queue').value = 'fq-codel', byId('set-queue').onchange()"
    )
    chromium.until("window.done")
    assert chromium.value("axis") == axis
    assert "was " in chromium.value("byId('numbers').textContent")
    chromium.value("byId('fit').click()")
    assert chromium.value("axis") < axis / 2


def test_a_frame_has_the_bench_and_no_more(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=two&embed=1")
    shown = "(selector) => getComputedStyle(document.querySelector(selector)).display !== 'none'"
    assert chromium.value(f"['#chart', '#settings', 'header', 'footer'].map({shown})") == [
        True,
        True,
        False,
        False,
    ]


def test_what_cannot_be_is_said(chromium: Browser, page: Path) -> None:
    opened(chromium, page, "experiment=altman")
    chromium.value("(put(experiment.point, ['packet_bytes'], 'many'), ask())")
    chromium.until("window.failure")
    assert "packet_bytes" in chromium.value("byId('state').textContent")
