"""`./atlas ask`: what is asked, what the answer says, and the search for a target."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tcpatlas import everyday, models
from tcpatlas.ask import __main__ as ask
from tcpatlas.ask import answer, question, rows, show, simulation, target, wording
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.statistics import Interval
from tcpatlas.points import engines
from tcpatlas.points.errors import PointError
from tcpatlas.points.types import Point
from tcpatlas.runs import predict

ROOT = Path(__file__).parents[2]
NETWORK = {"rate": "50 Mbit/s", "rtt": "20 ms", "users": "60", "file": "300 kB", "buffer": "64 packets"}
ARGUMENTS = ["--rate", "50 Mbit/s", "--rtt", "20 ms", "--file", "300 kB"]


def asked(**options: str | None) -> Point:
    return question.from_options({**NETWORK, **options}).points[0]


def point(**options: str | None) -> dict[str, Any]:
    return dict(asked(**options).document)


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line that a wrong question ends with."""
    with contextlib.suppress(SystemExit):
        assert ask.main(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.strip()


def test_options_describe_a_point() -> None:
    document = point()
    (group,) = document["sources"]
    assert group["count"] == 60
    assert group["workload"]["file_size"]["mean_packets"] == 200
    assert document["links"]["bottleneck"]["rate_bit_per_s"] == 50_000_000
    assert document["links"]["bottleneck"]["buffer_packets"] == 64


@pytest.mark.parametrize(
    ("tcp", "variant"), [(None, "linux-cubic"), ("bbr", "linux-bbr"), ("linux-2.4", "linux-2.4")]
)
def test_the_kernel_is_asked_by_the_names_of_its_congestion_controls(
    monkeypatch: pytest.MonkeyPatch, tcp: str | None, variant: str
) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    asked = question.from_options({**NETWORK, "tcp": tcp, "queue": "fq-codel"}, None, "linux")
    assert asked.engine == "linux"
    tcp_of = asked.points[0].document["sources"][0]["tcp"]
    # The kernel keeps its timer 200 ms above the round-trip time.
    assert (tcp_of["variant"], tcp_of["min_rto_s"], tcp_of["max_rto_s"]) == (variant, 0.22, 120)


def test_groups_of_users_have_their_own_tcp() -> None:
    network = {**NETWORK, "users": None, "tcp": "30 cubic, 5 newreno"}
    asked = question.from_options(network).points[0].document
    assert [(one["name"], one["count"], one["tcp"]["variant"]) for one in asked["sources"]] == [
        ("cubic", 30, "cubic"),
        ("newreno", 5, "newreno"),
    ]
    assert question.described(network, None).endswith(
        "· 35 users fetching 300 kB files · buffer 64 packets · 30 cubic, 5 newreno"
    )
    of_group = [row.metric for row in everyday.groups(asked)]
    assert of_group == ["goodput_per_connection[cubic]", "goodput_per_connection[newreno]"]


def test_the_speed_of_a_group_is_shared_by_its_users() -> None:
    asked = question.from_options({"rate": "50 Mbit/s", "rtt": "20 ms", "tcp": "4 cubic, 1 newreno"}).points[
        0
    ]
    metrics = {"goodput": 5000.0, "goodput[cubic]": 4500.0, "goodput[newreno]": 500.0}
    run = {"metrics": {name: {"value": value} for name, value in metrics.items()}, "distributions": {}}
    given = everyday.answered(asked.document, run)
    # 1500 B are 12,000 bit.
    assert given["goodput_per_user[cubic]"] == pytest.approx(4500 / 4 * 12000)
    assert given["goodput_per_user[newreno]"] == pytest.approx(500 * 12000)


def test_the_kernel_takes_ecn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    asked = question.from_options({**NETWORK, "queue": "fq-codel", "ecn": "yes"}, None, "linux")
    assert asked.points[0].document["sources"][0]["tcp"]["ecn"] is True


def test_a_kernel_that_is_not_built_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "_BUILD_FOLDER", tmp_path)
    said = error_of(capsys, *ARGUMENTS, "--engine", "linux")
    assert said == ("--engine linux: User-Mode Linux with virtual time is not installed (by ./atlas setup)")


