"""What Python in .venv does first of all: `snakemake` starts before anything else of this project is read."""

import os
import sys

# Packages in PYTHONPATH may be of another Python, or other versions than those of envs/requirements.txt; but
# pip hands the build system of a wheel over so.
by_pip = any(key in os.environ for key in ("PEP517_BUILD_BACKEND", "_PYPROJECT_HOOKS_BUILD_BACKEND"))
named = [os.path.abspath(folder) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
foreign = [folder for folder in named if not by_pip and not os.path.isdir(os.path.join(folder, "tcpatlas"))]
sys.path[:] = [folder for folder in sys.path if folder not in foreign]

# Snakemake keeps files in the user's home, which the user of a service may not have.
if not os.access(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~"), os.W_OK):
    import tempfile

    os.environ["XDG_CACHE_HOME"] = os.path.join(tempfile.gettempdir(), f"tcp-atlas-{os.getuid()}")
