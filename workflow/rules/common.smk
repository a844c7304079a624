# What all rules share: the environment of the jobs, and the project, validated before any of them starts.
import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

WORKFLOW = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent

# Jobs use the Python that runs Snakemake, even where .venv is not activated, and the package of this tree; what they
# write does not depend on the user's language or on the time of day.
os.environ.update(
    PATH=os.pathsep.join([str(Path(sys.executable).parent), os.getenv("PATH", os.defpath)]),
    PYTHONPATH=str(WORKFLOW),
    LC_ALL="C.UTF-8",
    FORCE_SOURCE_DATE="1",
    SOURCE_DATE_EPOCH=os.getenv("SOURCE_DATE_EPOCH", "0"),
    # R's scripts are done before it pays to compile their functions.
    R_ENABLE_JIT="0",
)
sys.path.insert(0, str(WORKFLOW))

for tool in ("cmake", "ninja", "Rscript", "latexmk"):
    if shutil.which(tool) is None:
        sys.exit(f"{tool} is not installed; run ./atlas setup")
try:
    from tcpatlas.claims.compare import ALL_COLUMNS
    from tcpatlas.config import load_project
    from tcpatlas.base.errors import AtlasError
    from tcpatlas.base.files import to_json
    from tcpatlas.points.jobs import jobs
    from tcpatlas.runs.plan import plan
except ModuleNotFoundError as error:
    sys.exit(f"the Python package {error.name} is not installed; run ./atlas setup, then .venv/bin/snakemake")
try:
    project = load_project(config)
except AtlasError as error:
    sys.exit(str(error))


def files(*patterns):
    """The files of this tree that match, in a fixed order."""
    return sorted({str(path) for pattern in patterns for path in Path().glob(pattern) if path.is_file()})


def packets_per_second(engine, length):
    """How fast an engine gets through the packets of a scenario, of which it may get a shorter version."""
    slowness = project.config.get("slow_engines", {}).get(engine, {}).get("slowness", 1)
    return project.config["cost"]["packets_per_core_second"] / length / slowness


RESULTS = Path("results")
STUDIES = {study.name: study for study in project.studies}
SETS = {(scenario_set.study, scenario_set.name): scenario_set for scenario_set in project.sets}
JOBS = {
    (study, name, engine): list(jobs(scenario_set.points, packets_per_second(engine, length)))
    for (study, name), scenario_set in SETS.items()
    for engine, length in scenario_set.engines.items()
}
ENGINES = sorted({f"build/release/{engine}/{engine}" for _, engine in project.runs()})
POINTS = [f"results/points/{study}/{name}.sha256" for study, name in SETS]
RUNS = [
    f"results/runs/{study}/{name}/{engine}-{number}.sha256"
    for (study, name, engine), shares in JOBS.items()
    for number in range(1, len(shares) + 1)
]
PREDICTIONS = sorted(
    {
        f"results/predictions/{scenario_set.study}/{model}.sha256"
        for scenario_set in project.sets
        for model in scenario_set.models
    }
)
# What an item is rendered as; the first is what the HTML report shows.
ENDINGS = {"figure": ["svg", "pdf", "png"], "table": ["html", "tex", "csv"]}
TABLE_NAMES = list(ALL_COLUMNS)
TABLES = expand("results/{table}.csv", table=TABLE_NAMES)


wildcard_constraints:
    study="[^/]+",
    set="[^/]+",
    engine="[^/]+",
    job="[0-9]+",
    model="[^/]+",


def job_points(wildcards):
    """The points that a job simulates."""
    return JOBS[wildcards.study, wildcards.set, wildcards.engine][int(wildcards.job) - 1]


def digest(points):
    """One digest of all that some points hold."""
    return hashlib.sha256("".join(to_json(point.document) for point in points).encode()).hexdigest()


def items(kind, study):
    """The titles of a study's items to render as "figure" or "table"; without a paper, each set is both."""
    study = STUDIES[study]
    return {
        entry.name: entry.title
        for entry in (project.items[study.name] if study.paper else study.sets)
        if not study.paper or entry.name.startswith("figure") == (kind == "figure")
    }


def rendered(kind, *endings):
    """The files, of these endings or of all, of all items of all studies to render as "figure" or "table"."""
    return [
        f"results/{kind}s/{study}/{name}.{ending}"
        for study in STUDIES
        for name in items(kind, study)
        for ending in endings or ENDINGS[kind]
    ]


def reasons(logs):
    """What the failed jobs said last: the reason, and for an engine the command that shows it again."""
    failed = re.findall(r"^ +log: (.+) \(check log", Path(logs[0]).read_text(), re.MULTILINE)
    return "\n\n".join(["", *(f"{file}:\n{last_words(file)}" for file in failed)])


def last_words(log):
    """The last lines of a log; of an empty one, what may have kept it so."""
    lines = Path(log).read_text().strip().splitlines()
    if lines:
        return "\n".join(lines[-2:])
    free = shutil.disk_usage(Path(log).parent).free
    return f"nothing is in it; its disk has {free / 1e6:.1f} MB left"
