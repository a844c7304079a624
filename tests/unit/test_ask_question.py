"""`./atlas ask`: the points of options and files, and what is said of wrong ones."""

import contextlib
import re
from pathlib import Path

import pytest
from ask_link import NETWORK, point
from conftest import cases

from tcpatlas.answers import headline_metrics
from tcpatlas.ask import __main__ as ask
from tcpatlas.ask import question
from tcpatlas.base.errors import AtlasError
from tcpatlas.points import engines

ROOT = Path(__file__).parents[2]
ARGUMENTS = ["--rate", "50 Mbit/s", "--rtt", "20 ms", "--file", "300 kB"]


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line that a wrong question ends with."""
    with contextlib.suppress(SystemExit):
        assert ask.main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err.strip()


def test_options_describe_a_point() -> None:
    document = point()
    (group,) = document["sources"]
    assert group["count"] == 60
    assert group["workload"]["file_size"]["mean_packets"] == 200
    assert document["links"]["bottleneck"]["rate_bit_per_s"] == 50_000_000
    assert document["links"]["bottleneck"]["buffer_packets"] == 64


def test_tcp_is_todays_unless_another_is_asked_for() -> None:
    """CUBIC has selective acknowledgements; receivers acknowledge every second packet (RFC 5681, 4.2)."""
    (group,) = point()["sources"]
    assert group["tcp"] == {
        "variant": "cubic",
        "rules": "linux",
        "timers": "linux",
        "rwnd_packets": 1000,
        "initial_window_packets": 10,
        "min_rto_s": 0.2,
        "max_rto_s": 60,
        "delayed_ack": {"packets": 2, "timeout_s": 0.04, "quick_acks": 0},
    }
    assert point(tcp="cubic") == point()
    assert question.described(NETWORK, None).endswith(" · CUBIC")
    (bbr,) = point(tcp="bbr")["sources"]
    assert bbr["tcp"] | {"rules": "linux"} == group["tcp"] | {"variant": "bbr"}
    assert question.described({**NETWORK, "tcp": "bbr"}, None).endswith(" · BBR")


@cases("ask_question.buffer_and_window_follow_the_path")
def test_buffer_and_window_follow_the_path(options: dict[str, str], buffer: int, window: int) -> None:
    """As receivers' auto-tuning has it: at least what path and buffer hold, so that no window limits."""
    document = point(**options)
    assert document["links"]["bottleneck"]["buffer_packets"] == buffer
    assert {group["tcp"]["rwnd_packets"] for group in document["sources"]} == {window}


def test_a_window_follows_what_is_searched() -> None:
    """100 ms times 12 Gbit/s are 100,000 packets; no other link of the path limits either."""
    question_of = question.from_options({"rtt": "100 ms", "buffer": "5 packets"}, "rate")
    document = question_of.at("rate", "links.bottleneck.rate", "12000000 kbit/s").document
    assert document["sources"][0]["tcp"]["rwnd_packets"] == 200_010
    assert document["sources"][0]["access"]["rate_bit_per_s"] == 120e9


def test_the_kernel_takes_no_window_above_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    fat = question.from_options({"rate": "10 Gbit/s", "rtt": "200 ms"}, None, "linux").points[0].document
    assert fat["links"]["bottleneck"]["buffer_packets"] == 100_000
    assert fat["sources"][0]["tcp"]["rwnd_packets"] == 100_000


@cases("ask_question.what_was_not_given_is_said")
def test_what_was_not_given_is_said(options: dict[str, str], find: str | None, assumed: str) -> None:
    said = ", ".join(question.from_options(options, find).assumed)
    assert re.sub(r" \(--[a-z]+\)", "", said) == assumed


@pytest.mark.parametrize("variant", ["newreno", "reno", "tahoe"])
def test_older_tcps_are_as_the_rfcs_of_their_time_have_them(variant: str) -> None:
    (group,) = point(tcp=variant)["sources"]
    assert (group["tcp"]["min_rto_s"], group["tcp"].get("delayed_ack")) == (1, None)


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
    assert [(group["name"], group["count"], group["tcp"]["variant"]) for group in asked["sources"]] == [
        ("cubic", 30, "cubic"),
        ("newreno", 5, "newreno"),
    ]
    assert question.described(network, None).endswith(
        "· 35 users fetching 300 kB files · buffer 64 packets · 30 cubic, 5 newreno"
    )
    # Users beside one another have like receivers, whatever their senders are.
    first, second = (group["tcp"] for group in asked["sources"])
    assert first == point()["sources"][0]["tcp"]
    assert second | {"variant": "cubic", "rules": "linux", "timers": "linux"} == first
    of_group = [row.metric for row in headline_metrics.groups(asked)]
    assert of_group == ["goodput_per_connection[cubic]", "goodput_per_connection[newreno]"]


def test_packetsim_takes_ecn_of_todays_tcp_only() -> None:
    assert point(queue="fq-codel", ecn="yes")["sources"][0]["tcp"]["ecn"] is True
    for other in ("newreno", "bbr"):
        with pytest.raises(AtlasError, match=r"^--ecn: "):
            point(queue="fq-codel", ecn="yes", tcp=other)


def test_the_kernel_takes_ecn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "missing", lambda engine: None)
    asked = question.from_options({**NETWORK, "queue": "fq-codel", "ecn": "yes"}, None, "linux")
    assert asked.points[0].document["sources"][0]["tcp"]["ecn"] is True


def test_a_kernel_that_is_not_built_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "_BUILD_FOLDER", tmp_path)
    line = error_of(capsys, *ARGUMENTS, "--engine", "linux")
    assert line == ("--engine linux: User-Mode Linux with virtual time is not installed (by ./atlas setup)")


def test_other_links_never_limit() -> None:
    assert point(rate="20 Gbit/s")["links"]["egress"]["rate_bit_per_s"] == 200_000_000_000


def test_sizes_in_bytes_are_rounded_up_to_packets() -> None:
    document = point(buffer="100 kB", file="1501 B", packet="1000 B")
    assert document["links"]["bottleneck"]["buffer_packets"] == 100
    assert document["sources"][0]["workload"]["file_size"]["mean_packets"] == 2


def test_without_files_transfers_are_endless() -> None:
    assert point(file=None)["sources"][0]["workload"]["kind"] == "bulk"


@cases("ask_question.a_wrong_option_is_named")
def test_a_wrong_option_is_named(option: str, value: str | None, message: str) -> None:
    with pytest.raises(AtlasError) as error:
        point(**{option: value})
    assert str(error.value).startswith(message)


@cases("ask_question.what_is_understood")
def test_everyday_spellings_are_understood(option: str, typed: str, meant: str) -> None:
    assert point(**{option: typed}) == point(**{option: meant})


@cases("ask_question.a_wrong_question_is_one_line")
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
        question.from_file(str(ROOT / "scenarios/examples/local-loop.yaml"))


def test_engines_that_are_not_installed_are_not_asked_for() -> None:
    with pytest.raises(AtlasError) as error:
        question.from_file(str(ROOT / "scenarios/examples/linux-of-2002.yaml"))
    assert "packetsim does not take tcp.variant linux-2.4; one of: newreno" in str(error.value)
    assert "install" not in str(error.value)
