"""Errors that a user can cause, each stated in one line."""

from pathlib import Path

_LONGEST_WORD = 120


class AtlasError(Exception):
    """An error that a user can correct; `str()` is the one line to print."""


def _in_a_line(text: str) -> str:
    """Return a text on one line, shortened if user input made it too long."""
    return " ".join(
        word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}..." for word in text.split()
    )


class ConfigError(AtlasError):
    """An input is wrong: `file: key.path: problem; allowed`."""

    def __init__(self, file: str | Path, path: str, problem: str, allowed: str = "") -> None:
        parts = [" ".join(str(file).split())] + ([_in_a_line(path)] if path else [])
        super().__init__(": ".join([*parts, _in_a_line(f"{problem}; {allowed}" if allowed else problem)]))


class EngineError(AtlasError):
    """An engine failed; carries its own line and the command that shows it again."""


class NotOfferedError(EngineError):
    """An engine does not simulate what a valid point has."""
