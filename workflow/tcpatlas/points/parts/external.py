"""A congestion controller in a shared object of its author's."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

from pydantic.functional_validators import AfterValidator

from tcpatlas.base.validation import Model, Number, problem, short
from tcpatlas.points.parts.tagged import Of

_DIGEST = "sha256:"


def is_library(tcp: str) -> bool:
    """Say whether a TCP, as a command takes it, is the path of a controller's shared object."""
    return tcp.endswith(".so")


def is_module(tcp: str) -> bool:
    """Say whether it is the path of a kernel's congestion control, which the engine linux runs."""
    return tcp.endswith(".c")


def variant_keys(tcp: str) -> dict[str, str]:
    """Return the keys of a scenario's `tcp` for a variant's name or the path of a controller's code."""
    is_code = is_library(tcp) or is_module(tcp)
    return {"variant": "external", "library": tcp} if is_code else {"variant": tcp}


def _with_digest(library: str) -> str:
    """Return a path with the digest of the file there, so that a rebuilt library is another point."""
    if library.startswith(_DIGEST):
        return library
    path = Path(library).absolute()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise problem(f"{short(library)} cannot be read: {error.strerror}") from None
    if not content.startswith(b"\x7fELF") and not is_module(library):
        raise problem(f"{short(library)} is no shared object; e.g. cc -O2 -shared -fPIC -o my.so my.c")
    return f"{_DIGEST}{hashlib.sha256(content).hexdigest()} {path}"


class External(Model):
    """The `library` exports what `tcpatlas_cc.h` declares; `parameters` are numbers that it is handed.

    The engine linux takes a kernel's congestion control, `tcp_foo.c`, once it is compiled. A relative path
    is beside the scenario's file. The controller runs only where the command line allows it.
    """

    library: Annotated[Annotated[str, AfterValidator(_with_digest)] | None, Of(("external",))] = None
    parameters: Annotated[dict[str, Number] | None, Of(("external",), needed=False)] = None
