"""Random losses on a link."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from tcpatlas.base.validation import Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.tagged import Of, Tagged, check_own
from tcpatlas.points.parts.tcp import one_offered

_BURSTS, _TIMED, _EITHER = Of(("bursts",)), Of(("timed-bursts",)), Of(("bursts", "timed-bursts"))
_PATH = "links.bottleneck.loss_process"


class LossProcess(Tagged):
    """Independent losses, one for every n packets, or bursts (Gilbert 1960, Elliott 1963).

    A burst is `burst` packets long on average, each of which is lost with probability `burst_loss`; lengths
    are geometric, and so are the gaps between bursts. A timed one lasts `burst_time` on average, and its
    times are exponential.
    """

    TAG: ClassVar[str] = "kind"

    kind: Annotated[str, one_offered(f"{_PATH}.kind")]
    burst: Annotated[Annotated[Decimal, Quantity("packet", "5 packets", ge=1, le=1e6)] | None, _BURSTS] = None
    burst_time: Annotated[Annotated[Decimal, Quantity("s", "20 ms", ge=1e-5, le=3600)] | None, _TIMED] = None
    burst_loss: Annotated[Decimal, Quantity("1", "100 %", gt=0, le=1), _EITHER] = Decimal(1)


def check_losses(process: LossProcess | None, loss: Decimal) -> None:
    """Raise PointError if bursts this short cannot reach the loss ratio.

    The share of packets in bursts is p / h; a burst of mean length b is followed by a gap of b (h / p - 1)
    packets on average, which is one packet at least.
    """
    if process is None:
        return
    check_own(process, _PATH)
    if process.kind == "timed-bursts" and loss >= process.burst_loss:
        raise PointError((f"{_PATH}.burst_loss", "links.bottleneck.loss"), f"must exceed the loss, {loss:f}")
    if process.burst is None or loss == 0:
        return
    paths = (f"{_PATH}.burst", f"{_PATH}.burst_loss", "links.bottleneck.loss", f"{_PATH}.kind")
    if (gap := process.burst * (process.burst_loss / loss - 1)) < 1:
        problem = f"bursts leave gaps of {float(gap):.3g} packets on average; at least 1"
        raise PointError(paths, f"{problem}, so longer bursts or a smaller loss")


def evenly_spaced(process: Mapping[str, Any] | None) -> bool:
    """Say whether only the place of the first loss is random."""
    return process is not None and process["kind"] == "evenly-spaced"
