"""Shrinks a failure to the smallest network that still shows it, and writes that as a scenario."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from tcpatlas.base.errors import AtlasError
from tcpatlas.points.errors import PointError
from tcpatlas.swarm.network import Group, Network

_MOST_TRIALS = 12


def simpler(network: Network) -> Iterator[Network]:
    """Yield networks that are simpler in one respect, the largest steps first."""
    first, *others = network.groups
    if others:
        yield from (replace(network, groups=(replace(group, extra_s=0.0),)) for group in network.groups)
    if others and any(group.extra_s for group in others):
        yield replace(network, groups=tuple(replace(group, extra_s=0.0) for group in network.groups))
    if network.file:
        yield replace(network, file=0)
    if network.loss:
        yield replace(network, loss=0.0)
    if network.ecn:
        yield replace(network, ecn=False)
    if network.queue not in ("drop-tail", "step"):
        yield replace(network, queue="drop-tail")
    for count in sorted({1, 2, first.count // 4, first.count // 2} - {0}):
        if count < first.count:
            yield replace(network, groups=(Group(first.variant, count, first.extra_s), *others))
    for key, plain in (("rate", 10_000_000), ("rtt_s", 0.04)):
        if (now := getattr(network, key)) != plain:
            yield _with(network, key, plain)
            if not plain / 4 < now < plain * 4:
                yield _with(network, key, type(plain)((now * plain) ** 0.5))
    product = max(round(network.rate * network.rtt_s / 12000), 2)
    if network.buffer != product:
        yield replace(network, buffer=product)


def _with(network: Network, key: str, value: float) -> Network:
    """Return a network of another rate or round trip, its buffer the same share of their product."""
    changed = replace(network, **{key: value})  # type: ignore[arg-type]
    share = changed.rate * changed.rtt_s / network.rate / network.rtt_s
    return replace(changed, buffer=max(round(network.buffer * share), 2))


def shrunk(network: Network, shows: Callable[[Network], bool]) -> Network:
    """Return the smallest network found that `shows` the failure, by a limited number of trials."""
    trials, before = 0, None
    while network != before:
        before = network
        for candidate in simpler(before):
            if trials == _MOST_TRIALS:
                return network
            try:
                candidate.point("network")
            except (AtlasError, PointError):
                continue
            trials += 1
            if shows(candidate):
                network = candidate
                break
    return network


def write_scenario(folder: Path, name: str, network: Network, says: str) -> Path:
    """Write a network as a scenario that ./atlas ask and the laboratory open; return its file."""
    document: dict[str, Any] = {
        "title": f"The swarm's {name}",
        "question": says,
        "models": [],
        "base": network.base(),
        "sets": {"network": {"title": says, "engines": ["packetsim", "linux"]}},
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.yaml"
    file.write_text(f"# {says}\n" + yaml.safe_dump(document, sort_keys=False))
    return file
