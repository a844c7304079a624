"""Reading and writing files: errors in one line, output at once or not at all."""

from __future__ import annotations

import json
import math
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
    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        tag: constructor
        for tag, constructor in yaml.SafeLoader.yaml_constructors.items()
        if tag is None or tag.rpartition(":")[2] in ("null", "bool", "int", "float", "str", "seq", "map")
    }

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.may_have_aliases = "&" in stream and "*" in stream

    def get_single_node(self) -> yaml.Node | None:
        node: yaml.Node | None = super().get_single_node()
        if self.may_have_aliases:
            _check_finite(node)
        return node

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
    """A part of a YAML file that is not plain data."""

    def __init__(self, node: yaml.Node, problem: str, allowed: str) -> None:
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


def read_yaml(path: Path, name: str | Path) -> Any:
    """Return plain data from YAML (or JSON); ConfigError on bad syntax or a key that is there twice."""
    text = read_text(path, name)
    try:
        return yaml.load(text, _Loader)
    except _DuplicateKeyError:
        key = _duplicate_key(yaml.compose(text, _Loader), "")
        raise ConfigError(name, key, "is there twice", "each name once") from None
    except _WrongNodeError as error:
        raise ConfigError(name, f"line {error.line}", str(error), error.allowed) from None
    except RecursionError:
        raise ConfigError(name, "", "is nested too deeply", "at most some hundred levels") from None
    except yaml.YAMLError as error:
        if not isinstance(error, yaml.MarkedYAMLError):
            raise ConfigError(name, "", f"not YAML: {error}") from None
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise ConfigError(name, place, f"not YAML: {error.problem or error.context}") from None


def _check_finite(
    node: yaml.Node | None, above: tuple[yaml.Node, ...] = (), known: set[int] | None = None
) -> None:
    """Raise _WrongNodeError for an alias of something that it is in."""
    known = set() if known is None else known
    if node is None or isinstance(node, yaml.ScalarNode) or id(node) in known:
        return
    if any(node is one for one in above):
        raise _WrongNodeError(node, "an alias is in what it stands for", "an alias of something else")
    for entry in node.value:
        for inner in entry if isinstance(node, yaml.MappingNode) else (entry,):
            _check_finite(inner, (*above, node), known)
    known.add(id(node))


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
    except ValueError:
        raise ConfigError(path, "", "holds a number of too many digits", "at most 4300") from None
    except RecursionError:
        raise ConfigError(path, "", "is nested too deeply", "at most some hundred levels") from None


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
