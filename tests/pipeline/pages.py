"""The pages docs/adding-*.md, which tests follow to the letter in a copy of the tree."""

import re
import textwrap
from typing import NamedTuple

from tree import ROOT, Tree

# Those whose additions are compiled; they are followed one after the other.
COMPILED = [
    "adding-a-tcp-variant.md",
    "adding-a-parameter.md",
    "adding-a-tcp-variant-to-ns-3.md",
    "adding-a-queue.md",
    "adding-a-workload.md",
    "adding-a-probe.md",
    "adding-an-engine.md",
    "adding-a-topology.md",
]
COUNT = re.compile(r"^\*\*Count: (\d+) new files?, (\d+) lines? in (\d+) others?\.\*\*$", re.MULTILINE)
STEP = re.compile(r"^\d\. ", re.MULTILINE)
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+)`")
BLOCK = re.compile(r"^   ```(\w+)\n(.*?)^   ```$", re.DOTALL | re.MULTILINE)
EXAMPLE = "\n## An example\n"


class Count(NamedTuple):
    """The cost of a page: new files, and in how many others how many lines."""

    new: int
    lines: int
    others: int


def stated(page: str) -> Count:
    """Return what a page says that it takes."""
    match = COUNT.search((ROOT / "docs" / page).read_text())
    assert match is not None, f"{page} states no count"
    return Count(*map(int, match.groups()))


def follow(tree: Tree, page: str) -> Count:
    """Do what a page says, and return what git says that it took.

    A block of shell is run in the tree; any other block is the text of the first file that its step names.
    """
    text = (ROOT / "docs" / page).read_text()
    for step in STEP.split(text.partition(EXAMPLE)[2] or text)[1:]:
        for language, indented in BLOCK.findall(step):
            block = textwrap.dedent(indented)
            if language == "sh":
                tree.output("sh", "-ec", block)
                continue
            named = PATH.search(step)
            assert named is not None, step
            file = tree.root / named[1]
            assert not file.exists(), file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block)
    return commit(tree, page)


def commit(tree: Tree, message: str) -> Count:
    """Commit all of a tree, which is a repository from the first commit on; return what has changed."""
    tree.output("git", "init", "--quiet")
    tree.output("git", "add", "--all")
    staged = tree.output("git", "diff", "--cached", "--numstat")
    new = tree.output("git", "diff", "--cached", "--name-only", "--diff-filter=A").splitlines()
    author = ("-c", "user.name=reader", "-c", "user.email=reader@example.org")
    tree.output("git", *author, "commit", "--quiet", "--message", message)
    edited = [row.split("\t") for row in staged.splitlines() if row.split("\t")[2] not in new]
    return Count(len(new), sum(int(added) for added, _, _ in edited), len(edited))
