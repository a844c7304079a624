rule predict:
    input:
        points=lambda wildcards: [
            point.path(RESULTS) for point in SETS[f"{wildcards.study}/{wildcards.set}"].points
        ],
        code=files("workflow/tcpatlas/predict.py", "workflow/tcpatlas/models/**/*.py"),
    output:
        "results/predictions/{study}/{set}/{model}.json",
    log:
        "results/logs/predict/{study}/{set}/{model}.log",
    benchmark:
        "results/benchmarks/predict/{study}/{set}/{model}.tsv"
    message:
        "Predicting {wildcards.study}/{wildcards.set} by {wildcards.model}"
    shell:
        "python -m tcpatlas predict --model {wildcards.model} --points {input.points} --out {output} 2> {log}"