def test_other_links_never_limit() -> None:
    assert point(rate="20 Gbit/s")["links"]["egress"]["rate_bit_per_s"] == 200_000_000_000


def test_sizes_in_bytes_are_rounded_up_to_packets() -> None:
    document = point(buffer="100 kB", file="1501 B", packet="1000 B")
    assert document["links"]["bottleneck"]["buffer_packets"] == 100
    assert document["sources"][0]["workload"]["file_size"]["mean_packets"] == 2


def test_without_files_transfers_are_endless() -> None:
    assert point(file=None)["sources"][0]["workload"]["kind"] == "bulk"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("rate", None, "--rate is missing, e.g. --rate '50 Mbit/s'"),
        ("rate", "50", "--rate 50: which unit? e.g. '50 Mbit/s'"),
        ("rate", "50 Mbits", "--rate: 'Mbits' is not a rate. Did you mean '50 Mbit/s'?"),
        ("rate", "1e999999 Mbit/s", "--rate: '1e999999 Mbit/s' is too large or too small"),
        ("users", "many", "--users: 'many' is no number of users; a whole number, at least 1"),
        ("users", "2000000", "--users: 2000000 is out of range; at most 1000000"),
        ("users", "9" * 5000, "--users: '999999"),
        ("buffer", "64 ms", "--buffer: 'ms' is not a size; e.g. '64 kB'"),
        ("file", "0 B", "--file: '0 packets' is out of range; at least 1 packet"),
        ("pause", "-1 s", "--pause: '-1 s' is out of range; "),
        ("loss", "0.1", "--loss 0.1: which unit? e.g. '0.1 %'"),
        ("loss", "200 %", "--loss: '200 %' is out of range; less than 1, e.g. 0.1 %"),
        ("rtt", "1 us", "--rtt: 1e-06 s is less than the path's transmission times and delays; at least"),
        ("tcp", "bbr", "--tcp bbr: packetsim does not simulate it; the Linux kernel has it: --engine linux"),
        ("tcp", "cubicc", "--tcp: 'cubicc' is unknown. Did you mean cubic? To add one: docs/adding-a-tcp"),
        ("tcp", "zzz", "--tcp: 'zzz' is unknown. One of: newreno, reno, "),
        ("tcp", "30 cubic, 5 bbr", "--users: --tcp '30 cubic, 5 bbr' says how many there are; leave one of"),
        (
            "tcp",
            "30 cubic 5 reno",
            "--tcp: '30 cubic 5 reno' is no list of groups; each TCP once with its users",
        ),
        ("ecn", "yes", "--ecn: packetsim does not simulate it; the Linux kernel has it: --engine linux"),
        ("queue", "red-hot", "--queue: 'red-hot' is unknown; one of: drop-tail"),
    ],
)
def test_a_wrong_option_is_named(option: str, value: str | None, message: str) -> None:
    with pytest.raises(AtlasError) as error:
        point(**{option: value})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Describe a link, or name a scenario file. Try: ./atlas ask --rate"),
        (["exmples/my-link.yaml"], "exmples/my-link.yaml: no such file. Did you mean examples/my-link.yaml?"),
        (
            ["--rate", "50", "Mbit/s"],
            "Mbit/s: no such file; or quote a number with its unit: --rate '50 Mbit/s'",
        ),
        (["--rate", "50 Mbit/s"], "--rtt is missing, e.g. --rtt '20 ms'"),
        ([*ARGUMENTS, "--usrs", "3"], "--usrs is no option. Did you mean --users?"),
        ([*ARGUMENTS, "--variant", "reno"], "--variant is no option. Did you mean --tcp?"),
        ([*ARGUMENTS, "--such-that", "loss <= 1 %"], "--such-that: of what? e.g. --find users"),
        ([*ARGUMENTS, "--find", "users"], "--find: to what end? e.g. --such-that 'speed >= 1 Mbit/s'"),
        (
            [*ARGUMENTS, "--find", "users", "--users", "60", "--such-that", "loss <= 1 %"],
            "--users 60: --find users searches it; leave one of them out",
        ),
        (
            [*ARGUMENTS, "--find", "users", "--such-that", "loss <= 1 %", "--precise"],
            "--precise: not with --find",
        ),
        ([*ARGUMENTS, "--plot", "answer"], "--plot answer: which format?"),
    ],
)
def test_a_wrong_question_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert error_of(capsys, *arguments).startswith(message)


