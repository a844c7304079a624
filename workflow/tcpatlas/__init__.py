"""TCP Atlas: from scenarios to points, runs, predictions, and claims about published numbers.

The library is `simulate`, `ask`, `predict` and `cdf`, which `tcpatlas.library` defines; what a caller can
mend is raised as `AtlasError`, in one line.
"""

from typing import TYPE_CHECKING, Any

from tcpatlas.base.tree import TREE

if TYPE_CHECKING:
    from tcpatlas.base.errors import AtlasError
    from tcpatlas.library import ask, cdf, predict, simulate

__all__ = ["AtlasError", "__version__", "ask", "cdf", "predict", "simulate"]

(__version__,) = (
    line.removeprefix("version: ")
    for line in (TREE / "CITATION.cff").read_text("utf-8").splitlines()
    if line.startswith("version: ")
)


def __getattr__(name: str) -> Any:
    """Load the library where it is asked for: the command line starts without pandas.

    Then `ask` is the function, and not the package of the same name, whose modules are imported as ever.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tcpatlas import library

    globals().update({each: getattr(library, each) for each in __all__ if each != "__version__"})
    return globals()[name]
