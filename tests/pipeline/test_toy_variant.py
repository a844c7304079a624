"""A new TCP variant, by following docs/adding-a-tcp-variant.md in a copy of the tree."""

from __future__ import annotations

import json
import math
import re
import textwrap
from typing import Any

import pytest
from tree import ROOT, Tree

ENGINE = "workflow/engines/packetsim"
LOSS = 0.0005


def code_of_the_page() -> str:
    page = (ROOT / "docs/adding-a-tcp-variant.md").read_text()
    match = re.search(r"^   ```cpp\n(.*?)^   ```$", page, re.DOTALL | re.MULTILINE)
    assert match is not None
    return textwrap.dedent(match[1])


def bulk_point(variant: str) -> dict[str, Any]:
    """A bulk source on a lossy path of 100 ms, whose buffer and receiver's window never fill."""
    fast = {"rate_bit_per_s": 1e9, "delay_s": 0}
    tcp = {"rwnd_packets": 4096, "initial_window_packets": 2, "min_rto_s": 1, "max_rto_s": 64}
    bottleneck = {"rate_bit_per_s": 1e9, "delay_s": 0.05, "queue": "drop-tail", "buffer_packets": 100_000}
    source = {"name": "sources", "count": 1, "workload": {"kind": "bulk"}, "tcp": {"variant": variant} | tcp}
    return {
        "schema": "tcp-atlas/point/3",
        "kind": "dumbbell",
        "study": "toy",
        "set": "loss",
        "point": variant,
        "links": {"bottleneck": bottleneck | {"loss_probability": LOSS}, "egress": fast},
        "return_delay_s": 0.05,
        "packet_bytes": 576,
        "sources": [source | {"access": fast, "extra_delay_s": 0}],
        "stop": {"duration_s": 20_000, "warmup_s": 100},
        "probes": [],
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    tree = Tree(tmp_path_factory.mktemp("toy") / "tree")
    (tree.root / ENGINE / "src/tcp/gaimd.hpp").write_text(code_of_the_page())
    variants = f"{ENGINE}/src/tcp/variants.hpp"
    tree.replace(
        variants, '#include "tcp/newreno.hpp"', '#include "tcp/gaimd.hpp"\n#include "tcp/newreno.hpp"'
    )
    tree.replace(variants, "VariantList<", "VariantList<Gaimd, ")
    tree.replace(f"{ENGINE}/engine.yaml", "variant: [newreno,", "variant: [newreno, gaimd,")
    # Compiled as results are made: what does not know the variants comes from ccache then.
    options = ["TCP_ATLAS_TESTS=OFF", "TCP_ATLAS_BENCHMARKS=OFF", "TCP_ATLAS_NS3=OFF"]
    for command in (
        ["cmake", "-S", "workflow/engines", "--preset", "release", *(f"-D{option}" for option in options)],
        ["cmake", "--build", "build/release", "--target", "packetsim"],
    ):
        done = tree.run(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    return tree


def goodput(tree: Tree, variant: str) -> float:
    (tree.root / "point.json").write_text(json.dumps(bulk_point(variant)))
    done = tree.run(
        "build/release/packetsim/packetsim", "--point", "point.json", "--seed", "1", "--out", "run.json"
    )
    assert done.returncode == 0, done.stderr
    run = json.loads((tree.root / "run.json").read_text())
    value: float = run["metrics"]["goodput"]["value"]
    return value


def test_its_goodput_is_that_of_general_aimd(tree: Tree) -> None:
    # Yang and Lam 2000: goodput is proportional to sqrt((1 + b) / (1 - b)), so from 1/2 to 7/8 it grows by
    # sqrt(5). The formula neglects timeouts, recoveries and that windows are whole packets.
    assert goodput(tree, "gaimd") / goodput(tree, "newreno") == pytest.approx(math.sqrt(5), rel=0.1)


def test_only_its_own_file_and_the_two_lists_are_touched(tree: Tree) -> None:
    naming = {
        str(path.relative_to(tree.root))
        for path in (tree.root / "workflow").rglob("*")
        if path.suffix in {".hpp", ".cpp", ".py", ".yaml", ".json", ".R", ".smk", ".txt"}
        and "gaimd" in path.read_text().lower()
    }
    lists = {f"{ENGINE}/src/tcp/variants.hpp", f"{ENGINE}/engine.yaml"}
    assert naming == {f"{ENGINE}/src/tcp/gaimd.hpp"} | lists


def test_scenarios_take_it(tree: Tree) -> None:
    tree.replace("examples/my-link.yaml", "variant: newreno", "variant: gaimd")
    config = (tree.root / "config/config.yaml").read_text() + "scenarios: [examples/my-link.yaml]\n"
    (tree.root / "toy.yaml").write_text(config)
    command = ("-m", "tcpatlas", "expand", "--config", "toy.yaml")
    done = tree.run("env", "PYTHONPATH=workflow", ".venv/bin/python", *command)
    assert done.returncode == 0, done.stderr
    points = json.loads((tree.root / "results/points/my-link/people.json").read_text())["points"]
    assert {point["sources"][0]["tcp"]["variant"] for point in points} == {"gaimd"}
