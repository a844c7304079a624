"""The script of seeded mistakes: it tells those that tests notice from those that no test does."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

SCRIPT = Path(__file__).parents[1] / "mutations/run.py"
FILE = "workflow/tcpatlas/base/statistics.py"
LINE, MISTAKE = "stdtrit(n - 1, (1 + confidence) / 2)", "stdtrit(n, (1 + confidence) / 2)"
MUTATION = "{name}: {{file: {file}, old: '{old}', new: '{new}', unit: [test_statistics.py]}}\n"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, whose unit tests notice one mistake and no other."""
    spec = importlib.util.spec_from_file_location("mutations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def unit(copy: object, what: str) -> tuple[bool, str]:
        mistaken = MISTAKE in (copy.root / FILE).read_text()  # type: ignore[attr-defined]
        return not mistaken, f"FAILED tests/unit/{what}::test_an_interval - wrong" if mistaken else "1 passed"

    monkeypatch.setitem(module.SUITES, "unit", unit)
    return module


def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **mutations: tuple[str, str]) -> None:
    text = "".join(MUTATION.format(name=n, file=FILE, old=o, new=w) for n, (o, w) in mutations.items())
    (tmp_path / "mutations.yaml").write_text(text)
    monkeypatch.setattr(sys, "argv", ["run.py", "--list", str(tmp_path / "mutations.yaml")])


def test_a_mistake_is_told_from_what_no_test_sees(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    harmless = "stdtrit(-1 + n, (1 + confidence) / 2)"
    listed(tmp_path, monkeypatch, caught=(LINE, MISTAKE), escapes=(LINE, harmless))
    assert script.main() == 1
    caught, escaped, summary = capsys.readouterr().out.splitlines()
    assert caught.startswith("caught: tests/unit/test_statistics.py::test_an_interval")
    assert escaped.startswith("escapes: NOT CAUGHT")
    assert summary == "1 passed, 1 failed"


def test_a_mistake_that_can_no_longer_be_made_is_named(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed(tmp_path, monkeypatch, gone=("a line that was here once", "another"))
    with pytest.raises(SystemExit, match=f"gone: the old text is 0 times in {FILE}"):
        script.main()


def test_every_mistake_of_the_list_can_be_made() -> None:
    root = SCRIPT.parents[2]
    mutations = yaml.safe_load((SCRIPT.parent / "mutations.yaml").read_text())
    gone = [
        name for name, one in mutations.items() if (root / one["file"]).read_text().count(one["old"]) != 1
    ]
    assert gone == []
