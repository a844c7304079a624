"""Readings of the shared-bottleneck equations, sought for the numbers that the paper prints as its analysis.

Every passage that can be taken in more than one way gets its alternatives. None of their combinations gives
the printed column: a test computes them all for the nine cases of table 1.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np

from .fluid import DERIVED, Reading

# Passage: alternatives, each with the values of `Reading` that it sets. The derived reading comes first.
ALTERNATIVES: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    # tau: 2 (tau_1 + tau_2), 1/BW_in more, or tau_1 + tau_2
    "tau": {"round": {}, "access": {"access_transmission": 1}, "one_way": {"way_factor": 1}},
    # the last term of W_loss and of R_3: lambda/mu or mu/lambda
    "share": {"straight": {}, "inverted": {"inverted_share": True}},
    # W_max: W_loss + 2, + 1 or + 0; or W_loss + 2 with half of W_loss as the threshold
    "overshoot": {
        "two": {},
        "one": {"overshoot": 1, "threshold_overshoot": 1},
        "none": {"overshoot": 0, "threshold_overshoot": 0},
        "not_in_threshold": {"threshold_overshoot": 0},
    },
    "log": {"natural": {}, "binary": {"log_base": 2}, "decimal": {"log_base": 10}},
    # N_1: W - 1 as in the theorem, W as in its proof
    "first": {"out": {}, "in": {"first_packet": 0}},
    # T_3 and N_3: both halved, N_3 of case (ii) as printed, or T_3 not halved
    "halves": {
        "both": {},
        "not_packets": {"last_packets_whole": True},
        "not_time": {"last_time_whole": True},
    },
    # what passes until a loss is found, and whether W_max packets are sent meanwhile, as in (25)
    "found": {
        "at_once": {},
        "after_round_trip": {"detection_round_trips": 1},
        "after_round_trip_sending": {"detection_round_trips": 1, "detection_windows": 1},
        "by_timer": {"detection_timeouts": 1},
        "by_timer_sending": {"detection_timeouts": 1, "detection_windows": 1},
        "at_once_sending": {"detection_windows": 1},
    },
    # the threshold of the second slow start: W_b/2, W_b or W_th
    "second": {"half_burst": {}, "burst": {"second_threshold": 1}, "kept": {"second_threshold": 0}},
    # slow starts: as criterion (26) says, always one, always two, or against it
    "starts": {
        "by_criterion": {},
        "one": {"slow_starts": 1},
        "two": {"slow_starts": 2},
        "against_criterion": {"slow_starts": -1},
    },
    # R~_1 where the queue stays empty: T, or 0 as printed
    "idle": {"round_trip": {}, "zero": {"first_delay": 0}},
    # the mean delay: over packets or over time
    "mean": {"packets": {}, "time": {"time_weighted": True}},
}

# One alternative for each passage.
Alternatives = Mapping[str, str]


def combinations() -> tuple[Alternatives, ...]:
    """Every combination of one alternative for each passage; the derived reading is the first."""
    choices = itertools.product(*ALTERNATIVES.values())
    return tuple(dict(zip(ALTERNATIVES, choice, strict=True)) for choice in choices)


def changes(alternatives: Alternatives) -> tuple[str, ...]:
    """Name the passages that are not taken as derived: `tau_access`, `log_decimal`."""
    return tuple(
        f"{passage}_{chosen}"
        for passage, chosen in alternatives.items()
        if chosen != next(iter(ALTERNATIVES[passage]))
    )


def reading_of(alternatives: Sequence[Alternatives]) -> Reading:
    """Return the readings that these combinations stand for: a row each, to broadcast over paths."""
    columns = {
        field.name: np.full((len(alternatives), 1), getattr(DERIVED, field.name), dtype=float)
        for field in fields(Reading)
    }
    for row, chosen in enumerate(alternatives):
        for passage, alternative in chosen.items():
            for name, value in ALTERNATIVES[passage][alternative].items():
                columns[name][row] = value
    for flag in ("inverted_share", "last_packets_whole", "last_time_whole", "time_weighted"):
        columns[flag] = columns[flag].astype(bool)
    return Reading(**columns)
