"""Reading and writing files: errors in one line, output at once or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from tcpatlas.base.errors import ConfigError


def read_text(path: Path, name: str | Path) -> str:
    """Return the file's text; `name` stands for it in errors (ConfigError if it cannot be read)."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(name, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(name, "", "is not text", "UTF-8 is allowed") from None


def read_yaml(path: Path, name: str | Path) -> Any:
    """Return plain data from YAML (or JSON); ConfigError on bad syntax or a key that is there twice."""
    text = read_text(path, name)
    yaml = YAML(typ="safe", pure=True)
    try:
        return yaml.load(text)
    except DuplicateKeyError:
        key = _duplicate_key(YAML(typ="safe", pure=True).compose(text), "")
        raise ConfigError(name, key, "is there twice", "each name once") from None
    except YAMLError as error:
        if not isinstance(error, MarkedYAMLError):
            raise ConfigError(name, "", f"not YAML: {error}") from None
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise ConfigError(name, place, f"not YAML: {error.problem or error.context}") from None


def _duplicate_key(node: Node, path: str) -> str:
    """Return the dotted path of the first key that its mapping holds twice, or an empty string."""
    if isinstance(node, MappingNode):
        seen = set()
        for key, value in node.value:
            here = f"{path}.{key.value}" if path else str(key.value)
            if here in seen:
                return here
            seen.add(here)
            if found := _duplicate_key(value, here):
                return found
    elif isinstance(node, SequenceNode):
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


def digest_line(text: str, path: Path) -> str:
    """Return the line of `sha256sum` for a file that holds this text."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}  {path}"
