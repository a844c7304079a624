"""A mistake in a point, before anybody knows where in a file its values come from."""

from __future__ import annotations


class PointError(ValueError):
    """Values that cannot be, at the dotted `paths` of a base, the likeliest culprit first.

    `str()` is what is wrong and, after a semicolon, what is allowed.
    """

    def __init__(self, paths: tuple[str, ...], problem: str) -> None:
        super().__init__(problem)
        self.paths = paths
