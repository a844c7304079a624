"""A run of the cross-check of engines."""

from typing import NamedTuple


class Sample(NamedTuple):
    """Its approximate number of packets, and its replications."""

    packets: float
    replications: int
