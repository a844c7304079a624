"""Reads and writes files: errors in one line, output written atomically."""

import csv
import io
import json
import math
import os
import re
import stat
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tcpatlas.base.errors import ConfigError

# Far larger than any file of a study, far smaller than a machine's memory.
LARGEST_FILE = 256 * 2**20
_DEEPEST = 100
_MOST_VALUES = 1_000_000
# Prefix of files still being written, here and in R/output.R.
PARTIAL = ".partial-"


def read_text(path: Path, name: str | Path) -> str:
    """Return the file's text; `name` stands for it in errors (ConfigError if it cannot be read)."""
    try:
        status = path.stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise ConfigError(name, "", "is no file that ends", "a regular file")
        if status.st_size > LARGEST_FILE:
            problem = f"is {status.st_size / 1e6:.0f} MB long"
            raise ConfigError(name, "", problem, f"at most {LARGEST_FILE / 1e6:.0f} MB")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(name, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(name, "", "is not text", "UTF-8 is allowed") from None


class _Loader(yaml.CSafeLoader):  # type: ignore[misc]
    """YAML 1.2's core schema (`yes` is a word, `1e6` a number); a duplicate key is an error."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}
    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        tag: constructor
        for tag, constructor in yaml.SafeLoader.yaml_constructors.items()
        if tag is None or tag.rpartition(":")[2] in ("null", "bool", "int", "float", "str", "seq", "map")
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        if isinstance(node, yaml.MappingNode):
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise _WrongNodeError(key, "a list or a mapping is no key", "a text or a number")
            keys = [key.value for key, _ in node.value if key.tag != _MERGE]
            if len(set(keys)) < len(keys):
                raise _DuplicateKeyError
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


class _DuplicateKeyError(Exception):
    pass


class _WrongNodeError(Exception):
    """A part of a YAML file is not plain data."""

    def __init__(self, node: yaml.Node | yaml.Event, problem: str, allowed: str) -> None:
        super().__init__(problem)
        self.line, self.allowed = node.start_mark.line + 1, allowed


def _boolean(loader: _Loader, node: yaml.ScalarNode) -> bool:
    text = str(loader.construct_scalar(node)).lower()
    if text not in ("true", "false"):
        raise _WrongNodeError(node, f"{text!r} is neither true nor false", "one of: true, false")
    return text == "true"


def _whole(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node))
    try:
        number = int(text, 0 if text[:2] in ("0o", "0x") else 10)
        # Numbers become floats later.
        float(number)
    except (ValueError, OverflowError):
        raise _WrongNodeError(node, f"{text!r} is no whole number", "a whole number below 1e308") from None
    return number


def _real(loader: _Loader, node: yaml.ScalarNode) -> float:
    text = str(loader.construct_scalar(node))
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _WrongNodeError(node, f"{text!r} is no number", "a number below 1e308")
    return number


_MERGE = "tag:yaml.org,2002:merge"
for _tag, _form, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("merge", r"<<", "<"),
    ("null", r"~|null|Null|NULL|", ("~", "n", "N", "")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), list(_first))

for _tag, _constructor in (("bool", _boolean), ("int", _whole), ("float", _real)):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _constructor)


def read_csv_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file as texts by column; ConfigError if it cannot be read."""
    return list(csv.DictReader(io.StringIO(read_text(path, path))))


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; None is an empty cell, and every float reads back as it was."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_yaml(path: Path, name: str | Path) -> Any:
    """Return plain data from YAML (or JSON); ConfigError on bad syntax or a duplicate key."""
    return parse_yaml(read_text(path, name), name)


def parse_yaml(text: str, name: str | Path) -> Any:
    """Return plain data from a text of YAML (or JSON); ConfigError as `read_yaml`."""
    try:
        _check_size(text)
        return yaml.load(text, _Loader)
    except _DuplicateKeyError:
        key = _duplicate_key(yaml.compose(text, _Loader), "")
        raise ConfigError(name, key, "is there twice", "each name once") from None
    except _WrongNodeError as error:
        raise ConfigError(name, f"line {error.line}", str(error), error.allowed) from None
    except yaml.YAMLError as error:
        if not isinstance(error, yaml.MarkedYAMLError):
            raise ConfigError(name, "", f"not YAML: {error}") from None
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise ConfigError(name, place, f"not YAML: {error.problem or error.context}") from None


def _check_size(text: str) -> None:
    """Raise _WrongNodeError for YAML that would take all memory: nested too deeply, or grown by its aliases.

    libyaml composes nested nodes recursively, so depth is checked first. An alias counts as all that it
    stands for, because readers of the data see it each time.
    """
    sizes: dict[str, int] = {}
    counts = [0]
    anchors: list[str | None] = []
    for event in yaml.parse(text, yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            counts.append(1)
            anchors.append(event.anchor)
            if len(anchors) > _DEEPEST:
                raise _WrongNodeError(event, "is nested too deeply", f"at most {_DEEPEST} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            count, anchor = counts.pop(), anchors.pop()
            counts[-1] += count
            if anchor is not None:
                sizes[anchor] = count
        elif isinstance(event, yaml.ScalarEvent):
            counts[-1] += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor in anchors:
                raise _WrongNodeError(
                    event, "an alias is in what it stands for", "an alias of something else"
                )
            counts[-1] += sizes.get(event.anchor, 0)
        if counts[-1] > _MOST_VALUES:
            problem = f"more than {_MOST_VALUES} values, with what aliases stand for"
            raise _WrongNodeError(event, problem, "less")


def _duplicate_key(node: yaml.Node | None, path: str) -> str:
    """Return the dotted path of the first key that its mapping holds twice, or an empty string."""
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            here = f"{path}.{key.value}" if path else str(key.value)
            if here in seen:
                return here
            seen.add(here)
            if duplicate := _duplicate_key(value, here):
                return duplicate
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            if duplicate := _duplicate_key(value, f"{path}[{index}]"):
                return duplicate
    return ""


def read_json(path: Path) -> Any:
    """Return the data of a JSON file; ConfigError if it cannot be read or is not JSON."""
    try:
        return json.loads(read_text(path, path))
    except json.JSONDecodeError as error:
        raise ConfigError(path, f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except ValueError:
        raise ConfigError(path, "", "holds a number of too many digits", "at most 4300") from None
    except RecursionError:
        raise ConfigError(path, "", "is nested too deeply", "at most some hundred levels") from None


def to_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON text, laid out for people (ValueError on a number that is not finite)."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file atomically: it is complete, or as before (OSError names the file).

    A device or a pipe is written to directly: renaming would replace it by a file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.is_char_device() or path.is_fifo():
            path.write_bytes(data)
            return
        temporary = path.with_name(f"{PARTIAL}{os.urandom(8).hex()}")
        try:
            with temporary.open("xb") as file:
                file.write(data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def remove_partial_files(folder: Path) -> None:
    """Remove leftovers of killed writers from a folder that nobody is writing to."""
    for path in folder.rglob(f"{PARTIAL}*"):
        path.unlink(missing_ok=True)


def write_if_changed(path: Path, text: str) -> bool:
    """Write a file only if its content differs, so that its dependents stay valid; say whether it did."""
    if path.is_file() and path.read_bytes() == text.encode():
        return False
    write_atomically(path, text)
    return True


def from_the_future(root: Path) -> list[Path]:
    """Return the source files of a tree that are dated more than a minute in the future."""
    later, limit = [], time.time() + 60
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in {"build", "results"} and name[0] != "."]
        for path in (Path(folder, name) for name in names):
            # An editor's own files come and go.
            with suppress(OSError):
                later += [path] if path.lstat().st_mtime > limit else []
    return sorted(later)
