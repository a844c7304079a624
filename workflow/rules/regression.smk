rule regression:
    input:
        TABLES,
        config="results/config.json",
        baseline=files(f"config/baseline/{project.scale}/*.csv"),
    output:
        "results/regression.txt",
    log:
        "results/logs/regression.log",
    benchmark:
        "results/benchmarks/regression.tsv"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Comparing with the accepted numbers"
    shell:
        "python -m tcpatlas baseline --check --results results > {log} 2>&1" " && cp {log} {output}"
