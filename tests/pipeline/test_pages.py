"""The doors of the project take as many files and lines as their pages in docs/ say."""

import pytest
from tree import Tree

from pages import COMPILED, Count, commit, follow, stated


@pytest.fixture(scope="module")
def took(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Count]:
    tree = Tree(tmp_path_factory.mktemp("pages") / "tree")
    commit(tree, "before")
    return {page: follow(tree, page) for page in COMPILED}


@pytest.mark.parametrize("page", COMPILED)
def test_a_page_takes_what_it_states(took: dict[str, Count], page: str) -> None:
    assert took[page] == stated(page)
