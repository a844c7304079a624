"""Reasons why a run has no number to compare."""

from tcpatlas.answers.answer import Answer
from tcpatlas.answers.metrics import catalogue, entry_name
from tcpatlas.claims.notes import filled

NOT_GIVEN = "not given at this point"


def why_missing(answer: Answer | None) -> str:
    """Return why an answer lacks a metric that others of its engine give, as told by a metric that is 0."""
    for name, metric in answer.metrics.items() if answer else ():
        entry = catalogue().get(entry_name(name))
        if entry and "where_zero" in entry and metric["value"] == 0:
            return filled(entry["where_zero"], answer.metrics if answer else {})
    return NOT_GIVEN
