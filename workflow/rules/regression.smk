rule regression:
    input:
        TABLES,
        NOW,
        rendered("figure", "csv"),
        rendered("table", "csv"),
        baseline=files(f"config/baseline/{project.scale}/**/*.csv"),
        code=code("tcpatlas.regression.baseline", "tcpatlas.regression.items"),
        drawn=r_code("moved"),
        command="workflow/figures/bin/moved.R",
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
        "Comparing with the accepted numbers, figures and tables"
    shell:
        "if python -m tcpatlas baseline --check --results results --points > {log} 2>&1;"
        " then cp {log} {output};"
        " else Rscript {input.command} --points results/moved >> {log} 2>&1; exit 1; fi"
