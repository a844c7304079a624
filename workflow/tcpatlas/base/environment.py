"""The environment of programs: the user's, changed as envs/environment.txt says."""

import fnmatch
import os
from collections import defaultdict
from collections.abc import Mapping

from tcpatlas.base.repository import TREE

FILE = TREE / "envs/environment.txt"


def adopt() -> None:
    """Give this process, and all that it starts, that environment."""
    adopted = changed(os.environ)
    for name in os.environ.keys() - adopted.keys():
        del os.environ[name]
    os.environ.update(adopted)


def changed(given: Mapping[str, str]) -> dict[str, str]:
    """Return the changed environment."""
    variables = dict(given)
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, sets, value = line.partition("=")
        if not sets:
            for gone in fnmatch.filter(variables, name):
                del variables[gone]
        elif not (name.endswith("?") and variables.get(name[:-1])):
            known = defaultdict(str, variables | {"tree": str(TREE)})
            variables[name.rstrip("?")] = value.format_map(known)
    return variables
