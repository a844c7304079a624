"""What the YAML files of a paper hold beside its scenario: items, statements and rules of equivalence."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from annotated_types import Ge, Len
from pydantic import Discriminator, Field, Tag, model_validator

from tcpatlas.base.validation import Metrics, Model, Name, Quantity, Scalar, Text, Unique, problem
from tcpatlas.claims.subject import PrintedKind
from tcpatlas.claims.verdict import Predicate
from tcpatlas.points.scenario import EngineName


def _form(value: Any) -> str:
    return "?list" if isinstance(value, list) else "?one"


Share = Annotated[Decimal, Quantity("1", "1 %", gt=0, le=1)]
Values = Annotated[
    Annotated[list[Scalar], Len(1), Tag("?list")] | Annotated[Scalar, Tag("?one")], Discriminator(_form)
]
Texts = Annotated[
    Annotated[list[Text], Len(1), Tag("?list")] | Annotated[Text, Tag("?one")], Discriminator(_form)
]
Where = Annotated[
    dict[str, Values], Field(description="Dotted path to a value, or to a list of values, of the point.")
]
Wheres = Annotated[
    Annotated[list[Where], Len(1), Tag("?list")] | Annotated[Where, Tag("?one")], Discriminator(_form)
]


Engines = Annotated[
    list[EngineName],
    Len(1),
    Unique,
    Field(description="Only what these measured, and models that were fed with it. Default: all."),
]


class ToleranceSpec(Model):
    """At least one of these; the largest holds, and is below the printed number.

    `relative` (to the number), `absolute`, `printed_digits`, and the sampling errors of the author: `trials`
    of a share of so many independent events, `one_run` of a number from one run, by the scatter of ours.
    """

    kind: PrintedKind
    metric: Metrics
    where: Annotated[Where, Len(1)] = Field(default_factory=dict)
    relative: Share | None = None
    absolute: (
        Annotated[Scalar, Field(description="In the row's unit, or one that converts to it.")] | None
    ) = None
    printed_digits: Annotated[Literal[True], Field(description="Half a unit of the last one.")] | None = None
    trials: Annotated[int, Ge(1), Field(description="Events, of which the number is a share.")] | None = None
    one_run: Annotated[Literal[True], Field(description="The number is of one run.")] | None = None
    reason: Text

    @model_validator(mode="after")
    def _complete(self) -> ToleranceSpec:
        widths = (self.relative, self.absolute, self.printed_digits, self.trials, self.one_run)
        if all(width is None for width in widths):
            raise problem(
                "is not complete; at least one of relative (to the printed number), absolute (with unit), "
                "printed_digits (half a unit of the last one), trials (events, of which the number is a "
                "share) and one_run (of the author's); the largest holds"
            )
        return self


class DeviationSpec(Model):
    """Why numbers deviate, as far as is known: every entry that matches is noted, where a number does."""

    kind: PrintedKind | None = None
    metric: Metrics
    where: Annotated[Where, Len(1)] = Field(default_factory=dict)
    engines: Engines | None = None
    note: Text


class ItemSpec(Model):
    """A published table or figure, and the sets of the paper's scenario that answer it.

    `kind` is what it is shown as; what a section says is a table. In the name of a set * stands for any part
    of one; an item without a set is left out. The `caption` says how to read it. An `appendix` is none of
    the paper's own, but a search behind it, and is reported after all papers. Without `numbers` the paper
    prints none to compare, and there is no <item>.csv. The first of the `tolerances` that matches a row
    holds; each row needs one.
    """

    kind: Literal["figure", "table"]
    title: Text
    caption: Text | None = None
    page: Annotated[int, Ge(1)] | None = None
    sets: Annotated[list[Text], Len(1), Unique]
    appendix: bool = False
    numbers: bool = True
    tolerances: Annotated[list[ToleranceSpec], Len(1)] = Field(default_factory=list)
    deviations: Annotated[list[DeviationSpec], Len(1)] = Field(default_factory=list)


class Publication(Model):
    """The paper itself: the family names of its authors, its year, its title and where to read it."""

    authors: Annotated[list[Text], Len(1)]
    year: Annotated[int, Ge(1900)]
    title: Text
    link: Annotated[Text | None, Field(description="A web address.")] = None


class Label(Model):
    """The title of a metric or parameter in this study; symbols stand between dollars, as in LaTeX."""

    title: Text
    symbol: str = ""
    unit: str = ""


class Labels(Model):
    """What figures and tables of this study call things, where that is not their common name.

    `unit`: of a metric the one in which to show it, of a parameter its SI unit.
    """

    metrics: dict[Text, Label] = Field(default_factory=dict)
    parameters: dict[Text, Label] = Field(default_factory=dict)
    sources: dict[Text, Text] = Field(default_factory=dict)
    values: dict[Text, Text] = Field(default_factory=dict)


class Items(Model):
    """The published tables and figures of one paper."""

    publication: Publication | None = None
    labels: Labels = Field(default_factory=Labels)
    items: Annotated[dict[Name, ItemSpec], Len(1)]


class NoteSpec(Model):
    """A note on the cases of a statement that `where` selects."""

    where: Where = Field(default_factory=dict)
    engines: Engines | None = None
    note: Text


Notes = Annotated[
    Annotated[list[NoteSpec], Len(1), Tag("?list")] | Annotated[Text, Tag("?one")], Discriminator(_form)
]


class StatementSpec(Model):
    """What a paper says, in our words: a predicate on a metric, or why nothing can be compared.

    `metric` is one of a set, name_error or name_error_size of a model, or name[*] for all with brackets.
    `where` selects the points, each a case, by set, metric and dotted paths, in all combinations of listed
    values; with `mean` each selection is one case, and of a trend the change is the mean of all curves', from
    the first to the last point of each. Of a trend, `along` is the parameter that grows, `bound`
    what the whole change has to exceed, and `tolerance` the largest reversal. `against`: the metric is over
    this (`<path> = <value>`, `set = <set>`, or another metric), minus one. `inconsistent` says how the paper
    contradicts itself, `note` why the statement fails, as far as is known.
    """

    text: Text
    section: Scalar = ""
    kind: PrintedKind = "simulation"
    metric: Texts | None = None
    predicate: Predicate | None = None
    bound: Annotated[Scalar, Field(description="With unit. Default: 0 of the tolerance's.")] | None = None
    where: Wheres = Field(default_factory=dict)
    mean: Literal[True] | None = None
    along: Text | None = None
    against: Text | None = None
    tolerance: Annotated[Scalar, Field(description="With unit.")] | None = None
    reason: Annotated[Text, Field(description="Why this tolerance.")] | None = None
    inconsistent: Notes = Field(default_factory=list)
    note: Notes = Field(default_factory=list)
    unavailable: Text | None = None

    @model_validator(mode="after")
    def _complete(self) -> StatementSpec:
        if self.unavailable is None and None in (self.predicate, self.tolerance, self.reason):
            raise problem("is not complete; predicate, tolerance and reason, or unavailable")
        return self


Statements = Annotated[
    dict[Name, Annotated[list[StatementSpec], Len(1)]],
    Len(1),
    Field(description="The sentences of one paper, by item of items.yaml."),
]


class NumbersOfCause(Model):
    """Printed numbers of these items: of a kind, of metrics, at points with these values; default: all."""

    items: Annotated[list[Name], Len(1)]
    kind: PrintedKind | None = None
    metric: Texts = "*"
    where: Where = Field(default_factory=dict)
    engines: Engines | None = None


class CauseStatements(Model):
    """Sentences of these items, by their `text`; default: all."""

    items: Annotated[list[Name], Len(1)]
    text: Texts | None = None
    engines: Engines | None = None


class CauseSpec(Model):
    """A cause, in one sentence, of deviations: of those numbers and sentences that no earlier cause explains.

    `shown_by` names the item whose experiment shows it, or a file of this tree.
    """

    text: Text
    shown_by: str = ""
    numbers: list[NumbersOfCause] = Field(default_factory=list)
    statements: list[CauseStatements] = Field(default_factory=list)


class Causes(Model):
    """Why numbers and sentences of one paper deviate, as far as is known."""

    causes: Annotated[dict[Name, CauseSpec], Len(1)]


class EquivalenceTolerance(Model):
    """How far metrics of two engines may be apart.

    With `at_least` they are judged only where the reference engine's metric is at least that.
    """

    metrics: Annotated[list[Text], Len(1)]
    where: Annotated[Where, Len(1)] = Field(default_factory=dict)
    within: Share
    at_least: Annotated[Decimal, Quantity("1", "0.01 %", gt=0, le=1)] | None = None
    reason: Text


class EquivalenceNote(Model):
    """Why two engines differ in these metrics (default: in all), as far as is known."""

    metrics: Annotated[list[Text], Len(1)] | None = None
    where: Annotated[Where, Len(1)] = Field(default_factory=dict)
    note: Text


class EquivalenceRule(Model):
    """A rule for the sets with these names, in which * stands for any part of one.

    `isolated`: only points with one source, or with more. `statistic`: the difference itself, how far its
    interval reaches from 0, or its mean over the points that were sampled from one set.
    """

    sets: Annotated[list[Text], Len(1)]
    isolated: bool | None = None
    statistic: Literal["value", "bound", "mean"]
    tolerances: Annotated[list[EquivalenceTolerance], Len(1)]
    notes: list[EquivalenceNote] = Field(default_factory=list)


class Equivalence(Model):
    """How far two engines may be apart on the same points; the first rule that fits a point judges it."""

    rules: Annotated[list[EquivalenceRule], Len(1)]
