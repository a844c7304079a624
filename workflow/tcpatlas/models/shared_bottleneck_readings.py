"""What the equations of Altman, Bolot, Nain et al. 1997 give where a few passages are taken otherwise.

The paper's analytic column does not follow from its printed equations; the report ranks these readings by how
far they are from it. The readings are in `shared_bottleneck.readings`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from .shared_bottleneck import check, paths
from .shared_bottleneck.fluid import cycle
from .shared_bottleneck.readings import changes, combinations, reading_of

# They are other readings of `shared_bottleneck`.
BY_NAME_ONLY = True
# Taking more passages otherwise brings no reading within rounding either.
_MOST_CHANGES = 2


def predict(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `goodput` (packets/s) and `rtt_path_mean` (s) of each point in each reading.

    The derived reading's metrics have these names; a reading that takes passages otherwise adds their
    alternatives, as in `goodput__tau_access__log_decimal`. Raises PointError as `check` does.
    """
    points = list(points)
    readings = [chosen for chosen in combinations() if len(changes(chosen)) <= _MOST_CHANGES]
    result = cycle(paths(points), reading_of(readings))
    names = ["".join(f"__{change}" for change in changes(chosen)) for chosen in readings]
    return [
        {
            "metrics": {
                f"{metric}{name}": {"unit": unit, "value": float(values[row, column])}
                for row, name in enumerate(names)
                for metric, unit, values in (
                    ("goodput", "packets/s", result.throughput),
                    ("rtt_path_mean", "s", result.mean_delay),
                )
            },
            "distributions": {},
        }
        for column in range(len(points))
    ]


__all__ = ["check", "predict"]
