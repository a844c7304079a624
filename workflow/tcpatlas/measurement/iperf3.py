"""What `iperf3 -J` prints: intervals with the sum of all streams and, at the sender, TCP's own state.

The client's file of an upload and the server's of a download (-R) are the sender's; a receiver knows neither
round trips nor retransmissions.
"""

import math
from collections.abc import Sequence
from statistics import fmean

from tcpatlas.measurement.measured import ALLOWED, HEADERS, START_UP, USUAL_MSS, Measured, Part

_BITS = 8
_US = 1e-6


def measured(document: Part, start_up: float | None) -> Measured:
    """Return what was measured after so many seconds; ConfigError where it is not comparable."""
    if not (isinstance(document.value, dict) and {"start", "intervals"} <= document.value.keys()):
        raise document.wrong("is no measurement that is known here", ALLOWED)
    if said := document["error"].text():
        raise document["error"].wrong(f"iperf3 failed: {said}")
    start, end = document["start"], document["end"]
    test = start["test_start"]
    if (protocol := test["protocol"].text()) != "TCP":
        raise test["protocol"].wrong(f"{protocol or 'no protocol'} is not compared", "TCP")
    if test["bidir"].value:
        raise test["bidir"].wrong("both directions at once are not compared", "a run without --bidir")
    for key in ("target_bitrate", "fqrate"):
        if test[key].value:
            raise test[key].wrong("the sender was held back (-b)", "a transfer as fast as TCP allows")
    streams = round(test["num_streams"].number(1, 1000))
    every = document["intervals"].items()
    times = [one["sum"]["seconds"].number(1e-6, 1e7) for one in every]
    # What -O left out is start-up enough; its intervals come first.
    omitted = sum(one["sum"]["omitted"].value is True for one in every)
    total, left_out = math.fsum(times), math.fsum(times[:omitted])
    wanted = START_UP * total if start_up is None and not omitted else start_up or 0.0
    first = omitted
    while left_out < wanted - 1e-3 and first < len(every):
        left_out, first = left_out + times[first], first + 1
    kept = every[first:]
    if not kept:
        raise document["intervals"].wrong("has nothing after start-up", "--omit less than was measured")
    samples = [
        (seconds, _BITS * one["sum"]["bytes"].number())
        for seconds, one in zip(times[first:], kept, strict=True)
    ]
    mss = next((each for key in ("tcp_mss", "tcp_mss_default") if (each := start[key].optional())), None)
    of_mss = round(mss or USUAL_MSS)
    mtus = [each for each in _of_streams(kept, "pmtu") if each > of_mss]
    peer = start["connected"][0]["remote_host"].text() or ""
    trips, windows = _of_streams(kept, "rtt"), _of_streams(kept, "snd_cwnd")
    ends = [stream["sender"][key] for stream in end["streams"].items() for key in ("min_rtt", "max_rtt")]
    extremes = [*_of_streams(every, "rtt"), *(each for one in ends if (each := one.optional()))]
    resent = [each for one in kept if (each := one["sum"]["retransmits"].optional()) is not None]
    packets = math.fsum(bits for _, bits in samples) / _BITS / of_mss
    way = "download (-R)" if test["reverse"].value else "upload"
    return Measured(
        title=f"{start['version'].text() or 'iperf3'} · {way} · {streams} stream{'s' * (streams > 1)}",
        streams=streams,
        start_up_s=left_out,
        samples=tuple(samples),
        # A sender counts what it writes, block by block.
        block=streams * _BITS * (test["blksize"].optional(1, 1e9) or 131072),
        mss=of_mss,
        packet=round(max(mtus)) if mtus else of_mss + HEADERS[6 if ":" in peer and "." not in peer else 4],
        tcp=end["sender_tcp_congestion"].text(),
        rtt=(min(extremes) * _US, fmean(trips) * _US, max(extremes) * _US) if trips else None,
        resent=math.fsum(resent) / packets if len(resent) == len(kept) and packets else None,
        cwnd=fmean(windows) / of_mss if windows else None,
        notes=() if mss else (f"{USUAL_MSS} B of data in a packet",),
    )


def _of_streams(intervals: Sequence[Part], key: str) -> list[float]:
    """Return what streams say of themselves where they say something."""
    found = (stream[key].optional() for one in intervals for stream in one["streams"].items())
    return [value for value in found if value]
