"""The formula with timeouts of Padhye et al. 2000: `PFTK` of Bogoiavlenskaia et al. 2002, section 7.3."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._answers import answer
from ._lossy_path import LossyPath, least_timeout, rtt_and_loss

# TCP_RTO_MIN, in seconds: the lower bound of a kernel's own timer on any path.
LINUX_LEAST_RTO = 0.2


def predict(
    points: Iterable[Mapping[str, Any]], runs: Sequence[Mapping[str, float]] | None = None
) -> list[dict[str, Any]]:
    """Return the `goodput`, in packets/s, of each point, in order, in the form of docs/formats.md.

    `throughput_padhye` is the same. The RTT is the mean of the point's distribution, or that of the empty
    path: queueing is not in the formula, nor is the link. T0 is min_rto, or the RTT if that is longer; with
    Linux's timers, their sum. The maximum of cwnd is rwnd, and every packet is acknowledged (b = 1). The
    formula is of the send rate, which includes lost packets.

    Of `runs`, one a point, `throughput_padhye` is PFTK from the mean RTT sample and the loss estimate
    (section 7.3), and nothing without a loss. T0 is the mean of the run's first timeouts; without any, the
    least one, or the RTT if that is longer. Of `throughput_padhye__least_rto` T0 is 0.2 s, the least timeout
    of Linux, with which the report's printed PFTK follow from its printed FF. As in the report b is 1, and
    cwnd has no maximum. Raises PointError as `check` does.
    """
    if runs is not None:
        return [_of_run(point, run) for point, run in zip(points, runs, strict=True)]
    return [_predict(LossyPath.of("padhye", point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the formula cannot answer."""
    LossyPath.of("padhye", point)


def _predict(path: LossyPath) -> dict[str, Any]:
    goodput = throughput(path.rtt, path.loss_probability, path.min_rto, max_window=path.max_window).item()
    return answer({"goodput": ("packets/s", goodput), "throughput_padhye": ("packets/s", goodput)})


def _of_run(point: Mapping[str, Any], run: Mapping[str, float]) -> dict[str, Any]:
    if (measured := rtt_and_loss(run)) is None:
        return answer({})
    rtt, loss = measured
    timeout = run.get("first_timeout_mean", least_timeout(point["sources"][0]["tcp"], rtt))
    return answer(
        {
            "throughput_padhye": ("packets/s", throughput(rtt, loss, timeout).item()),
            "throughput_padhye__least_rto": ("packets/s", throughput(rtt, loss, LINUX_LEAST_RTO).item()),
        }
    )


def throughput(
    rtt: ArrayLike, loss_probability: ArrayLike, timeout: ArrayLike, *, max_window: ArrayLike = math.inf
) -> NDArray[np.float64]:
    """Return the approximate send rate, Padhye's equation 30, in segments per second; arrays broadcast.

    `rtt` is the mean RTT and `timeout` the mean first retransmission timeout T0, in seconds; `max_window` is
    in segments. Padhye's b is 1: every segment is acknowledged. The printed PFTK have that, and no maximum of
    cwnd: against FF they then tell p T0 / RTT and nothing more. Raises ValueError for an RTT or timeout that
    is not above 0 or a p outside [0, 1).
    """
    rtt, p, timeout = (np.asarray(x, float) for x in (rtt, loss_probability, timeout))
    if not np.all(rtt > 0):
        raise ValueError("rtt: allowed: numbers of seconds above 0")
    if not np.all(timeout > 0):
        raise ValueError("timeout: allowed: numbers of seconds above 0")
    if not np.all((p >= 0) & (p < 1)):
        raise ValueError("loss_probability: allowed: 0 or more and less than 1")
    in_avoidance = rtt * np.sqrt(2 * p / 3)
    in_timeouts = timeout * np.minimum(1, 3 * np.sqrt(3 * p / 8)) * p * (1 + 32 * p**2)
    with np.errstate(divide="ignore"):
        return np.asarray(np.minimum(max_window / rtt, 1 / (in_avoidance + in_timeouts)))
