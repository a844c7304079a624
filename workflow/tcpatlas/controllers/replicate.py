"""Replications of points whose controllers are Python classes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from tcpatlas.controllers.compiled import Compiled
from tcpatlas.controllers.in_process import run
from tcpatlas.controllers.python_class import PythonController
from tcpatlas.controllers.quic import adapted, is_quic
from tcpatlas.points import kinds
from tcpatlas.runs.documents import Replications
from tcpatlas.runs.replications import replication_seed
from tcpatlas.runs.simulate import summarise

Controllers = type | Compiled | Mapping[str, type | Compiled]


def simulated_by(
    controller: Controllers, points: Sequence[Mapping[str, Any]], confidence: float
) -> Iterator[Replications]:
    """Yield the replications of each point, whose groups have these classes (one class: all of them).

    Raises AtlasError for a class that lacks a call, what a call raises, and what packetsim refuses.
    """
    kinds_of = controller if isinstance(controller, Mapping) else {"": controller}
    made = {group: _made(kind) for group, kind in kinds_of.items()}
    for point in points:
        numbers = range(1, point["replications"]["maximum"] + 1)
        runs = [run(point, replication_seed(point, number), made) for number in numbers]
        yield summarise(runs, confidence, random=kinds.of(cast(Any, point)).is_random(point))


def _made(kind: type | Compiled) -> PythonController | Compiled:
    if isinstance(kind, Compiled):
        return kind
    return PythonController(adapted(kind) if is_quic(kind) else kind)
