"""`./atlas ask`, as a user calls it."""

import contextlib
import csv
import json
import re
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from tree import Tree

NETWORK = ("--rate", "50 Mbit/s", "--rtt", "20 ms", "--file", "300 kB", "--buffer", "64 packets")


def test_the_answer_to_a_scenario_has_every_point(built_tree: Tree) -> None:
    said = built_tree.output("./atlas", "ask", "scenarios/examples/my-link.yaml", "--csv")
    rows = list(csv.DictReader(said.splitlines()))
    assert len({(row["set"], row["point"]) for row in rows}) == 8
    speeds = [row for row in rows if row["metric"] == "goodput_per_connection"]
    assert {row["source"] for row in speeds} == {"packetsim", "model:engset"}
    for row in speeds:
        if row["source"] == "packetsim":
            assert float(row["ci_low"]) < float(row["value"]) < float(row["ci_high"])


def test_people_read_the_answer_first(built_tree: Tree) -> None:
    said = built_tree.output("./atlas", "ask", *NETWORK, "--users", "60")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    assert lines[0] == "50 Mbit/s · 20 ms · 60 users fetching 300 kB files · buffer 64 packets · CUBIC"
    assert re.fullmatch(r"Each user gets 1\.\d+ Mbit/s; a file takes [12]\.\d+ s\.", lines[1])
    assert any(line.split()[:3] == ["Speed", "per", "user"] for line in lines)
    assert "--why" in lines[-1]


def test_an_error_that_matters_is_marked(built_tree: Tree) -> None:
    """The Engset model shares a link without loss; 30 users lose packets and get half of what it says."""
    said = built_tree.output("./atlas", "ask", *NETWORK, "--users", "30", "--tcp", "newreno")
    (speed,) = (line for line in said.splitlines() if "Speed per user" in line)
    # Beyond a factor of two for certain it is of no use at all.
    error = re.search(r"\+(\d+) % !", speed)
    assert "unusable" in speed or (error is not None and 80 <= int(error[1]) <= 110), said


def test_groups_together_get_what_all_get(built_tree: Tree) -> None:
    said = built_tree.output(
        "./atlas", "ask", *NETWORK[:4], "--tcp", "20 cubic, 5 newreno-sack, 5 newreno", "--json"
    )
    speed = {row["metric"]: row["value"] for row in json.loads(said)["rows"]}
    groups = {"cubic": 20, "newreno-sack": 5, "newreno": 5}
    together = sum(users * speed[f"goodput_per_user[{name}]"] for name, users in groups.items())
    assert together == pytest.approx(30 * speed["goodput_per_user"], rel=1e-6)


def test_the_picture_of_an_answer_is_drawn(built_tree: Tree) -> None:
    picture = built_tree.root / "answer.svg"
    course = built_tree.root / "cwnd.svg"
    built_tree.output(
        "./atlas", "ask", *NETWORK, "--users", "60", "--plot", str(picture), "--trace", str(course)
    )
    assert "Speed per user" in picture.read_text()
    assert "congestion window" in course.read_text()


def test_the_most_users_are_found(built_tree: Tree) -> None:
    wanted = ("--find", "users", "--such-that", "speed >= 1 Mbit/s", "--json")
    said = built_tree.output("./atlas", "ask", *NETWORK, *wanted)
    answers = {row["source"]: row for row in json.loads(said)["answers"]}
    # A bit more than 50 users would fill the link if each had 1 Mbit/s all the time; pauses let in some more.
    assert 50 <= answers["packetsim"]["meets"] < answers["packetsim"]["fails"] <= 100
    assert answers["packetsim"]["at_meets"] >= 1e6 > answers["packetsim"]["at_fails"]


