# The configuration in force, with all that was set on the command line.
rule configuration:
    output:
        "results/config.json",
    log:
        "results/logs/configuration.log",
    benchmark:
        "results/benchmarks/configuration.tsv"
    params:
        config=to_json(project.config),
    message:
        "Writing the configuration in force"
    shell:
        "printf '%s' {params.config:q} > {output} 2> {log}"


rule compare:
    input:
        config="results/config.json",
        runs=RUNS,
        predictions=PREDICTIONS,
        published=files("config/papers/**/*"),
        code=files("workflow/tcpatlas/*.py", "workflow/tcpatlas/models/**/*.py"),
    output:
        TABLES,
    log:
        "results/logs/compare.log",
    benchmark:
        "results/benchmarks/compare.tsv"
    message:
        "Comparing simulations, predictions and published numbers"
    shell:
        "python -m tcpatlas compare --config {input.config} --results results 2> {log}"


rule provenance:
    input:
        TABLES,
        config="results/config.json",
    output:
        "results/provenance.json",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.tsv"
    message:
        "Recording what made the results"
    shell:
        "python -m tcpatlas provenance --config {input.config} --results results 2> {log}"
