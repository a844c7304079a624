"""Files are written at once, or not at all."""

import os
from pathlib import Path

import pytest

from tcpatlas.base.files import write_atomically


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # so that writing does not wait for a reader
    try:
        write_atomically(pipe, "answer\n")
        assert os.read(reader, 64) == b"answer\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_folder_is_refused_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(tmp_path / "folder", "answer\n")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
