# A model answers all sets of a study in one job: most are answered in less time than a job takes to start. The output is
# a list of their files with their digests.
rule predict:
    input:
        points=lambda wildcards: [
            f"results/points/{study}/{name}.sha256"
            for (study, name), scenario_set in SETS.items()
            if study == wildcards.study and wildcards.model in scenario_set.models
        ],
        code=files("workflow/tcpatlas/runs/predict.py", "workflow/tcpatlas/models/**/*.py"),
    output:
        "results/predictions/{study}/{model}.sha256",
    log:
        "results/logs/predict/{study}/{model}.log",
    benchmark:
        "results/benchmarks/predict/{study}/{model}.tsv"
    message:
        "Predicting {wildcards.study} by {wildcards.model}"
    shell:
        "python -m tcpatlas predict --model {wildcards.model} --points {input.points} > {output} 2> {log}"
