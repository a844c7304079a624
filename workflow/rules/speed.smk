# The output of ./atlas bench is not a result of this workflow; the report shows it if it exists.
BENCH = files("results/bench.csv")


rule speed:
    input:
        bench="results/bench.csv",
        code=r_code("speed"),
        command="workflow/figures/bin/speed.R",
    output:
        report(
            "results/report/speed.html",
            caption="../report/speed.rst",
            category="Speed",
            labels={"item": "simulators side by side"},
        ),
        "results/report/speed.tex",
    log:
        "results/logs/speed.log",
    benchmark:
        "results/benchmarks/speed.tsv"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Showing the speed of the simulators"
    shell:
        "Rscript {input.command} --out results/report/speed.tex > {log} 2>&1"


SPEED = rules.speed.output if BENCH else []
