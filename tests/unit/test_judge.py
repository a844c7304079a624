"""The judge: suites as data, expressions that are read and never executed, verdicts by interval."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import cases as given

from tcpatlas.base.errors import AtlasError
from tcpatlas.base.statistics import Interval
from tcpatlas.judge import __main__ as judge_command
from tcpatlas.judge.chart import BOUND, COLOURS, Curve, curves
from tcpatlas.judge.expression import Expression, ExpressionError
from tcpatlas.judge.report import Report
from tcpatlas.judge.suite import FOLDER, Question, asked_of, cases, named, suite_of, suites
from tcpatlas.judge.verdicts import Answer, Answered, Judge, decided, derived
from tcpatlas.points.parts.external import variant_keys

ROOT = Path(__file__).parents[2]
TCP = {name: {"variant": name} for name in ("cubic", "newreno-sack", "bbr")}


@given("judge.expressions_are_arithmetic_over_metrics")
def test_expressions_are_arithmetic_over_metrics(text: str, value: float | None) -> None:
    """A metric that a run lacks, or a divisor of 0, gives no number."""
    metrics = {"a": 1.0, "b": 4.0, "zero": 0.0, "goodput[rival]": 2.0, "reference.goodput": 8.0,
               "time_to_byte[late.1500000]": 2.0}  # fmt: skip
    assert Expression(text)(metrics) == value


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "a.b", "a if b else c", "a ** 99", "[a]", "a[0]", "'x'", "", "lambda: 1", "(" * 9999,
     "True", "min()", "min(a, key=b)", "goodput[rival].x"],
)  # fmt: skip
def test_whatever_else_is_refused(text: str) -> None:
    """Nothing of a suite is executed."""
    with pytest.raises(ExpressionError):
        Expression(text)


def test_every_suite_of_the_project_is_valid() -> None:
    """Its networks are those of scenarios, with CUBIC beside Reno."""
    assert "quick" in suites()
    for name in suites():
        suite, file = suite_of(name)
        assert file == str(FOLDER / f"{name}.yaml")
        assert suite.not_asked


def test_the_page_of_questions_has_each_question_of_its_suites_and_no_other() -> None:
    """docs/judge-questions.md, under a heading for each suite."""
    _, *parts = (ROOT / "docs/judge-questions.md").read_text("utf-8").split("\n## ")
    for part in parts:
        heading, _, table = part.partition("\n")
        suite, _ = suite_of(heading.split("`")[1])
        assert set(re.findall(r"`([\w-]+)`", table)) == suite.questions.keys()


@given("judge.mistakes_of_a_suite_are_one_line")
def test_mistakes_of_a_suite_are_one_line(changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    """It names the file and the question, before anything runs."""
    suite = yaml.safe_load((ROOT / FOLDER / "quick.yaml").read_text())
    suite["questions"]["alone"] |= changes
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(suite))
    with pytest.raises(AtlasError) as caught:
        suite_of(str(file))
    assert str(caught.value).startswith(f"{file}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_suite_is_named() -> None:
    """With those that there are."""
    with pytest.raises(AtlasError, match=r"--suite: 'fast' is unknown; a file.yaml, or one of: .*quick"):
        suite_of("fast")


def test_another_engine_is_asked_what_it_simulates() -> None:
    """With what the suite says of it."""
    suite, file = suite_of("quick")
    linux = asked_of(suite, "linux")
    (first, *_) = cases(linux, "alone", TCP["cubic"], TCP, file)
    assert first.point.document["sources"][0]["tcp"]["rwnd_packets"] == 100000
    with pytest.raises(AtlasError, match="start: linux does not take it"):
        cases(linux, "newcomer", TCP["cubic"], TCP, file)


def test_harm_is_asked_beside_each_rival_but_itself() -> None:
    """The reference network has the rival in the controller's place."""
    suite, file = suite_of("quick")
    found = cases(suite, "harm-goodput", TCP["bbr"], TCP, file)
    assert {case.rival for case in found} == {"cubic", "newreno-sack"}
    for case in found:
        assert case.reference is not None
        variants = [
            [group["tcp"]["variant"] for group in point.document["sources"]]
            for point in (case.point, case.reference)
        ]
        assert variants == [["bbr", case.rival], [case.rival, case.rival]]


@given("judge.an_interval_decides_on_one_side_of_the_threshold")
def test_an_interval_decides_on_one_side_of_the_threshold(
    low: float, high: float, at_most: str, at_least: str
) -> None:
    """The threshold is 0.5."""
    about = {"ask": "?", "source": "ours", "threshold": "ours", "metric": "utilisation"}
    interval = Interval((low + high) / 2, low, high)
    assert decided(Question(**about, at_most=0.5), interval) == at_most
    assert decided(Question(**about, at_least=0.5), interval) == at_least
    assert decided(Question(**about, at_least=0.5), None) == "undecided"


