"""An isolated Compound TCP connection over a drop-tail FIFO (Blanc, Collange and Avrachenkov 2008).

The window goes from loss to loss through up to four phases, in one of six cases. Which one depends on how far
the window oscillates in the third phase, where it was meant to be constant; how far, on the integer
arithmetic of the sender. Modules: parameters, phases (equations 3 to 12), window_map (13 and 14), cycles (the
m:n cycles and their fixed points), oscillation (where the map settles), cases (figure 13, means over a
cycle), window_trace (the window against time).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from tcpatlas.models._answers import Metrics, answer

from .cases import borders, loss_cycle
from .cycles import find_types
from .oscillation import settle
from .parameters import Parameters
from .setting import Setting
from .window_map import FLOAT, MODULE
from .window_trace import window_trace

_READINGS = {"float": FLOAT, "linux": MODULE}
_TRACED_CYCLES = 5


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the model says of each point: `{metrics, distributions}` of docs/formats.md, and `traces`.

    `utilisation` is the throughput over the bottleneck's rate and `queue_mean` the mean backlog, both from
    loss to loss without slow start. `oscillation_growths` and `oscillation_cuts` are m and n of phase 3's
    cycle, 0 where it settles to a longer pattern; `priority_growths` and `priority_cuts` those by figure 3's
    rule, with the module's integers put into equation 2, left out where no m:n cycle exists and in floating
    point. `case` is 0 where there is none, and what would follow from it is left out. `border_*` are the
    buffers that separate the cases at the point's bandwidth-delay product
    (cases.borders). With the probe window-trace there is the trace `window`. Raises PointError as `check`
    does.
    """
    settings = [Setting.from_point(point) for point in points]
    predictions: list[dict[str, Any]] = [{} for _ in settings]
    order = sorted(range(len(settings)), key=lambda index: settings[index].sender)
    for _, group in groupby(order, key=lambda index: settings[index].sender):
        indices = list(group)
        for index, prediction in zip(indices, _predict([settings[i] for i in indices]), strict=True):
            predictions[index] = prediction
    return predictions


def check(point: Mapping[str, Any]) -> None:
    """Raise PointError for a point that the model cannot answer."""
    Setting.from_point(point)


def _predict(settings: Sequence[Setting]) -> Iterator[dict[str, Any]]:
    """Yield the predictions of settings with the same sender."""
    parameters, arithmetic = settings[0].sender
    rate, propagation, buffer = np.array(
        [(setting.rate, setting.propagation, setting.buffer) for setting in settings]
    ).T
    oscillation = settle(parameters, rate * propagation, _READINGS[arithmetic])
    cycle = loss_cycle(parameters, rate, propagation, buffer, oscillation.highest, oscillation.mean)
    edges = borders(parameters, rate * propagation, oscillation.highest)
    types = find_types(parameters, rate * propagation) if arithmetic == "linux" else []
    values = {
        "utilisation": ("1", cycle.throughput),
        "queue_mean": ("packets", cycle.mean_backlog),
        "loss_interval": ("s", cycle.duration),
        "window_at_loss": ("packets", cycle.window_at_loss),
        "theta_max": ("packets", oscillation.highest),
        "theta_min": ("packets", oscillation.lowest),
        "theta": ("packets", oscillation.mean),
        "oscillation_growths": ("1", oscillation.growths),
        "oscillation_cuts": ("1", oscillation.cuts),
        "case": ("1", cycle.case),
        **{f"border_{name}": ("packets", edge) for name, edge in edges.items()},
    }
    for position, setting in enumerate(settings):
        metrics: Metrics = {
            name: (unit, value[position].item())
            for name, (unit, value) in values.items()
            if np.isfinite(value[position])
        }
        if types and (by_priority := types[position]):
            growths, cuts = by_priority
            metrics |= {"priority_growths": ("1", growths), "priority_cuts": ("1", cuts)}
        prediction = answer(metrics)
        if setting.traced:
            times, windows = window_trace(
                parameters,
                cycle.at(position),
                setting.propagation,
                oscillation.mean[position],
                _TRACED_CYCLES,
            )
            prediction["traces"] = {"window": {"unit": "packets", "time_s": times, "value": windows}}
        yield prediction


__all__ = ["Parameters", "check", "predict"]
