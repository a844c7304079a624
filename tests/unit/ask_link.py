"""The link that the tests of `./atlas ask` ask about, and what a simulation of it might have given."""

from typing import Any

from tcpatlas.ask import answer, question, simulation
from tcpatlas.points.types import Point

NETWORK = {"rate": "50 Mbit/s", "rtt": "20 ms", "users": "60", "file": "300 kB", "buffer": "64 packets"}


def asked(**options: str | None) -> Point:
    return question.from_options({**NETWORK, **options}).points[0]


def point(**options: str | None) -> dict[str, Any]:
    return dict(asked(**options).document)


def simulated(**values: tuple[float, float]) -> simulation.Simulated:
    """Return what a simulation of the network with 60 users might have given: means and half-widths."""
    metrics = {
        name: {"unit": "?", "value": mean, "ci_low": mean - half, "ci_high": mean + half, "values": []}
        for name, (mean, half) in values.items()
    }
    runs: Any = {"metrics": metrics, "seeds": [1] * 8, "engine": "packetsim", "engine_version": "0"}
    return simulation.Simulated(asked(), runs, 1e5)


SIMULATED = {
    "goodput_per_connection": (1.26e6, 1e4),
    "on_time": (1.91, 0.03),
    "loss_ratio": (0.089, 0.001),
    "utilisation": (0.98, 0.002),
    "queueing_delay_mean": (0.0101, 0.0001),
    "queueing_delay_95": (0.01536, 0.0),
}
ENGSET = {
    "goodput_per_connection": 1.28e6,
    "on_time": 1.88,
    "loss_ratio": 0.957,
    "queueing_delay_mean": 0.015,
}


def answer_with(predicted: answer.Predicted) -> answer.Answer:
    return answer.answer_of(simulated(**SIMULATED), predicted)
