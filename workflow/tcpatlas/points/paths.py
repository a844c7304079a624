"""Dotted paths: how sets, designs and selections name a value of a scenario's base."""

import re
from typing import Annotated

from pydantic.functional_validators import AfterValidator

from tcpatlas.base.validation import problem, short

_PATH = re.compile(r"[a-z_]+(\.[A-Za-z0-9_-]+)*")


def _dotted(value: str) -> str:
    if _PATH.fullmatch(value) is None:
        raise problem(f"{short(value)} is not allowed; keys of base, joined by dots: sources.count")
    return value


DottedPath = Annotated[str, AfterValidator(_dotted)]