def test_a_pause_without_files_is_refused() -> None:
    with pytest.raises(AtlasError, match="--pause: is there without --file"):
        point(file=None, pause="1 s")


def test_a_fixed_point_is_not_asked_of_packetsim() -> None:
    with pytest.raises(AtlasError, match=r"local-loop.yaml: .*does not take fixed_point.scheme 1 "):
        question.from_file(str(ROOT / "examples/local-loop.yaml"))


def test_engines_that_are_not_installed_are_not_asked_for() -> None:
    with pytest.raises(AtlasError) as error:
        question.from_file(str(ROOT / "examples/linux-of-2002.yaml"))
    assert "packetsim does not take tcp.variant linux-2.4; one of: newreno" in str(error.value)
    assert "install" not in str(error.value)


def test_queueing_delays_are_those_of_the_queue_that_arrivals_find() -> None:
    # 1500 B at 50 Mbit/s take 0.24 ms; an arrival finds 0, 1, 2 packets in 90, 4, 6 % of cases.
    run = {"metrics": {}, "distributions": {"queue_by_arrival": {"probability": [0.90, 0.04, 0.06]}}}
    values = everyday.answered(point(), run)
    assert values["queueing_delay_mean"] == pytest.approx(0.16 * 0.24e-3)
    assert values["queueing_delay_95"] == pytest.approx(2 * 0.24e-3)


def test_users_of_endless_transfers_share_the_goodput_in_bits() -> None:
    # 4000 packets/s of 12,000 bits among 60 users.
    run = {"metrics": {"goodput": {"unit": "packets/s", "value": 4000}}, "distributions": {}}
    assert everyday.answered(point(file=None), run)["goodput_per_user"] == pytest.approx(800_000)


def test_a_usual_run_lets_every_source_warm_up() -> None:
    assert simulation.usual_run(point())["stop"] == {"connections": 1000, "warmup_connections": 180}


def test_a_run_that_must_be_short_keeps_some_warmup_and_connections() -> None:
    usual = simulation.usual_run(point())
    assert simulation.fitted(usual, 1e9)["stop"] == usual["stop"]
    # Six connections of each of 60 sources, two of them warm-up, however little time there is.
    assert simulation.fitted(usual, 1)["stop"] == {"connections": 240, "warmup_connections": 120}
    endless = simulation.fitted(point(file=None), 1)["stop"]
    assert endless == {"duration_s": 30, "warmup_s": 10}


def value_of(model: float, low: float, high: float) -> answer.Value:
    return answer.Value("goodput_per_connection", Interval((low + high) / 2, low, high), {"engset": model})


def test_errors_lie_between_those_at_the_ends_of_the_interval() -> None:
    assert value_of(2e6, 1e6, 1.25e6).error("engset") == (pytest.approx(0.6), pytest.approx(1.0))
    assert value_of(2e6, 0, 1).error("engset") is None
    assert value_of(2e6, 1, 2).error("markov") is None


