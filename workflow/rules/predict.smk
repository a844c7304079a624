# A model answers all sets of a study in one job: most answers take less time than a job takes to start. A model fed
# with measurements waits for the engines' runs.
rule predict:
    input:
        code=lambda wildcards: ancient(
            as_asked(
                predictions_file(RESULTS, **wildcards),
                predictions_made_of(**wildcards),
                code_of_model(wildcards.model),
            )
        ),
        engine=lambda wildcards: ancient(program_of(wildcards.model)),
        runs=lambda wildcards: [str(job.file(RESULTS)) for job in jobs_for(**wildcards).values()],
    output:
        "results/predictions/{study}/{model}.jsonl",
    log:
        "results/logs/predict/{study}/{model}.log",
    benchmark:
        "results/benchmarks/predict/{study}/{model}.tsv"
    # A model that runs an engine takes longer than a simulation job: it starts first, so that nothing waits for it.
    priority: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        points=lambda wildcards: [one.points_path(RESULTS) for one in predicted(**wildcards)],
        digest=lambda wildcards: digest_of_predicted(**wildcards),
        made_of=lambda wildcards: predictions_made_of(**wildcards),
    message:
        "Predicting {wildcards.study} by {wildcards.model}"
    shell:
        "python -m tcpatlas predict --model {wildcards.model} --points {params.points} --digest {params.digest}"
        " --made-of {params.made_of} --runs {input.runs} --out {output} 2> {log}"
