"""A link's rate over time: steps, inline or in a file."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tcpatlas.base.validation import Model, Quantity, Text
from tcpatlas.points.errors import PointError

_OPPORTUNITY_BITS = 8 * 1504  # mahimahi's MTU
_MILLISECONDS = 1000
_LATEST, _FASTEST = 1e6, 1e12


class RateStep(Model):
    """A rate from a time on, counted from the start of the run, warm-up included; at 0 nothing is sent."""

    at: Annotated[Decimal, Quantity("s", "10 s", gt=0, le=_LATEST)]
    rate: Annotated[Decimal, Quantity("bit/s", "10 Mbit/s", ge=0, le=_FASTEST)]


class TraceFile(Model):
    """A file with a time in s and a rate in bit/s in each line, with a comma between them, or mahimahi's.

    In mahimahi's a line is the millisecond by which a packet may leave; it begins anew where it ends.
    """

    file: Text


class Trace(Model):
    """What such a file says."""

    at: Annotated[list[float], Field(serialization_alias="at_s")]
    rate: Annotated[list[float], Field(serialization_alias="rate_bit_per_s")]
    period: Annotated[float | None, Field(serialization_alias="period_s")] = None


def trace_of(steps: TraceFile) -> Trace:
    """Return what a file says now; PointError if it is no trace."""
    try:
        return _read(steps.file, Path(steps.file).stat().st_mtime_ns)
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        paths = ("links.bottleneck.rate_steps.file", "links.bottleneck.rate_steps")
        raise PointError(paths, f"{steps.file}: {problem}") from None


@lru_cache(maxsize=4)
def _read(file: str, _modified: int) -> Trace:
    with Path(file).open(encoding="utf-8") as lines:
        first = next(lines, "")
    numbers = np.loadtxt(file, delimiter=",", ndmin=2, skiprows=0 if first[:1].isdigit() else 1)
    if numbers.shape[1] not in (1, 2) or not numbers.size:
        raise ValueError("must have lines of a time in s and a rate in bit/s, or of a millisecond")
    times = numbers[:, 0]
    if not (times.min() >= 0 and times.max() <= _LATEST * (1 if numbers.shape[1] == 2 else _MILLISECONDS)):
        raise ValueError(f"has a time that is not from 0 to {_LATEST:g} s")
    if numbers.shape[1] == 1:
        return _of_opportunities(times)
    rates = numbers[:, 1]
    if not (np.all(np.diff(times) > 0) and np.all(rates >= 0) and np.all(rates <= _FASTEST)):
        raise ValueError("must have times that increase, and rates from 0 to 1e12 bit/s")
    if rates[-1] == 0:
        raise ValueError("ends with a rate of 0, at which nothing is ever sent")
    return Trace(at=times.tolist(), rate=rates.tolist())


def _of_opportunities(by: npt.NDArray[np.float64]) -> Trace:
    """Return the rate in each millisecond, where it changes, of packets that may leave by its end."""
    if np.any(np.diff(by) < 0) or np.any(by != np.floor(by)):
        raise ValueError("must have whole milliseconds, none earlier than the one before")
    counts = np.bincount(np.maximum(by - 1, 0).astype(int))
    changes = np.flatnonzero(np.diff(counts, prepend=-1))
    rates = counts[changes] * (_OPPORTUNITY_BITS * _MILLISECONDS)
    return Trace(
        at=(changes / _MILLISECONDS).tolist(),
        rate=rates.astype(float).tolist(),
        period=len(counts) / _MILLISECONDS,
    )
