# Re-evaluates the papers' sentences and numbers with today's TCP (scenarios/now/, docs/decisions/then-and-now.md).
rule again:
    input:
        config="results/config.json",
        runs=lambda wildcards: [file for file in RUNS if file.startswith(f"results/runs/{wildcards.study}/")],
        predictions=lambda wildcards: [
            file for file in PREDICTIONS if file.startswith(f"results/predictions/{wildcards.study}/")
        ],
        judged=lambda wildcards: judged_by(wildcards.study),
        code=code("tcpatlas.pipeline.now", "tcpatlas.config.load"),
    output:
        multiext("results/now/{study}/", "verdicts.csv", "measured.csv"),
    log:
        "results/logs/again/{study}.log",
    benchmark:
        "results/benchmarks/again/{study}.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        digest=study_digest,
    message:
        "Judging again: {wildcards.study}"
    shell:
        "python -m tcpatlas again --study {wildcards.study} --digest {params.digest} --results results 2> {log}"


rule now:
    input:
        expand("results/now/{study}/{table}.csv", study=AGAIN, table=["verdicts", "measured"]),
        expand(
            "results/studies/{study}/{table}.csv",
            study=sorted({study.again.source for study in AGAIN.values()}),
            table=["observations", "predictions"],
        ),
        config="results/config.json",
        code=code("tcpatlas.pipeline.now"),
    output:
        multiext("results/now", ".csv", ".txt"),
        multiext("results/now_", "figure.csv", "findings.csv"),
    log:
        "results/logs/now.log",
    benchmark:
        "results/benchmarks/now.tsv"
    resources:
        mem_mb=300,
        runtime=5,
    message:
        "Joining what still holds"
    shell:
        "python -m tcpatlas again --results results 2> {log}"


rule now_figure:
    input:
        "results/now_figure.csv",
        code=r_code("now"),
        command="workflow/figures/bin/now.R",
    output:
        report(
            "results/report/now.svg",
            caption="../report/now.rst",
            category="Then and now",
            labels={"item": "what still holds, in pictures"},
        ),
        multiext("results/report/now", ".pdf", ".png"),
    log:
        "results/logs/now_figure.log",
    benchmark:
        "results/benchmarks/now_figure.tsv"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Drawing the papers' TCP beside today's"
    shell:
        "Rscript {input.command} --out results/report/now > {log} 2>&1"


# User scenarios need not re-evaluate anything.
NOW = [*rules.now.output, *rules.now_figure.output] if AGAIN else []
