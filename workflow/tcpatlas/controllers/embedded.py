"""A class in Python as a shared object: an interpreter like this one runs it in packetsim's process."""

import ctypes as c
import hashlib
import json
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from tcpatlas.base.errors import AtlasError
from tcpatlas.base.repository import HEADERS
from tcpatlas.controllers.python_class import PythonController
from tcpatlas.controllers.quic import adapted, is_quic

_MARK = ".py:"
# The names of a library that is loaded at run time are hidden from Python's own modules, which need Python's.
_SOURCE = """#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "tcpatlas_cc.h"
static const cc_controller *it;
const cc_controller *tcpatlas_cc(void) {
  static char text[sizeof SCRIPT + 32];
  void *python = dlopen(PYTHON, RTLD_NOW | RTLD_GLOBAL);
  if (python == NULL) return fprintf(stderr, "%s; ", dlerror()), NULL;
  setenv("PYTHONHASHSEED", "0", 1);
  ((void (*)(int))dlsym(python, "Py_InitializeEx"))(0);
  snprintf(text, sizeof text, SCRIPT, (unsigned long long)(uintptr_t)&it);
  return ((int (*)(const char *))dlsym(python, "PyRun_SimpleString"))(text) == 0 ? it : NULL;
}
"""
_kept: list[PythonController] = []


def is_class(controller: str) -> bool:
    """Return whether this is FILE.py:CLASS."""
    return _MARK in controller


def embedded(controller: str, folder: Path) -> Path:
    """Compile FILE.py:CLASS with this interpreter's path; return the shared object.

    Raises AtlasError for a class that cannot be loaded, and where there is no C compiler or no libpython.
    """
    file = Path(controller.rpartition(":")[0]).absolute()
    try:
        _controller(str(file), controller.rpartition(":")[2])
    except AtlasError:
        raise
    except Exception as error:
        raise AtlasError(f"{controller}: {type(error).__name__}: {error}") from error
    python = Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME"))
    # Other content is another point.
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    script = (
        f"import sys  # {digest}\nsys.path[:] = {[str(Path(each).absolute()) for each in sys.path]!a}\n"
        f"import {__name__} as own\nown.serve({str(file)!a}, {controller.rpartition(':')[2]!a}, "
    ).replace("%", "%%") + "%llu)\n"
    folder.mkdir(parents=True, exist_ok=True)
    made, text = folder / f"{file.stem}.so", folder / f"{file.stem}.c"
    text.write_text(
        f"#define PYTHON {json.dumps(str(python))}\n#define SCRIPT {json.dumps(script)}\n{_SOURCE}"
    )
    command = ["cc", "-O2", "-shared", "-fPIC", f"-I{HEADERS}", "-o", str(made), str(text), "-ldl"]
    try:
        c.CDLL(str(python))
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise AtlasError(
            f"{controller}: a class needs a C compiler (cc) and {python.name}: {error}"
        ) from error
    return made


def serve(file: str, name: str, address: int) -> None:
    """Write the address of a class's calls to where packetsim, in whose process this runs, looks for it."""
    _kept.append(made := _controller(file, name))
    c.c_void_p.from_address(address).value = c.addressof(made.table)


class _Told(PythonController):
    """Says what a call has raised, before packetsim says in which call of which flow, and when."""

    def _fails(self, call: str, error: BaseException, decision: Any = None) -> None:
        if self.failed is None:
            print(f"{self.name}: {type(error).__name__}: {error}; ", end="", file=sys.stderr, flush=True)
        super()._fails(call, error, decision)


def _controller(file: str, name: str) -> PythonController:
    kind = runpy.run_path(file).get(name)
    if kind is None:
        raise AtlasError(f"{file}: has no class {name}")
    return _Told(adapted(kind) if is_quic(kind) else kind)
