"""The errors that a user can cause. Each says what is wrong in one line."""

from __future__ import annotations

from pathlib import Path


class AtlasError(Exception):
    """Something a user can mend; `str()` is the one line to print."""


class ConfigError(AtlasError):
    """An input is wrong: `file: key.path: problem; allowed`."""

    def __init__(self, file: str | Path, path: str, problem: str, allowed: str = "") -> None:
        parts = [str(file)] + ([path] if path else [])
        text = ": ".join([*parts, problem]) + (f"; {allowed}" if allowed else "")
        super().__init__(" ".join(text.split()))


class EngineError(AtlasError):
    """An engine failed; carries its own line and the command that shows it again."""
