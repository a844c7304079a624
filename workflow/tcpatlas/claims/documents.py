"""The other YAML files of a study: items, statements and causes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from annotated_types import Ge, Len
from pydantic import Discriminator, Field, Tag, model_validator
from pydantic.functional_validators import BeforeValidator

from tcpatlas.base.validation import Metrics, Model, Name, Quantity, Scalar, Text, Unique, problem, short
from tcpatlas.claims.selection import Values, Where, one_or_list
from tcpatlas.claims.subject import PrintedKind
from tcpatlas.points.scenario import EngineName
from tcpatlas.points.types import Point

Share = Annotated[Decimal, Quantity("1", "1 %", gt=0, le=1)]
Texts = Annotated[
    Annotated[list[Text], Len(1), Tag("?list")] | Annotated[Text, Tag("?one")], Discriminator(one_or_list)
]
Combinations = Annotated[
    dict[str, Values],
    Field(
        description="Dotted path, set, kind or metric to a value, or a list of values: in all combinations."
    ),
]


Engines = Annotated[
    list[EngineName],
    Len(1),
    Unique,
    Field(description="Only what these measured, and models that were fed with it. Default: all."),
]


class Numbers(Model):
    """A selection of printed numbers by kind, metric and point; default: all.

    The metric `name[*]` stands for all names with brackets.
    """

    kind: PrintedKind | None = None
    metric: Texts = "*"
    where: Where = Where()

    def fits(self, kind: PrintedKind, metric: str, point: Point) -> bool:
        """Say whether a number of a kind and a metric at a point is one of them."""
        metrics = self.metric if isinstance(self.metric, list) else [self.metric]
        names = {"*", metric, re.sub(r"\[.*\]", "[*]", metric)}
        return self.kind in (None, kind) and not names.isdisjoint(metrics) and self.where.fits(point)


class ToleranceSpec(Numbers):
    """The distance that numbers may have from the printed ones, in one way or several.

    The largest of those given applies; it must be below the printed number:
    `relative` (to the number), `absolute`, `printed_digits`, and the sampling errors of the author: `trials`
    of a share of so many independent events, `one_run` of a number from one run, or from the mean of so
    many, by the scatter of ours.
    """

    kind: PrintedKind
    metric: Metrics
    relative: Share | None = None
    absolute: (
        Annotated[Scalar, Field(description="In the row's unit, or one that converts to it.")] | None
    ) = None
    printed_digits: Annotated[Literal[True], Field(description="Half a unit of the last one.")] | None = None
    trials: Annotated[int, Ge(1), Field(description="Events, of which the number is a share.")] | None = None
    one_run: (
        Annotated[Literal[True] | Annotated[int, Ge(2)], Field(description="True, or the mean of so many.")]
        | None
    ) = None
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


class DeviationSpec(Numbers):
    """A known reason for deviations: a number that deviates is noted with every entry that matches."""

    metric: Metrics
    engines: Engines | None = None
    note: Text


class ItemSpec(Model):
    """A published table or figure, and the sets of the paper's scenario that answer it.

    `kind` is how it is shown; numbers from a section are shown as a table. In a set's name * stands for any
    part; an item without a set is left out. The `caption` says how to read it. An `appendix` is not in the
    paper: it reports a search behind it, after all papers. Without `numbers` the paper prints none to
    compare, and there is no <item>.csv. The numbers of an `arithmetic` item follow from other printed
    numbers, those of a `formula` item from a standard's formula: both are counted separately. `rivals`: sets
    with the same sweep and other TCP variants; would their numbers be reproduced too? In a `simulated` item
    engines answer the numbers of models as well, judged by tolerances of the kind simulation and not
    counted. The first of the `tolerances` that matches a row applies; each row needs one.
    """

    kind: Literal["figure", "table"]
    title: Text
    caption: Text | None = None
    page: Annotated[int, Ge(1)] | None = None
    sets: Annotated[list[Text], Len(1), Unique]
    appendix: bool = False
    numbers: bool = True
    arithmetic: bool = False
    formula: bool = False
    simulated: bool = False
    rivals: Annotated[list[Text], Len(1), Unique] = Field(default_factory=list)
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
    """Names that figures and tables of this study use in place of the common ones.

    `unit`: for a metric the unit to show it in, for a parameter its SI unit.
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

    where: Where = Where()
    engines: Engines | None = None
    note: Text


Notes = Annotated[
    Annotated[list[NoteSpec], Len(1), Tag("?list")] | Annotated[Text, Tag("?one")], Discriminator(one_or_list)
]


class Sentence(Model):
    """A sentence of a paper, in our words."""

    text: Text
    section: Scalar = ""


class Unmeasured(Sentence):
    """A sentence that cannot be compared with anything; `unavailable` says why."""

    unavailable: Text


class Judged(Sentence):
    """A sentence as a predicate on a metric.

    `metric` is one of a set, name_error or name_error_size of a model, or name[*] for all with brackets.
    `where` selects the points, each a case, by set, kind, metric and dotted paths. `against`: the metric is
    over this (`<path> = <value>`, `set = <set>`, or another metric), minus one. `inconsistent` says how the
    paper contradicts itself, `note` why the sentence fails, as far as is known;
    `by_construction` why no result could make it fail; `not_again` why it is not re-evaluated
    with another TCP: it is true for any, about the workload, or a formula for another protocol.
    """

    kind: PrintedKind = "simulation"
    metric: Texts | None = None
    bound: Annotated[Scalar, Field(description="With unit. Default: 0 of the tolerance's.")] | None = None
    where: Annotated[
        Annotated[list[Combinations], Len(1), Tag("?list")] | Annotated[Combinations, Tag("?one")],
        Discriminator(one_or_list),
    ] = Field(default_factory=dict)
    mean: Literal[True] | None = None
    against: Text | None = None
    tolerance: Annotated[Scalar, Field(description="With unit.")]
    of_whole_run: Annotated[
        Literal[True] | None,
        Field(
            description="The tolerance is a count over all of a run: in a tenth of one ten times as large."
        ),
    ] = None
    reason: Annotated[Text, Field(description="Why this tolerance.")]
    inconsistent: Notes = Field(default_factory=list)
    note: Notes = Field(default_factory=list)
    by_construction: Text | None = None
    not_again: Text | None = None


