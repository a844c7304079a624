"""The judge against what is known of controllers: it must find what documents report."""

import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tcpatlas.base.engine_call import libraries_allowed
from tcpatlas.base.files import read_yaml
from tcpatlas.base.statistics import Interval
from tcpatlas.judge.__main__ import main
from tcpatlas.judge.report import number, said
from tcpatlas.judge.suite import suite_of
from tcpatlas.judge.verdicts import Answered, Judge
from tcpatlas.points.parts.external import variant_keys

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from qlog_reader import read_sqlog  # noqa: E402

HEADERS = ROOT / "workflow/engines/packetsim/src/tcp"
CUBIC = ROOT / "scenarios/examples/controllers/cubic.c"
WINDOW = "if (q->cwnd > q->most) q->cwnd = q->most;"
FAULTS = read_yaml(Path(__file__).with_name("judge.yaml"), "judge.yaml")
K_OF_RFC_8312 = {"(q->w_max - q->cwnd) / q->c": "q->w_max * (1 - BETA) / q->c"}


def cubic(folder: Path, changes: dict[str, str]) -> str:
    """Compile CUBIC with some of its text replaced; return the shared object."""
    text = CUBIC.read_text()
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "cubic.c").write_text(text)
    options = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", f"-I{HEADERS}"]
    subprocess.run(["cc", *options, "-o", "cubic.so", "cubic.c"], cwd=folder, check=True)
    return str(folder / "cubic.so")


def answered(
    controller: str, questions: tuple[str, ...], folder: Path, suite: str = "quick", **changes: object
) -> dict[str, Answered]:
    """Return a controller's answers to some questions of a suite, changed alike, beside CUBIC and Reno."""
    whole, file = suite_of(suite)
    asked = {name: whole.questions[name].model_copy(update=changes) for name in questions}
    runs = 30 if changes else whole.replications
    fewer = whole.model_copy(update={"questions": asked, "replications": runs})
    rivals = {name: variant_keys(name) for name in ("cubic", "newreno-sack")}
    judge = Judge(fewer, file, rivals, folder / "work", folder / "cache")
    with libraries_allowed(True):
        return {one.name: one for one in judge.answers([(controller, variant_keys(controller))])}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught_by_the_question_that_names_it(fault: str, tmp_path: Path) -> None:
    """CUBIC in C without the fault is asked the same, and passes."""
    changes, suite, name = FAULTS[fault]
    assert answered(cubic(tmp_path, {}), (name,), tmp_path, suite)[name].verdict == "holds"
    assert answered(cubic(tmp_path, changes), (name,), tmp_path, suite)[name].verdict == "fails"


def test_k_of_rfc_8312_moves_no_share_but_lets_newcomers_in_sooner(tmp_path: Path) -> None:
    """At half a BDP of buffer 30 runs would show if the other's goodput changed by a tenth; it does not.

    Where fast convergence has lowered W_max, K of RFC 8312 is longer than that of RFC 9438 (section 4.2), and
    the first flow waits longer: at four BDP a newcomer has half of its goodput instead of a third.
    """

    def intervals(changes: dict[str, str], name: str, buffer: float) -> list[Interval | None]:
        sweep = {"links.bottleneck.buffer_bdp": [buffer]}
        found = answered(cubic(tmp_path, changes), (name,), tmp_path, sweep=sweep)[name]
        return [answer.interval for answer in found.answers]

    for ours, faulty in zip(
        intervals({}, "harm-goodput", 0.5), intervals(K_OF_RFC_8312, "harm-goodput", 0.5), strict=True
    ):
        assert ours
        assert faulty
        assert abs(ours.mean - faulty.mean) + ours.half_width + faulty.half_width < 0.1
    (ours,), (faulty,) = intervals({}, "newcomer", 4), intervals(K_OF_RFC_8312, "newcomer", 4)
    assert ours
    assert faulty
    assert ours.high < faulty.low


def test_a_controller_that_ends_its_run_fails_that_question(tmp_path: Path) -> None:
    """In the run's own line; the other cases have their numbers."""
    wraps = cubic(tmp_path, {WINDOW: "q->cwnd = (uint8_t)(int)q->cwnd;"})
    found = answered(wraps, ("alone", "ramp-up"), tmp_path)
    assert [answer.truth for answer in found["alone"].answers] == ["holds", "fails", "fails"]
    assert "cubic.so: flow 0: on_ack at" in said(found["alone"])
    assert "answers window 0" in said(found["alone"])


def test_what_packetsim_does_not_offer_a_controller_is_not_asked(tmp_path: Path) -> None:
    """Marks of a window that holds in a recovery, too, unless it hears of them: then it is CUBIC's answer."""
    for marks, verdict in (("", "not asked"), (".on_mark = on_loss, ", "holds")):
        mine = cubic(tmp_path, {".flags = FLAGS": f"{marks}.flags = CC_OWN_RECOVERY"})
        assert answered(mine, ("ecn",), tmp_path, suite="rfc9743")["ecn"].verdict == verdict


def test_bbr_fails_what_rfc_9743_reports_of_its_first_version(tmp_path: Path) -> None:
    """Section 5.1.3: sustained loss where several share a buffer below 1.5 bandwidth-delay products.

    That in small buffers it takes most of the link from loss-based flows is Hock, Bless and Zitterbart's
    (ICNP 2017).
    """
    found = answered("bbr", ("own-loss", "harm-goodput"), tmp_path)
    losses = {each.case.label: each.truth for each in found["own-loss"].answers}
    assert losses == {"buffer in BDP 0.5": "fails", "buffer in BDP 1": "fails", "buffer in BDP 2": "holds"}
    harm = {each.case.label: each.truth for each in found["harm-goodput"].answers}
    assert (
        harm["beside cubic, buffer in BDP 0.5"] == harm["beside newreno-sack, buffer in BDP 0.5"] == "fails"
    )


