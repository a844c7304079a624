"""Formulas (1) and (3) of section 10, the threshold of section 7.2, and a bound by Little's law.

Means alone enter. Rates are in bit/s, times in seconds, packets and bursts in packets of `packet_bits` bits;
N users think for T_off and download a burst of B packets in turn, over a shared link of capacity C. Every
argument may be an array; results have the shape that the arguments broadcast to.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# sqrt(3/2), as formula (1) rounds it.
_SQUARE_ROOT_CONSTANT = 1.22


def send_rate(
    packet_bits: ArrayLike,
    rtt: ArrayLike,
    loss_probability: ArrayLike,
    timeout_probability: ArrayLike = 0.0,
    idle_probability: ArrayLike = 0.0,
) -> Array:
    """Return the send rate of a user who is on, 1.22 MSS / (RTT sqrt(p_to + p_td + p_idle)) (formula 1).

    `loss_probability` is p_td, of losses that halve the window, `timeout_probability` p_to and
    `idle_probability` p_idle, of pauses after which the window begins anew: each of a packet. Where none of
    them ever happens nothing bounds the rate: inf. Raises ValueError for a round trip or a packet not above
    0, and for a probability outside [0, 1].
    """
    bits = _positive("packet_bits", packet_bits)
    round_trip = _positive("rtt", rtt)
    total = (
        _probability("timeout_probability", timeout_probability)
        + _probability("loss_probability", loss_probability)
        + _probability("idle_probability", idle_probability)
    )
    with np.errstate(divide="ignore"):
        return np.asarray(_SQUARE_ROOT_CONSTANT * bits / (round_trip * np.sqrt(total)))


def goodput_bound(
    capacity: ArrayLike, users: ArrayLike, burst: ArrayLike, packet_bits: ArrayLike, think_time: ArrayLike
) -> Array:
    """Return the goodput of a user who is on, C / (N - T_off C / (B MSS)) (formula 3).

    That is what a saturated link leaves each, in equal shares (formula 2); elsewhere it bounds the goodput
    from above. Up to as many users as `user_threshold` says the link cannot be saturated for good, and
    nothing bounds the goodput: inf. Raises ValueError for an argument not above 0.
    """
    rate = _positive("capacity", capacity)
    beyond = _positive("users", users) - user_threshold(rate, burst, packet_bits, think_time)
    return np.asarray(np.where(beyond > 0, rate / np.where(beyond > 0, beyond, 1), np.inf))


def user_threshold(
    capacity: ArrayLike, burst: ArrayLike, packet_bits: ArrayLike, think_time: ArrayLike
) -> Array:
    """Return N = C I / B, the users whose downloads would fill the link if they took no time (section 7.2).

    Raises ValueError for an argument not above 0.
    """
    return np.asarray(
        _positive("capacity", capacity)
        * _positive("think_time", think_time)
        / (_positive("burst", burst) * _positive("packet_bits", packet_bits))
    )


def rtt_bound(empty_rtt: ArrayLike, room: ArrayLike, capacity: ArrayLike, packet_bits: ArrayLike) -> Array:
    """Return the largest mean round-trip time of packets that a saturated link lets through.

    Little's law: with never more than `room` packets at a link that sends C bit/s, a packet spends
    room MSS / C there on average, or less; the rest of its round trip is that of an empty path. Raises
    ValueError for an argument not above 0.
    """
    waiting = (
        _positive("room", room) * _positive("packet_bits", packet_bits) / _positive("capacity", capacity)
    )
    return np.asarray(_positive("empty_rtt", empty_rtt) + waiting)


def _positive(name: str, value: ArrayLike) -> Array:
    array = np.asarray(value, dtype=np.float64)
    if not np.all(array > 0):
        raise ValueError(f"{name}: must be above 0")
    return array


def _probability(name: str, value: ArrayLike) -> Array:
    array = np.asarray(value, dtype=np.float64)
    if not np.all((array >= 0) & (array <= 1)):
        raise ValueError(f"{name}: must be 0 to 1")
    return array