def test_the_users_of_a_local_loop_are_found_by_simulation_fixed_point_and_formula(built_tree: Tree) -> None:
    """Formula (3): 10 Mbit/s leave 50 kbit/s to 200 users who download, while 500 more pause."""
    wanted = ("--find", "users", "--such-that", "speed >= 50 kbit/s", "--json")
    said = built_tree.output("./atlas", "ask", "scenarios/examples/web-users.yaml", *wanted)
    users = {row["source"]: row["meets"] for row in json.loads(said)["answers"]}
    assert users["local_loop"] == pytest.approx(700, rel=0.02)
    assert users["packetsim"] == pytest.approx(700, rel=0.05)
    assert users["fixed_point"] == pytest.approx(700, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("scenarios/examples/none.yaml",), "scenarios/examples/none.yaml: "),
        ((*NETWORK, "--find", "users"), "--find: to what end? e.g. --such-that"),
        (
            ("scenarios/examples/my-link.yaml", "--rate", "1 Mbit/s"),
            "--rate: is there beside scenarios/examples/my-link.yaml",
        ),
        (
            ("scenarios/examples/web-users.yaml", "--find", "buffer", "--such-that", "loss <= 1 %"),
            "--find: the buffer of a local-loop is not searched for",
        ),
    ],
)
def test_a_wrong_question_is_one_line(built_tree: Tree, arguments: tuple[str, ...], said: str) -> None:
    done = built_tree.run("./atlas", "ask", *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


ARENA = "scenarios/studies/arena/scenario.yaml"
LINKS = 60
# Runs like those that the map was made of: the same numbers on every machine. Of what `ask` gives in its
# shortest time, only the model's answers and the errors that it expects of them are used.
SIMULATE = "tcpatlas.simulate('later.yaml', replications=2)"
ASK = "tcpatlas.ask('later.yaml', seconds=0)"
# Of the metrics to which a map adds nothing before it divides.
RATIOS = ("goodput_per_connection", "on_time", "utilisation")


@pytest.mark.parametrize("tcp", ["cubic", "newreno"])
def test_the_bands_of_the_error_map_hold_at_everyday_links_drawn_after_it(built_tree: Tree, tcp: str) -> None:
    scenario = yaml.safe_load((built_tree.root / ARENA).read_text())
    everyday = scenario["sets"][f"everyday-{tcp}-test"]
    # The set that it would test is not there.
    everyday["sweep"]["design"] |= {"points": LINKS, "seed": 20_261_122, "tests": None}
    scenario = {key: scenario[key] for key in ("title", "base")} | {"sets": {"everyday": everyday}}
    (built_tree.root / "later.yaml").write_text(yaml.safe_dump(scenario))

    def rows(call: str) -> list[dict[str, str]]:
        code = f"import sys, tcpatlas; {call}.to_csv(sys.stdout, index=False)"
        said = built_tree.output("env", "PYTHONPATH=workflow", ".venv/bin/python", "-c", code)
        return [row for row in csv.DictReader(said.splitlines()) if row["metric"] in RATIOS]

    simulated = {(row["point"], row["metric"]): float(row["value"]) for row in rows(SIMULATE)}
    predicted = [row for row in rows(ASK) if row["source"] == "model:engset" and row["error_expected"]]
    # A few points may lie between the outermost ones of the map and the ends of its space.
    assert len(predicted) >= 0.95 * len(simulated) == 0.95 * LINKS * len(RATIOS)
    for metric in RATIOS:
        held = [
            float(row["error_expected_low"])
            <= float(row["value"]) / simulated[row["point"], row["metric"]] - 1
            <= float(row["error_expected_high"])
            for row in predicted
            if row["metric"] == metric
        ]
        # 90 % less two standard errors of 60 links.
        assert sum(held) / len(held) >= 0.82, metric


def test_a_link_outside_of_the_error_map_is_said_to_be(built_tree: Tree) -> None:
    said = built_tree.output("./atlas", "ask", *NETWORK, "--users", "60", "--pause", "100 s", "--json")
    (asked,) = json.loads(said)["points"]
    assert asked["error_map"].startswith("outside of the error map: mean pause 100 s (inside: 0.3")


def test_a_measurement_beside_what_tcps_give(built_tree: Tree) -> None:
    """A lone flow that fills 10 Mbit/s has 1448 of its 1500 B, whatever TCP it is."""
    file = str(Path(__file__).parents[1] / "unit/measurements/iperf3.json")
    link = ("--rate", "10 Mbit/s", "--rtt", "20 ms", "--buffer", "20 packets", "--tcp", "cubic, bbr")
    said = built_tree.output("./atlas", "compare", file, *link, "--json", "--save", "saved.yaml")
    rows = {(row["metric"], row["source"]): row for row in json.loads(said)["rows"]}
    data = 10e6 * 1448 / 1500
    assert rows["goodput_of_all", "packetsim:cubic"]["value"] == pytest.approx(data, rel=1e-3)
    assert rows["goodput_of_all", "packetsim:bbr"]["value"] == pytest.approx(data, rel=0.05)
    # 6 MB/s of data are five times as much.
    goodput = rows["goodput_of_all", "packetsim:cubic"]
    assert (goodput["verdict"], goodput["difference"]) == ("above", pytest.approx(48e6 / data - 1, rel=1e-2))
    trip = rows["rtt_path_mean", "packetsim:cubic"]
    assert 0.02 < trip["run_low"] <= trip["value"] <= trip["run_high"] < 0.02 + 21 * 1.2e-3
    sets = yaml.safe_load((built_tree.root / "saved.yaml").read_text())["sets"]
    assert list(sets) == ["packetsim-cubic", "packetsim-bbr"]


def engines_of(asked: int) -> list[Path]:
    """Return the engines that a process has started, by their folders in /proc."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name, _, rest = (process / "stat").read_text().rpartition(")")
            if name.endswith("(packetsim") and int(rest.split()[1]) == asked:
                found.append(process)
    return found


def test_a_killed_question_ends_its_engines(built_tree: Tree) -> None:
    command = ["./atlas", "ask", "--rate", "10 Gbit/s", "--rtt", "3 s", "--tcp", "3 cubic, 2 bbr"]
    with subprocess.Popen(command, cwd=built_tree.root, stderr=subprocess.DEVNULL) as asked:
        deadline = time.monotonic() + 60
        while not (engines := engines_of(asked.pid)) and time.monotonic() < deadline:
            time.sleep(0.1)
        asked.terminate()
        assert asked.wait(30) != 0
    assert engines
    assert not any(engine.exists() for engine in engines)
