"""Commands as programs: errors in one line, an exit status, and options with suggestions."""

import argparse
import difflib
import math
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

from tcpatlas.base.errors import AtlasError


def run(command: Callable[[], int], interrupted: str = "interrupted") -> int:
    """Run a command; return its exit status. User errors are one line on standard error."""
    signal.signal(signal.SIGTERM, _terminated)
    warnings.formatwarning = warning_line
    try:
        return command()
    except AtlasError as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:
        # The reader closed the pipe.
        sys.stderr.close()
    except OSError as error:
        print(f"{error.filename or 'tcpatlas'}: {error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(interrupted, file=sys.stderr)
        return 130
    return 1


# Words more similar than this are typing errors.
_CLOSE = 0.65
# Other names that people give our options.
_ALSO = {"--variant": "--tcp", "--cc": "--tcp", "--bandwidth": "--rate", "--delay": "--rtt"}


def positive(text: str) -> int:
    """Return a whole number above 0, as a type of an option."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is out of range; at least 1")
    return number


def positive_number(text: str) -> float:
    """Return a finite number above 0, as a type of an option."""
    number = float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is out of range; more than 0")
    return number


class Parser(argparse.ArgumentParser):
    """A parser without abbreviations; its errors are one line, with the likely option if one is misspelt."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def parse_args(self, args: object = None, namespace: object = None) -> argparse.Namespace:  # type: ignore[override]
        """Return the options; an unknown one ends the program and suggests the likely one."""
        options, unknown = self.parse_known_args(args, namespace)  # type: ignore[call-overload]
        if unknown:
            self.error(self._unknown(unknown[0]))
        parsed: argparse.Namespace = options
        return parsed

    def _unknown(self, word: str) -> str:
        if not word.startswith("-"):
            return f"{word!r} is one argument too many; quote quantities, e.g. --rate '50 Mbit/s'"
        offered = [option for action in self._actions for option in action.option_strings]
        name = word.partition("=")[0]
        synonym = [_ALSO[name]] if _ALSO.get(name) in offered else []
        close = synonym or difflib.get_close_matches(name, offered, n=1, cutoff=_CLOSE)
        suggestion = f" Did you mean {close[0]}?" if close else f" See {self.prog} --help."
        return f"{word} is no option.{suggestion}"

    def error(self, message: str) -> NoReturn:
        """End the program with the error alone, without the long usage."""
        self.exit(
            2, f"{message[0].upper()}{message[1:]}\n" if message.startswith("argument") else f"{message}\n"
        )


def warning_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Return a warning for users, without its place in our code."""
    return f"warning: {message}\n"


def _terminated(*_: object) -> None:
    """Exit in order, so that child processes are ended too."""
    raise SystemExit(143)
