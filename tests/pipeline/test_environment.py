"""Nothing of a user's machine reaches a published byte, or stops a run (envs/environment.txt)."""

import shutil
from pathlib import Path

import pytest
from tree import Tree

pytestmark = pytest.mark.slow

# Each would change or end what reads it.
START_UP_FILES = {
    ".Rprofile": 'options(OutDec = ",", scipen = -5, encoding = "latin1")\nquit(status = 9)\n',
    ".Renviron": "R_LIBS=~/R\nTZ=Asia/Kathmandu\n",
    "R/ggplot2/DESCRIPTION": "Package: ggplot2\nVersion: 99\n",
    ".latexmkrc": "$pdflatex = 'false';\n",
    "texmf/tex/latex/booktabs/booktabs.sty": "\\errmessage{not this one}\n",
    ".gitconfig": "[log]\n\tshowSignature = broken\n[core]\n\tbare = perhaps\n",
    ".config/git/config": "[broken\n",
    ".config/fontconfig/fonts.conf": "<fontconfig><dir>/nowhere</dir><match><edit name='family' mode='assign'"
    " binding='strong'><string>DejaVu Serif</string></edit></match></fontconfig>\n",
    ".local/lib/python3.11/site-packages/usercustomize.py": "raise SystemExit(9)\n",
    ".cmake/packages/CLI11/entry": "/nowhere\n",
    "python/numpy.py": "raise SystemExit(9)\n",
    "bash": "exit 9\n",
    "bin/Rscript": "#!/bin/sh\nexit 9\n",
    "bin/python3": "#!/bin/sh\nexit 9\n",
}
VARIABLES = (
    *("BASH_ENV={home}/bash", "ENV={home}/bash", "CDPATH=/", "GREP_OPTIONS=-v", "POSIXLY_CORRECT=1"),
    *(
        "PATH={home}/bin:{path}",
        "PYTHONPATH={home}/python",
        "PYTHONSTARTUP={home}/bash",
        "PYTHONIOENCODING=ascii",
    ),
    *(
        "R_LIBS={home}/R",
        "R_PROFILE={home}/.Rprofile",
        "R_ENVIRON={home}/.Renviron",
        "R_DEFAULT_PACKAGES=NULL",
    ),
    *("TEXINPUTS={home}/texmf/tex/latex/booktabs:", "TEXMFHOME={home}/texmf", "max_print_line=20"),
    *("GIT_DIR={home}", "GIT_CONFIG_GLOBAL={home}/.gitconfig", "TAR_OPTIONS=--no", "SOURCE_DATE_EPOCH=1"),
    *("CXX=false", "CXXFLAGS=-ffast-math", "CPATH=/nowhere", "LDFLAGS=-no", "MAKEFLAGS=-n", "ARCH=arm64"),
    *("CMAKE_GENERATOR=none", "CMAKE_PREFIX_PATH={home}", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu"),
)
SCENARIO = "scenarios/examples/my-link.yaml"


def published(tree: Tree) -> dict[Path, bytes]:
    """Return a run's outputs, without its provenance."""
    results = tree.root / "results"
    told = {"logs", "benchmarks", "work", "cache"}
    files = (path for path in results.rglob("*") if path.is_file() and "latex" not in path.parts)
    return {path: path.read_bytes() for path in files if path.relative_to(results).parts[0] not in told}


def test_a_hostile_home_and_environment_change_no_byte(built_tree: Tree, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name, text in START_UP_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
        (home / name).chmod(0o755)
    built_tree.replace(SCENARIO, "[20, 40, 60, 80]", "[20]")
    built_tree.replace(SCENARIO, "[25 packets, 50 packets, 100 packets, 200 packets]", "[25 packets]")
    run = (
        *(".venv/bin/snakemake", "--cores", "2", "--until", "report_pdf", "my-link_tables", "provenance"),
        *("--config", f"scenarios={SCENARIO}", "scale=smoke"),
    )
    built_tree.output(*run)
    expected = published(built_tree)
    assert {path.suffix for path in expected} >= {".csv", ".jsonl", ".pdf", ".png", ".svg", ".tex", ".html"}
    for folder in ("results", ".snakemake"):
        shutil.rmtree(built_tree.root / folder)
    path = built_tree.environment["PATH"]
    hostile = (variable.format(home=home, path=path) for variable in (*VARIABLES, "HOME={home}"))
    # The function is one that bash would take in place of the program.
    function = "BASH_FUNC_mkdir%%=() { exit 9; }"
    built_tree.output("/usr/bin/env", "--unset=TCP_ATLAS_USER_HOME", *hostile, function, *run)
    made = published(built_tree)
    assert {path for path in made | expected if made.get(path) != expected.get(path)} == set()
