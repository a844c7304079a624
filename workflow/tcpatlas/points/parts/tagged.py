"""Tagged unions: one key, the tag (a TCP variant, a kind of workload), decides which others there are."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

from tcpatlas.base.validation import Model, plain_types, si_names, type_of
from tcpatlas.points.errors import PointError


@dataclass(frozen=True)
class Of:
    """Annotation of a key that only some values of the tag have; optional for these unless `needed`."""

    values: Collection[str]
    needed: bool = True


class Tagged(Model):
    """A scenario may give keys that its tag does not have, so that the tag can be swept.

    A point omits them, and an engine that finds one refuses the point.
    """

    TAG: ClassVar[str]

    @classmethod
    def own(cls) -> dict[str, Of]:
        """Return the keys that only some values of the tag have."""
        return _own(cls)

    def left_aside(self) -> set[str]:
        """Return the keys that its tag does not have."""
        tag = getattr(self, self.TAG)
        return {name for name, mark in self.own().items() if tag not in mark.values}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = super().__get_pydantic_json_schema__(core, handler)
        if handler.mode == "serialization":
            names = si_names(cls)
            tagged = {names[name] for name in cls.own()}
            schema["required"] = [name for name in schema["required"] if name not in tagged]
            schema["allOf"] = list(cls._conditions())
        return schema

    @classmethod
    def _conditions(cls) -> Iterator[dict[str, Any]]:
        """Yield the schema conditions that allow keys for the values of the tag that have them."""
        names, own = si_names(cls), cls.own()
        for mark in dict.fromkeys((tuple(mark.values), mark.needed) for mark in own.values()):
            keys = [names[name] for name, one in own.items() if (tuple(one.values), one.needed) == mark]
            values, needed = mark
            yield {
                "if": {"properties": {cls.TAG: {"enum": list(values)}}},
                "then": {"required": keys} if needed else {},
                "else": {"properties": dict.fromkeys(keys, False)},
            }


@cache
def _own(kind: type[Tagged]) -> dict[str, Of]:
    marks = ((name, mark) for name, field in kind.model_fields.items() for mark in field.metadata)
    return {name: mark for name, mark in marks if isinstance(mark, Of)}


def check_own(value: Model, path: str) -> None:
    """Raise PointError if a tagged mapping at or below a path of a base lacks a key that its tag needs."""
    if isinstance(value, Tagged):
        tag = getattr(value, value.TAG)
        for name, mark in value.own().items():
            if mark.needed and tag in mark.values and getattr(value, name) is None:
                paths = (f"{path}.{name}", f"{path}.{value.TAG}")
                raise PointError(paths, f"is missing; {value.TAG} {tag} needs {name}")
    aside = value.left_aside() if isinstance(value, Tagged) else ()
    for name in models_in(type(value)):
        if name not in aside and (inner := getattr(value, name)) is not None:
            check_own(inner, f"{path}.{name}")


@cache
def models_in(kind: type[Model]) -> list[str]:
    """Return the keys whose values have keys of their own."""
    types = {name: plain_types(type_of(field)) for name, field in kind.model_fields.items()}
    return [
        name
        for name, of in types.items()
        if any(isinstance(one, type) and issubclass(one, Model) for one in of)
    ]
