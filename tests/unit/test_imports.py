"""The files that a step is made of."""

from graphlib import TopologicalSorter
from pathlib import Path

from conftest import data

from tcpatlas.base.imports import imported, r_sources, sources

ROOT = Path(__file__).parents[2] / "workflow"
# Packages and modules by floor: each imports those of the floors below it only.
FLOORS = (
    ("base",),
    ("points",),
    ("answers", "models"),
    ("claims", "runs"),
    ("config", "controllers", "pages", "trust"),
    ("ask", "metadata", "pipeline", "regression"),
    ("cli", "console", "library", "measurement", "swarm"),
    ("judge", "__main__"),
)


def test_packages_import_those_below_them_and_modules_go_round_in_no_circle() -> None:
    floors = {name: number for number, floor in enumerate(FLOORS) for name in floor}
    found, needed_by = [], {}
    for file in sorted((ROOT / "tcpatlas").glob("*/**/*.py")) + sorted((ROOT / "tcpatlas").glob("[!_]*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        own, needed = name.split(".")[1], {other for other in imported(file, name) if "tcpatlas." in other}
        needed_by[name] = needed - {name}
        packages = {other.split(".")[1] for other in needed} - {"__version__", own}
        found += [f"{name} imports {other}" for other in packages if floors[other] >= floors[own]]
    assert found == []
    TopologicalSorter(needed_by).prepare()


def test_only_entry_points_stand_beside_the_packages() -> None:
    loose = {path.name for path in (ROOT / "tcpatlas").glob("*.py")}
    assert loose == {"__init__.py", "__main__.py", "cli.py", "console.py", "library.py"}


def test_imports_are_followed_and_nothing_else(tmp_path: Path) -> None:
    files = data("imports.files")
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    files_read = [str(path.relative_to(tmp_path)) for path in sources(tmp_path, ["pack.step"])]
    assert files_read == sorted(set(files) - {"pack/unused.py"})


def test_a_prediction_depends_on_its_own_model() -> None:
    files = {
        path.relative_to(ROOT / "tcpatlas").as_posix()
        for path in sources(ROOT, ["tcpatlas.models.compound_cycles"])
    }
    assert {"models/compound_cycles.py", "models/compound/cycles.py", "models/_points.py"} <= files
    assert not any("engset" in name or "claims" in name for name in files)


def test_a_script_of_r_is_made_of_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    files = {
        "R/plot.R": "plot_it <- function(data) {\n  theme_plain(data)\n}\n",
        "R/theme.R": "# as in speed_table\ntheme_plain <- function(data) data\n",
        "R/speed.R": "speed_table <- function() 1\n",
        "studies/one.R": "draw <- function(data) plot_it(data)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    files_read = r_sources(tmp_path / "R", [tmp_path / "studies/one.R"])
    assert [path.relative_to(tmp_path).as_posix() for path in files_read] == [
        "R/plot.R",
        "R/theme.R",
        "studies/one.R",
    ]


def test_a_figure_does_not_depend_on_how_the_report_is_put_together() -> None:
    figures = ROOT / "figures"
    roots = [figures / "bin/render.R", figures / "studies/engset.R"]
    files = {path.relative_to(figures).as_posix() for path in r_sources(figures / "R", roots)}
    assert {"R/command_render.R", "R/plot.R", "R/output.R", "R/table.R"} <= files
    assert not files & {"R/speed.R", "R/command_explore.R", "R/command_report.R", "R/moved.R"}


def test_what_a_module_says_it_reads_comes_with_it(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/table.py").write_text('READS = ("data/*.csv",)\n')
    (tmp_path / "pack/step.py").write_text("from pack.table import READS\n")
    (tmp_path.parent / "data").mkdir()
    (tmp_path.parent / "data/one.csv").touch()
    assert sources(tmp_path, ["pack.step"]) == [
        tmp_path.parent / "data/one.csv",
        *sorted(tmp_path.rglob("*.py")),
    ]
