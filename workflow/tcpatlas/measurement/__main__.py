"""`./atlas compare`: what a user measured beside what TCPs give on such a link."""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from tcpatlas.ask.progress import Progress
from tcpatlas.ask.quantity import parsed
from tcpatlas.ask.wording import unit_for
from tcpatlas.base import command
from tcpatlas.base.errors import AtlasError
from tcpatlas.base.files import to_csv, to_json, write_if_changed
from tcpatlas.measurement import comparison, flent, iperf3
from tcpatlas.measurement.comparison import Candidate, Row, titles
from tcpatlas.measurement.measured import Measured, document_of

_NETWORK = {
    "rate": "rate of the bottleneck (default: the best measured, with headers)",
    "rtt": "round-trip time of the empty path (default: the shortest measured)",
    "buffer": "buffer of the bottleneck (default: by the longest round trip measured)",
    "queue": "queue of the bottleneck, e.g. fq-codel (default: drop-tail)",
    "loss": "random loss, e.g. '0.1 %%' (default: none)",
    "window": "receiver's window (default: twice what path and buffer hold)",
    "packet": "packet size with headers (default: what the file says)",
    "tcp": "what to compare with (default: cubic, bbr and what the measurement used)",
    "omit": "start-up to leave out, e.g. '5 s' (default: iperf3's -O, or a fifth)",
}
_OF_LINK = 7
_EXAMPLES = """
examples:
  iperf3 -c HOST -t 30 -J >measurement.json; ./atlas compare measurement.json
  ./atlas compare measurement.json --rate '50 Mbit/s' --buffer '100 packets' --tcp 'cubic, newreno' --kernel
  ./atlas compare tcp_upload.flent.gz --queue fq-codel --save my-link.yaml

It exits with 0 whatever the verdicts are, with 1 if the file or a value is wrong, with 2 if an option is.
docs/comparing.md explains the answer.
"""


def parser() -> command.Parser:
    """Return the parser of the command."""
    made = command.Parser(
        prog="./atlas compare",
        description="Compare a measurement (iperf3 -J, .flent.gz) with what TCPs give on such a link.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_EXAMPLES,
    )
    made.add_argument("measurement", metavar="MEASUREMENT", help="file of iperf3 -J, or .flent.gz")
    for name, text in _NETWORK.items():
        made.add_argument(f"--{name}", help=text)
    made.add_argument("--kernel", action="store_true", help="and with the Linux kernel, in virtual time")
    made.add_argument("--direction", choices=flent.DIRECTIONS, help="of flent's tests of both directions")
    made.add_argument("--save", metavar="FILE", help="write the scenario, too, e.g. my-link.yaml")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print CSV")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; return the exit status."""
    options = parser().parse_args(arguments)
    return command.run(lambda: compare(options))


def read(file: str, omit: str | None = None, direction: str | None = None) -> Measured:
    """Return what a file of either tool says; AtlasError for anything else."""
    start_up = None if omit is None else float(parsed("--omit", omit, "s"))
    if start_up is not None and start_up < 0:
        raise AtlasError(f"--omit: {omit!r} is out of range; at least '0 s'")
    document = document_of(Path(file))
    if flent.is_it(document):
        return flent.measured(document, start_up, direction)
    if direction is not None:
        raise AtlasError("--direction: of flent's tests; an iperf3 file has one")
    return iperf3.measured(document, start_up)


def compare(options: argparse.Namespace) -> int:
    """Compare a measurement as options say; returns 0."""
    measured = read(options.measurement, options.omit, options.direction)
    link = comparison.link_of(measured, {name: getattr(options, name) for name in [*_NETWORK][:_OF_LINK]})
    names = (options.tcp or "").replace(",", " ").split()
    among = comparison.candidates(measured, link, names, options.kernel)
    with tempfile.TemporaryDirectory() as folder, Progress("simulating") as line:

        def progress(text: str) -> None:
            line.text = f"simulating {text}"

        rows = list(comparison.compared(measured, among, Path(folder), progress))
    title = f"{measured.title}{f' · {measured.tcp}' if measured.tcp else ''}"
    assumed = [*link.assumed, *among[0].question.assumed, *_of_runs(measured, among)]
    table = list(comparison.table(measured, rows))
    if options.json:
        print(to_json({"measurement": title, "assumed": assumed, "rows": table}), end="")
    elif options.csv:
        print(to_csv(comparison.COLUMNS, table), end="")
    else:
        print("\n".join(f"  {line}".rstrip() for line in shown(measured, title, rows, assumed)))
    if options.save:
        scenario = comparison.scenario(title, among)
        write_if_changed(Path(options.save), yaml.safe_dump(scenario, sort_keys=False, allow_unicode=True))
    return 0


def _of_runs(measured: Measured, among: Sequence[Candidate]) -> Iterator[str]:
    """Yield what else is not as it was measured."""
    if measured.tcp and comparison.own(measured) not in {each.name for each in among}:
        yield f"the measurement's {measured.tcp} is not among these (--tcp)"
    if measured.other and any("return" not in each.document["links"] for each in among):
        yield f"by the kernel the {measured.way} as if the other way were free"
    shortest = min(each.document["stop"]["duration_s"] for each in among)
    if shortest < measured.seconds:
        yield f"runs of {shortest:.3g} s only, which vary more"


def shown(measured: Measured, title: str, rows: Sequence[Row], assumed: Sequence[str]) -> Iterator[str]:
    """Yield the answer for people."""
    yield from (
        "",
        title,
        f"{measured.seconds:.3g} s measured after {measured.start_up_s:.3g} s of start-up",
        "",
    )
    own = comparison.own(measured)
    names = {row.source: f"  {row.source}{' *' * (row.source.endswith(f':{own}'))}" for row in rows}
    called = titles(measured)
    width = max(map(len, [*names.values(), *called.values()]))
    values = comparison.values_of(measured)
    for metric, value in values.items():
        unit = unit_for(metric, value)
        yield f"{called[metric]:{width}}  {unit.text(value)} measured"
        for row in (row for row in rows if row.metric == metric):
            mean = unit.number(row.value, row.ci_high - row.value)
            span = map(unit.number, (row.run_low, row.run_high))
            yield f"{names[row.source]:{width}}  {mean:>14}  {' … '.join(span):>18}  {_verdict(row)}"
    if missing := [title for metric, title in called.items() if metric not in values]:
        yield from ("", f"Not in this file: {', '.join(missing)}.")
    fewest = min((row.runs for row in rows), default=comparison.RUNS)
    share = round(100 * (fewest - 1) / (fewest + 1))
    yield from (
        "",
        f"Mean with its 95 % interval, then the lowest … highest of {fewest} runs as long as what was",
    )
    marked = " * is what was measured." * any(name.endswith("*") for name in names.values())
    yield from (f"measured, between which {share} % of such runs are.{marked}", "")
    yield from (f"Assumed: {'; '.join(assumed)}.", "")


def _verdict(row: Row) -> str:
    if row.verdict == "inside":
        return "inside"
    by = unit_for(row.metric, row.measured).text(row.measured)
    return f"{by if row.difference is None else f'{100 * abs(row.difference):.2g} %'} {row.verdict}"


if __name__ == "__main__":
    sys.exit(main())
