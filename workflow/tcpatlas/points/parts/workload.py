"""Workloads of sources: on-off file transfers, web users, endless bulk transfers, files that arrive."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Gt, Le

from tcpatlas.base.validation import Model, Number, Quantity
from tcpatlas.points.errors import PointError
from tcpatlas.points.parts.quantities import Delay, Duration, Packets
from tcpatlas.points.parts.tagged import Of, Tagged

_LONGEST_SPREAD = Decimal(3600)
_WITH_FILES = Of(("on-off", "http", "arrivals"))
_WITH_PAUSES = Of(("on-off", "http"))
_ARRIVALS = Of(("arrivals",))
_HTTP = Of(("http",))
_LOGNORMAL = Of(("lognormal",))
_BULK = Of(("bulk",), needed=False)
_WITH_TAIL = Of(("exponential-pareto", "exponential-exponential"))
_WITH_MINIMUM = Of(("exponential", "exponential-pareto", "exponential-exponential"))


_Time = Annotated[Decimal, Quantity("s", "90 s", gt=0, le=1e6)]


class FileSize(Tagged):
    """A distribution of file sizes (Zaragoza 2014, section 3.2; lognormal: Baccelli et al. 2001)."""

    TAG: ClassVar[str] = "distribution"

    distribution: Literal[
        "fixed", "exponential", "exponential-pareto", "exponential-exponential", "lognormal"
    ]
    mean: Annotated[Decimal, Quantity("packet", "12 packets", ge=1, le=1e9)]
    minimum: Annotated[Packets, _WITH_MINIMUM] = Decimal(1)
    tail_share: Annotated[Decimal, Quantity("1", "10 %", gt=0, lt=1), _WITH_TAIL] = Decimal("0.1")
    tail_index: Annotated[Number, Gt(1), Le(100), Of(("exponential-pareto",))] = 1.5
    tail_mean_ratio: Annotated[Number, Gt(0), Le(1000000), Of(("exponential-exponential",))] = 7
    standard_deviation: Annotated[
        Annotated[Decimal, Quantity("packet", "50 packets", ge=0, le=1e9)] | None, _LOGNORMAL
    ] = None


class OffTime(Tagged):
    """The time between the end of a file and the start of the next."""

    TAG: ClassVar[str] = "distribution"

    distribution: Literal["fixed", "exponential", "lognormal"]
    mean: Duration
    standard_deviation: Annotated[
        Annotated[Decimal, Quantity("s", "30 s", ge=0, le=1e6)] | None, _LOGNORMAL
    ] = None


class Page(Model):
    """Objects that arrive together, each a file, and are fetched over so many connections."""

    objects: Annotated[int, Ge(1), Le(1000)]
    connections: Annotated[int, Ge(1), Le(1000)] = 6


class Workload(Tagged):
    """on-off and http send files separated by off times; bulk is one endless transfer.

    With `arrivals` files come by themselves, a Poisson process whose packets are a share `load` of the
    bottleneck's rate, or pages of files; one that finds the group's sources busy is refused.

    With http all files of a source share one persistent connection. The first off time is a residual one
    (`equilibrium`) or whole; a file's time ends when its last packet reaches the destination, or when the
    acknowledgement reaches the source.

    Each of several bulk sources starts at a random time in the first `start_spread` of the run (default: the
    first round trip of its empty path). Simultaneous starts would give the same run for every seed. Bulk
    sources may come at `start` and go at `stop`, or once they have carried `transfer`; they come again after
    each `period`. Times count from the start of the run, warm-up included.
    """

    TAG: ClassVar[str] = "kind"

    kind: Literal["on-off", "http", "bulk", "arrivals"]
    file_size: Annotated[FileSize | None, _WITH_FILES] = None
    off_time: Annotated[OffTime | None, _WITH_PAUSES] = None
    load: Annotated[Annotated[Decimal, Quantity("1", "85 %", gt=0, le=10)] | None, _ARRIVALS] = None
    page: Annotated[Page | None, Of(("arrivals",), needed=False)] = None
    first_think: Annotated[Literal["equilibrium", "whole"], _HTTP] = "equilibrium"
    ends_at: Annotated[Literal["source", "destination"], _HTTP] = "source"
    start_spread: Annotated[Delay | None, _BULK] = None
    start: Annotated[Annotated[Decimal, Quantity("s", "30 s", ge=0, le=1e6)] | None, _BULK] = None
    stop: Annotated[_Time | None, _BULK] = None
    period: Annotated[_Time | None, _BULK] = None
    transfer: Annotated[
        Annotated[Decimal, Quantity("packet", "5000 packets", ge=1, le=1e9, whole=True)] | None, _BULK
    ] = None

    def connections(self) -> int:
        """Return how many sources what arrives takes at once."""
        if self.kind != "arrivals" or self.page is None:
            return 1
        return min(self.page.connections, self.page.objects)

    def comes_and_goes(self) -> bool:
        """Say whether its sources are not there for all of the run."""
        return self.kind == "bulk" and (
            bool(self.start) or self.stop is not None or self.transfer is not None
        )


def with_start(workload: Workload, folder: str, round_trip: Decimal | None) -> Workload:
    """Return the workload with its spread of starts, after its checks; PointError for keys in `folder`.

    `round_trip` is that of the empty path, in seconds; None where the source is alone.
    """
    if workload.start_spread is not None and (workload.kind != "bulk" or round_trip is None):
        problem = "is for bulk sources that are not alone; leave it out"
        raise PointError((f"{folder}.start_spread", f"{folder}.kind", "sources.count"), problem)
    if workload.kind == "bulk":
        spread = round_trip if workload.start_spread is None else workload.start_spread
        spread = min(spread, _LONGEST_SPREAD) if spread else None
        _check_times(workload, spread or Decimal(0), folder)
        return workload.model_copy(update={"start_spread": spread, "start": workload.start or None})
    assert workload.file_size is not None
    _check_sizes(workload.file_size, f"{folder}.file_size")
    return workload


def _check_times(workload: Workload, spread: Decimal, folder: str) -> None:
    """Raise PointError if sources would go before they come, or come again while they are there."""
    start, stop, period = workload.start or Decimal(0), workload.stop, workload.period
    keys = (f"{folder}.stop", f"{folder}.start", f"{folder}.start_spread")
    if stop is not None and stop <= start + spread:
        raise PointError(keys, f"{float(stop):g} s; more than {float(start + spread):g} s, the last start")
    if period is None:
        return
    if stop is None and workload.transfer is None:
        raise PointError((f"{folder}.period",), "is there without stop or transfer; with one of them")
    if stop is not None and period < stop - start:
        problem = f"{float(period):g} s; at least {float(stop - start):g} s, from start to stop"
        raise PointError((f"{folder}.period", *keys), problem)


def workload_is_random(workload: Mapping[str, Any]) -> bool:
    """Say whether sources of a point with this workload draw file sizes or off times."""
    if workload["kind"] in ("bulk", "arrivals"):
        return bool(workload["kind"] == "arrivals")
    return {workload[key]["distribution"] for key in ("file_size", "off_time")} != {"fixed"}


def _check_sizes(size: FileSize, folder: str) -> None:
    """Raise PointError if a distribution with a tail would have no body (Zaragoza 2014, section 3.2).

    Minimum A, mean X, the tail's share H and its index or mean must leave the body a positive mean.
    """
    if size.distribution == "lognormal":
        return
    mean, lowest, share = size.mean, size.minimum, size.tail_share
    index, ratio = (Decimal(str(value)) for value in (size.tail_index, size.tail_mean_ratio))
    paths: tuple[str, ...] = (f"{folder}.mean", f"{folder}.minimum", f"{folder}.distribution")
    if mean < lowest:
        problem = f"the mean, {mean} packets, is below the minimum size; at least {lowest} packets"
        raise PointError(paths, problem)
    if size.distribution == "fixed":
        if mean != int(mean):
            problem = f"a fixed size of {mean} packets is not whole; a whole number of packets"
            raise PointError(paths, problem)
        return
    if size.distribution == "exponential-pareto":
        lowest *= 1 + share / (index - 1)
        paths += (f"{folder}.tail_share", f"{folder}.tail_index")
    elif size.distribution == "exponential-exponential":
        highest_ratio = (mean - lowest) / (share * mean)
        if ratio >= highest_ratio:
            raise PointError(
                (f"{folder}.tail_mean_ratio", *paths, f"{folder}.tail_share"),
                f"the tail mean ratio {ratio} leaves the body no positive mean; "
                f"less than {float(highest_ratio):.6g} (mean less minimum, over tail share times mean)",
            )
    if mean <= lowest:
        problem = f"the mean, {mean} packets, leaves the body no positive mean; more than {float(lowest):.6g}"
        raise PointError(paths, problem)
