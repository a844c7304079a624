"""A kernel's congestion control of somebody's own, linked into the kernel as it is (uml/module.sh)."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from linux_guest import PROGRAM, SOURCES, bulk, dumbbell, metrics, refusal, simulate_point
from processes import KERNEL

from tcpatlas.base.engine_call import libraries_allowed
from tcpatlas.base.repository import TREE
from tcpatlas.judge.__main__ import main
from tcpatlas.judge.suite import FOLDER

UML = Path(KERNEL).parent
GENTLE = SOURCES / "examples/tcp_gentle.c"
pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="the engine linux is not built")
linked = pytest.mark.skipif(
    not (UML / "objects/link").exists(), reason="no kernel whose objects were kept (uml/build.sh)"
)


def link(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SOURCES / "module.sh", UML, file], capture_output=True, text=True, check=False)


def own(file: Path, **more: Any) -> dict[str, Any]:
    """Return a point of one flow with the congestion control of a file, two in a thousand packets lost."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return lossy("external", {"library": f"sha256:{digest} {file}"} | more)


def lossy(variant: str, tcp: dict[str, Any] | None = None) -> dict[str, Any]:
    stop = {"duration_s": 300, "warmup_s": 20}
    return dumbbell(
        bulk("one", 1, variant, tcp),
        stop=stop,
        rate_bit_per_s=1e8,
        loss_probability=0.002,
        buffer_packets=400,
    )


@linked
def test_a_reno_that_keeps_four_fifths_has_the_window_of_its_formula(tmp_path: Path) -> None:
    """One that grows by a packet a round trip and falls to b of itself: sqrt((1 + b) / (2 (1 - b) p))."""
    assert link(GENTLE).returncode == 0
    with libraries_allowed(True):
        gentle = metrics(simulate_point(tmp_path / "gentle", own(GENTLE)))["throughput"]
    reno = metrics(simulate_point(tmp_path / "reno", lossy("newreno-sack")))["throughput"]
    assert gentle / reno == pytest.approx(math.sqrt(1.8 / 0.2) / math.sqrt(1.5 / 0.5), rel=0.1)


@linked
def test_the_judge_asks_a_file_of_a_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the first question of its suite, in a copy of the file."""
    monkeypatch.chdir(TREE)
    monkeypatch.setenv("TCP_ATLAS_CACHE", str(tmp_path / "cache"))
    text = (TREE / FOLDER / "kernel.yaml").read_text()
    first = f"{text[: text.index('  ramp-up:')]}{text[text.index('not_asked:') :]}"
    (tmp_path / "first.yaml").write_text(first.replace("[0.5, 1, 4]", "[1]"))
    file = tmp_path / "tcp_gentle.c"
    file.write_text(GENTLE.read_text())
    options = ["--baselines", "", "--out", str(tmp_path / "out")]
    assert main([str(file), "--suite", str(tmp_path / "first.yaml"), *options]) == 0
    assert "holds      alone: 1.00, buffer in BDP 1 (at least 0.9)" in capsys.readouterr().out
    assert "build/release/linux/linux" in (tmp_path / "out/report.html").read_text()
    assert main([str(file), "--suite", "quick", *options]) == 2
    assert "a kernel's code is asked by a suite of the engine linux" in capsys.readouterr().err


@linked
def test_it_is_linked_once_and_runs_only_by_leave(tmp_path: Path) -> None:
    assert link(GENTLE).returncode == 0
    (kernel,) = UML.glob(f"modules/{hashlib.sha256(GENTLE.read_bytes()).hexdigest()}/linux")
    before = kernel.stat().st_mtime_ns
    assert link(GENTLE).returncode == 0
    assert kernel.stat().st_mtime_ns == before
    assert "is code, which runs only where the command line says --allow-library" in refusal(
        own(GENTLE), tmp_path
    )


@linked
def test_a_name_that_the_kernel_has_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "refused"
    folder.mkdir()
    file = tmp_path / "tcp_mine.c"
    # One that no earlier run has built.
    file.write_text(GENTLE.read_text().replace('.name = "gentle"', '.name = "reno"') + f"// {tmp_path}\n")
    with libraries_allowed(True):
        assert "./atlas judge FILE.c builds it" in refusal(own(file), folder)
        assert link(file).returncode == 0
        assert "tcp.library: registers no congestion control, or under a name" in refusal(own(file), folder)


@linked
@pytest.mark.parametrize(
    ("text", "says"),
    [("int f(void) { return x; }", "tcp_mine.c:1:"), ("int g(void);\nint f(void) { return g(); }", "`g'")],
)
def test_what_does_not_compile_or_link_says_so(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "tcp_mine.c"
    file.write_text(text)
    result = link(file)
    assert result.returncode == 1
    assert says in result.stderr
    assert not list(UML.glob(f"modules/{hashlib.sha256(file.read_bytes()).hexdigest()}"))


@pytest.mark.parametrize(
    ("file", "more", "says"),
    [("my.so", {}, "tcp.library: a kernel's congestion control, tcp_foo.c"),
     ("tcp_mine.c", {"parameters": {"beta": 0.7}}, "tcp.parameters: none")],
)  # fmt: skip
def test_what_is_for_packetsim_is_refused(file: str, more: dict[str, Any], says: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("")
    folder = tmp_path / "refused"
    folder.mkdir()
    with libraries_allowed(True):
        assert says in refusal(own(tmp_path / file, **more), folder)
