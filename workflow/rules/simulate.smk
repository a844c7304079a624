# The content of a point is a parameter of the job that writes it: a point is written, and simulated, again exactly when
# its content changed, whatever else changed in the scenario file.
rule expand:
    output:
        "results/points/{study}/{set}/{point}.json",
    log:
        "results/logs/expand/{study}/{set}/{point}.log",
    benchmark:
        "results/benchmarks/expand/{study}/{set}/{point}.tsv"
    params:
        document=lambda wildcards: to_json(POINTS[wildcards.study, wildcards.set, wildcards.point].document),
    message:
        "Writing the point {wildcards.study}/{wildcards.set}/{wildcards.point}"
    shell:
        "printf '%s' {params.document:q} > {output} 2> {log}"


DRIVER = [f"workflow/tcpatlas/{name}.py" for name in ("simulate", "replications", "statistics", "probes")]


rule simulate:
    input:
        point="results/points/{study}/{set}/{point}.json",
        engine="build/release/{engine}/{engine}",
        driver=DRIVER,
    output:
        "results/runs/{study}/{set}/{point}/{engine}.json",
    log:
        "results/logs/simulate/{study}/{set}/{point}/{engine}.log",
    benchmark:
        "results/benchmarks/simulate/{study}/{set}/{point}/{engine}.tsv"
    params:
        confidence=project.config["confidence"],
    message:
        "Simulating {wildcards.study}/{wildcards.set}/{wildcards.point} by {wildcards.engine}"
    shell:
        "python -m tcpatlas simulate --point {input.point} --engine {wildcards.engine} --engine-command {input.engine}"
        " --confidence {params.confidence} --out {output} 2> {log}"
