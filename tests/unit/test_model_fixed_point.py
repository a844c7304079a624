"""The fixed point as a model: which run of its engine answers a point; the engine has tests of its own."""

from pathlib import Path

import pytest

from tcpatlas.ask.answer import predicted
from tcpatlas.ask.question import from_file, from_options
from tcpatlas.models import fixed_point
from tcpatlas.points.errors import PointError

ROOT = Path(__file__).parents[2]
LOOP = from_file(str(ROOT / "scenarios/examples/web-users.yaml")).sets[0].points[0].document
LINK = from_options({"rate": "50 Mbit/s", "rtt": "20 ms", "users": "60"}).sets[0].points[0].document


def test_it_iterates_by_scheme_2_with_one_reference_in_fifty_users() -> None:
    asked = fixed_point.by_scheme_2(LOOP)
    assert asked["fixed_point"]["scheme"] == "2"
    assert asked["fixed_point"]["references"] == LOOP["sources"][0]["count"] // 50
    assert asked["sources"] == LOOP["sources"]


def test_a_step_has_packets_of_every_user() -> None:
    few = fixed_point.by_scheme_2(LOOP)
    assert few["fixed_point"]["step_packets"] == 25_000
    assert few["stop"]["packets"] == 300_000
    (users,) = LOOP["sources"]
    many = fixed_point.by_scheme_2({**LOOP, "sources": [{**users, "count": 10_000}]})
    assert many["fixed_point"]["step_packets"] == 250_000


def test_it_answers_no_dumbbell() -> None:
    with pytest.raises(PointError, match="the fixed_point model cannot answer dumbbell; only local-loop"):
        fixed_point.predict([LINK])


def test_without_its_engine_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"fixed_point is missing; \./atlas reproduce builds it"):
        fixed_point.predict([LOOP])


def test_a_quick_answer_leaves_it_out() -> None:
    assert predicted(LOOP, quick=True).left_out["fixed_point"].endswith("--precise asks it too")
