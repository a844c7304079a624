"""The answer for scripts: rows in SI units, as CSV or JSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tcpatlas.answers.headline_metrics import unit
from tcpatlas.ask.answer import Answer
from tcpatlas.ask.wording import label
from tcpatlas.base.files import to_json

_EXPECTED = ("error_expected", "error_expected_low", "error_expected_high")
COLUMNS = (
    *(
        "set",
        "point",
        "metric",
        "unit",
        "source",
        "value",
        "ci_low",
        "ci_high",
        "error",
        "error_low",
        "error_high",
        "usable",
    ),
    *_EXPECTED,
)


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, Any]]:
    """Yield a row for each value of the simulation and of every model, in SI units."""
    for answer in answers:
        for value in answer.values:
            about = {
                "set": answer.point.set,
                "point": answer.point.name,
                "metric": value.metric,
                "unit": unit(value.metric),
            }
            mean = value.simulated
            yield {
                **about,
                "source": answer.simulated.runs["engine"],
                "value": mean.mean,
                "ci_low": mean.low,
                "ci_high": mean.high,
                "usable": True,
            }
            for model, predicted in value.models.items():
                errors = value.errors(model)
                ends: dict[str, Any] = {"usable": not value.unusable(model)}
                if errors is not None:
                    ends |= {"error_low": errors[0], "error_high": errors[1]}
                    ends["error"] = predicted / mean.mean - 1
                if (band := value.expected.get(model)) is not None:
                    ends |= dict(zip(_EXPECTED, band.error(), strict=True))
                yield {**about, "source": f"model:{model}", "value": predicted, **ends}


def as_json(title: str, answers: Sequence[Answer], assumed: Sequence[str] = ()) -> str:
    """Return the answers as a JSON document."""
    points = [
        {
            "set": answer.point.set,
            "point": answer.point.name,
            "label": label(answer.point),
            "replications": answer.simulated.replications,
            "error_map": answer.map_note,
            "limiting_window_packets": answer.simulated.limited(),
        }
        for answer in answers
    ]
    document = {
        "question": title,
        "assumed": list(assumed),
        "points": points,
        "rows": list(rows(answers)),
        "left_out": {name: text for answer in answers for name, text in answer.models.left_out.items()},
        "failed": {name: text for answer in answers for name, text in answer.models.failed.items()},
    }
    return to_json(document)