@pytest.mark.parametrize(
    ("model", "unusable"), [(2.6e6, True), (2.4e6, False), (0.4e6, True), (0.6e6, False)]
)
def test_a_model_is_unusable_beyond_a_factor_of_two_for_certain(model: float, unusable: bool) -> None:
    assert value_of(model, 1e6, 1.25e6).unusable("engset") is unusable


def simulated(**values: tuple[float, float]) -> simulation.Simulated:
    """Return what a simulation of the network with 60 users might have given: means and half-widths."""
    metrics = {
        name: {"unit": "?", "value": mean, "ci_low": mean - half, "ci_high": mean + half, "values": []}
        for name, (mean, half) in values.items()
    }
    runs: Any = {"metrics": metrics, "seeds": [1] * 8, "engine": "packetsim", "engine_version": "0"}
    return simulation.Simulated(asked(), runs, 1e5)


SIMULATED = {
    "goodput_per_connection": (1.26e6, 1e4),
    "on_time": (1.91, 0.04),
    "loss_ratio": (0.089, 0.001),
    "utilisation": (0.98, 0.002),
    "queueing_delay_mean": (0.0101, 0.0001),
    "queueing_delay_95": (0.01536, 0.0),
}
ENGSET = {
    "goodput_per_connection": 1.28e6,
    "on_time": 1.88,
    "loss_ratio": 0.957,
    "queueing_delay_mean": 0.015,
}


def answer_with(predicted: answer.Predicted) -> answer.Answer:
    return answer.answer_of(simulated(**SIMULATED), predicted)


def printed(answered: answer.Answer, *, late: bool = False, why: bool = False) -> list[str]:
    """Return the lines that are printed, without those that are empty."""
    console = Console(width=80, record=True, file=io.StringIO())
    asked_question = question.from_options(NETWORK)
    # The answer's set is the question's.
    asked_question = replace(asked_question, sets=asked_question.sets)
    show.show(console, asked_question, [answered], show.Effort(1.2, 0.02, late), why)
    return [line.strip() for line in console.export_text().splitlines() if line.strip()]


def test_the_answer_comes_first_in_the_units_that_were_asked() -> None:
    lines = printed(answer_with(answer.Predicted({"engset": ENGSET}, {"markov": "no"}, {})))
    assert lines[0].startswith("50 Mbit/s · 20 ms · 60 users fetching 300 kB files · buffer 64 packets")
    assert lines[1] == "Each user gets 1.26 Mbit/s; a file takes 1.91 s."
    assert lines[2].startswith("The link is full (98 %), 8.9 % of packets are lost, and the queue adds 10 ms")
    cells = {line.split("  ")[0]: line for line in lines}
    assert cells["Speed per user"].split()[3:] == ["1.26", "±", "0.01", "Mbit/s", "1.28", "+2", "%"]
    assert cells["Loss"].endswith("unusable")
    assert "+49 % !" in cells["Queueing delay, mean"]
    assert any("buffer full" in line for line in lines)
    # The sentences, a table of a head and six rows, and three lines of notes.
    assert len(lines) == 3 + 7 + 3
    assert "every interval is within ±2 %" in lines[-3]
    assert "--why (1 model left out)" in lines[-1]


def test_models_that_do_not_fit_beside_the_simulation_stand_below_it_whole() -> None:
    predicted = dict.fromkeys(("floyd_fall", "markov", "padhye"), ENGSET)
    lines = printed(answer_with(answer.Predicted(predicted, {}, {})))
    below = lines[lines.index(next(line for line in lines if line.startswith("Speed per user"))) + 1 :]
    assert [line.split() for line in below[:3]] == [[name, "1.28", "+2", "%"] for name in predicted]
    assert not any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)


def test_columns_that_do_not_fit_beside_each_other_follow_in_a_second_table() -> None:
    answers = [answer_with(answer.Predicted({"engset": ENGSET}, {}, {}))] * 2
    wide, narrow = (
        list(show._several(Console(width=width, file=io.StringIO()), answers)) for width in (80, 50)
    )
    heads = [str(column.header) for table in narrow for column in table.columns if column.header]
    assert len(wide) == 1 < len(narrow)
    assert heads == [str(column.header) for column in wide[0].columns if column.header]
    assert {table.row_count for table in (*wide, *narrow)} == {3}


