"""Window and throughput by the model, at the points of the pipeline and from what a run measured."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, takewhile
from typing import Any

import numpy as np

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models._lossy_path import LossyPath

from .cwnd import Basis, Cwnd
from .loss import SMALLEST_WINDOW, Array, LossPattern
from .rtt import EmpiricalRtt, MixtureRtt, NormalRtt, RttLaw
from .throughput import Throughput, avoidance_throughput

BASES = {"": Basis.TIME, "__rounds": Basis.ROUNDS, "__segments": Basis.SEGMENTS}
"""Suffixes of metrics, and the distribution of cwnd that each is of."""
_EXPERIMENTAL = {
    "goodput": "goodput",
    "sent": "send_throughput",
    "without_timeouts": "throughput_without_timeouts",
}


def predict(
    points: Iterable[Mapping[str, Any]], runs: Sequence[Mapping[str, float]] | None = None
) -> list[dict[str, Any]]:
    """Return the metrics and distributions of each point, in order, in the form of docs/formats.md.

    Every segment is lost with the bottleneck's loss probability; w_max is rwnd, the sender's link the slowest
    link of the path, and the RTT has the point's distribution, cut at 0, or is always that of the empty path.
    Queueing is not in the model: the buffer neither delays nor drops packets, and a round lasts longer than
    the RTT only if the link takes longer to transmit its window. Slow start and timeouts are not in it.

    `throughput_markov`, in packets/s, is the mean throughput ET of chapter 5, which includes lost segments;
    `goodput` is the same. `throughput_sd` is its standard deviation, `throughput_above_half` and
    `throughput_below_half` are the probabilities that it is above and below half of the link. All are over
    time, as `cwnd_mean`, `cwnd_sd` and `cwnd_mode` are, a round ending with its first loss (theorem 1 of
    appendix C); `__rounds` and `__segments` are by rounds and by segments.

    Of `runs`, one a point, `throughput_markov` is ET from the run's RTT sample, taken by its quantiles, and
    its loss estimate (section 7.2), and `markov_miss_<name>` how far that is from the run's own throughputs
    (section 7.3); nothing without a sample. Raises PointError as `check` does.
    """
    if runs is not None:
        return [_of_run(point, run) for point, run in zip(points, runs, strict=True)]
    return [_predict(_path(point)) for point in points]


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    _path(point)


def _of_run(point: Mapping[str, Any], run: Mapping[str, float]) -> dict[str, Any]:
    numbered = (f"rtt_quantile[{number}]" for number in count(1))
    sample = [run[name] for name in takewhile(run.__contains__, numbered)]
    if not sample or "loss_estimate" not in run:
        return answer({})
    metrics: Metrics = {}
    path = _path(point)
    pattern = LossPattern.bernoulli(run["loss_estimate"], path.max_window)
    for suffix, throughput in _throughputs(pattern, EmpiricalRtt(sample), path.link).items():
        metrics[f"throughput_markov{suffix}"] = ("packets/s", throughput.mean)
        for name, metric in _EXPERIMENTAL.items():
            metrics[f"markov_miss_{name}{suffix}"] = ("1", throughput.mean / run[metric] - 1)
    return answer(metrics)


def _path(point: Mapping[str, Any]) -> LossyPath:
    return LossyPath.of("markov", point, growing_loss=True)


def _predict(path: LossyPath) -> dict[str, Any]:
    if path.loss_growth == 1:
        pattern = LossPattern.bernoulli(path.loss_probability, path.max_window)
    else:
        pattern = LossPattern.growing(path.loss_growth, path.loss_probability, path.max_window)
    throughputs = _throughputs(pattern, _rtt(path), path.link)
    over_time = throughputs[""]
    metrics: Metrics = {"goodput": ("packets/s", over_time.mean)}
    for suffix, throughput in throughputs.items():
        metrics |= {
            f"throughput_markov{suffix}": ("packets/s", throughput.mean),
            f"throughput_sd{suffix}": ("packets/s", throughput.standard_deviation),
            f"cwnd_mean{suffix}": ("packets", throughput.cwnd.mean),
            f"cwnd_sd{suffix}": ("packets", throughput.cwnd.standard_deviation),
            f"cwnd_mode{suffix}": ("packets", throughput.cwnd.mode),
        }
    metrics |= {
        "throughput_above_half": ("1", float(over_time.above(path.link / 2))),
        "throughput_below_half": ("1", float(over_time.below(path.link / 2))),
    }
    return answer(
        metrics,
        {
            "cwnd_by_rounds": _distribution(throughputs["__rounds"].cwnd),
            "cwnd_by_segments": _distribution(throughputs["__segments"].cwnd),
            "cwnd_by_time": _distribution(over_time.cwnd),
        },
    )


def _throughputs(pattern: LossPattern, rtt: RttLaw, link: float) -> dict[str, Throughput]:
    return {suffix: avoidance_throughput(pattern, rtt, link, basis) for suffix, basis in BASES.items()}


def _rtt(path: LossyPath) -> RttLaw:
    law = path.rtt_distribution
    if law is None:
        return EmpiricalRtt([path.rtt])
    normal = NormalRtt(law["mean_s"], law["standard_deviation_s"])
    if "outliers" not in law:
        return normal
    outliers = law["outliers"]
    return MixtureRtt([normal, EmpiricalRtt([law["outlier_s"]])], [1 - outliers, outliers])


def _distribution(cwnd: Cwnd) -> tuple[str, Array]:
    never = np.zeros(SMALLEST_WINDOW)
    return "packets", np.concatenate([never, cwnd.probability])
