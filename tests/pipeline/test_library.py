"""The wheel, installed into a virtual environment of its own and used from an empty folder; skeletons."""

import json
import os
import platform
import re
import shutil
import subprocess
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from tree import ROOT, Tree

EXAMPLE = re.search(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text("utf-8"), re.DOTALL)
# The engine itself, by hand: the first replication of the point that the library makes of a scenario.
DIRECT = """
import json, pathlib, subprocess, sys
import tcpatlas
from tcpatlas import library
from tcpatlas.base.files import to_json
from tcpatlas.runs.replications import replication_seed
exec(sys.stdin.read().partition("simulated =")[0])
point = library.points_of(link, 2, 1, 1)[0].document
pathlib.Path("point.json").write_text(to_json(point))
seeds = [replication_seed(point, number) for number in (1, 2)]
found = tcpatlas.simulate(link, replications=2).set_index("metric")["value"]
(program,) = library.engine_command("packetsim")
print(json.dumps({"seeds": seeds, "found": found.to_dict(), "program": program}))
"""


def requirements(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as file:
        (metadata,) = (name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        return re.findall("^Requires-Dist: (.*)$", file.read(metadata).decode(), re.MULTILINE)


def required(wheel: Path) -> set[Path]:
    """The files and folders in .venv of all that a wheel requires; PackageNotFoundError if one is missing."""
    waiting = requirements(wheel)
    places: set[Path] = set()
    seen: set[str] = set()
    while waiting:
        wanted = Requirement(waiting.pop())
        if wanted.name in seen or not (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(wanted.name)
        found = distribution(wanted.name)
        assert wanted.specifier.contains(found.version), f"{wanted}, but {found.version} is installed"
        waiting += found.requires or []
        tops = {file.parts[0] for file in found.files or []} - {"..", "__pycache__"}
        places |= {Path(str(found.locate_file(top))) for top in tops}
    return places


def environment(folder: Path, wheel: Path, *alone: str) -> Path:
    """Return the interpreter of a virtual environment with nothing but the wheel and what it requires.

    That is taken from .venv, without the network; with TCP_ATLAS_NIGHTLY=1 pip installs it from its index.
    """
    licences = {
        Path(name).name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/licenses/" in name
    }
    assert licences == {"LICENSE", "THIRD-PARTY.txt"}
    subprocess.run(["/usr/bin/python3", "-m", "venv", folder / "venv"], check=True)
    made = folder / "venv/bin/python"
    if alone:
        (packages,) = folder.glob("venv/lib/python*/site-packages")
        for place in required(wheel):
            (packages / place.name).symlink_to(place)
    subprocess.run([made, "-m", "pip", "install", "--quiet", *alone, str(wheel)], check=True)
    return made


ALONE = [] if os.getenv("TCP_ATLAS_NIGHTLY") else ["--no-index", "--no-deps"]


def wheels(folder: Path, *options: str) -> list[Path]:
    """Build by `./atlas wheel`, or skip."""
    command = ["./atlas", "wheel", *options, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if "No matching distribution found for" in done.stderr:
        pytest.skip("no index of Python packages is in reach, from which the wheel's build system comes")
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(folder.glob("tcpatlas-*.whl"))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel of this machine's compiler."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = wheels(folder)
    return environment(folder, wheel, *ALONE)


def run(python: Path, folder: Path, *arguments: str, text: str = "") -> str:
    """Return what Python prints in a folder, without the paths of this tree."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, *arguments], cwd=folder, env=environment, input=text, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_the_page_runs_from_an_empty_folder(python: Path, tmp_path: Path) -> None:
    assert EXAMPLE
    printed = run(python, tmp_path, "-", text=EXAMPLE[1])
    assert "model:engset" in printed
    assert list(tmp_path.iterdir()) == []


def test_the_notebook_prints_what_it_holds(python: Path, tmp_path: Path) -> None:
    cells = json.loads((ROOT / "docs/library.ipynb").read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    printed = [
        line
        for cell in code
        for output in cell["outputs"]
        if output["output_type"] == "stream"
        for line in output["text"]
    ]
    assert printed
    assert run(python, tmp_path, "-", text="\n".join("".join(cell["source"]) for cell in code)) == "".join(
        printed
    )


def says_what_the_engine_says(python: Path, tmp_path: Path) -> None:
    assert EXAMPLE
    made = json.loads(run(python, tmp_path, "-c", DIRECT, text=EXAMPLE[1]))
    assert not Path(made["program"]).is_relative_to(ROOT)
    runs, out = [], tmp_path / "run.json"
    for seed in made["seeds"]:
        written = []
        for program in (made["program"], ROOT / "build/release/packetsim/packetsim"):
            options = ["--point", tmp_path / "point.json", "--seed", str(seed), "--out", out]
            subprocess.run([program, *options], check=True)
            written.append(out.read_bytes())
        assert written[0] == written[1]
        runs.append(json.loads(written[0])["metrics"])
    for metric in ("goodput", "loss_ratio", "utilisation"):
        mean = sum(each[metric]["value"] for each in runs) / len(runs)
        assert made["found"][metric] == pytest.approx(mean, rel=1e-12)


def test_the_library_says_what_the_engine_says(python: Path, tmp_path: Path) -> None:
    says_what_the_engine_says(python, tmp_path)


def test_the_wheel_judges_a_controller_that_its_header_compiles(python: Path, tmp_path: Path) -> None:
    program = python.with_name("tcpatlas")
    headers = run(program, tmp_path, "--include").strip()
    assert Path(headers).is_relative_to(python.parents[1])
    command = ["cc", "-std=c99", "-shared", "-fPIC", f"-I{headers}", "-o", "reno.so"]
    subprocess.run([*command, ROOT / "scenarios/examples/controllers/reno.c"], check=True, cwd=tmp_path)
    said = run(program, tmp_path, "judge", "./reno.so", "--only", "ramp-up", "--baselines", "")
    assert "holds      ramp-up: 0.9" in said
    assert "reno.so: 1 hold" in (tmp_path / "build/judge/reno-quick-ramp-up/report.html").read_text()


# Controllers in Python, in the process, and in C, of which the program knows nothing before.
CONTROLLED = """
link["tcp"] |= {"variant": "external", "library": sys.argv[1]}
for mine in ({"controller": Reno}, {"allow_library": True}):
    print(tcpatlas.simulate(link, length=0.1, **mine).to_csv())
"""
PAGE = (ROOT / "docs/own-congestion-control.md").read_text("utf-8")
RENO = re.search("```python\n(.*?class Reno:.*?)print", PAGE, re.DOTALL)
OF_GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the wheel is for x86-64")
def test_the_wheel_for_other_systems_needs_glibc_2_28_and_runs_as_here(python: Path, tmp_path: Path) -> None:
    (wheel,) = wheels(tmp_path, "--manylinux")
    with zipfile.ZipFile(wheel) as file:
        for name in ("packetsim", "libpacketsim.so"):
            program = file.extract(f"tcpatlas/tree/build/release/packetsim/{name}", tmp_path)
            told = subprocess.check_output(["objdump", "-p", "-T", program], text=True)
            assert set(re.findall(r"NEEDED +(\S+)", told)) <= OF_GLIBC
            assert max(int(version) for version in re.findall(r"GLIBC_2\.(\d+)", told)) <= 28
    # pip takes it where it fits, before one for any machine.
    anywhere = shutil.copy(wheel, tmp_path / wheel.name.replace("manylinux_2_28_x86_64", "any"))
    for system, expected in (("manylinux_2_28_x86_64", wheel), ("manylinux_2_27_x86_64", anywhere)):
        download = ".venv/bin/python -m pip download --quiet --no-index --no-deps --only-binary=:all:"
        options = f"--platform {system} --dest {tmp_path / system} --find-links {tmp_path} tcpatlas"
        subprocess.run(f"{download} {options}".split(), check=True, cwd=ROOT)
        assert [each.name for each in (tmp_path / system).iterdir()] == [expected.name]

    made = environment(tmp_path, wheel, *ALONE)
    says_what_the_engine_says(made, tmp_path)
    place = "-I workflow/engines/packetsim/src/tcp scenarios/examples/controllers/reno.c"
    subprocess.run(f"cc -std=c99 -shared -fPIC -o {tmp_path}/reno.so {place}".split(), check=True, cwd=ROOT)
    assert EXAMPLE
    assert RENO
    text = "import sys\n" + EXAMPLE[1].partition("simulated =")[0] + RENO[1] + CONTROLLED
    here, there = (run(each, tmp_path, "-", tmp_path / "reno.so", text=text) for each in (python, made))
    assert here.count(",goodput,") == 2
    assert here == there


BYTES = """
import sys
sys.path.insert(0, "tests")
from packetsim_points import SEED, accepted, digest_of
from tcpatlas.base.module import MODULE, Packetsim
packetsim = Packetsim(MODULE)
for name, (point, digest) in accepted().items():
    assert digest_of(packetsim.simulate(point, SEED)) == digest, name
"""


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "build/wasm/packetsim.wasm").exists(), reason="no module of WebAssembly")
def test_the_wheel_for_any_machine_gives_the_same_bytes_and_answers(python: Path, tmp_path: Path) -> None:
    """By the module of the laboratory, which `wasmtime` runs."""
    (wheel,) = wheels(tmp_path, "--any")
    assert wheel.name.endswith("-py3-none-any.whl")
    (marker, _) = (each.marker for each in map(Requirement, requirements(wheel)) if each.name == "wasmtime")
    mac = {"sys_platform": "darwin", "platform_machine": "arm64"}
    assert marker
    assert marker.evaluate(mac) > marker.evaluate({"sys_platform": "linux"})
    made = environment(tmp_path, wheel, *ALONE)
    wanted = "import tcpatlas; print(tcpatlas.cdf('300 kB', '50 Mbit/s', '20 ms', loss='1 %', seed=7))"
    refused = f"import tcpatlas\ntry:\n    {wanted}\nexcept tcpatlas.AtlasError as error:\n    print(error)"
    assert run(made, tmp_path, "-c", refused) == "wasmtime is missing; run: pip install 'tcpatlas[wasm]'\n"
    pinned = re.search(r"^wasmtime==.*$", (ROOT / "envs/wheel.in").read_text("utf-8"), re.MULTILINE)
    assert pinned
    installed = subprocess.run([made, "-m", "pip", "install", "--quiet", pinned[0]])
    if installed.returncode:
        pytest.skip("no index of Python packages is in reach, from which wasmtime comes")
    run(made, ROOT, "-c", BYTES)
    assert run(made, tmp_path, "-c", wanted) == run(python, tmp_path, "-c", wanted)
    options = ["--rate", "50 Mbit/s", "--rtt", "20 ms", "--users", "60", "--file", "300 kB", "--csv"]
    assert "packetsim" in run(made, tmp_path, tmp_path / "venv/bin/tcpatlas", "ask", *options)


def test_a_mistake_is_one_line(python: Path, tmp_path: Path) -> None:
    asked = "try: tcpatlas.ask(rate='20 ms', rtt='20 ms')"
    printed = run(
        python, tmp_path, "-c", f"import tcpatlas\n{asked}\nexcept tcpatlas.AtlasError as e: print(e)"
    )
    assert printed.startswith("rate: ")
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("kind", "folder", "made"),
    [
        ("paper", [], "scenarios/papers/my-new"),
        ("paper", ["../mine"], "../mine/my-new"),
        ("scenario", [], "my-new.yaml"),
    ],
)
def test_a_skeleton_is_planned_and_never_overwritten(
    new_tree: Tree, kind: str, folder: list[str], made: str
) -> None:
    new_tree.output("./atlas", "new", kind, "my-new", *folder)
    new_tree.make("--dry-run", "--config", f"scenarios={made}", "scale=smoke")
    again = new_tree.run("./atlas", "new", kind, "my-new", *folder)
    assert again.returncode == 1
    assert again.stderr == f"atlas: new: {made} is there already; choose another name, or remove it\n"


def test_a_skeleton_is_written_whole_or_not_at_all(new_tree: Tree) -> None:
    shutil.rmtree(new_tree.root / "paper/sections")
    (new_tree.root / "paper/sections").touch()
    before = sorted(new_tree.root.iterdir())
    refused = new_tree.run("./atlas", "new", "paper", "my-new")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "atlas: new: paper/sections: File exists\n"
    assert not (new_tree.root / "scenarios/papers/my-new").exists()
    assert sorted(new_tree.root.iterdir()) == before
