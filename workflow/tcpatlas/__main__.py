"""`python -m tcpatlas`."""

import sys

from tcpatlas.cli import main

if __name__ == "__main__":
    sys.exit(main())
