"""Which files a step is made of."""

from __future__ import annotations

from pathlib import Path

from tcpatlas.base.imports import sources

ROOT = Path(__file__).parents[2] / "workflow"


def test_imports_are_followed_and_nothing_else(tmp_path: Path) -> None:
    files = {
        "pack/__init__.py": "",
        "pack/step.py": "import json\nfrom pack.inner import part\n\ndef f():\n    from . import late\n",
        "pack/inner/__init__.py": "",
        "pack/inner/part.py": "from ..other import thing\n",
        "pack/other.py": "thing = 1\n",
        "pack/late.py": "",
        "pack/unused.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = [str(path.relative_to(tmp_path)) for path in sources(tmp_path, ["pack.step"])]
    assert found == sorted(set(files) - {"pack/unused.py"})


def test_a_prediction_depends_on_its_own_model() -> None:
    found = {
        path.relative_to(ROOT / "tcpatlas").as_posix()
        for path in sources(ROOT, ["tcpatlas.models.compound_cycles"])
    }
    assert {"models/compound_cycles.py", "models/compound/cycles.py", "models/_points.py"} <= found
    assert not any("engset" in name or "claims" in name for name in found)
