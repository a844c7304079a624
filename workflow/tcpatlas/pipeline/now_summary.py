"""Three sentences on which claims still hold, for the first page of the report and of README."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tcpatlas.claims.reevaluation import NUMBER, SENTENCE

# The first two sentences are about the first TCP, the third begins with the second.
MAIN, BESIDE = "CUBIC", "BBR"
# How long runs are, by `now` of the configuration. A test holds these beside scenarios/now/.
_KERNEL = "those of the Linux kernel (6.1, virtual time) are shorter."
LENGTHS = {
    "paper": "Packetsim's runs are as long as the papers' own, five or more of each (transfers half as long; "
    "with BBR a tenth as long, ten or more); " + _KERNEL,
    "tenth": "Packetsim's runs are a tenth as long as the papers' own, ten or more of each (six of "
    "Compound's; local loops whole, transfers half as long); " + _KERNEL,
}
_ASKED = ("still holds", "no longer", "reversed", "engines differ", "undecided")


def summary(rows: Sequence[Mapping[str, str]], length: str) -> str:
    """Return the sentences about the rows of now.csv; for runs too short for verdicts, a remark.

    `length` is a key of LENGTHS.
    """
    if any(row["verdict"] == "smoke" for row in rows):
        return "The runs were too short to say what still holds with the TCP of today."
    sentences = _counted(rows, MAIN, SENTENCE)
    numbers = _counted(rows, MAIN, NUMBER)
    asked = _asked(sentences)
    first = (
        f"With {MAIN} in place of the papers' own TCP, {sentences['still holds']} of the {asked} sentences "
        f"that can be asked of it still hold, {sentences['no longer']} no longer do, "
        f"{_some(sentences['reversed'])} reversed and {_some(sentences['undecided'])} undecided"
        f"{_on_which_engines_differ(sentences['engines differ'])}; "
        f"{sentences['does not apply']} others do not apply to it."
    )
    second = (
        f"Of {_asked(numbers)} simulated and measured numbers that the papers' own TCP reproduces, "
        f"{numbers['still holds']} still come out with {MAIN}."
    )
    parts = []
    beside = _counted(rows, BESIDE, SENTENCE)
    if _asked(beside):
        parts.append(
            f"{BESIDE} keeps {beside['still holds']} of the {_asked(beside)} sentences that it is asked"
        )
    both = Counter(row["engines"] for row in rows if row["counted"] == "true" and row["engines"])
    if both:
        agree, every = both["agree"], sum(both.values())
        parts.append(f"where packetsim and the Linux kernel both decide, they agree {agree} times in {every}")
    third = f"{', and '.join(parts)}." if parts else ""
    return " ".join(filter(None, (first, second, third[:1].upper() + third[1:], LENGTHS[length])))


def _some(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def _on_which_engines_differ(count: int) -> str:
    return f", and on {count} packetsim and the Linux kernel differ" if count else ""


def _counted(rows: Iterable[Mapping[str, str]], tcp: str, what: str) -> Counter[str]:
    """Return how many sentences or numbers have each verdict with a TCP."""
    return Counter(
        row["verdict"]
        for row in rows
        if row["counted"] == "true" and row["tcp"] == tcp and row["what"] == what
    )


def _asked(verdicts: Counter[str]) -> int:
    return sum(verdicts[verdict] for verdict in _ASKED)
