"""The JSON Schemas of `workflow/schemas/`: validation with one-line errors.

Our own keyword `quantity` (`{"unit": "bit/s", "minimum": 1, "example": "10 Mbit/s"}`) marks a text with a
unit: it gives the unit to convert to and the bounds in it, so that a range is written down once.
"""

from __future__ import annotations

import difflib
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from tcpatlas.base import units
from tcpatlas.base.errors import ConfigError

FOLDER = Path(__file__).resolve().parents[2] / "schemas"

Schema = Mapping[str, Any]


@cache
def load(name: str) -> Schema:
    """Return the schema `name` (`scenario`, `point`, ...) with every `$ref` replaced by what it refers to."""
    resolved: Schema = _resolve(_read(f"{name}.schema.json"), f"{name}.schema.json")
    return resolved


@cache
def _read(file: str) -> Any:
    return json.loads((FOLDER / file).read_text(encoding="utf-8"))


def _resolve(node: Any, file: str) -> Any:
    if isinstance(node, list):
        return [_resolve(item, file) for item in node]
    if not isinstance(node, dict):
        return node
    resolved = {key: _resolve(value, file) for key, value in node.items() if key not in ("$ref", "$defs")}
    if "$ref" not in node:
        return resolved
    target_file, _, pointer = node["$ref"].partition("#/")
    target = _read(target_file or file)
    for key in pointer.split("/"):
        target = target[key]
    return _resolve(target, target_file or file) | resolved


def property_at(schema: Schema, path: str) -> Schema:
    """Return the schema of the value at a dotted path.

    Raises LookupError naming the part of the path that does not exist and what may stand in its place.
    """
    parts = path.split(".")
    for index, part in enumerate(parts):
        properties = schema.get("properties", {})
        if part not in properties:
            raise LookupError(f"unknown key {part!r}" + _suggest(part, properties, ".".join(parts[:index])))
        schema = properties[part]
    return schema


def _suggest(key: object, known: Iterable[str], inside: str = "") -> str:
    known = sorted(known)
    if close := difflib.get_close_matches(str(key), known, n=1):
        return f"; did you mean {close[0]!r}?"
    where = f" in {inside}" if inside else ""
    return f"; allowed{where}: {', '.join(known)}" if known else f"; {inside or 'this'} has no keys"


def validate(instance: Any, schema: Schema, file: str | Path, path: str = "") -> None:
    """Check an instance, which stands at `path` of `file`.

    Raises ConfigError for the first thing that is wrong, in the order of the paths.
    """
    errors = sorted(_VALIDATOR(schema).iter_errors(instance), key=_order)
    if errors:
        where, text = _describe(errors[0])
        raise ConfigError(file, join(path, *where), text)


def join(path: str, *parts: str | int) -> str:
    """Append keys and indices to a dotted path: `a.b[2].c`."""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _order(error: ValidationError) -> tuple[list[str], bool]:
    return [str(part) for part in error.absolute_path], error.validator != "quantity"


def _check_quantity(_: Any, rule: Mapping[str, Any], instance: Any, __: Schema) -> Iterator[ValidationError]:
    """Validate our own keyword."""
    example = f"e.g. {rule['example']}"
    unit = rule["unit"]
    if not isinstance(instance, str | int | float):
        return  # the type says so already
    try:
        value = units.parse(instance, unit)
    except units.UnitError as error:
        yield ValidationError(f"{error}; write {example}")
        return
    shown = "" if unit == "1" else f" {unit}"
    for bound, (holds, words) in _BOUNDS.items():
        if bound in rule and not holds(value, rule[bound]):
            yield ValidationError(f"{instance!r} is out of range; {words} {rule[bound]:g}{shown}, {example}")
    if rule.get("whole") and value != value.to_integral_value():
        yield ValidationError(f"{instance!r} is not whole; a whole number of {unit}s, {example}")


def _check_items(
    validator: Validator, rule: Schema, instance: Any, schema: Schema
) -> Iterator[ValidationError]:
    """Validate `items`, a list of numbers at once: one by one, a long distribution costs seconds."""
    if not _are_numbers_within(instance, rule):
        yield from _ITEMS(validator, rule, instance, schema)


def _are_numbers_within(instance: Any, rule: Schema) -> bool:
    """Say whether the instance is a list of numbers within the bounds, and the rule asks for no more."""
    if not isinstance(instance, list) or not rule.keys() <= {"type", "minimum", "maximum"}:
        return False
    if rule.get("type") != "number" or not set(map(type, instance)) <= {int, float}:
        return False
    return not instance or (
        min(instance) >= rule.get("minimum", -math.inf) and max(instance) <= rule.get("maximum", math.inf)
    )


_ITEMS = Draft202012Validator.VALIDATORS["items"]

_BOUNDS: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (operator.ge, "at least"),
    "maximum": (operator.le, "at most"),
    "exclusiveMinimum": (operator.gt, "more than"),
    "exclusiveMaximum": (operator.lt, "less than"),
}
_VALIDATOR: Callable[[Schema], Validator] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"quantity": _check_quantity, "items": _check_items}
)

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


def _describe(error: ValidationError) -> tuple[list[str | int], str]:
    """Return where an error is (the offending key inside) and what is wrong and allowed."""
    path = list(error.absolute_path)
    rule, value, instance = str(error.validator), cast(Any, error.validator_value), cast(Any, error.instance)
    schema = cast(Schema, error.schema)
    match rule:
        case "additionalProperties":
            key = next(key for key in instance if key not in schema["properties"])
            return [*path, str(key)], "unknown key" + _suggest(key, schema["properties"])
        case "required":
            key = next(key for key in value if key not in instance)
            return [*path, key], "is missing" + _allowed(schema["properties"][key])
        case "type":
            types = [value] if isinstance(value, str) else value
            return path, f"{_short(instance)} is not {' or '.join(_TYPES[name] for name in types)}"
        case "enum":
            return path, f"{_short(instance)} is unknown; one of: {', '.join(map(str, value))}"
        case "const":
            return path, f"{_short(instance)} is not allowed; only {_short(value)}"
        case "pattern":
            return path, f"{_short(instance)} is not allowed; {schema.get('description', value)}"
        case "minItems" | "minProperties" | "minLength":
            return path, "is empty; at least one is needed"
        case "maxItems" | "maxProperties":
            allowed = f"at most {value} of {', '.join(schema['properties'])}" if value else "nothing"
            return path, f"has too many entries; {allowed}"
        case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum":
            return path, f"{instance} is out of range; {_BOUNDS[rule][1]} {value}"
        case "uniqueItems":
            return path, "holds a value twice; each once"
        case "anyOf":
            return path, f"is not complete; {schema['description']}"
        case _:
            return path, error.message


def _allowed(schema: Schema) -> str:
    """Return what may stand where something is missing."""
    if "quantity" in schema:
        return f"; e.g. {schema['quantity']['example']}"
    if "enum" in schema:
        return f"; one of: {', '.join(map(str, schema['enum']))}"
    return ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