@pytest.mark.parametrize(
    ("keys", "quantity"),
    [
        ({"metric": "drop_ratio"}, "Drop ratio"),
        ({"metric": "duration", "unit": "s"}, "duration, s"),
        ({"metric": "queue_mean / throughput", "unit": "s", "called": "mean wait"}, "mean wait, s"),
    ],
)
def test_a_chart_names_its_metric_in_words(keys: dict[str, str], quantity: str) -> None:
    assert Question(ask="?", source="ours", threshold="ours", at_most=1, **keys).quantity() == quantity


def test_what_a_controller_cannot_be_asked_is_not_asked() -> None:
    """A refusal is no failure."""
    question = Question(ask="?", source="ours", threshold="ours", metric="utilisation", at_most=1)
    assert Answered("ecn", question, "bbr", refused="bbr knows no marks").verdict == "not asked"


def test_where_nothing_arrives_the_rate_is_0() -> None:
    (one,) = cases(suite_of("quick")[0], "full-backoff", TCP["cubic"], TCP, "quick.yaml")
    run: Any = {"simulated_s": 1, "metrics": {"goodput": {"unit": "packets/s", "value": 3}}}
    assert derived(one.point.document, run)["throughput"]["value"] == 0
    assert "goodput" not in derived(one.point.document, run)


@pytest.mark.parametrize(("status", "verdict"), [(3, "not asked"), (1, "fails")])
def test_what_an_engine_does_not_offer_it_says_by_its_status(
    status: int, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/adding-an-engine.md has it; the words are for people."""
    engine = ["sh", "-c", f"echo 'point.json: sources: none' >&2; exit {status}"]
    monkeypatch.setattr("tcpatlas.judge.verdicts.engine_command", lambda _: engine)
    (tmp_path / "my.so").write_bytes(b"\x7fELF")
    suite, file = suite_of("quick")
    fewer = suite.model_copy(update={"questions": {"alone": suite.questions["alone"]}})
    judge = Judge(fewer, file, {}, tmp_path / "work", None)
    (one,) = judge.answers([("my.so", variant_keys(str(tmp_path / "my.so")))])
    assert (one.verdict, one.refused) == (verdict, "sources: none" * (verdict == "not asked"))


def test_a_window_is_drawn_with_those_of_the_same_network() -> None:
    """CUBIC as a baseline is asked beside Reno alone: its first answer is none beside itself."""
    suite, file = suite_of("quick")
    name, question = "harm-goodput", suite.questions["harm-goodput"]

    def answered(who: str) -> Answered:
        these = cases(suite, name, TCP[who], TCP, file)
        of = [Answer(each, None, "holds", window=[(1, len(each.rival))]) for each in these]
        return Answered(name, question, who, of)

    report = Report("bbr", suite, file, {who: [answered(who)] for who in ("bbr", "cubic")}, Path())
    drawn = [dict(map(reversed, picture.paths)) for picture, of in report.charts() if "window" in of]
    for one, picture in zip(report.ours[0].answers, drawn, strict=True):
        assert picture[COLOURS[1]] == ([] if one.case.rival == "cubic" else picture[COLOURS[0]])


@given("judge.a_name_is_that_of_linux_unless_it_says_rfc")
def test_a_name_is_that_of_linux_unless_it_says_rfc(name: str, engine: str, keys: dict[str, str]) -> None:
    """The kernel has its own windows whatever is asked, and so has one's own controller."""
    assert named(name, engine) == keys


def test_nine_cubics_has_the_tables_of_its_data() -> None:
    table = runpy.run_path(str(ROOT / "scenarios/examples/controllers/quic/table.py"))
    written = table["PAGE"].read_text("utf-8")
    assert table["page"](written) == written


def test_curves_stand_over_numbers() -> None:
    """On the axes' ends: 0 and 0 below on the left, the largest on the right; dots have no 0 of their own."""
    drawn = curves("s", [Curve("ours", [(0, 0), (2, 40)])], 20, "a window")
    (low, high) = next(path for path, style in drawn.paths if style == COLOURS[0])
    (left, middle), (right, _) = next(path for path, style in drawn.paths if style == BOUND)
    assert (low[0], high[0]) == (left, right)
    assert middle == pytest.approx((low[1] + high[1]) / 2, abs=0.1)
    dotted = curves("ms", [Curve("ours", [(1, 0.98), (2, 0.99)], dotted=True)], 0.9, "use")
    assert (len(drawn.dots), len(dotted.dots)) == (0, 2)
    assert "0" not in {text for (_, text_y), _, text in dotted.texts if text_y < 170}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["BBR"], "'BBR' is no variant of packetsim. Did you mean bbr?"),
        (["bbr", "--against", "cubic,foo"], "--against: 'foo' is no variant of packetsim; one of: newreno, "),
        (["bbr", "--baselines", "cubik"], "--baselines: 'cubik' is no variant of packetsim. Did you mean "),
        (["cubic", "--engine", "linux", "--against", "vegas"], "Did you mean linux-vegas?"),
    ],
)
def test_a_name_that_is_none_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge_command.main(arguments) == 2
    assert says in capsys.readouterr().err
