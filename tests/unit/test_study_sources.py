"""Scenarios and papers in another repository: a folder or an archive, with models of their own."""

import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import PARROT, Fails, Workspace

from tcpatlas import cli, models
from tcpatlas.base.errors import ConfigError
from tcpatlas.base.repository import TREE
from tcpatlas.config.load import load_project
from tcpatlas.config.study_sources import UNPACKED, scenario_files
from tcpatlas.metadata.provenance import input_files
from tcpatlas.models import FOLDERS, file_of

FILE = "config/config.yaml: "


@pytest.fixture
def elsewhere(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two papers; the model of the first is its own. The workspace has neither."""
    folder = tmp_path_factory.mktemp("elsewhere") / "papers"
    for name in ("first", "second"):
        workspace.scenario |= {
            "paper": name,
            "models": [f"parrot_of_{name}"] if name == "first" else ["parrot"],
        }
        workspace.write()
        (folder / name).mkdir(parents=True)
        shutil.move("scenarios/demo.yaml", folder / name / "scenario.yaml")
        for file in (workspace.items_file, workspace.table_file):
            shutil.copy(file, folder / name)
    (folder / "first/models").mkdir()
    (folder / "first/models/parrot_of_first.py").write_text(PARROT)
    shutil.rmtree("scenarios/papers")
    return folder


def archived(folder: Path, name: str) -> str:
    """Return an archive of a folder, made by the program that people use."""
    archive = folder.parent / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(archive, "w") as file:
            for path in folder.rglob("*"):
                file.write(path, path.relative_to(folder.parent))
    else:
        tar = ["tar", "--create", "--auto-compress", "-f", archive, "-C", folder.parent, folder.name]
        subprocess.run(tar, check=True)
    return str(archive)


def loaded(workspace: Workspace, *places: str) -> dict[str, str]:
    """Return the folders of the studies that a configuration finds, by name; each has its three numbers."""
    project = load_project(workspace.config | {"scenarios": list(places)}, workspace.root)
    for items in project.items.values():
        assert [len(item.numbers) for item in items] == [3]
    assert "first" not in project.items or "first/models/parrot_of_first.py" in input_files(project)
    assert not any(str(workspace.root.parent) in name for name in input_files(project))
    return {study.name: study.folder for study in project.studies}


def test_a_folder_of_papers_stays_where_it_is(workspace: Workspace, elsewhere: Path) -> None:
    before = sorted(workspace.root.rglob("*.*"))
    folders = loaded(workspace, str(elsewhere))
    assert folders == {name: f"{elsewhere}/{name}" for name in ("first", "second")}
    assert sorted(path for path in workspace.root.rglob("*.*") if path.suffix != ".pyc") == before
    assert file_of("parrot_of_first") == elsewhere / "first/models/parrot_of_first.py"


def test_one_paper_of_it_alone_and_a_file_beside_it(workspace: Workspace, elsewhere: Path) -> None:
    assert list(loaded(workspace, f"{elsewhere}/second")) == ["second"]
    both = loaded(workspace, f"{elsewhere}/first/scenario.yaml", f"{elsewhere}/second")
    assert list(both) == ["first", "second"]


def test_a_repository_laid_out_as_this_one(workspace: Workspace, elsewhere: Path) -> None:
    shutil.move(elsewhere / "first", elsewhere / "scenarios/papers/first")
    shutil.move(elsewhere / "second", elsewhere / "scenarios/studies/second")
    assert list(loaded(workspace, str(elsewhere))) == ["first", "second"]


@pytest.mark.parametrize("name", ["p.tar.gz", "p.tgz", "p.tar", "p.tar.xz", "p.zip"])
def test_an_archive_is_unpacked_outside_of_what_is_tracked(
    workspace: Workspace, elsewhere: Path, name: str
) -> None:
    archive = archived(elsewhere, name)
    shutil.rmtree(elsewhere)
    for _ in range(2):
        folders = loaded(workspace, archive)
        assert list(folders) == ["first", "second"]
        assert all(folder.startswith(UNPACKED) for folder in folders.values())
    assert [path.name for path in Path(UNPACKED).glob("*")] == [Path(folders["first"]).parts[2]]
    # What a run wrote of its configuration finds the same again.
    config = load_project(workspace.config | {"scenarios": archive}, workspace.root).config
    assert list(loaded(workspace, *config["scenarios"])) == ["first", "second"]


def test_the_programs_of_a_run_know_the_models(workspace: Workspace, elsewhere: Path) -> None:
    loaded(workspace, str(elsewhere))
    assert models.folders_from_elsewhere()[-1] == f"{elsewhere}/first/models"
    program = "from tcpatlas.models import file_of; print(file_of('parrot_of_first'))"
    environment = {FOLDERS: f"{elsewhere}/first/models", "PYTHONPATH": str(Path(models.__file__).parents[2])}
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert process.stdout.strip() == f"{elsewhere}/first/models/parrot_of_first.py", process.stderr


def says(workspace: Workspace, place: str) -> str:
    with pytest.raises(ConfigError) as error:
        load_project(workspace.config | {"scenarios": ["scenarios/demo.yaml", place]}, workspace.root)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_folder_without_a_scenario(workspace: Workspace, fails: Fails) -> None:
    (workspace.root / "empty").mkdir()
    workspace.config["scenarios"] = "empty"
    workspace.write()
    allowed = "one in it, in folders in it or in scenarios/papers/<paper>/"
    assert fails("check") == f"{FILE}scenarios[0]: empty has no scenario.yaml; {allowed}"


def test_a_model_whose_name_is_taken(workspace: Workspace, elsewhere: Path) -> None:
    shutil.copy(elsewhere / "first/models/parrot_of_first.py", elsewhere / "first/models/padhye.py")
    with pytest.raises(ConfigError) as error:
        load_project(workspace.config | {"scenarios": str(elsewhere)}, workspace.root)
    line = f"{elsewhere}/first/models/padhye.py: a model of this name is there already; another name"
    assert str(error.value) == line
    assert models.folders_from_elsewhere() == [str(workspace.root / "models")]


def test_what_is_no_archive(workspace: Workspace) -> None:
    where = f"{FILE}scenarios[1]: "
    assert says(workspace, "none.zip") == f"{where}none.zip cannot be unpacked: No such file or directory"
    for name in ("a.tar.gz", "a.zip", "a.tar.xz"):
        Path(name).write_bytes(b"\x1f\x8bnonsense")
        assert says(workspace, name).startswith(f"{where}{name} cannot be unpacked: ")
    assert list(Path(UNPACKED).glob("*/*")) == []


@pytest.mark.parametrize("inside", ["../first/scenario.yaml", "/tmp/first/scenario.yaml"])
def test_an_archive_that_would_write_elsewhere(workspace: Workspace, inside: str) -> None:
    with tarfile.open("evil.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo(inside), io.BytesIO())
    problem = f"evil.tar cannot be unpacked: {inside} would be outside of it"
    assert says(workspace, "evil.tar").endswith(problem)
    assert list(Path(UNPACKED).glob("*/*")) == []


def test_an_archive_that_unpacks_to_gigabytes(workspace: Workspace) -> None:
    with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(300):
            file.writestr(f"{number}", bytes(2**20))
    assert "bomb.zip cannot be unpacked: it holds more than 256 MiB" in says(workspace, "bomb.zip")
    assert list(Path(UNPACKED).glob("*/*")) == []


def test_a_link_of_an_archive_is_left_out(workspace: Workspace, elsewhere: Path) -> None:
    (elsewhere / "first/link.csv").symlink_to("/etc/hostname")
    archive = archived(elsewhere, "p.tar.gz")
    folder = loaded(workspace, archive)["first"]
    assert not (workspace.root / folder / "link.csv").exists()


def test_it_is_expanded_as_any_other(workspace: Workspace, elsewhere: Path) -> None:
    workspace.config["scenarios"] = archived(elsewhere, "p.tar.gz")
    Path("scenarios/papers/demo-paper").mkdir(parents=True)
    workspace.write()
    assert cli.main(["expand"]) == 0
    assert Path("results/points/first.json").exists()


STUDIES = {path.parent.name: path for path in TREE.glob("scenarios/*/*/scenario.yaml")}
STUDIES |= {path.stem: path for path in TREE.glob("scenarios/*/*.yaml")}


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_a_study_is_known_by_its_name(name: str) -> None:
    assert scenario_files(TREE, name, "", "") == [STUDIES[name].relative_to(TREE).as_posix()]


def test_a_name_that_no_study_has() -> None:
    with pytest.raises(ConfigError) as error:
        scenario_files(TREE, "bbrr", FILE.removesuffix(": "), "scenarios[0]")
    allowed = f"a file, a folder, an archive or one of: {', '.join(sorted(STUDIES))}"
    assert str(error.value) == f"{FILE}scenarios[0]: 'bbrr' is no study; {allowed}"
