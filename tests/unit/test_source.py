"""The source of an answer: its columns, its label, and which of several counts."""

import pytest

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.source import Relation, Source
from tcpatlas.claims.replies import best_placed
from tcpatlas.points.types import Point, ScenarioSet

POINT = Point("study", "set", "point", {"parameters": {}}, 0)
# The engine of the shorter runs comes first.
SET = ScenarioSet("study", "set", "Set", {"ns3": 0.5, "packetsim": 1}, ("markov",), (POINT,))


@pytest.mark.parametrize(
    ("source", "label", "measured_by"),
    [
        (Source("simulation", "ns3"), "ns3", "ns3"),
        (Source("model", model="markov"), "model:markov", ""),
        (Source("fed", model="markov", fed_by="ns3"), "model:markov@ns3", "ns3"),
        (Source("inference", model="markov", fed_by="ns3"), "model:markov/ns3", "ns3"),
        (Source("error", model="markov", against="ns3"), "model:markov/ns3", "ns3"),
        (Source("difference", "ns3", against="packetsim"), "ns3/packetsim", "ns3"),
        (Source("band", against="ns3"), "error-map/ns3", "ns3"),
        (Source("printed"), "printed", ""),
    ],
)
def test_each_source_has_a_label_and_an_engine_that_measured(
    source: Source, label: str, measured_by: str
) -> None:
    assert (source.name, source.measured_by) == (label, measured_by)
    cells = {"model": source.model, "fed_by": source.fed_by, "against": source.against}
    assert source.cells == {"engine": label, **cells, "relation": source.relation}


@pytest.mark.parametrize(
    ("source", "title"),
    [
        (Source("simulation", "ns3"), "ns-3"),
        (Source("model", model="tahoe"), "model tahoe"),
        (Source("model", model="markov"), "ET"),
        (Source("error", model="tahoe", against="ns3"), "model tahoe / ns-3"),
        (Source("fed", model="markov", fed_by="ns3"), "ET of ns-3"),
        (Source("printed"), "printed"),
    ],
)
def test_people_read_the_titles_of_engines_and_models(source: Source, title: str) -> None:
    assert source.title({"ns3": "ns-3", "model:markov": "ET"}) == title


@pytest.mark.parametrize("relation", ["simulation", "fed", "error"])
def test_the_first_engine_of_the_set_counts_whatever_is_made_of_its_runs(relation: Relation) -> None:
    def source(engine: str) -> Source:
        match relation:
            case "fed":
                return Source(relation, model="markov", fed_by=engine)
            case "error":
                return Source(relation, model="markov", against=engine)
        return Source(relation, engine)

    answers = [Answer(source(engine), SET, POINT, {}) for engine in reversed(list(SET.engines))]
    best = best_placed(answers)
    assert best is not None
    assert best.source.measured_by == "ns3"
