"""Quantities with units that scenarios hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from tcpatlas.base.validation import Quantity

Packets = Annotated[Decimal, Quantity("packet", "44 packets", ge=1, le=1000000, whole=True)]
Duration = Annotated[Decimal, Quantity("s", "1 s", gt=0, le=86400)]
Delay = Annotated[Decimal, Quantity("s", "50 ms", ge=0, le=3600)]
# Below a microsecond a timer would run out again and again before a packet has moved.
Timer = Annotated[Decimal, Quantity("s", "1 s", ge=1e-6, le=86400)]