def test_the_kernels_answer_says_that_it_is_the_kernels() -> None:
    by_kernel = simulated(**SIMULATED)
    by_kernel.runs["engine"] = "linux"
    made = answer.answer_of(by_kernel, answer.Predicted({}, {}, {}))
    assert any("8 simulations by the engine linux in 1.2 s" in line for line in printed(made))
    assert {row["source"] for row in rows.rows([made])} == {"linux"}


def test_a_machine_that_is_too_busy_is_said_to_be() -> None:
    few = simulated(**SIMULATED)
    few.runs["seeds"] = [1, 2, 3]
    late = answer.answer_of(few, answer.Predicted({}, {}, {}))
    assert any("too few: this machine is busy" in line for line in printed(late, late=True))


def test_why_tells_the_models_left_out_and_the_definitions() -> None:
    lines = printed(answer_with(answer.Predicted({}, {"markov": "one source only"}, {})), why=True)
    assert "markov: one source only" in lines
    assert any(line.startswith("Loss: Packets lost") for line in lines)


def fake_model(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    """Put one model in place of all."""
    module = types.SimpleNamespace(**parts)
    monkeypatch.setattr(answer, "automatic", lambda: ("fake",))
    for where in (models, predict):
        monkeypatch.setattr(where, "load", lambda _: module)


def test_a_failing_model_is_named_and_the_others_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_model(monkeypatch, predict=lambda points: 1 / 0)
    predicted = answer.predicted(point())
    assert predicted.failed == {"fake": "ZeroDivisionError: division by zero"}
    assert any(
        "! the model fake failed (ZeroDivisionError" in line for line in printed(answer_with(predicted))
    )


def test_a_model_that_does_not_apply_is_no_failure_but_a_wrong_value_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(point: Any) -> None:
        raise PointError(("sources.count",), "the fake model cannot answer 60; allowed: 1")

    def stumble(points: Any) -> None:
        raise ValueError("operands could not be broadcast")

    fake_model(monkeypatch, check=refuse)
    assert answer.predicted(point()).left_out == {"fake": "cannot answer 60; allowed: 1"}
    fake_model(monkeypatch, predict=stumble)
    predicted = answer.predicted(point())
    assert (predicted.left_out, list(predicted.failed)) == ({}, ["fake"])


def test_scripts_read_rows_in_si_units() -> None:
    answers = [answer_with(answer.Predicted({"engset": ENGSET}, {}, {}))]
    table = list(csv.DictReader(io.StringIO(rows.to_csv(rows.COLUMNS, rows.rows(answers)))))
    speed = {row["source"]: row for row in table if row["metric"] == "goodput_per_connection"}
    assert float(speed["packetsim"]["value"]) == 1.26e6
    assert float(speed["model:engset"]["error_high"]) == pytest.approx(1.28 / 1.25 - 1)
    document = json.loads(rows.as_json("a question", answers))
    assert document["rows"][0]["unit"] == "bit/s"


@pytest.mark.parametrize(
    ("metric", "value", "half_width", "written"),
    [
        ("goodput_per_connection", 1_234_567, 12_000, "1.23 ± 0.01 Mbit/s"),
        ("on_time", 0.0124, 0, "12.4 ms"),
        ("on_time", 90, 0, "90.0 s"),
        ("on_time", 0.636, 0.19, "600 ± 200 ms"),
        ("loss_ratio", 0.0512, 0.0005, "5.12 ± 0.05 %"),
        ("loss_ratio", 0, 0, "0 %"),
        ("utilisation", 0.9998, 0, "100 %"),
        ("goodput_per_user", 25e6, 60, "25.0 Mbit/s"),
        ("fairness_index", 0.987, 0, "0.987"),
    ],
)
def test_values_have_the_units_that_people_write(
    metric: str, value: float, half_width: float, written: str
) -> None:
    assert wording.text(metric, value, half_width) == written


@pytest.mark.parametrize(
    ("error", "written"), [(0.488, "+49 %"), (-0.31, "\N{MINUS SIGN}31 %"), (0.001, "0 %")]
)
def test_errors_are_whole_percents(error: float, written: str) -> None:
    assert wording.percent(error) == written


def test_points_of_a_sweep_are_told_apart_in_words() -> None:
    asked_question = question.from_file(str(ROOT / "examples/my-link.yaml"))
    labels = [wording.label(one) for one in asked_question.points]
    assert labels[0] == "20 users"
    assert labels[-1] == "buffer 200 packets"


def test_a_target_is_read() -> None:
    read = target.Target.of("speed >= 1 Mbit/s", point())
    assert (read.metric, read.at_most, read.bound) == ("goodput_per_connection", False, 1e6)
    assert target.Target.of("loss<=1 %", point()).bound == 0.01
    assert target.Target.of("speed >= 1 Mbit/s", point(file=None)).metric == "goodput_per_user"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loss", "'loss' is no target; e.g. 'speed >= 1 Mbit/s'"),
        ("latency <= 20 ms", "'latency' is no target. Did you mean delay or delay-95?"),
        ("sped >= 1 Mbit/s", "'sped' is no target. Did you mean speed?"),
        ("happiness >= 1", "'happiness' is no target; one of: speed, time"),
        ("guarantee >= 1 Mbit/s", "this network has no guarantee; one of: speed"),
        ("speed >= fast", "'fast' is not a number with a unit"),
        ("loss <= 1e400 %", "too large or too small"),
    ],
)
def test_a_wrong_target_gets_the_likely_one(text: str, message: str) -> None:
    with pytest.raises(AtlasError, match="--such-that") as error:
        target.Target.of(text, point())
    assert message in str(error.value)


