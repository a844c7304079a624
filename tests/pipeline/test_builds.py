"""Two builds never share a folder at once, however many cores there are."""

from pathlib import Path

from tree import Tree

PROGRAMS = [f"build/release/{engine}/{engine}" for engine in ("packetsim", "fixed_point")]
# Says when it is not alone.
CMAKE = """\
#!/bin/sh
mkdir build/busy || touch overlap
sleep 0.5
rmdir build/busy
mkdir -p build/release/packetsim build/release/fixed_point
touch {}
""".format(" ".join(PROGRAMS))


def test_programs_are_built_one_after_the_other(new_tree: Tree, tmp_path: Path) -> None:
    """Resources that a user names take the place of the profile's."""
    cmake = tmp_path / "bin/cmake"
    cmake.parent.mkdir()
    cmake.write_text(CMAKE, encoding="utf-8")
    cmake.chmod(0o755)
    arguments = (
        *PROGRAMS,
        "--config",
        "scenarios=scenarios/examples/my-link.yaml",
        "--resources",
        "mem_mb=100000",
    )
    new_tree.replace("envs/environment.txt", "PATH=/usr/bin", f"PATH={cmake.parent}:/usr/bin")
    new_tree.output(".venv/bin/snakemake", "--cores", "32", *arguments)
    assert not (new_tree.root / "build/release/build.ninja").exists(), "a compiler was at work"
    assert not (new_tree.root / "overlap").exists()
