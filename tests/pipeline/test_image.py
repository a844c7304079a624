"""The image is built and runs the smoke scale as another user, where something builds images."""

import os
import shutil
import subprocess

import pytest
from tree import Tree

from tcpatlas import __version__


def works(tool: str) -> bool:
    """Say whether the tool is here; a Docker client without its daemon is none."""
    return (
        shutil.which(tool) is not None and not subprocess.run([tool, "info"], capture_output=True).returncode
    )


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not any(map(works, ("docker", "podman", "buildah"))),
        reason="nothing builds images here (./atlas setup --with-image)",
    ),
]


def test_the_image_builds_and_runs_as_another_user_without_network(new_tree: Tree) -> None:
    """Behind a proxy of one's own, PIP_CERT in the environment is handed on."""
    certificates = os.getenv("PIP_CERT")
    to_pip = (f"--secret=id=ca,src={certificates}", "--build-arg=PIP_CERT=/run/secrets/ca")
    without_kernel = "--build-arg=SETUP=--without-linux"
    done = new_tree.run("./atlas", "image", without_kernel, *(to_pip if certificates else ()))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert f"tcp-atlas:{__version__} works" in done.stdout