USERS = target.Parameter("sources.count", *target.RANGES["users"])
SPEED = target.Target("goodput_per_connection", at_most=False, bound=1e6, text="speed >= 1 Mbit/s")


@pytest.mark.parametrize("start", [1, 20, 33, 34, 20_000])
def test_the_most_users_are_found_from_anywhere(start: int) -> None:
    # An ideal share of 33.3 Mbit/s leaves 1 Mbit/s to 33 users.
    found = target.search(USERS, SPEED, lambda users: 33.3e6 / users, start)
    assert (found.meets, found.fails) == (33, 34)


def test_the_least_buffer_is_found_within_two_percent() -> None:
    loss = target.Target.of("loss <= 1 %", point())
    found = target.search(
        target.Parameter("links.bottleneck.buffer", *target.RANGES["buffer"]),
        loss,
        lambda packets: 10 / packets,
        5,
    )
    assert found.fails < 1000 <= found.meets <= 1.02 * found.fails


def test_a_search_tells_the_answer_and_its_neighbours() -> None:
    found = {
        "packetsim": target.search(USERS, SPEED, lambda users: 33.3e6 / users, 20),
        "engset": target.search(USERS, SPEED, lambda users: 34.5e6 / users, 20),
    }
    lines = list(target.lines("users", USERS, SPEED, found))
    assert lines[0] == "[bold]Up to 33 users[/bold] (engset model: 34 users)."
    assert [line.split()[-3:] for line in lines if "<-" in line] == [["✓", "<-", "most"]]
    assert "34 users     979 kbit/s  ✗" in lines


def test_a_target_that_no_value_meets_says_the_best() -> None:
    with pytest.raises(AtlasError, match=r"no value meets .* the best is 500 kbit/s at 1 user$"):
        target.search(USERS, SPEED, lambda users: 0.5e6 / users, 10)
