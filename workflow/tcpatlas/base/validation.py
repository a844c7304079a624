"""Validates what people and programs write; errors are one line: file, key path, what is allowed.

Configuration is read into classes derived from `Model`, which know every key; JSON documents are checked
against typed dictionaries and stay as they are (`check`), so that every number keeps its form.
"""

import difflib
import reprlib
import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Required, TypeVar, Union, cast, get_args, get_origin

from annotated_types import Len
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic import ValidationError as PydanticError
from pydantic.fields import FieldInfo
from pydantic.functional_validators import AfterValidator
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema
from typing_extensions import get_type_hints, is_typeddict

from tcpatlas.base import spellings, units
from tcpatlas.base.errors import ConfigError

T = TypeVar("T")
CLOSED = ConfigDict(extra="forbid", strict=True)


class Model(BaseModel):
    """A mapping that knows all of its keys; values are not converted, and stay as they are.

    People write it in this form; in a JSON document quantities are plain numbers in SI units under names with
    the unit (`rate` is `rate_bit_per_s`), and None is omitted (`in_si`). Its schema with mode
    "serialization" is that of the document.
    """

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, json_schema_serialization_defaults_required=True
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        named = False
        for name, field in cls.model_fields.items():
            quantity = next(_quantities(field.annotation, field.metadata), None)
            if quantity is not None and field.serialization_alias is None:
                field.serialization_alias = quantity.si_name(name)
                named = True
        if named:
            cls.model_rebuild(force=True)

    def left_aside(self) -> Collection[str]:
        """Return the keys that a JSON document does not hold."""
        return ()

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler.resolve_ref_schema(handler(core))
        if handler.mode == "serialization":
            names = si_names(cls)
            optional = {names[name] for name, field in cls.model_fields.items() if field.default is None}
            schema["required"] = [name for name in schema.get("required", ()) if name not in optional]
        return schema


@cache
def si_names(kind: type[Model]) -> dict[str, str]:
    """Return the names of the keys of a type in a JSON document."""
    return {name: field.serialization_alias or name for name, field in kind.model_fields.items()}


def in_si(value: Any, known: dict[int, tuple[Model, Any]] | None = None) -> Any:
    """Return a value as a JSON document holds it: SI numbers, and no key that is None or left aside.

    `known` caches the documents of models by identity, and grows.
    """
    if isinstance(value, Model):
        if known is not None and id(value) in known:
            return known[id(value)][1]
        names, aside, entries = si_names(type(value)), value.left_aside(), value.__dict__
        document = {
            name: in_si(entry, known)
            for key, name in names.items()
            if (entry := entries[key]) is not None and key not in aside
        }
        if known is not None:
            known[id(value)] = value, document
        return document
    if isinstance(value, Decimal):
        return units.plain(value)
    if isinstance(value, list):
        return [in_si(entry, known) for entry in value]
    return value


