"""Quantities with units that scenarios hold."""

from decimal import Decimal
from typing import Annotated

from annotated_types import Ge, Le

from tcpatlas.base.validation import Quantity

Rate = Annotated[Decimal, Quantity("bit/s", "10 Mbit/s", ge=1, le=1e12)]
MOST_PACKETS = 1000000
Packets = Annotated[Decimal, Quantity("packet", "44 packets", ge=1, le=MOST_PACKETS, whole=True)]
PacketSize = Annotated[Decimal, Quantity("byte", "1500 B", ge=1, le=65535, whole=True)]
AckSize = Annotated[Decimal, Quantity("byte", "40 B", ge=0, le=65535, whole=True)]
Duration = Annotated[Decimal, Quantity("s", "1 s", gt=0, le=86400)]
Delay = Annotated[Decimal, Quantity("s", "50 ms", ge=0, le=3600)]
# A timer below a microsecond would expire repeatedly before a packet has moved.
Timer = Annotated[Decimal, Quantity("s", "1 s", ge=1e-6, le=86400)]
Probability = Annotated[Decimal, Quantity("1", "0.1 %", ge=0, lt=1)]
PositiveShare = Annotated[Decimal, Quantity("1", "10 %", gt=0, le=1)]
Count = Annotated[int, Ge(1), Le(1000000)]
