"""A run that is killed in its middle resumes: what was simulated is kept."""

import time
from collections.abc import Iterator

import pytest
from tree import Tree

pytestmark = pytest.mark.slow

ARGUMENTS = ("--until", "simulate", "--config", "scenarios=scenarios/examples/my-link.yaml", "scale=smoke")


@pytest.fixture
def held(smoke: Tree, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tree]:
    """The tree of the smoke run; its engine waits after two points and a replication of the third."""
    monkeypatch.setitem(smoke.environment, "TCP_ATLAS_CACHE", "off")
    with smoke.held('[ "$(ls results/cache/*/*.json.gz | wc -l)" -ge 5 ]') as tree:
        yield tree


def test_a_killed_run_resumes(held: Tree) -> None:
    with held.started("--cores", "1", *ARGUMENTS) as run:
        while not (held.root / "held").exists():
            assert run.poll() is None
            time.sleep(0.1)
        before = held.kept()
        meanwhile = held.run("./atlas", "reproduce", *ARGUMENTS)
    assert meanwhile.returncode == 1
    assert "another run is at work in this directory" in meanwhile.stderr

    (held.root / "hold").unlink()
    held.output("./atlas", "reproduce", *ARGUMENTS)
    after = held.kept()
    # Eight points of two replications; five of them are from before.
    assert (len(before), len(after)) == (5, 8 * 2)
    assert {path: after[path] for path in before} == before
