"""Bandwidth-delay products and capacities at which an isolated Compound TCP connection changes its behaviour.

What table 1 and the text beside figures 14 and 15 of Blanc, Collange and Avrachenkov 2008 say of whole
ranges: where each m:n cycle of phase 3 exists, and at which capacities the oscillation changes its type or
overflows the buffer.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._answers import Metrics, answer
from .compound import check
from .compound.cases import select_case
from .compound.cycles import TABLE_TYPES, interval
from .compound.oscillation import settle
from .compound.setting import Setting
from .compound.window_map import MODULE

# It is of whole ranges of capacities, not of the point's own.
BY_NAME_ONLY = True
# Whole packets, as the paper counts. 3:2, once it exists, goes on existing: its highest product is not asked
# for.
_PRODUCTS = np.arange(60, 1801)
_OPEN_ENDED = (3, 2)
_OVERFLOW_CASES = (2, 3)
# Packets: a window whose growth is as large as any threshold that the module may choose (section 3.4).
_LARGE_WINDOW = 1500


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the ranges at each point, whose own capacity does not matter: `{metrics, distributions}`.

    `bdp_low_M_N` and `bdp_high_M_N` (packets) are the ends of the interval with M:N cycles in integer
    arithmetic. `capacity_low_M_N` (bit/s) is the lowest capacity at which the module settles to M:N
    cycles, `capacity_overflow_M_N` the lowest at which they overflow the point's buffer before phase 3. What
    does not exist between 60 and 1800 packets is left out. `window_growth[1500]` (packets) is what equation 2
    adds to that window in a round trip, the example of section 3.4. Raises PointError as `check` does.
    """
    return [
        answer(_growth(setting) | _cycle_metrics(setting) | _capacity_metrics(setting))
        for setting in map(Setting.from_point, points)
    ]


def _growth(setting: Setting) -> Metrics:
    growth = setting.parameters.alpha * _LARGE_WINDOW**setting.parameters.k
    return {f"window_growth[{_LARGE_WINDOW}]": ("packets", growth)}


def _cycle_metrics(setting: Setting) -> Metrics:
    metrics: Metrics = {}
    for m, n in TABLE_TYPES:
        ends = interval(setting.parameters, _PRODUCTS, m, n)
        if ends is None:
            continue
        metrics[f"bdp_low_{m}_{n}"] = ("packets", ends[0])
        if (m, n) != _OPEN_ENDED:
            metrics[f"bdp_high_{m}_{n}"] = ("packets", ends[1])
    return metrics


def _capacity_metrics(setting: Setting) -> Metrics:
    oscillation = settle(setting.parameters, _PRODUCTS, MODULE)
    case = select_case(setting.parameters, _PRODUCTS, setting.buffer, oscillation.highest)
    metrics: Metrics = {}
    for m, n in TABLE_TYPES:
        of_type = (oscillation.growths == m) & (oscillation.cuts == n)
        for name, where in (("low", of_type), ("overflow", of_type & np.isin(case, _OVERFLOW_CASES))):
            if where.any():
                capacity = float(_PRODUCTS[np.argmax(where)]) / setting.propagation * setting.packet_bits
                metrics[f"capacity_{name}_{m}_{n}"] = ("bit/s", capacity)
    return metrics


__all__ = ["check", "predict"]
