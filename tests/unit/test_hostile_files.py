"""Files that would take all time or memory: refused at once, in one line."""

import os
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import Fails, Refused, Workspace, change

from tcpatlas.base.errors import ConfigError
from tcpatlas.base.files import read_text, read_yaml
from tcpatlas.base.validation import read, short

NESTED = ("[" * 100_000, "[" * 100_000 + "]" * 100_000, "{a: " * 100_000, "- " * 100_000)


def laughs(levels: int) -> str:
    """Return a file of a kilobyte whose last line stands for ten to the power of so many values."""
    tens = (f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, levels + 1))
    return "\n".join(["a0: &a0 x", *tens])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((text, "file.yaml: line 1: is nested too deeply; at most 100 levels") for text in NESTED),
        (laughs(25), "file.yaml: line 7: more than 1000000 values, with what aliases stand for; less"),
        ("a: &b {c: *b}", "file.yaml: line 1: an alias is in what it stands for"),
    ],
)
def test_yaml(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "file.yaml").write_text(text)
    with pytest.raises(ConfigError) as error:
        read_yaml(tmp_path / "file.yaml", "file.yaml")
    assert str(error.value).startswith(says)


def test_a_wrong_value_of_aliases_is_shown_briefly() -> None:
    value: list[Any] = ["x"]
    for _ in range(25):
        value = [value] * 10
    assert len(short(value)) <= 60


def test_what_is_no_number_by_itself_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^file: \[\] is not a whole number$"):
        read(cast(Any, int), [], "file")


def test_a_file_that_does_not_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("fifo", "zero"):
        with pytest.raises(ConfigError, match=f"^{name}: is no file that ends; a regular file$"):
            read_text(tmp_path / name, name)


def test_links_that_lead_in_a_circle(workspace: Workspace, fails: Fails) -> None:
    """A file that a study may lack, and does not."""
    workspace.write()
    (workspace.items_file.parent / "causes.yaml").symlink_to("causes.yaml")
    assert "causes.yaml: cannot be read: Too many levels of symbolic links" in fails("check")


def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ConfigError, match=r"^large: is 1099512 MB long; at most 268 MB$"):
        read_text(tmp_path / "large", "large")


@pytest.mark.parametrize("grid", [{"rtt": list(range(200_000))}, {"rtt": [1] * 1000, "tcp.rwnd": [1] * 1000}])
def test_a_grid_of_too_many_points(
    workspace: Workspace, refused: Refused, grid: dict[str, list[int]]
) -> None:
    change(workspace.scenario, "sets/load/sweep/grid", grid)
    assert "sets.load.sweep.grid: makes " in refused()


def test_grids_of_too_many_points_together(workspace: Workspace, refused: Refused) -> None:
    one = {"rtt": list(range(300)), "tcp.rwnd": list(range(300))}
    change(workspace.scenario, "sets/load/sweep", {"list": [one, one]})
    assert "sets.load.sweep.list: makes 180000 points; at most 100000 of a set" in refused()
