"""Why a run has no number to compare."""

from __future__ import annotations

from tcpatlas.base import units
from tcpatlas.claims.answers import Answer

# Of an iterate: its metric, how it is called, and in what unit.
_ITERATE = (
    ("send_rate", "send rates", "kbit/s"),
    ("queue", "queues", "packets"),
    ("loss_ratio", "losses", "%"),
)


def why_missing(answer: Answer | None) -> str:
    """Return why an answer lacks a metric that others of its engine give.

    An iteration that converged in no replication has its last two iterates alone.
    """
    if answer is None or answer.metrics.get("iteration_converged", {"value": 1})["value"] > 0:
        return "not given at this point"
    pairs = []
    for name, title, unit in _ITERATE:
        last_two = [answer.metrics[f"iterate_{name}[{which}]"] for which in ("before-last", "last")]
        first, second = (float(each["value"]) * float(units.factor(each["unit"], unit)) for each in last_two)
        pairs.append(f"{title} of {first:.3g} and {second:.3g} {unit}")
    steps = answer.metrics["iteration_steps"]["value"]
    return f"the iteration has not converged in {steps:.0f} steps; its last two have {', '.join(pairs)}"
