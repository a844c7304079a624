"""The source of an answer: an engine, a model, or a comparison of two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Relation = Literal["simulation", "model", "fed", "error", "inference", "band", "difference", "printed"]

SOURCE_COLUMNS = ("model", "fed_by", "against", "relation")
# The name of an answer about the bands of all models.
_ALL_MODELS = "error-map"


@dataclass(frozen=True)
class Source:
    """Where an answer comes from: an engine, a model, or a comparison of two.

    A `simulation` is of an `engine`, a `difference` of one `against` another. A `model` answers by itself, is
    `fed` with what each run of an engine measured (`fed_by`), or makes an `inference` from the mean of its
    runs; an `error` is that of a model `against` an engine. A `band` says of all models `against` an engine
    whether their errors are where an error map expects them. `printed` is what follows from other printed
    numbers.
    """

    relation: Relation
    engine: str = ""
    model: str = ""
    fed_by: str = ""
    against: str = ""

    @property
    def measured_by(self) -> str:
        """The engine whose runs are behind the answer; empty for a model by itself."""
        return self.engine or self.fed_by or self.against

    @property
    def name(self) -> str:
        """The name in the column `engine` of tables: a display label, never parsed."""
        if self.relation == "band":
            return f"{_ALL_MODELS}/{self.against}"
        if self.relation == "printed":
            return "printed"
        who = self.engine or f"model:{self.model}"
        beside = self.against or self.fed_by
        between = "" if not beside else "@" if self.relation == "fed" else "/"
        return f"{who}{between}{beside}"

    def title(self, titles: Mapping[str, str]) -> str:
        """Return its display title; `titles` is by engine and by model ("model:<name>")."""
        if self.relation in ("band", "printed"):
            return self.name
        by_itself = f"model {self.model}"
        who = titles.get(f"model:{self.model}", by_itself) if self.model else titles[self.engine]
        beside = self.against or self.fed_by
        between = "" if not beside else " of " if self.relation == "fed" else " / "
        return f"{who}{between}{titles.get(beside, beside)}"

    @property
    def cells(self) -> dict[str, str]:
        """The columns of a table of results that identify it."""
        return {"engine": self.name} | {column: getattr(self, column) for column in SOURCE_COLUMNS}
