"""What the model says of the points of the pipeline: the window and the goodput of a lossy path."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tcpatlas.models._lossy_path import LossyPath

from .cwnd import ROUNDS, SEGMENTS_UNTIL_LOSS, TIME_UNTIL_LOSS, cwnd_distribution
from .loss import SMALLEST_WINDOW, LossPattern
from .rtt import EmpiricalRtt
from .throughput import avoidance_throughput


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the metrics and distributions of each point, in order, in the form of docs/formats.md.

    Every segment is lost with the bottleneck's loss probability; w_max is rwnd, the sender's link the slowest
    link of the path, and every RTT that of the empty path. Queueing is not in the model: the buffer neither
    delays nor drops packets, and a round lasts longer than the RTT only if the link takes longer to transmit
    its window. Slow start and timeouts are not in it either. `goodput`, in packets/s, is the mean throughput
    ET of chapter 5, which includes lost segments. `cwnd_mean` and `cwnd_sd` are over time. A round ends with
    its first loss (theorem 1 of appendix C). Raises PointError as `check` does.
    """
    return [_predict(LossyPath.of("markov", point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    LossyPath.of("markov", point)


def _predict(path: LossyPath) -> dict[str, Any]:
    rtt = EmpiricalRtt([path.rtt])
    pattern = LossPattern.bernoulli(path.loss_probability, path.max_window)
    throughput = avoidance_throughput(pattern, rtt, path.link, TIME_UNTIL_LOSS)
    cwnds = {
        "cwnd_by_rounds": cwnd_distribution(pattern, ROUNDS),
        "cwnd_by_segments": cwnd_distribution(pattern, SEGMENTS_UNTIL_LOSS),
        "cwnd_by_time": throughput.cwnd,
    }
    metrics = {
        "goodput": ("packets/s", throughput.mean),
        "cwnd_mean": ("packets", throughput.cwnd.mean),
        "cwnd_sd": ("packets", throughput.cwnd.standard_deviation),
    }
    never = np.zeros(SMALLEST_WINDOW)
    return {
        "metrics": {name: {"unit": unit, "value": value} for name, (unit, value) in metrics.items()},
        "distributions": {
            name: {"unit": "packets", "probability": np.concatenate([never, cwnd.probability]).tolist()}
            for name, cwnd in cwnds.items()
        },
    }
