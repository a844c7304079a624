"""The six cases, figure 13's rule between them, and means from loss to loss.

Source: Blanc, Collange and Avrachenkov 2008, sections 4 and 5.

Windows and buffers are in packets, times in seconds, `rate` is the bottleneck's in packets/s. Everything
broadcasts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parameters import Parameters
from .phases import (
    Array,
    ConstantWindow,
    EmptyBuffer,
    GrowingBacklog,
    LinearGrowth,
    Recovery,
    loss_window_growth,
)

NO_CASE = 0
"""The rule needs theta_max, which does not exist."""


def select_case(
    parameters: Parameters, bdp: ArrayLike, buffer: ArrayLike, theta_max: ArrayLike
) -> NDArray[np.int64]:
    """Return the case, 1 to 6, by figure 13's rule; NO_CASE where it needs a theta_max that is nan.

    A buffer of theta_max - bdp is full at the top of every oscillation and counts as overflowing. The
    oscillation reaches at least bdp + gamma, so a buffer that cannot hold gamma overflows whatever theta_max
    is. Raises ValueError, naming the key, for a buffer below 1 packet or a product that is not positive.
    """
    bdp, buffer, theta_max = np.broadcast_arrays(*(np.asarray(x, float) for x in (bdp, buffer, theta_max)))
    if not np.all(buffer >= 1):
        raise ValueError(f"links.bottleneck.buffer: is {buffer.min()}; allowed: at least 1 packet")
    if not np.all(bdp > 0):
        raise ValueError(f"bandwidth-delay product: is {bdp.min()} packets; allowed: a number above 0")
    border = borders(parameters, bdp, theta_max)
    bursts_overflow = buffer < border["bursts"]
    empties = buffer < border["empties"]
    growth_overflows = (buffer < parameters.gamma) | (buffer <= border["oscillation"])
    unknown = ~growth_overflows & np.isnan(theta_max)
    linear_only = buffer > border["linear"]
    # A whole window that is still above bdp + gamma after the cut never grows but linearly: no oscillation
    # matters.
    return np.select(
        [
            bursts_overflow,
            linear_only & ~growth_overflows,
            unknown,
            growth_overflows & empties,
            growth_overflows,
            empties,
        ],
        [1, 6, NO_CASE, 2, 3, 4],
        5,
    )


def borders(parameters: Parameters, bdp: ArrayLike, theta_max: ArrayLike) -> dict[str, Array]:
    """Return the buffers that separate the cases at each product, by figure 13's rule, in packets.

    `bursts`: case 1 below; `oscillation`: cases 2 and 3 up to here; `empties`: cases 2 and 4 below; `linear`:
    case 6 above.
    """
    bdp, theta_max = np.asarray(bdp, float), np.asarray(theta_max, float)
    beta = parameters.beta
    return {
        "bursts": parameters.alpha * bdp**parameters.k,
        "oscillation": theta_max - bdp,
        "empties": beta / (1 - beta) * bdp,
        "linear": (beta * bdp + parameters.gamma) / (1 - beta),
    }


@dataclass(frozen=True)
class LossCycle:
    """From one loss to the next. nan where there is no case."""

    case: NDArray[np.int64]
    window_at_loss: Array
    durations: Array
    """Seconds of phases 1, 2, 3, 4 and the recovery, along a new first axis."""
    sent: Array
    """Packets."""
    backlog_integral: Array
    """Packet seconds."""
    rate: Array

    def at(self, position: int) -> "LossCycle":
        """Return the cycle of a single case."""
        return LossCycle(
            self.case[[position]],
            self.window_at_loss[[position]],
            self.durations[:, [position]],
            self.sent[[position]],
            self.backlog_integral[[position]],
            self.rate[[position]],
        )

    @property
    def duration(self) -> Array:
        """Seconds from loss to loss."""
        total: Array = self.durations.sum(axis=0)
        return total

    @property
    def throughput(self) -> Array:
        """Mean throughput over the bottleneck's rate (section 5.1)."""
        return self.sent / (self.rate * self.duration)

    @property
    def mean_backlog(self) -> Array:
        """Mean backlog in packets (section 5.2)."""
        return self.backlog_integral / self.duration


def loss_cycle(
    parameters: Parameters,
    rate: ArrayLike,
    propagation: ArrayLike,
    buffer: ArrayLike,
    theta_max: ArrayLike,
    theta: ArrayLike,
) -> LossCycle:
    """Put the phases of the case that takes place together.

    `theta_max` and `theta` are the greatest and the mean window of phase 3, as oscillation.py gives them.
    Phase 2 ends at bdp + gamma, phase 3 is at theta, where phase 4 begins. Raises ValueError as select_case
    does.
    """
    rate, propagation, buffer, theta_max, theta = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (rate, propagation, buffer, theta_max, theta))
    )
    bdp = rate * propagation
    case = select_case(parameters, bdp, buffer, theta_max)
    at_loss = np.where(case == 1, (buffer / parameters.alpha) ** (1 / parameters.k), buffer + bdp)
    at_loss = np.where(case == NO_CASE, np.nan, at_loss)
    start = (1 - parameters.beta) * at_loss

    empty, growing = EmptyBuffer(parameters, propagation), GrowingBacklog(parameters, rate)
    constant, linear, recovery = ConstantWindow(rate), LinearGrowth(rate), Recovery(parameters, rate)

    # A phase that does not take place goes from a window to itself.
    end_1 = np.where(np.isin(case, (1, 2, 4)), np.minimum(bdp, at_loss), start)
    overflows = np.isin(case, (2, 3))
    oscillates = np.isin(case, (4, 5))
    end_2 = np.where(overflows, at_loss, np.where(oscillates, bdp + parameters.gamma, end_1))
    # Without a delay window at the loss, all of the window after the cut is loss window.
    loss_window = (
        start + loss_window_growth(parameters, start, end_1) + loss_window_growth(parameters, end_1, end_2)
    )
    time_3 = np.where(oscillates, constant.duration(loss_window, theta), 0)
    start_4 = np.where(oscillates, theta, np.where(case == 6, start, at_loss))

    time_2, time_4 = growing.duration(end_1, end_2), linear.duration(start_4, at_loss)
    return LossCycle(
        case=case,
        window_at_loss=at_loss,
        durations=np.stack(
            [empty.duration(start, end_1), time_2, time_3, time_4, recovery.duration(at_loss)]
        ),
        # With a backlog the bottleneck's rate is sent, and what the window grows by.
        sent=empty.sent(start, end_1)
        + rate * (time_2 + time_3 + time_4)
        + (at_loss - end_1)
        + recovery.sent(at_loss),
        backlog_integral=(
            growing.window_integral(end_1, end_2)
            - bdp * time_2
            + np.where(oscillates, np.maximum(theta - bdp, 0) * time_3, 0)
            + linear.window_integral(start_4, at_loss)
            - bdp * time_4
            + recovery.backlog_integral(at_loss, np.maximum(at_loss - bdp, 0))
        ),
        rate=rate,
    )
