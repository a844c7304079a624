"""The stationary distribution of cwnd over rounds (Bogoiavlenskaia et al. 2002, chapter 4).

From one round to the next cwnd goes from w to min(w + 1, w_max), or, after a loss, to max(2, floor(w / 2)).
In steady state as many steps lead up across the cut between two windows as losses lead down across it.

Blocks of windows [2^k, 2^(k+1)) make the solution linear in w_max, and free of subtractions, so that each
probability is precise, however small. A loss leads from a block to the next lower one, two windows to each
window. With the inflow d from the block above and an unknown inflow x from below, the balance of a window is

    pi_w = s_(w-1) pi_(w-1) + d_w,    pi_first = x + d_first,

so pi = P x + B, where P_w is the product of s from the first window to w - 1 and B solves the same balance
without x. By the cut below the block, x is what the block itself loses, sum (P x + B) l; as sum P l is 1 - P
at the block's end, x = sum B l / P_end.
"""

import math

import numpy as np

from .loss import SMALLEST_WINDOW, Array, LossPattern

# e to the minus this is still a normal double.
_LARGEST_EXPONENT = 700.0


def by_rounds(pattern: LossPattern) -> Array:
    """Return the share of rounds with cwnd = 2, 3, ... w_max: an array that adds up to 1.

    Without any loss cwnd stays at w_max. Windows above the first that can never be delivered whole are never
    reached.
    """
    blocked = np.flatnonzero(pattern.delivered == 0)
    reached = int(blocked[0]) + 1 if blocked.size else pattern.delivered.size
    delivered, lost = pattern.delivered[:reached], pattern.lost[:reached]
    shares = np.zeros(pattern.delivered.size)
    if lost[-1] == 0:
        shares[reached - 1] = 1
        return shares

    # Each block has a scale of its own: the probabilities of two blocks can differ by any power of ten.
    first = 1 << ((reached + SMALLEST_WINDOW - 1).bit_length() - 1)
    block = slice(first - SMALLEST_WINDOW, reached)
    values, log_scale = _normalise(_highest_block(delivered[block], lost[block]), 0.0)
    blocks = [(block, values, log_scale)]
    while first > SMALLEST_WINDOW and np.any(values * lost[block] > 0):
        inflow = np.zeros(first)
        inflow[: values.size] = values * lost[block]
        first //= 2
        block = slice(first - SMALLEST_WINDOW, 2 * first - SMALLEST_WINDOW)
        values, log_scale = _lower_block(
            delivered[block], lost[block], inflow.reshape(-1, 2).sum(axis=1), log_scale
        )
        blocks.append((block, values, log_scale))

    largest = max(log_scale for _, _, log_scale in blocks)
    for block, values, log_scale in blocks:
        shares[block] = values * math.exp(log_scale - largest)
    return np.asarray(shares / shares.sum())


def _highest_block(delivered: Array, lost: Array) -> Array:
    """Return the probabilities of a block that no loss leads to, in units of their own.

    They are the products P, and P / l at w_max, which a round without loss does not leave.
    """
    products = _products(delivered)
    products[:-1] *= lost[-1]
    return products


def _lower_block(delivered: Array, lost: Array, inflow: Array, log_scale: float) -> tuple[Array, float]:
    """Return a block's probabilities, the largest 1, and the logarithm of their unit.

    `log_scale` is the logarithm of the unit of `inflow`.
    """
    inflow, log_scale = _normalise(inflow, log_scale)
    # BLAS's band matrix: a diagonal of ones, which it does not read, and -s below it.
    band = np.zeros((2, inflow.size), order="F")
    band[1, :-1] = -delivered[:-1]
    # Takes longer to load than the models' checks of all points.
    from scipy.linalg.blas import dtbsv

    without = dtbsv(1, band, inflow, lower=1, diag=1)
    losses = float(np.sum(without * lost))
    # The products may underflow where their logarithms do not.
    log_from_below = math.log(losses) - float(np.sum(np.log(delivered))) if losses > 0 else -math.inf
    products = _products(delivered)
    if log_from_below <= 0:
        return _normalise(without + products * math.exp(log_from_below), log_scale)
    return _normalise(products + without * math.exp(-log_from_below), log_scale + log_from_below)


def _products(delivered: Array) -> Array:
    """Return P: the probability that cwnd grows from the first window of the block to each without a loss.

    Subnormal values are set to 0: they never vanish, and processors are slow on them.
    """
    exponents = np.cumsum(np.log(delivered[:-1]))
    normal = int(np.searchsorted(-exponents, _LARGEST_EXPONENT))
    products = np.zeros(delivered.size)
    products[0] = 1
    np.cumprod(delivered[:normal], out=products[1 : normal + 1])
    return products


def _normalise(values: Array, log_scale: float) -> tuple[Array, float]:
    largest = float(values.max())
    return values / largest, log_scale + math.log(largest)
