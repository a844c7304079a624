rule predict:
    input:
        points="results/points/{study}/{set}.sha256",
        code=files("workflow/tcpatlas/predict.py", "workflow/tcpatlas/models/**/*.py"),
    output:
        "results/predictions/{study}/{set}/{model}.json",
    log:
        "results/logs/predict/{study}/{set}/{model}.log",
    benchmark:
        "results/benchmarks/predict/{study}/{set}/{model}.tsv"
    params:
        points=lambda wildcards: [
            point.path(RESULTS) for point in SETS[wildcards.study, wildcards.set].points
        ],
    message:
        "Predicting {wildcards.study}/{wildcards.set} by {wildcards.model}"
    shell:
        "python -m tcpatlas predict --model {wildcards.model} --points {params.points} --out {output} 2> {log}"
