"""The worked examples of the TCP-Engset paper (Zaragoza 2014, sections 3.1, 4.2, 4.4 and table 7).

The retransmission timer after so many equal round-trip times, and a file alone behind a slow link: which
packet waits so long that its timer expires though nothing is lost, and the terms of the mean queue. Fed with
what a run measured: the queue that its round-trip times stand for.

In slow start acknowledgement a releases the packets 2a + 1 and 2a + 2. The first flight that the path cannot
hold keeps the slowest link busy for good: its pairs come a packet time apart, and when a later pair arrives,
the link has passed on a + floor(beta) - 1 packets. What is left of those before it is the queue.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from tcpatlas.models._answers import Metrics, answer
from tcpatlas.models.engset import check, setting_of
from tcpatlas.models.engset.equations import IsolatedConnection, Setting
from tcpatlas.models.engset.isolated_queue import rounds_of
from tcpatlas.models.engset.slow_start import last_in_slow_start, whole_part

# It works out what the paper says by the way, not a link's goodput.
BY_NAME_ONLY = True

# Section 3.1 speaks of the first, the tenth and the twentieth measurement; its numbers are those of the next.
_MEASUREMENTS = (1, 10, 11, 20, 21)


def predict(
    points: Iterable[Mapping[str, Any]], runs: Sequence[Mapping[str, float]] | None = None
) -> list[dict[str, Any]]:
    """Return the metrics of each point: `{metrics, distributions}` of docs/formats.md.

    `rto_over_rtt[n]` is the timer after n equal round-trip times, over one of them. `queue_found[n]` is the
    queue that the timed packet n of slow start finds at the slowest link, `waiting_highest` and
    `waiting_longest` the most packets that wait there and how long (s); `late_queue` the shortest queue whose
    round-trip time exceeds the least timer, `late_wait` and `late_rtt` (s) its time, `late_packet` the first
    packet of slow start to find it. `isolated_queue_before` and `isolated_queue_after` are the queue summed
    over the packet times of the rounds before and after saturation, `isolated_queue_highest` its longest,
    `isolated_queue_rtt` (s) the round-trip time with the mean queue. Of `runs`, one a point, `queue_by_rtt`
    is the packets at the bottleneck that the mean round-trip time stands for. Raises PointError as `check`
    does.
    """
    if runs is not None:
        return [_of_run(point, run) for point, run in zip(points, runs, strict=True)]
    return [answer(_metrics(point)) for point in points]


def _of_run(point: Mapping[str, Any], run: Mapping[str, float]) -> dict[str, Any]:
    if "rtt_sender_mean" not in run:
        return answer({})
    setting = setting_of(point)
    queue = (run["rtt_sender_mean"] - setting.rtt) / setting.bottleneck_packet_time
    return answer({"queue_by_rtt": ("packets", queue)})


def rto_over_rtt(measurements: int) -> float:
    """Return the timer after so many equal round-trip times over one of them, above its least value.

    SRTT is that time from the first on; RTTVAR begins with half of it and loses a quarter each time (RFC
    6298, as section 3.1 states it).
    """
    return 1 + 4 * 0.5 * (3 / 4) ** (measurements - 1)


def queue_found(packet: int, path_packets: float, saturated_from: int) -> int:
    """Return how many packets a packet of slow start finds at the slowest link.

    The first flight that the path cannot hold begins with `saturated_from`, the packet at the earliest.
    """
    if packet <= 2 * saturated_from:
        return packet - saturated_from - (packet - saturated_from) // 2
    acknowledgement = (packet - 1) // 2
    return packet - 1 - (acknowledgement + whole_part(path_packets) - 1)


def _metrics(point: Mapping[str, Any]) -> Metrics:
    setting = setting_of(point)
    metrics: Metrics = {f"rto_over_rtt[{n}]": ("1", rto_over_rtt(n)) for n in _MEASUREMENTS}
    if setting.initial_window == 2 and setting.rwnd > whole_part(setting.path_packets):
        isolated = IsolatedConnection(setting)
        metrics |= _timer(setting, isolated, point["sources"][0]["tcp"]["min_rto_s"]) | _queue(isolated)
    return metrics


def _timer(setting: Setting, isolated: IsolatedConnection, least_rto: float) -> Metrics:
    """Return what section 4.2 says of the special setting; one packet a round trip is timed, its first."""
    last = last_in_slow_start(setting.rwnd, setting.initial_window)
    timed = (2**k - 1 for k in range(1, last.bit_length() + 1) if 2**k - 1 <= last)
    waiting = setting.rwnd - whole_part(setting.path_packets)
    late = max(0, whole_part((least_rto - setting.rtt) / setting.packet_time) + 1)
    saturated_from = 1 + sum(isolated.flights.doubling)
    queue_before = {
        packet: queue_found(packet, setting.path_packets, saturated_from)
        for packet in range(saturated_from, last + 1)
    }
    metrics: Metrics = {f"queue_found[{n}]": ("packets", float(queue_before.get(n, 0))) for n in timed}
    metrics |= {
        "waiting_highest": ("packets", waiting),
        "waiting_longest": ("s", waiting * setting.packet_time),
        "late_queue": ("packets", late),
        "late_wait": ("s", late * setting.packet_time),
        "late_rtt": ("s", setting.rtt + late * setting.packet_time),
    }
    first = next((packet for packet, queue in queue_before.items() if queue >= late), None)
    return metrics if first is None else metrics | {"late_packet": ("packets", first)}


def _queue(isolated: IsolatedConnection) -> Metrics:
    """Return the terms of the mean queue (section 4.4) of a file of mean size."""
    setting = isolated.setting
    rounds = list(rounds_of(isolated.flights, setting.rwnd))
    sums = list(accumulate(round_.packet_times for round_ in rounds))
    before = ([0, *sums])[len(isolated.flights.doubling)]
    mean = sums[-1] * setting.packet_time / (isolated.on_time + setting.off_time)
    return {
        "isolated_queue_before": ("packets", before),
        "isolated_queue_after": ("packets", sums[-1] - before),
        "isolated_queue_highest": ("packets", max(round_.highest for round_ in rounds)),
        "isolated_queue_rtt": ("s", setting.rtt + mean * setting.packet_time),
    }


__all__ = ["check", "predict"]
