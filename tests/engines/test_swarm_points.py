"""The swarm's fixed points: invariants hold, and what differs without a cause is what was accepted.

Runs repeat every byte, so the list moves only with an engine. One that is gone leaves the list, too.
"""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from processes import virtual

from tcpatlas.base.files import read_yaml
from tcpatlas.base.repository import program
from tcpatlas.swarm.__main__ import trials
from tcpatlas.swarm.network import ENGINES, drawn, restored
from tcpatlas.swarm.settings import settings
from tcpatlas.swarm.trial import judged

ACCEPTED = Path(__file__).with_name("swarm_points.yaml")
built = pytest.mark.skipif(
    not all(os.access(program(engine), os.X_OK) for engine in ENGINES), reason="an engine is not built"
)


@virtual
@built
@pytest.mark.slow
def test_the_fixed_points_differ_where_it_is_accepted_alone() -> None:
    rules = settings()
    fixed = rules.fixed
    numbered = ((n, drawn(rules.space, fixed.seed, n, fixed.packets)) for n in range(1, fixed.points + 1))
    found: dict[int, dict[str, Any]] = {}
    for line in trials(numbered, rules, fixed.replications, time.monotonic() + 3600):
        assert line["broken"] == [], f"point {line['number']}"
        differences = judged(restored(line["network"]), line, rules)[1]
        if differences:
            found[line["number"]] = {each.metric: round(each.size, 3) for each in differences}
    accepted = read_yaml(ACCEPTED, str(ACCEPTED))["without_a_cause"]
    assert dict(sorted(found.items())) == accepted
