"""What flent saves (.flent.gz): series at the same times, of throughput in Mbit/s and of ping in ms.

Its format is in flent's own documentation (Data File Format).
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tcpatlas.measurement.measured import HEADERS, START_UP, USUAL_MSS, Measured, Part

_MBIT = 1e6
_MS = 1e-3
_TESTS = ("tcp_", "rrul")
_LATEST = 1.5  # s between the first data of the first transfer and of the last one
DIRECTIONS = ("download", "upload")

Series = npt.NDArray[np.float64]


def is_it(document: Part) -> bool:
    """Say whether a document is flent's."""
    return isinstance(document.value, dict) and {"x_values", "results", "metadata"} <= document.value.keys()


def measured(document: Part, start_up: float | None, direction: str | None) -> Measured:
    """Return what was measured, of one direction beside the other; ConfigError if it is not comparable."""
    metadata = document["metadata"]
    test = metadata["NAME"].text() or ""
    if not test.startswith(_TESTS):
        raise metadata["NAME"].wrong(f"{test!r} is not compared", "a test of tcp_... or rrul...")
    times = np.array([each.number(-1e9, 1e9) for each in document["x_values"].items()])
    if (np.diff(times) <= 0).any():
        raise document["x_values"].wrong("does not grow", "times in s, one after the other")
    results = {name: _series(document["results"][name], len(times)) for name in document["results"].mapping()}
    transfers = {
        way: {name: each for name, each in results.items() if name.startswith(f"TCP {way}") and _single(name)}
        for way in DIRECTIONS
    }
    there = [way for way in DIRECTIONS if transfers[way]]
    if not there:
        raise document["results"].wrong("has no transfers", "series named TCP upload or TCP download")
    if direction is not None and direction not in there:
        raise document["results"].wrong(f"has no {direction}", f"--direction {there[0]}")
    ways = sorted(there, key=lambda way: way != (direction or there[0]))
    first, *others = (_of(document, times, results, transfers[way], way, start_up) for way in ways)
    if others and not first.rtt:
        return replace(first, notes=(f"the {first.way} as if the other way were free", *first.notes))
    if others:
        beside = f"{first.title} beside {others[0].streams} of {others[0].way}"
        return replace(first, title=beside, other=others[0])
    return first


def _of(
    document: Part,
    times: Series,
    results: Mapping[str, Series],
    series: Mapping[str, Series],
    way: str,
    start_up: float | None,
) -> Measured:
    """Return what was measured of the transfers one way."""
    metadata = document["metadata"]
    about = [metadata["SERIES_META"][name] for name in series]
    for part in about:
        if (unit := part["UNITS"].text()) not in (None, "Mbits/s"):
            raise part["UNITS"].wrong(f"{unit!r} is not compared", "Mbits/s")
    begun, ended = _span(document, times, series)
    wanted = START_UP * (ended - begun) if start_up is None else start_up
    kept = (times >= begun + wanted) & (times <= ended)
    step = (ended - begun) / max(int(np.count_nonzero((times >= begun) & (times <= ended))) - 1, 1)
    if not kept.any() or step <= 0:
        raise document["x_values"].wrong("has nothing after start-up", "--omit less than was measured")
    together = np.nansum([np.maximum(values, 0) for values in series.values()], axis=0)
    pings = [values for name, values in results.items() if name.startswith("Ping (ms)") and _single(name)]
    pings = [values for name, values in results.items() if name == "Ping (ms) ICMP"] or pings
    waits = np.ma.masked_invalid(pings or [np.full(len(times), np.nan)]).mean(axis=0) * _MS
    mss = next((each for part in about if (each := part["TCP_MSS"].optional(0, 65495))), None)
    notes = [] if mss else [f"{USUAL_MSS} B of data in a packet"]
    controls = {part["CONG_CONTROL"].text() for part in about} - {None, ""}
    own = metadata["SYSCTLS"]["net.ipv4.tcp_congestion_control"].text() if way == "upload" else None
    version = metadata["FLENT_VERSION"].text() or ""
    many = f"{len(series)} stream{'s' * (len(series) > 1)}"
    return Measured(
        title=f"flent {version} {metadata['NAME'].text()} · {way} · {many}".replace("  ", " "),
        streams=len(series),
        start_up_s=float(times[kept][0] - begun),
        samples=tuple((step, step * _MBIT * float(rate)) for rate in together[kept]),
        block=0.0,
        mss=round(mss or USUAL_MSS),
        packet=round(mss or USUAL_MSS) + HEADERS[6 if metadata["IP_VERSION"].value == 6 else 4],
        tcp=next(iter(controls)) if len(controls) == 1 else own,
        rtt=(float(waits.min()), float(waits[kept].mean()), float(waits[kept].max()))
        if waits[kept].count()
        else None,
        notes=tuple(notes),
        pinged=True,
        way=way,
    )


def _series(part: Part, length: int) -> Series:
    """Return the values of a series; NaN where there is none."""
    values = [each.optional(-1e12, 1e12) for each in part.items()]
    if len(values) != length:
        raise part.wrong(f"has {len(values)} values", f"as many as x_values: {length}")
    return np.array(values, dtype=float)


def _single(name: str) -> bool:
    """Say whether a series is none that flent derives from others."""
    return name.rpartition(" ")[2] not in ("avg", "sum", "fairness")


def _span(document: Part, times: Series, series: Mapping[str, Series]) -> tuple[float, float]:
    """Return from when to when all transfers had data; ConfigError unless they began together."""
    spans = {name: times[~np.isnan(values)] for name, values in series.items()}
    for name, there in spans.items():
        if not there.size:
            raise document["results"][name].wrong("has no values", "a transfer that was measured")
    late = max(spans, key=lambda name: float(spans[name][0]))
    if spans[late][0] - min(there[0] for there in spans.values()) > _LATEST:
        raise document["results"][late].wrong("begins later than others", "transfers that begin together")
    return float(spans[late][0]), float(min(there[-1] for there in spans.values()))
