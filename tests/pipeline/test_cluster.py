"""A study through SLURM gives the bytes of a local run, though a job and a daemon are killed on the way."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tree import ROOT, Outcome, Tree

STUDY = "compound"
TABLES = [f"results/studies/{STUDY}/{table}.csv" for table in ("observations", "claims", "statements")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0 or " " in str(ROOT), reason="needs root; the plugin quotes no path"),
    pytest.mark.skipif(
        any(shutil.which(tool) is None for tool in ("slurmctld", "slurmd", "munged", "sbatch")),
        reason="SLURM is not installed (./atlas setup --with-cluster)",
    ),
]


class Cluster:
    """SLURM with this machine as its only node."""

    def __init__(self, folder: Path) -> None:
        namespaces = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
        self.folder = folder
        self.process = subprocess.Popen(
            [*namespaces, ROOT / "tests/pipeline/slurm.sh", folder, "sleep", "infinity"],
            stdin=subprocess.DEVNULL,
        )

    def inside(self, *command: str, directory: Path = Path("/")) -> list[str]:
        """Return the command line that runs a command where SLURM is, in a directory."""
        parent = self.process.pid
        child = Path(f"/proc/{parent}/task/{parent}/children").read_text().strip()
        return ["nsenter", "--target", child, "--mount", "--pid", f"--wdns={directory}", *command]

    def run(self, *command: str) -> Outcome:
        """Run a command where SLURM is."""
        return subprocess.run(
            self.inside(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )

    def restart_node(self) -> None:
        """Kill the node's daemon, and start it anew; its jobs go on meanwhile."""
        self.run("kill", "-KILL", (self.folder / "slurmd.pid").read_text().strip())
        self.run("slurmd")

    def jobs(self) -> list[str]:
        """Return the numbers of the jobs that run."""
        return self.run("squeue", "--noheader", "--states=RUNNING", "--format=%i").stdout.split()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """SLURM, for one test; it ends with its process namespace."""
    cluster = Cluster(tmp_path / "slurm")
    try:
        wait_for(lambda: (tmp_path / "slurm/ready").exists(), cluster.process)
        yield cluster
    finally:
        cluster.process.send_signal(signal.SIGKILL)
        cluster.process.wait()


@pytest.fixture
def held(built_tree: Tree) -> Iterator[Tree]:
    """A tree with the engines, of which packetsim waits."""
    with built_tree.held() as tree:
        yield tree


def wait_for(happened: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until something has happened, as long as a process is there that makes it happen."""
    while not happened():
        assert process.poll() is None
        time.sleep(0.1)


def test_a_cluster_gives_the_bytes_of_a_local_run(cluster: Cluster, smoke: Tree, held: Tree) -> None:
    command = [".venv/bin/snakemake", "--profile", "profiles/slurm", *TABLES, "--config", "scale=smoke"]
    command = ["env", "TCP_ATLAS_CACHE=off", *command]
    soon = ["--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "10"]
    with (held.root / "run.log").open("wb") as log:
        run = subprocess.Popen(
            cluster.inside(*command, *soon, directory=held.root),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    wait_for(cluster.jobs, run)
    cluster.restart_node()
    killed = cluster.jobs()[0]
    cluster.run("scancel", "--signal=KILL", "--full", killed)
    (held.root / "hold").unlink()
    status = run.wait()
    log_text = (held.root / "run.log").read_text()
    assert status == 0, log_text
    assert f"SLURM-job '{killed}' failed" in log_text
    for table in TABLES:
        assert (held.root / table).read_bytes() == (smoke.root / table).read_bytes()
