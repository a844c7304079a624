"""The shared-bottleneck model of the pipeline: points in, metrics out (Altman, Bolot, Nain et al. 1997).

The equations are in `fluid`; here is how a point of docs/formats.md becomes a path of the
paper: one bulk Tahoe source, tau_1 the access link's delay, tau_2 the bottleneck link's, lambda the cross
traffic's rate. The model needs both ways of the path to take the same time; it knows neither the receiver's
window nor the access link's rate, and the exogenous traffic by its rate alone.
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tcpatlas.models._answers import answer
from tcpatlas.models._points import links_of, name_of, only_group, require
from tcpatlas.points.errors import PointError

from .curves import curves
from .fluid import Array, Cycle, Path, cycle, slow_start_loss
from .inverse import infer_exogenous_rate

_BITS = 8
_SAMPLES = 400  # of a drawn cycle
_CHUNK = 100  # points inferred at a time: bounds the memory, not the result


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the metrics of each point, in order, as docs/formats.md has them.

    `goodput` is equation (4), `available_share` the throughput over mu - lambda and
    `available_share_one_slow_start` the same by theorem 3.1 alone, whatever the criterion says (figures 4 and
    5 are drawn so), `criterion_slow_starts` 2 or 1 as the printed criterion (26) holds or not,
    `slow_starts_per_cycle` the same by W_b <= W_th.

    Raises PointError as `check` does. Warns where the access link is slower than what the exogenous traffic
    leaves: the model does not see it.
    """
    points = list(points)
    if not points:
        return []
    path = paths(points)
    _warn_of_slow_access(path, points)
    result = cycle(path)
    theorem = cycle(path, one_slow_start=True)
    columns = {
        "goodput": ("packets/s", result.throughput),
        "available_share": ("1", result.throughput / path.available_rate),
        "available_share_one_slow_start": ("1", theorem.throughput / path.available_rate),
        "rtt_path_mean": ("s", result.mean_delay),
        "slow_starts_per_cycle": ("1", 1 + result.two_slow_starts),
        "criterion_slow_starts": ("1", 1 + slow_start_loss(path)),
        "cycle_time": ("s", result.time),
    }
    return [
        answer({name: (unit, float(column[row])) for name, (unit, column) in columns.items()})
        | _traces(path, result, row, point)
        for row, point in enumerate(points)
    ]


def infer(points: Iterable[Mapping[str, Any]], runs: Iterable[Mapping[str, float]]) -> list[dict[str, Any]]:
    """Return what the measured `goodput` and `rtt_path_mean` of each point say of its cross traffic.

    `inferred_exogenous_rate` (packets/s) is where the model comes nearest to both (module `inverse`), which
    looks at all of the point but its cross traffic; `inferred_exogenous_share_error` is how far that is from
    the point's own rate, over mu. A point whose measurements lack one of the two, or hold a zero, gets
    nothing.
    """
    answers, usable = [], []
    for index, (point, values) in enumerate(zip(points, runs, strict=True)):
        answers.append(answer({}))
        throughput, rtt = values.get("goodput", 0.0), values.get("rtt_path_mean", 0.0)
        if throughput > 0 and rtt > 0:
            usable.append((index, point, throughput, rtt))
    for first in range(0, len(usable), _CHUNK):
        indices, chunk, throughput_column, rtt_column = zip(*usable[first : first + _CHUNK], strict=True)
        path = paths(chunk)
        inferred = infer_exogenous_rate(path, throughput_column, rtt_column)
        error = (inferred - path.exogenous_rate) / path.service_rate
        for row, index in enumerate(indices):
            answers[index] = answer(
                {
                    "inferred_exogenous_rate": ("packets/s", float(inferred[row])),
                    "inferred_exogenous_share_error": ("1", float(error[row])),
                }
            )
    return answers


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    _parameters(point)


def paths(points: Iterable[Mapping[str, Any]]) -> Path:
    """Return what the points' connections meet; raises PointError as `check` does."""
    return Path.of(*zip(*(_parameters(point) for point in points), strict=True))


def _warn_of_slow_access(path: Path, points: Sequence[Mapping[str, Any]]) -> None:
    for point, access, left in zip(points, path.access_rate, path.available_rate, strict=True):
        if access < left:
            warnings.warn(
                f"{name_of(point)}: links.access.rate: {access:g} packets/s are less than the {left:g} that "
                "exogenous traffic leaves; the shared_bottleneck model ignores it",
                stacklevel=3,
            )


def _traces(path: Path, result: Cycle, row: int, point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the trace of the window where the point asks for one: cycles one after the other."""
    if all(probe["kind"] != "window-trace" for probe in point["probes"]):
        return {}
    drawn = curves(path, result, _SAMPLES)
    length = float(drawn.time[-1, row])
    cycles = math.ceil(point["stop"]["duration_s"] / length)
    time: Array = np.concatenate([drawn.time[:, row] + index * length for index in range(cycles)])
    window = np.tile(drawn.window[:, row], cycles)
    shown = time <= point["stop"]["duration_s"]
    return {
        "traces": {
            "window": {"unit": "packets", "time_s": time[shown].tolist(), "value": window[shown].tolist()}
        }
    }


def _parameters(point: Mapping[str, Any]) -> tuple[float, float, float, float, float, float]:
    """Return B, mu, lambda, tau_1, tau_2 and BW_in of a point."""
    group = only_group("shared_bottleneck", point)
    access, bottleneck, egress = links_of(point, group)
    require(
        "shared_bottleneck",
        {
            "sources.workload.kind": (group["workload"]["kind"], "bulk"),
            "sources.count": (group["count"], 1),
            "tcp.variant": (group["tcp"]["variant"], "tahoe"),
            "links.bottleneck.queue": (bottleneck["queue"], "drop-tail"),
            "links.bottleneck.loss": (bottleneck["loss_probability"], 0),
        },
    )
    packet_bits = _BITS * point["packet_bytes"]
    mu = bottleneck["rate_bit_per_s"] / packet_bits
    access_rate = access["rate_bit_per_s"] / packet_bits
    cross_traffic = point.get("cross_traffic")
    for key, name, what in (("rate_steps", "rate_steps", "rate"), ("packet_bytes", "packet_size", "size")):
        if key in (cross_traffic or {}):
            problem = f"the shared_bottleneck model knows one {what}; leave it out"
            raise PointError((f"cross_traffic.{name}",), problem)
    exogenous_rate = cross_traffic["rate_bit_per_s"] / packet_bits if cross_traffic else 0.0
    if exogenous_rate >= mu:
        problem = f"{exogenous_rate:g} packets/s leave the connection nothing"
        raise PointError(("cross_traffic.rate",), f"{problem}; less than the bottleneck's {mu:g} packets/s")
    before, after = access["delay_s"], bottleneck["delay_s"]
    forward = before + after + egress["delay_s"]
    # What the acknowledgements' transmissions add to the way back is not in the model.
    acknowledgement_bits = _BITS * point["ack_bytes"]
    back_s = point["return_delay_s"] - sum(
        acknowledgement_bits / link["rate_bit_per_s"] for link in (access, bottleneck, egress)
    )
    if not math.isclose(back_s, forward, rel_tol=1e-6, abs_tol=1e-9):
        back = f"the way back takes {back_s:g} s, and the shared_bottleneck model is symmetric"
        allowed = f"{2 * forward:g} s, twice the links' delays"
        raise PointError(("propagation", "rtt", "links"), f"{back}; {allowed}")
    return bottleneck["buffer_packets"], mu, exogenous_rate, before, forward - before, access_rate
