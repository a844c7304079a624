"""A Markov chain of cwnd in congestion avoidance (Bogoiavlenskaia, Kojo, Mutka and Alanko 2002).

The loss pattern, w_max, the sender's link and the distribution of the RTT determine the distributions of cwnd
and of the throughput. Modules: loss (patterns of loss), chain (cwnd by rounds), cwnd (by segments and over
time), rtt (distributions of the RTT), throughput (equation 5.3), prediction (points of the pipeline).
"""

from .prediction import check, predict

__all__ = ["check", "predict"]
