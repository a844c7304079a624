"""What values of a dumbbell exclude one another; each check raises PointError."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.links import BaseBottleneck, Links, QueuedLink, way_back_of
from tcpatlas.points.parts.sources import SourceGroup

# Limits on the time to drain a full queue, in seconds, and on the packets of all windows together: engines
# hold times in 63 bits of picoseconds, and a bit for each packet of a window.
LONGEST_QUEUE = 100000
MOST_WINDOWS = 8 * 10**9


def check_ties(bottleneck: QueuedLink) -> None:
    """Raise PointError for a tie rule that a fair queue lacks."""
    if bottleneck.ties not in (None, "departure-first") and bottleneck.queue != "drop-tail":
        problem = f"{bottleneck.queue} knows no other rule than departure-first; that, or the queue drop-tail"
        raise PointError(("links.bottleneck.ties", "links.bottleneck.queue"), problem)


def check_variation(bottleneck: BaseBottleneck, packet_size: Decimal) -> None:
    """Raise PointError if steps are out of order, or no packet can ever get enough tokens."""
    if isinstance(steps := bottleneck.rate_steps, list):
        check_increase("links.bottleneck.rate_steps", steps)
        if steps[-1].rate == 0:
            raise PointError(
                ("links.bottleneck.rate_steps",), "ends with a rate of 0, and nothing is sent again"
            )
    check_increase("links.bottleneck.delay_steps", bottleneck.delay_steps)
    if (bucket := bottleneck.token_bucket) is None:
        return
    paths = ("links.bottleneck.token_bucket.burst", "packet_size")
    if bucket.burst < packet_size:
        problem = f"{bucket.burst} B are no packet; at least {packet_size} B"
        raise PointError(paths, problem)
    if (seconds := float(8 * bucket.burst / bucket.rate)) > LONGEST_QUEUE:
        problem = f"the bucket takes {seconds:.3g} s to fill; at most {LONGEST_QUEUE} s"
        raise PointError((*paths, "links.bottleneck.token_bucket.rate"), problem)


def check_path(links: Links, groups: Sequence[SourceGroup]) -> None:
    """Raise PointError for a group that passes links that are not there."""
    last = 1 + len(links.hops or ())
    for group in groups:
        path = f"groups.{group.name}"
        if group.direction is not None and way_back_of(links) is None:
            raise PointError((f"{path}.direction", "links.return"), "is return, but there is no links.return")
        if group.direction is not None and group.hops is not None:
            raise PointError((f"{path}.hops", f"{path}.direction"), "is of packets that do not return")
        if (hops := group.hops) is not None and not hops.first <= hops.last <= last:
            problem = f"{hops.first} to {hops.last} is no row of links; from first to last, at most {last}"
            raise PointError((f"{path}.hops", "links.hops"), problem)


def check_increase(path: str, steps: Sequence[Any] | None) -> None:
    """Raise PointError unless each step, if there are any, is later than the one before."""
    for before, after in itertools.pairwise(step.at for step in steps or ()):
        if after <= before:
            problem = f"{float(after):g} s comes after {float(before):g} s; times that increase"
            raise PointError((path,), problem)


def check_thresholds(bottleneck: QueuedLink) -> None:
    """Raise PointError unless both thresholds of random early detection are given, or neither."""
    low, high = bottleneck.min_threshold, bottleneck.max_threshold
    paths = ("links.bottleneck.min_threshold", "links.bottleneck.max_threshold")
    if (low is None) != (high is None):
        raise PointError(paths if high is None else paths[::-1], "is given alone; both thresholds or none")
    if low is not None and high is not None and low >= high:
        raise PointError(paths, f"{low} packets are not below the larger threshold; less than {high} packets")
