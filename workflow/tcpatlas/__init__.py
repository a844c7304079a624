"""TCP Atlas: from scenarios to points, runs, predictions, and claims about published numbers.

The library is `simulate`, `ask`, `predict`, `cdf`, `environment` and `environments` of `tcpatlas.library`;
what a caller can mend is raised as `AtlasError`, in one line. `__init__.pyi` has their types: imports of them
here would make every step of the pipeline depend on all of the library.
"""

from importlib import import_module
from typing import Any

_LIBRARY = ("AtlasError", "ask", "cdf", "environment", "environments", "predict", "simulate")


def __getattr__(name: str) -> Any:
    """Load the library where it is asked for: the command line starts without pandas.

    Then `ask` is the function, and not the package of the same name, whose modules are imported as ever.
    """
    if name == "__version__":
        return import_module("tcpatlas.base.version").VERSION
    if name not in _LIBRARY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    library = import_module("tcpatlas.library")
    globals().update({each: getattr(library, each) for each in _LIBRARY})
    return globals()[name]