@pytest.mark.parametrize("controller", ["cubic", "newreno-sack"])
def test_standard_controllers_pass_what_rfcs_say_of_them(controller: str, tmp_path: Path) -> None:
    """They use the link, lose little, back off, and fill a large buffer (RFC 9743, section 5.1.2)."""
    asked = ("alone", "own-loss", "full-backoff", "random-loss", "codel", "small-window", "large-window",
             "restart", "standing-queue")  # fmt: skip
    found = answered(controller, asked, tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {
        **dict.fromkeys(asked, "holds"),
        "standing-queue": "fails",
    }


def test_unlike_round_trips_share_as_theory_says_once_phases_are_random(tmp_path: Path) -> None:
    """Reno's share falls with a power of the round trip between 1 and 2 (Lakshman and Madhow 1997).

    Where all packets take the same time, those of some flows always come right after a departure, and find
    room; those of others do not (Floyd and Jacobson 1992).
    """
    once = "goodput[far] / goodput[near] * rtt_path_mean[far] / rtt_path_mean[near]"
    sweep = {"links.bottleneck.buffer_bdp": [1]}

    def ratio(metric: str, **changes: object) -> Interval:
        found = answered("newreno-sack", ("rtt-fairness",), tmp_path, metric=metric, sweep=sweep, **changes)
        (answer,) = found["rtt-fairness"].answers
        assert answer.interval
        return answer.interval

    square = f"{once} * rtt_path_mean[far] / rtt_path_mean[near]"
    assert ratio(once).high < 1
    assert ratio(square).low > 1
    whole, _ = suite_of("quick")
    network = dict(whole.questions["rtt-fairness"].override)
    del network["links.bottleneck.jitter"]
    assert ratio(square, override=network).high < 0.6


def test_levels_of_congestion_are_those_of_reno_and_not_of_cubic(tmp_path: Path) -> None:
    """RFC 7928, section 8.2: its formula is Reno's. CUBIC, which cuts less, loses more in the same buffer."""
    reno = answered("newreno-sack", ("mild", "heavy"), tmp_path, "rfc7928")
    cubics = answered("cubic", ("mild", "heavy"), tmp_path, "rfc7928")
    assert reno["heavy"].verdict == "holds"
    assert cubics["mild"].verdict == cubics["heavy"].verdict == "fails"
    for name, one in reno.items():
        (ours,), (theirs,) = one.answers, cubics[name].answers
        assert ours.interval
        assert theirs.interval
        assert ours.interval.high < theirs.interval.low


def test_the_command_writes_a_report_and_says_by_its_status_whether_one_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command in judge.json repeats a case."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    text = (ROOT / "config/judge/quick.yaml").read_text()
    head, questions = text.split("questions:\n")
    standing = questions[questions.index("  standing-queue:") : questions.index("not_asked:")]
    (tmp_path / "mine.yaml").write_text(f"{head}questions:\n{standing}")
    options = ["--suite", str(tmp_path / "mine.yaml"), "--baselines", "cubic", "--out", str(tmp_path / "out")]
    options.append("--qlog")
    assert main(["bbr", *options]) == 0
    assert "holds      standing-queue: 0.0" in capsys.readouterr().out
    written = json.loads((tmp_path / "out/judge.json").read_text())
    (question,) = written["questions"]
    assert (question["verdict"], question["baselines"]["cubic"]["verdict"]) == ("holds", "fails")
    again = question["cases"][0]["again"].replace("run.json", str(tmp_path / "run.json"))
    subprocess.run(again, shell=True, check=True)
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["metrics"]["queue_mean"]["value"] / 667 == pytest.approx(
        question["cases"][0]["value"], rel=0.01
    )
    page = (tmp_path / "out/report.html").read_text()
    assert "bbr: 1 hold" in page
    assert "http://" not in page
    assert question["repeat"].endswith("mine.yaml --only standing-queue")
    if shutil.which("pdflatex"):
        printed = tmp_path / "out/report.pdf"
        text = subprocess.run(["pdftotext", printed, "-"], capture_output=True, text=True, check=True).stdout
        assert "bbr: The most telling questions" in text
        shown = number(Interval(*(question["cases"][0][key] for key in ("value", "low", "high"))))
        assert f"It does: {shown} (at most 0.5)." in " ".join(text.split())
        assert "Windows of cubic, newreno-sack as in Linux 6.1." in " ".join(text.split())
    assert main(["cubic-rfc", *options]) == 1
    _, events = read_sqlog((tmp_path / "out/qlog/standing-queue.sqlog").read_text())
    # CUBIC's threshold and window fall to 0.7 of the window (RFC 9438, section 4.6), where losses are found.
    windows = [event["data"] for event in events if "congestion_window" in event["data"]]
    sizes = [(data["congestion_window"], data.get("ssthresh")) for data in windows]
    cuts = [(was, now, slow) for (was, _), (now, slow) in itertools.pairwise(sizes) if now < was]
    assert 0 < len(cuts) <= [event["name"] for event in events].count("quic:packet_lost")
    for was, now, slow in cuts:
        assert now == slow == pytest.approx(0.7 * was, abs=1500)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["no-such"], "'no-such' is no variant of packetsim; one of"),
     (["cubic", "--suite", "no-such.yaml"], "no-such.yaml"),
     (["cubic", "--only", "no-such"], "--only: 'no-such' is no question of config/judge/quick.yaml; one of")],
)  # fmt: skip
def test_what_cannot_be_asked_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With status 2, before anything runs."""
    assert main([*arguments, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
