"""An error in a point whose location in a file is not yet known."""


class PointError(ValueError):
    """Impossible values at the dotted `paths` of a base, the likeliest culprit first.

    `str()` states the problem and, after a semicolon, what is allowed.
    """

    def __init__(self, paths: tuple[str, ...], problem: str) -> None:
        super().__init__(problem)
        self.paths = paths
