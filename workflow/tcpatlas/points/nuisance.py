"""Nuisance parameters: slightly perturbed copies of a point, to see how sensitive an exact number is.

A deterministic run may sit on a knife edge, where the last bit of a rate decides which packet is dropped. The
lowest and highest numbers of runs whose parameters are off by an unmeasurable few parts in a million form a
band: an exact number is trusted no further than that.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

# Fractional parts of multiples of their square roots fill the unit interval evenly, and jointly the unit cube
# (Kronecker sequence).
_PRIMES = (2, 3, 5, 7, 11)
MOST_PARAMETERS = 4

Changes = dict[str, str | int | float | bool]


def shifts(count: int, place: int) -> list[Decimal]:
    """Return `count` numbers, evenly spread over [-1, 1), for the parameter at this place from 0."""
    step = Decimal(_PRIMES[place]).sqrt()
    return [2 * (number * step % 1) - 1 for number in range(1, count + 1)]


def changes(fields: Mapping[str, Any], others: Mapping[str, Any]) -> Changes:
    """Return the values of the others that differ from the fields', by dotted path."""
    return dict(_changes(fields, others, ""))


def applied(point: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a point with other values at these paths."""
    result = dict(point)
    for path, value in changed.items():
        _set(result, path.split("."), value)
    return result


def _changes(value: Any, other: Any, path: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(other, Mapping | list):
        if other != value:
            yield path.removeprefix("."), other
    elif other is not value:
        for key, inner in other.items() if isinstance(other, Mapping) else enumerate(other):
            yield from _changes(value[key], inner, f"{path}.{key}")


def _set(container: Any, keys: Sequence[str], value: Any) -> None:
    """Set a value deep in a container, whose parts on the way are copied."""
    key: Any = int(keys[0]) if isinstance(container, list) else keys[0]
    if len(keys) == 1:
        container[key] = value
        return
    inner = container[key]
    container[key] = list(inner) if isinstance(inner, list) else dict(inner)
    _set(container[key], keys[1:], value)
