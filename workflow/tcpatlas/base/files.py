"""Reading and writing files: errors in one line, output at once or not at all."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tcpatlas.base.errors import ConfigError


def read_text(path: Path, name: str | Path) -> str:
    """Return the file's text; `name` stands for it in errors (ConfigError if it cannot be read)."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(name, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(name, "", "is not text", "UTF-8 is allowed") from None


class _Loader(yaml.CSafeLoader):  # type: ignore[misc]
    """YAML 1.2's core schema (`yes` is a word, `1e6` a number); a key that is there twice is an error."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.tag != _MERGE]
        if len(set(keys)) < len(keys):
            raise _DuplicateKeyError
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


class _DuplicateKeyError(Exception):
    pass


def _whole(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = str(node.value)
    return int(text, 0 if text[:2] in ("0o", "0x") else 10)


_MERGE = "tag:yaml.org,2002:merge"
for _tag, _form, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("merge", r"<<", "<"),
    ("null", r"~|null|Null|NULL|", ("~", "n", "N", "")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), list(_first))

_Loader.add_constructor("tag:yaml.org,2002:int", _whole)


def read_yaml(path: Path, name: str | Path) -> Any:
    """Return plain data from YAML (or JSON); ConfigError on bad syntax or a key that is there twice."""
    text = read_text(path, name)
    try:
        return yaml.load(text, _Loader)
    except _DuplicateKeyError:
        key = _duplicate_key(yaml.compose(text, _Loader), "")
        raise ConfigError(name, key, "is there twice", "each name once") from None
    except yaml.YAMLError as error:
        if not isinstance(error, yaml.MarkedYAMLError):
            raise ConfigError(name, "", f"not YAML: {error}") from None
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise ConfigError(name, place, f"not YAML: {error.problem or error.context}") from None


def _duplicate_key(node: yaml.Node | None, path: str) -> str:
    """Return the dotted path of the first key that its mapping holds twice, or an empty string."""
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            here = f"{path}.{key.value}" if path else str(key.value)
            if here in seen:
                return here
            seen.add(here)
            if found := _duplicate_key(value, here):
                return found
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            if found := _duplicate_key(value, f"{path}[{index}]"):
                return found
    return ""


def read_json(path: Path) -> Any:
    """Return the data of a JSON file; ConfigError if it cannot be read or is not JSON."""
    try:
        return json.loads(read_text(path, path))
    except json.JSONDecodeError as error:
        raise ConfigError(path, f"line {error.lineno}", f"not JSON: {error.msg}") from None


def to_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON text, laid out for people (ValueError on a number that is not finite)."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Write a file at once: it is there wholly, or as it was before (OSError names the file)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_if_changed(path: Path, text: str) -> bool:
    """Write a file only if its content differs, so that nothing is made again for nothing; say whether."""
    if path.is_file() and path.read_bytes() == text.encode():
        return False
    write_atomically(path, text)
    return True
