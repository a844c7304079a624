# The configuration in force; its readers are made again when it changes. (As an ancient input it would keep Snakemake
# from finding other jobs that are due: a run of another scenario ended with this job alone.)
rule configuration:
    input:
        lambda wildcards: as_asked(CONFIG_IN_FORCE, to_json(project.config), [], Path.read_text),
    output:
        "results/config.json",
    log:
        "results/logs/configuration.log",
    benchmark:
        "results/benchmarks/configuration.tsv"
    resources:
        mem_mb=100,
        runtime=5,
    params:
        text=to_json(project.config),
    message:
        "Writing the configuration in force"
    shell:
        "printf %s {params.text:q} > {output} 2> {log}"


# Error maps: expected errors of models, from those at the points of a study's designs.
rule error_map:
    input:
        config="results/config.json",
        runs=lambda wildcards: [file for file in RUNS if file.startswith(f"results/runs/{wildcards.study}/")],
        predictions=lambda wildcards: [
            file for file in PREDICTIONS if file.startswith(f"results/predictions/{wildcards.study}/")
        ],
        code=code("tcpatlas.pipeline.compare", "tcpatlas.config.load"),
    output:
        "results/error-maps/{study}.npz",
    log:
        "results/logs/error-map/{study}.log",
    benchmark:
        "results/benchmarks/error-map/{study}.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        digest=study_digest,
    message:
        "Mapping the models' errors in {wildcards.study}"
    shell:
        "python -m tcpatlas error-map --study {wildcards.study} --digest {params.digest} --results results 2> {log}"


rule compare:
    input:
        config="results/config.json",
        runs=lambda wildcards: [file for file in RUNS if file.startswith(f"results/runs/{wildcards.study}/")],
        predictions=lambda wildcards: [
            file for file in PREDICTIONS if file.startswith(f"results/predictions/{wildcards.study}/")
        ],
        published=lambda wildcards: as_asked(
            RESULTS / f"studies/{wildcards.study}/studies.csv",
            {wildcards.study: study_digest(wildcards)},
            items_of(wildcards.study),
            digests,
        ),
        code=code("tcpatlas.pipeline.compare", "tcpatlas.config.load"),
        maps=lambda wildcards: (
            [f"results/error-maps/{wildcards.study}.npz"] if has_map(STUDIES[wildcards.study]) else []
        ),
    output:
        expand("results/studies/{{study}}/{table}.csv", table=TABLE_NAMES),
    log:
        "results/logs/compare/{study}.log",
    benchmark:
        "results/benchmarks/compare/{study}.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        digest=study_digest,
    message:
        "Comparing simulations, predictions and printed numbers of {wildcards.study}"
    shell:
        "python -m tcpatlas compare --study {wildcards.study} --digest {params.digest} --results results 2> {log}"


rule gather:
    input:
        lambda wildcards: as_asked(
            RESULTS / "studies.csv",
            {study: digest_of_study(study) for study in STUDIES},
            expand("results/studies/{study}/{table}.csv", study=STUDIES, table=TABLE_NAMES),
            digests,
        ),
        config="results/config.json",
        code=code("tcpatlas.pipeline.compare"),
    output:
        TABLES,
    log:
        "results/logs/gather.log",
    benchmark:
        "results/benchmarks/gather.tsv"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Joining the tables of all studies"
    shell:
        "python -m tcpatlas gather --results results 2> {log}"


rule provenance:
    input:
        TABLES,
        RUNS,
        config="results/config.json",
        read=sorted(input_files(project).values()),
        code=code("tcpatlas.metadata.provenance"),
    output:
        "results/provenance.json",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.tsv"
    resources:
        mem_mb=300,
        runtime=5,
    message:
        "Recording what made the results"
    shell:
        "python -m tcpatlas provenance --results results 2> {log}"
