"""A Markov chain of cwnd in congestion avoidance (Bogoiavlenskaia, Kojo, Mutka and Alanko 2002).

The loss pattern, w_max, the sender's link and the distribution of the RTT determine the distributions of cwnd
and of the throughput. Modules: loss (patterns of loss), chain (cwnd by rounds), cwnd (by segments and over
time), rtt (distributions of the RTT), throughput (equation 5.3), rtt_fit (table 7.2), figures (the data of
figures 8.1 to 8.13), statements (the sentences of chapter 6).
"""

from .cwnd import READINGS, Basis, Cwnd, Reading, cwnd_distribution
from .loss import LossPattern
from .rtt import EmpiricalRtt, LogNormalRtt, MixtureRtt, NormalRtt, RttLaw, mean_rtt
from .throughput import Throughput, avoidance_throughput

__all__ = [
    "READINGS",
    "Basis",
    "Cwnd",
    "EmpiricalRtt",
    "LogNormalRtt",
    "LossPattern",
    "MixtureRtt",
    "NormalRtt",
    "Reading",
    "RttLaw",
    "Throughput",
    "avoidance_throughput",
    "cwnd_distribution",
    "mean_rtt",
]
