"""CUBIC over a lossy path: the mean window of RFC 9438, section 5, as a formula of the goodput."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import rfc9438
from ._answers import answer
from ._lossy_path import LossyPath


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the `goodput`, in packets/s, of each point, in order, in the form of docs/formats.md.

    A mean window a round trip of the empty path, at most what the receiver's window and the slowest link
    allow. The RFC takes losses as evenly spaced, and every packet as acknowledged. Raises PointError as
    `check` does.
    """
    return [_predict(_path(point), _c(point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the formula cannot answer."""
    _path(point)


def _path(point: Mapping[str, Any]) -> LossyPath:
    return LossyPath.of("cubic", point, losses=("independent", "evenly-spaced"), variants=("cubic",))


def _c(point: Mapping[str, Any]) -> float:
    return float(point["sources"][0]["tcp"].get("c", rfc9438.RECOMMENDED_C))


def _predict(path: LossyPath, c: float) -> dict[str, Any]:
    window = min(rfc9438.cubic(path.loss_probability, path.rtt, c), path.max_window)
    return answer({"goodput": ("packets/s", min(window / path.rtt, path.link))})