class Comparison(Judged):
    """A metric is about, at most or at least the `bound`; with `mean` each selection is one case."""

    predicate: Literal["about", "at most", "at least"]


class TrendStatement(Judged):
    """A metric increases or decreases with the parameter `along`, or over the brackets of `name[*]`.

    The whole change must exceed `bound`; `tolerance` is the largest reversal allowed. With `mean` the change
    is the mean over all curves, from the first to the last point of each.
    """

    predicate: Literal["increasing", "decreasing"]
    along: Text | None = None


class AgreementTolerance(Model):
    """The distance that metrics of two engines may have.

    With `at_least` only points where the reference engine's metric is at least that are judged.
    """

    metrics: Annotated[list[Text], Len(1)]
    where: Where = Where()
    within: Share
    at_least: Annotated[Decimal, Quantity("1", "0.01 %", gt=0, le=1)] | None = None
    reason: Text

    def fits(self, metric: str, point: Point) -> bool:
        """Say whether it is for a metric at a point."""
        return metric in self.metrics and self.where.fits(point)


class AgreementNote(Model):
    """A known reason why two engines differ in these metrics (default: in all)."""

    metrics: Annotated[list[Text], Len(1)] | None = None
    where: Where = Where()
    note: Text

    def fits(self, metric: str, point: Point) -> bool:
        """Say whether it is about a metric at a point."""
        return metric in (self.metrics or [metric]) and self.where.fits(point)


class Agreement(Sentence):
    """Two engines agree at the points of these sets; * stands for any part of a name.

    The first agreement that covers a point applies, with the first of its tolerances that covers the metric.
    `engine`: the engine that is compared with a set's first (default: each of the others). `isolated`: only
    points with one source, or with more. `statistic`: the difference itself, how far its
    interval reaches from 0, or its mean over the points that were sampled from one set.
    """

    predicate: Literal["agree"]
    sets: Annotated[list[Text], Len(1)]
    engine: Text | None = None
    isolated: bool | None = None
    statistic: Literal["value", "bound", "mean"]
    tolerances: Annotated[list[AgreementTolerance], Len(1)]
    notes: list[AgreementNote] = Field(default_factory=list)


_STATEMENTS: Mapping[str, type[Sentence]] = {
    "?unmeasured": Unmeasured,
    "?comparison": Comparison,
    "?trend": TrendStatement,
    "?agreement": Agreement,
}


def _statement_tag(value: Any) -> str:
    """Return the kind of statement of a mapping, from its predicate or from `unavailable`."""
    if isinstance(value, Mapping) and "unavailable" in value and "predicate" not in value:
        return "?unmeasured"
    predicate = value.get("predicate") if isinstance(value, Mapping) else None
    for tag, kind in _STATEMENTS.items():
        field = kind.model_fields.get("predicate")
        if field is not None and predicate in get_args(field.annotation):
            return tag
    return "?comparison"


def _known_predicate(value: Any) -> Any:
    if isinstance(value, Mapping) and not value.keys() & {"predicate", "unavailable"}:
        raise problem("is not complete; predicate, tolerance and reason, or unavailable")
    predicates = [
        name
        for kind in _STATEMENTS.values()
        if (field := kind.model_fields.get("predicate"))
        for name in get_args(field.annotation)
    ]
    if isinstance(value, Mapping) and value.get("predicate", predicates[0]) not in predicates:
        raise problem(
            f"the predicate {short(value['predicate'])} is unknown; one of: {', '.join(predicates)}"
        )
    return value


StatementSpec = Annotated[
    Annotated[Unmeasured, Tag("?unmeasured")]
    | Annotated[Comparison, Tag("?comparison")]
    | Annotated[TrendStatement, Tag("?trend")]
    | Annotated[Agreement, Tag("?agreement")],
    Discriminator(_statement_tag),
    BeforeValidator(_known_predicate),
]
Statements = Annotated[
    dict[Name, Annotated[list[StatementSpec], Len(1)]],
    Len(1),
    Field(description="The sentences of one study, by item of items.yaml."),
]


class NumbersOfCause(Numbers):
    """Printed numbers of these items."""

    items: Annotated[list[Name], Len(1)]
    engines: Engines | None = None


class CauseStatements(Model):
    """Sentences of these items, by their `text`; default: all."""

    items: Annotated[list[Name], Len(1)]
    text: Texts | None = None
    engines: Engines | None = None


class CauseSpec(Model):
    """A cause of deviations, in one sentence, for numbers and sentences that no earlier cause explains.

    `shown_by` names the item whose experiment shows it, or a file of this tree. Where no cause was found, the
    text is the open question, and `tried` says what was tried.
    """

    text: Text
    shown_by: str = ""
    tried: str = ""
    numbers: list[NumbersOfCause] = Field(default_factory=list)
    statements: list[CauseStatements] = Field(default_factory=list)


class Causes(Model):
    """Known reasons why numbers and sentences of one paper deviate."""

    causes: Annotated[dict[Name, CauseSpec], Len(1)]
