# A set's points, and a list of them with their digests. The scenario file itself is not what decides: a set is expanded
# again exactly when one of its points changed.
rule expand:
    input:
        scenario=lambda wildcards: ancient(STUDIES[wildcards.study].file),
    output:
        "results/points/{study}/{set}.sha256",
    log:
        "results/logs/expand/{study}/{set}.log",
    benchmark:
        "results/benchmarks/expand/{study}/{set}.tsv"
    params:
        config=lambda wildcards: to_json({**project.config, "scenarios": [STUDIES[wildcards.study].file]}),
        points=lambda wildcards: [point.name for point in SETS[wildcards.study, wildcards.set].points],
        digest=lambda wildcards: digest(SETS[wildcards.study, wildcards.set].points),
    message:
        "Expanding {wildcards.study}/{wildcards.set}"
    shell:
        "python -m tcpatlas expand --config <(printf '%s' {params.config:q}) --set {wildcards.study}/{wildcards.set}"
        " --points {params.points} --results results > {output} 2> {log}"


# A job is a few short points or a long one. Each point's result is a file of its own; the output is a list of them with
# their digests, as sha256sum writes it. The driver keeps every replication, so that a job that runs again, whether it
# was killed or something beside it changed, simulates only what is new.
rule simulate:
    input:
        points="results/points/{study}/{set}.sha256",
        engine="build/release/{engine}/{engine}",
        driver=files(
            "workflow/tcpatlas/points/probes.py",
            "workflow/tcpatlas/runs/replications.py",
            "workflow/tcpatlas/points/run_length.py",
            "workflow/tcpatlas/runs/simulate.py",
            "workflow/tcpatlas/base/statistics.py",
        ),
    output:
        "results/runs/{study}/{set}/{engine}-{job}.sha256",
    log:
        "results/logs/simulate/{study}/{set}/{engine}-{job}.log",
    benchmark:
        "results/benchmarks/simulate/{study}/{set}/{engine}-{job}.tsv"
    params:
        points=lambda wildcards: [point.path(RESULTS) for point in job_points(wildcards)],
        runs=lambda wildcards: [point.run_path(RESULTS, wildcards.engine) for point in job_points(wildcards)],
        confidence=project.config["confidence"],
        length=lambda wildcards: SETS[wildcards.study, wildcards.set].engines[wildcards.engine],
    message:
        "Simulating {wildcards.study}/{wildcards.set} by {wildcards.engine}, job {wildcards.job}"
    shell:
        "python -m tcpatlas simulate --engine {wildcards.engine} --engine-command {input.engine}"
        " --confidence {params.confidence} --length {params.length} --point {params.points} --out {params.runs} 2> {log}"
        " && sha256sum {params.runs} > {output}"
