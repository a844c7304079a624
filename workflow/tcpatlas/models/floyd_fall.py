"""The square-root formula of Floyd and Fall 1999: `FF` of Bogoiavlenskaia et al. 2002, section 7.3."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._answers import answer
from ._lossy_path import LossyPath, rtt_and_loss


def predict(
    points: Iterable[Mapping[str, Any]], runs: Sequence[Mapping[str, float]] | None = None
) -> list[dict[str, Any]]:
    """Return the `goodput`, in packets/s, of each point, in order, in the form of docs/formats.md.

    `throughput_floyd_fall` is the same. The RTT is the mean of the point's distribution, or that of the
    empty path: queueing is not in the formula, nor are rwnd and the link, so small loss probabilities
    give more than the link carries. Of `runs`, one a point, `throughput_floyd_fall` is FF from the mean RTT
    sample and the loss estimate (section 7.3), and nothing without a loss. Raises PointError as `check` does.
    """
    if runs is not None:
        return [_of_run(run) for run in runs]
    return [_predict(_path(point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the formula cannot answer."""
    _path(point)


def _path(point: Mapping[str, Any]) -> LossyPath:
    """Return the path of a point; the formula is derived for evenly spaced losses and used for others."""
    return LossyPath.of("floyd_fall", point, losses=("independent", "evenly-spaced"))


def _predict(path: LossyPath) -> dict[str, Any]:
    goodput = ("packets/s", throughput(path.rtt, path.loss_probability).item())
    return answer({"goodput": goodput, "throughput_floyd_fall": goodput})


def _of_run(run: Mapping[str, float]) -> dict[str, Any]:
    if (measured := rtt_and_loss(run)) is None:
        return answer({})
    return answer({"throughput_floyd_fall": ("packets/s", throughput(*measured).item())})


def throughput(rtt: ArrayLike, loss_probability: ArrayLike) -> NDArray[np.float64]:
    """Return sqrt(3/2) / (RTT sqrt(p)) in segments per second, of mean RTTs in seconds; they broadcast.

    One loss for every 1 / p segments, each halving cwnd, and an acknowledgement for every segment: 1.2247 of
    table 7.2. Neither w_max nor the link limits it, so it is infinite for p = 0. Raises ValueError for an RTT
    that is not above 0 or a p outside [0, 1).
    """
    rtt, p = np.asarray(rtt, float), np.asarray(loss_probability, float)
    if not np.all(rtt > 0):
        raise ValueError("rtt: allowed: numbers of seconds above 0")
    if not np.all((p >= 0) & (p < 1)):
        raise ValueError("loss_probability: allowed: 0 or more and less than 1")
    with np.errstate(divide="ignore"):
        return np.asarray(math.sqrt(1.5) / (rtt * np.sqrt(p)))
