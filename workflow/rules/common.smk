# Common parts of all rules: the environment of the jobs, and the project, validated before any of them starts.
import gc
import os
import re
from functools import cache
import shutil
import sys
import time
from pathlib import Path

from snakemake.settings.types import DeploymentMethod

WORKFLOW = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent

# Jobs see a clean environment (envs/environment.txt). They use the Python that runs Snakemake, even if .venv is not
# activated.
sys.path.insert(0, str(WORKFLOW))
from tcpatlas.base.environment import adopt

adopt()
os.environ.update(PATH=os.pathsep.join([str(Path(sys.executable).parent), os.getenv("PATH", os.defpath)]))

if DeploymentMethod.APPTAINER in workflow.deployment_settings.deployment_method:
    if not Path(IMAGE).is_file():
        sys.exit(f"{IMAGE} is not here; docs/in-a-container.md says how to make it")
else:
    for tool in ("cmake", "ninja", "Rscript", "latexmk"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed; run ./atlas setup")
try:
    from tcpatlas.base.imports import imported, r_sources, sources
    from tcpatlas.pipeline.compare import ALL_COLUMNS
    from tcpatlas.config.load import load_project, write_points
    from tcpatlas.base.errors import AtlasError
    from tcpatlas.base.files import from_the_future, read_csv_rows, remove_partial_files, to_json
    from tcpatlas.models import FOLDERS, engine_of, file_of, folders_from_elsewhere, infers, is_fed
    from tcpatlas.points.engines import all_engines, code_of_engine
    from tcpatlas.metadata.provenance import input_files, record_inputs
    from tcpatlas.runs.jobs import jobs
    from tcpatlas.runs.made_of import digest_of_job, record, sources_digest
    from tcpatlas.pipeline.plan import ended, plan
    from tcpatlas.runs.store import digest, predictions_file
    from tcpatlas.trust.measured import has_map
except ModuleNotFoundError as error:
    sys.exit(f"the Python package {error.name} is not installed; run ./atlas setup, then .venv/bin/snakemake")
# Outputs would be older than such inputs, which Snakemake reports as an error, after all the work.
if later := from_the_future(Path()):
    sys.exit(
        f"{len(later)} files are dated in the future, such as {later[0]}; run: find . -newermt now -exec touch {{}} +"
    )
try:
    project = load_project(config)
except AtlasError as error:
    sys.exit(str(error))
# The project stays to the end; a garbage collection of it would take a second.
gc.freeze()
os.environ[FOLDERS] = os.pathsep.join(folders_from_elsewhere())


def models_of(study):
    """The models that answer sets of a study."""
    return sorted({model for one in EVERY[study].sets for model in one.models})


def program_of(model):
    """The program of the engine that a model runs; most run none."""
    engine = engine_of(model)
    return [f"build/release/{engine}/{engine}"] if engine else []


def jobs_for(study, model):
    """The jobs of the sets that a model answers, for one that says something of what they measured."""
    if not (is_fed(model) or infers(model)):
        return {}
    return {
        key: job
        for key, job in JOBS.items()
        if job.study == study and any(model in share.set.models for share in job.shares)
    }


@cache
def code(*modules):
    """The files of this tree that Python reads to import the modules."""
    return [os.path.relpath(file) for file in sources(WORKFLOW, modules)]


@cache
def code_of_model(model):
    """The files that a model is made of; one that comes with a study from elsewhere is none of this tree."""
    name, file = f"tcpatlas.models.{model}", file_of(model)
    own = (
        []
        if file.is_relative_to(WORKFLOW)
        else [os.path.relpath(one) for one in sorted(file.parent.glob("*.py"))]
    )
    return own + code("tcpatlas.runs.predict", *(imported(file, name) if own else [name]))


def files(*patterns):
    """The files of this tree that match, in a fixed order."""
    return sorted({str(path) for pattern in patterns for path in Path().glob(pattern) if path.is_file()})


RESULTS = Path("results")
STUDIES = {study.name: study for study in project.studies}
PAPERS = [study.name for study in project.studies if study.paper]
# Re-evaluations (scenarios/now) have their own runs and share one verdict table.
AGAIN = {study.name: study for study in project.again}
EVERY = STUDIES | AGAIN
JOBS = {(job.study, job.engine, job.number): job for study in EVERY.values() for job in jobs(study)}
ENGINES = sorted({f"build/release/{engine}/{engine}" for _, engine, _ in JOBS})
# The driver of engines, and the configuration of the results
DRIVER = code("tcpatlas.runs.simulate")
CONFIG_IN_FORCE = RESULTS / "config.json"
RUNS = [str(job.file(RESULTS)) for job in JOBS.values()]
PREDICTIONS = [str(predictions_file(RESULTS, study, model)) for study in EVERY for model in models_of(study)]
# Formats of rendered items; the HTML report shows the first.
ENDINGS = {"figure": ["svg", "pdf", "png", "csv", "json"], "table": ["html", "tex", "csv"]}
# The laboratory is left out if its compiler is not installed.
MODULE = "build/wasm/packetsim.wasm"
HAS_MODULE = Path(MODULE).is_file() or (shutil.which("clang++-19") and shutil.which("wasm-ld-19"))
LAB = ["results/lab.html"] if HAS_MODULE else []
TABLE_NAMES = list(ALL_COLUMNS)
TABLES = expand("results/{table}.csv", table=TABLE_NAMES)


wildcard_constraints:
    study="[^/]+",
    engine="[^/]+",
    job="[0-9]+",
    model="[^/]+",


def by_verdict(study):
    """Whether verdicts say how many replications a study has (docs/decisions/then-and-now.md)."""
    return any(one.by_verdict for one in EVERY[study].sets)


def driver(study):
    """The files of this tree that simulate a study's points."""
    if not by_verdict(study):
        return DRIVER
    models = [file for model in models_of(study) for file in code_of_model(model)]
    return sorted({*code("tcpatlas.pipeline.by_verdict", "tcpatlas.pipeline.now"), *models})


def originals(study):
    """The verdicts with the paper's own TCP, of a study that asks its sentences again."""
    source = EVERY[study].again.source
    return expand("results/studies/{study}/{table}.csv", study=source, table=["claims", "statements"])


def judged_by(study):
    """The files by which such a study is judged."""
    return [*originals(study), *items_of(EVERY[study].again.source), EVERY[study].file]


def urgency(wildcards):
    """The longest simulation first, and before it what others are judged by: both below 0, that of all other jobs."""
    sources = {study.again.source for name, study in AGAIN.items() if by_verdict(name)}
    return round(job_of(wildcards).seconds) - (10000 if wildcards.study in sources else 20000)


def key_of(wildcards):
    """What a simulation job is called."""
    return wildcards.study, wildcards.engine, int(wildcards.job)


def job_of(wildcards):
    """What a simulation job simulates."""
    return JOBS[key_of(wildcards)]


def predicted(study, model):
    """The sets whose points a model answers: for one that knows a paper's TCP alone, the paper's."""
    found = []
    for one in EVERY[study].sets:
        if model in one.models:
            source = STUDIES[EVERY[study].again.source] if model in one.of_source else None
            found.append(next(other for other in source.sets if other.name == one.name) if source else one)
    return found


def as_asked(output, asked, files, said=record):
    """The files that an output is made of. One that does not say that it is of what is asked for is made again.

    What Snakemake remembers is no matter: its records may be lost, or of another tree.
    """
    if Path(output).exists() and said(Path(output)) != asked:
        workflow.dag.forcefiles.add(str(output))
    return files


@cache
def runs_made_of(study, engine, number):
    """The digest of all that a job's runs are made of; not of how old these files are."""
    job = JOBS[study, engine, number]
    lengths = [share.length for share in job.shares]
    sources, others = code_of_engine(Path("workflow/engines"), engine), []
    if by_verdict(study):
        source = EVERY[study].again.source
        sources = [*sources, *items_of(source), EVERY[study].file]
        others = [runs_made_of(*key) for key in JOBS if key[0] == source]
    code = sources_digest((*driver(study), *sources))
    return digest_of_job([job.digest, lengths, project.config["confidence"], *others, code])


@cache
def digest_of_predicted(study, model):
    """The digest of the points that a model answers."""
    return digest(point.document for one in predicted(study, model) for point in one.points)


@cache
def predictions_made_of(study, model):
    """The digest of all that a model's predictions are made of."""
    sources = code_of_engine(Path("workflow/engines"), engine_of(model)) if engine_of(model) else []
    runs = [runs_made_of(*key) for key in jobs_for(study, model)]
    return digest_of_job(
        [digest_of_predicted(study, model), *runs, sources_digest((*code_of_model(model), *sources))]
    )


def digests(table):
    """The digests of the studies that a table of studies is of."""
    return {row["study"]: row.get("digest") for row in read_csv_rows(table)}


@cache
def digest_of_study(name):
    """What changes with the configuration, or with anything that a study was expanded to."""
    return project.digest(EVERY[name])


def study_digest(wildcards):
    """The digest of the study of a job."""
    return digest_of_study(wildcards.study)


def items(kind, study):
    """The titles of a study's items to render as "figure" or "table"; without any, each set is both."""
    study = STUDIES[study]
    if not study.folder:
        return {one.name: one.title for one in study.sets}
    return {item.name: item.title for item in project.items[study.name] if item.kind == kind}


def items_of(study):
    """The files that say what a study shows and what is printed of it."""
    folder = STUDIES[study].folder
    return sorted(str(path) for path in Path(folder).iterdir() if path.is_file()) if folder else []


def sections():
    """The sections of the report that come with studies from elsewhere."""
    return [file for study in STUDIES for file in items_of(study) if Path(file).name == "section.tex"]


def rendered(kind, *endings):
    """The files, of these endings or of all, of all items of all studies to render as "figure" or "table"."""
    return [
        f"results/{kind}s/{study}/{name}.{ending}"
        for study in STUDIES
        for name in items(kind, study)
        for ending in endings or ENDINGS[kind]
    ]


def study_tables(study):
    """The results of a study that figures, tables and report are made of."""
    return expand("results/studies/{study}/{table}.csv", study=study, table=TABLE_NAMES)


def r_code(command, study=""):
    """The files that a command of R is made of, with the figures of a study of this tree."""
    own = study if study and STUDIES[study].folder.startswith("scenarios/") else "-"
    figures = WORKFLOW / "figures"
    scripts = [figures / "bin" / name for name in ("load.R", f"{command}.R")]
    studies = [*figures.glob(f"studies/{own}.R"), *figures.glob(f"studies/{own}/*.R")]
    used = [os.path.relpath(file) for file in r_sources(figures / "R", [*scripts, *studies])]
    return ["workflow/metrics.yaml", *files("workflow/engines/*/engine.yaml"), *used]


def verbatim(text):
    """A text that looks the same, and in which Snakemake finds no wildcard: a word joiner follows each brace."""
    return text.replace("{", "{\u2060")


def record_time():
    """Record how long a whole run took that `./atlas reproduce` began with nothing, for `./atlas readme`."""
    if began := os.environ.get("TCP_ATLAS_BEGAN"):
        with Path(".atlas/costs.tsv").open("a") as costs:
            costs.write(f"reproduce\t{time.time() - float(began):.0f}\n")


def begin():
    """Write what the jobs of this run read. Parsing writes nothing: a dry run must not relabel results."""
    try:
        remove_partial_files(RESULTS)
        write_points(project, RESULTS)
        record_inputs(project, RESULTS)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")


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