@dataclass(frozen=True)
class Quantity:
    """Annotation of a Decimal that people write with a unit (`10 Mbit/s`), read as a number of `unit`.

    The bounds are in `unit`: `ge` at least, `gt` more than, `le` at most, `lt` less than. A Decimal counts as
    read already. A bare number is allowed only where the unit is 1.
    """

    unit: str
    example: str
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    whole: bool = False

    def read(self, value: Any) -> Decimal:
        """Return the value in `unit`; raises PydanticCustomError with what is wrong and what is allowed."""
        if isinstance(value, Decimal):
            return value
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            kinds = "a text or a number" if self.unit == "1" else "a text"
            raise problem(f"{short(value)} is not {kinds}")
        return _read(self, value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        if handler.mode == "serialization":
            limits = {keyword: getattr(self, name) for name, keyword in _KEYWORDS.items()}
            keywords = {keyword: limit for keyword, limit in limits.items() if limit is not None}
            return {"type": "integer" if self.whole else "number", **keywords}
        kinds = ["string", "number"] if self.unit == "1" else "string"
        return {
            "type": kinds,
            "description": f"{self.bounds()}, e.g. {self.example}",
            "quantity": {"unit": self.unit},
        }

    def si_name(self, name: str) -> str:
        """Return the name of a key in a JSON document."""
        suffix = _SUFFIXES[self.unit]
        return name if f"_{name}".endswith(suffix) and suffix else name.removesuffix("_size") + suffix

    def bounds(self) -> str:
        """Describe the range: `at least 1 bit/s, at most 1e+12 bit/s`."""
        unit = "" if self.unit == "1" else f" {self.unit}"
        limits = {words: getattr(self, name) for name, words in _BOUNDS.items()}
        return ", ".join(f"{words} {bound:g}{unit}" for words, bound in limits.items() if bound is not None)


_KEYWORDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
_SUFFIXES = {"1": "", "bit/s": "_bit_per_s", "s": "_s", "byte": "_bytes", "packet": "_packets"}
_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


@cache
def _read(quantity: Quantity, value: str | float) -> Decimal:
    example = f"e.g. {quantity.example}"
    try:
        number = units.parse(value, quantity.unit)
    except units.UnitError as error:
        meant = spellings.meant(str(value), quantity.unit)
        raise problem(f"{error}; write {repr(meant) if meant else example}") from None
    for name, holds in (
        ("ge", quantity.ge is None or number >= quantity.ge),
        ("gt", quantity.gt is None or number > quantity.gt),
        ("le", quantity.le is None or number <= quantity.le),
        ("lt", quantity.lt is None or number < quantity.lt),
    ):
        if not holds:
            bound = _bound(getattr(quantity, name), quantity.unit)
            raise problem(f"{value!r} is out of range; {_BOUNDS[name]} {bound}, {example}")
    if quantity.whole and number != number.to_integral_value():
        raise problem(f"{value!r} is not whole; a whole number of {quantity.unit}s, {example}")
    return number


def _bound(bound: float, unit: str) -> str:
    if unit == "packet":
        return f"{float(bound):,.15g} packet{'s' * (bound != 1)}"
    return f"{bound:g}" if unit == "1" else f"{bound:g} {unit}"


def problem(text: str) -> PydanticCustomError:
    """Return the error of a validator: what is wrong and, after a semicolon, what is allowed."""
    return PydanticCustomError("problem", "{text}", {"text": text})


def _unique(value: list[T]) -> list[T]:
    if len({str(entry) for entry in value}) < len(value):
        raise problem("holds a value twice; each once")
    return value


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise problem(f"{short(value)} is not a text or a number")
    return value


_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_NAME_FORM = "letters, digits, dots, hyphens and underscores"
METRIC_PATTERN = r"^[A-Za-z][A-Za-z0-9_]*(\[(>?[0-9]+(-[0-9]+)?|[A-Za-z][A-Za-z0-9._-]*)\])?$"
METRIC_FORM = "letters, digits and underscores, and in brackets what it is of: on_time[3-6]"
METRICS_PATTERN = r"^(\*|[A-Za-z][A-Za-z0-9_]*(\[(\*|>?[0-9]+(-[0-9]+)?|[A-Za-z][A-Za-z0-9._-]*)\])?)$"
METRICS_FORM = "a metric, name[*] for all with brackets, or * for every one"
_FORMS = {_NAME: _NAME_FORM, METRIC_PATTERN: METRIC_FORM, METRICS_PATTERN: METRICS_FORM}

# Files are named by it, with an ending and more.
LONGEST_NAME = 200
Name = Annotated[str, Field(pattern=_NAME, description=_NAME_FORM, max_length=LONGEST_NAME)]
MetricName = Annotated[str, Field(pattern=METRIC_PATTERN, description=METRIC_FORM)]
Metrics = Annotated[str, Field(pattern=METRICS_PATTERN, description=METRICS_FORM)]
Number = int | float
Text = Annotated[str, Len(1)]
Scalar = Annotated[Any, AfterValidator(_scalar), WithJsonSchema({"type": ["string", "number"]})]
Unique = AfterValidator(_unique)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(kind: type[T], data: Any, file: str | Path, path: str = "") -> T:
    """Return data that stand at `path` of `file` as a value of the type.

    Raises ConfigError for the first error, in the order of the paths.
    """
    if data is None and not path:
        raise ConfigError(file, "", "is empty", "a mapping of keys")
    try:
        return cast(T, _adapter(cast(Any, kind)).validate_python(data))
    except PydanticError as error:
        wrong = min(error.errors(include_url=False), key=_order)
        place, text = _describe(wrong, kind)
        raise ConfigError(file, join(path, *place), text) from None


def _order(error: ErrorDetails) -> list[str]:
    """Return the sort key of errors: missing keys come in the order of the type."""
    place = [str(part) for part in error["loc"]]
    return place[:-1] if error["type"] == "missing" else place


def check(kind: type[T], data: Any, file: str | Path, path: str = "") -> T:
    """Return data unchanged if they fit a typed dictionary; raises ConfigError as `read` does."""
    read(kind, data, file, path)
    return cast(T, data)


def json_schema(kind: Any, mode: Literal["validation", "serialization"] = "validation") -> dict[str, Any]:
    """Return the JSON Schema of what people write, or of the documents made from it."""
    schema: dict[str, Any] = _plain(_adapter(kind).json_schema(by_alias=True, mode=mode))
    return schema


def _plain(node: Any) -> Any:
    """Return a schema without titles that repeat names, and without null, which nobody writes."""
    if isinstance(node, list):
        return [_plain(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    optional = "default" in node and node["default"] is None
    options = [option for option in node.get("anyOf", ()) if not (optional and option == {"type": "null"})]
    if [option.get("type") for option in options] == ["integer", "number"]:
        options = options[1:]
    if len(options) == 1:
        rest = {key: value for key, value in node.items() if key not in ("anyOf", "default", "title")}
        return _plain({**options[0], **rest})
    node = {_KEYWORDS.get(key, key): value for key, value in node.items()}
    kept = {
        key: {name: _plain(entry) for name, entry in value.items()}
        if key in ("properties", "$defs")
        else _plain(value)
        for key, value in node.items()
        if key != "title" and not (key == "default" and value is None)
    }
    return {**kept, "anyOf": [_plain(option) for option in options]} if options else kept


def join(path: str, *parts: str | int) -> str:
    """Append keys and indices to a dotted path: `a.b[2].c`."""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


@cache
def type_at(kind: Any, path: str) -> Any:
    """Return the type of the value at a dotted path of a type.

    Raises LookupError naming the part of the path that does not exist and what is allowed there.
    """
    parts = path.split(".")
    for index, part in enumerate(parts):
        inner = _entry(kind, part)
        if inner is None:
            raise LookupError(f"unknown key {part!r}{_suggest(part, _keys(kind), '.'.join(parts[:index]))}")
        kind = inner
    return kind


# As repr(), which would write all of a value of any size first.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlist = _SHORT.maxdict = 4


def short(value: Any) -> str:
    """Return a value as an error shows it."""
    text = _SHORT.repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def plain_types(kind: Any) -> Iterator[Any]:
    """Yield the types that a type may be, without None and annotations; a Quantity stands for its Decimal."""
    if get_origin(kind) in (NotRequired, Required):
        yield from plain_types(get_args(kind)[0])
    elif get_origin(kind) is Annotated:
        quantity = next((part for part in get_args(kind)[1:] if isinstance(part, Quantity)), None)
        yield from [quantity] if quantity else plain_types(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for part in get_args(kind):
            yield from plain_types(part)
    elif kind is not type(None):
        yield kind


def type_of(field: FieldInfo) -> Any:
    """Return the type of a key, with its annotations."""
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def _quantities(annotation: Any, metadata: Iterable[Any]) -> Iterator[Quantity]:
    yield from (mark for mark in metadata if isinstance(mark, Quantity))
    yield from (part for part in plain_types(annotation) if isinstance(part, Quantity))


def _fields(kind: Any) -> dict[str, Any]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {name: type_of(field) for name, field in kind.model_fields.items()}
    return get_type_hints(kind, include_extras=True) if is_typeddict(kind) else {}


def _keys(kind: Any) -> list[str]:
    return [name for part in plain_types(kind) for name in _fields(part)]


def _entry(kind: Any, part: str | int) -> Any:
    """Return the type of a mapping's or list's entry, None if there is none; of a union, all there are."""
    types = []
    for one in plain_types(kind):
        if part in (fields := _fields(one)):
            types.append(fields[part])
        elif get_origin(one) in (dict, list, tuple, Mapping):
            types.append(get_args(one)[-1])
    return Union[tuple(types)] if types else None  # noqa: UP007


def _suggest(key: object, keys: Iterable[str], inside: str = "") -> str:
    keys = sorted(keys)
    if close := difflib.get_close_matches(str(key), keys, n=1):
        return f"; did you mean {close[0]!r}?"
    where = f" in {inside}" if inside else ""
    return f"; allowed{where}: {', '.join(keys)}" if keys else f"; {inside or 'this'} has no keys"


_TYPES = {
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
}
_RANGES = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}


def _describe(error: ErrorDetails, kind: Any) -> tuple[list[str | int], str]:
    """Return where an error is, and what is wrong and allowed."""
    place, rule, value, context = list(error["loc"]), error["type"], error["input"], error.get("ctx", {})
    if place and place[-1] == "[key]":
        place = place[:-2]
    last = place.pop() if place else None
    # A label of a union's member is not a key.
    place = [part for part in place if not str(part).startswith("?")]
    of_numbers = last in ("int", "float") and rule != "extra_forbidden"
    if last is not None and not (of_numbers or (str(last).startswith("?") and rule != "extra_forbidden")):
        place.append(last)
    outer = kind
    for part in place[:-1]:
        outer = _entry(outer, part)
    match rule:
        case "extra_forbidden":
            return place, f"unknown key{_suggest(place[-1], _keys(outer))}"
        case "missing":
            return place, f"is missing{_allowed(_entry(outer, place[-1]))}"
        case "literal_error":
            literals = _literals(_entry(outer, place[-1]) if place else outer)
            allowed = (
                f"only {literals[0]!r}" if len(literals) == 1 else f"one of: {', '.join(map(str, literals))}"
            )
            return place, f"{short(value)} is {'not allowed' if len(literals) == 1 else 'unknown'}; {allowed}"
        case "too_long":
            return place, f"has too many entries; at most {context['max_length']}"
        case "string_too_long":
            return place, f"has {len(value)} characters; at most {context['max_length']}"
        case "too_short" | "string_too_short":
            return place, "is empty; at least one is needed"
        case "problem":
            return place, str(context["text"])
        case "string_pattern_mismatch":
            pattern = str(context["pattern"])
            return place, f"{short(value)} is not allowed; {_FORMS.get(pattern, pattern)}"
        case "finite_number":
            return place, "is not finite; a finite number"
    if rule in _RANGES:
        name = _RANGES[rule]
        return place, f"{value} is out of range; {_BOUNDS[name]} {context[name]:.15g}"
    if rule in _TYPES:
        wanted = _TYPES[rule]
        if wanted == "a whole number" and of_numbers:
            wanted = "a number"
        return place, f"{short(value)} is not {wanted}"
    return place, error["msg"]


def _literals(kind: Any) -> list[Any]:
    return [value for part in plain_types(kind) if get_origin(part) is Literal for value in get_args(part)]


def _allowed(kind: Any) -> str:
    """Return what is allowed in place of a missing value."""
    for part in plain_types(kind):
        if isinstance(part, Quantity):
            return f"; e.g. {part.example}"
        if get_origin(part) is Literal:
            return f"; one of: {', '.join(map(str, get_args(part)))}"
    return ""
