# Starting a job costs more than simulating a short point: the points of a set with many of them share jobs.
BATCH = 30
MANY_POINTS = {scenario_set.name for scenario_set in project.sets if len(scenario_set.points) > BATCH}
FEW_POINTS = f"(?!(?:{'|'.join(map(re.escape, sorted(MANY_POINTS)))})/)[^/]+" if MANY_POINTS else "[^/]+"
BATCHES = [
    (scenario_set, start // BATCH + 1, scenario_set.points[start : start + BATCH])
    for scenario_set in project.sets
    if scenario_set.name in MANY_POINTS
    for start in range(0, len(scenario_set.points), BATCH)
]


# The content of a point is a parameter of the job that writes it: a point is written, and simulated, again exactly when
# its content changed, whatever else changed in the scenario file.
rule expand:
    output:
        "results/points/{study}/{set}/{point}.json",
    log:
        "results/logs/expand/{study}/{set}/{point}.log",
    benchmark:
        "results/benchmarks/expand/{study}/{set}/{point}.tsv"
    wildcard_constraints:
        set=FEW_POINTS,
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
    wildcard_constraints:
        set=FEW_POINTS,
    params:
        confidence=project.config["confidence"],
    message:
        "Simulating {wildcards.study}/{wildcards.set}/{wildcards.point} by {wildcards.engine}"
    shell:
        "python -m tcpatlas simulate --point {input.point} --engine {wildcards.engine} --engine-command {input.engine}"
        " --confidence {params.confidence} --out {output} 2> {log}"


for scenario_set, number, points in BATCHES:

    rule:
        name:
            f"expand_{scenario_set.full_name}_{number}"
        output:
            [point.path(RESULTS) for point in points],
        log:
            f"results/logs/expand/{scenario_set.full_name}/{number}.log",
        benchmark:
            f"results/benchmarks/expand/{scenario_set.full_name}/{number}.tsv"
        params:
            documents=[to_json(point.document) for point in points],
        message:
            f"Writing points of {scenario_set.full_name}, batch {number}"
        shell:
            'set -- {params.documents:q}; for point in {output:q}; do printf \'%s\' "$1" > "$point"; shift; done 2> {log}'

    for engine in scenario_set.engines:

        rule:
            name:
                f"simulate_{scenario_set.full_name}_{engine}_{number}"
            input:
                points=[point.path(RESULTS) for point in points],
                engine=f"build/release/{engine}/{engine}",
                driver=DRIVER,
            output:
                [point.run_path(RESULTS, engine) for point in points],
            log:
                f"results/logs/simulate/{scenario_set.full_name}/{engine}-{number}.log",
            benchmark:
                f"results/benchmarks/simulate/{scenario_set.full_name}/{engine}-{number}.tsv"
            params:
                engine=engine,
                confidence=project.config["confidence"],
            message:
                f"Simulating {scenario_set.full_name} by {engine}, batch {number}"
            shell:
                "python -m tcpatlas simulate --point {input.points} --engine {params.engine}"
                " --engine-command {input.engine} --confidence {params.confidence} --out {output} 2> {log}"
