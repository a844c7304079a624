"""The folder of a study: its items, the causes of deviations and the agreements of engines."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tcpatlas.claims.causes import Cause, load_causes
from tcpatlas.claims.equivalence import Agreements, load_agreements
from tcpatlas.claims.folder import Folder, read_folder
from tcpatlas.claims.published import Item, load_items, printed_points
from tcpatlas.points.types import Study


@dataclass(frozen=True)
class Paper:
    """What a study's folder says about its sets; a study without a folder has nothing of it."""

    study: Study
    folder: Folder
    items: tuple[Item, ...]
    causes: tuple[Cause, ...]

    @cached_property
    def agreements(self) -> Agreements:
        """The agreements of engines; ConfigError for a set that is not there, as where a study runs alone."""
        return load_agreements(self.study, self.folder)

    @property
    def points(self) -> set[tuple[str, str]]:
        """The names of the sets and points that numbers, sentences and agreements refer to."""
        return printed_points(self.items) | self.agreements.judged_points(self.study)


def read_paper(study: Study, root: Path) -> Paper:
    """Return the paper of a study; ConfigError for the first error in its folder."""
    return paper_of(study, read_folder(study, root))


def paper_of(study: Study, folder: Folder) -> Paper:
    """Return the paper that a folder describes; ConfigError for what does not fit the study's sets."""
    items = load_items(study, folder)
    return Paper(study, folder, items, load_causes(folder, items))
