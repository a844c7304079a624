"""What a swarm found: the distribution of differences by metric, queue and TCP, and the causes at work."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tcpatlas.swarm.network import restored
from tcpatlas.swarm.settings import Settings
from tcpatlas.swarm.trial import judged


def table(lines: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a row for each difference: its point's number and features, metric, size and interval."""
    rows = []
    for line in lines:
        features = restored(line["network"]).features()
        features["variants"] = "+".join(features["variants"])
        for each in line["differences"]:
            means = {f"{engine}_mean": line["means"][engine][each["metric"]] for engine in line["means"]}
            rows.append({"number": line["number"], **features, **each, **means})
    return pd.DataFrame(rows)


def distribution(rows: pd.DataFrame, rules: Settings) -> pd.DataFrame:
    """Return, by metric and by queue and TCP, how differences are spread, in percent.

    `agree` are points within the threshold, or whose interval has 0.
    """
    found = []
    for by, keys in (("all", []), ("queue", ["queue"]), ("TCP", ["variants"])):
        for of, group in rows.groupby(["metric", *keys], sort=True):
            metric = str(of[0])
            size, threshold = group["size"].abs(), rules.thresholds[metric]
            agree = (size <= threshold) | ((group["low"] <= 0) & (group["high"] >= 0))
            found.append(
                {
                    "metric": metric,
                    "points of": by if not keys else str(of[1]),
                    "points": len(group),
                    "median": 100 * group["size"].median(),
                    "median of sizes": 100 * size.median(),
                    "90 % of sizes": 100 * float(np.quantile(size, 0.9)),
                    "within": 100 * (size <= threshold).mean(),
                    "agree": 100 * agree.mean(),
                }
            )
    return pd.DataFrame(found)


def page(lines: Sequence[Mapping[str, Any]], rules: Settings, title: str) -> str:
    """Return a page in Markdown of what points say."""
    causes: Counter[str] = Counter()
    failures = []
    for line in lines:
        network = restored(line["network"])
        explained, unexplained = judged(network, line, rules)
        causes.update(dict.fromkeys(name for _, name in explained))
        causes.update(name for name in {name for _, name in explained})
        texts = [
            f"{each.metric} {each.size:+.1%} ({each.low:+.1%} to {each.high:+.1%})" for each in unexplained
        ]
        if texts or line["broken"]:
            failures.append(
                f"| {line['number']} | {said(network)} | {'; '.join([*line['broken'], *texts])} |"
            )
    rows = table(lines)
    parts = [f"# {title}", f"{len(lines)} points, packetsim by linux - 1, in %; `within` the threshold, "
             "`agree`: or an interval with 0."]  # fmt: skip
    if len(rows):
        parts.append(_markdown(distribution(rows, rules)))
    parts += ["## Causes at work", "| cause | points | page |\n|---|---|---|"]
    parts[-1] += "".join(f"\n| {c.name}: {c.why} | {causes[c.name]} | {c.page} |" for c in rules.causes)
    parts += [f"## Without a cause: {len(failures)}", "| point | network | what |\n|---|---|---|"]
    parts[-1] += "".join(f"\n{line}" for line in failures)
    return "\n\n".join(parts) + "\n"


def said(network: Any) -> str:
    """Return a network in a line."""
    groups = ", ".join(f"{g.count} {g.variant}" + (f" +{1e3 * g.extra_s:.3g} ms" if g.extra_s else "")
                       for g in network.groups)  # fmt: skip
    more = [f"loss {network.loss:.2%}"] * bool(network.loss) + ["ECN"] * network.ecn
    more += [f"files of {network.file}"] * bool(network.file)
    path = f"{network.rate / 1e6:.3g} Mbit/s, {1e3 * network.rtt_s:.3g} ms"
    return ", ".join([path, f"{network.queue} of {network.buffer}", groups, *more])


def _markdown(rows: pd.DataFrame) -> str:
    head = "| " + " | ".join(rows.columns) + " |\n|" + "---|" * len(rows.columns)
    texts = ("| " + " | ".join(f"{v:.1f}" if isinstance(v, float) else str(v) for v in row) + " |"
             for row in rows.itertuples(index=False))  # fmt: skip
    return "\n".join([head, *texts])
