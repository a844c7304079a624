# A job simulates points of a study for about a minute, or one longer point; its output has a line per point. The driver
# keeps every replication in this machine's cache (runs/cache.py), so a job that runs again, because it was killed or an
# input changed, simulates only what is new. Each run rewrites the points' files: the digest of a job's own points, not
# the time of these files, decides whether the job is due again.
rule simulate:
    input:
        engine=ancient("build/release/{engine}/{engine}"),
        driver=lambda wildcards: ancient(
            as_asked(
                job_of(wildcards).file(RESULTS), runs_made_of(*key_of(wildcards)), driver(wildcards.study)
            )
        ),
        then=lambda wildcards: originals(wildcards.study) if by_verdict(wildcards.study) else [],
    output:
        "results/runs/{study}/{engine}-{job}.jsonl",
    log:
        "results/logs/simulate/{study}/{engine}-{job}.log",
    benchmark:
        "results/benchmarks/simulate/{study}/{engine}-{job}.tsv"
    # Simulations have the lowest priority: they fill idle cores, while jobs that others depend on run first.
    priority: lambda wildcards: urgency(wildcards)
    resources:
        mem_mb=500,
        runtime=60,
    params:
        shares=lambda wildcards: [
            f"--share {share.set.points_path(RESULTS)} {share.first} {share.last} {share.length}"
            for share in job_of(wildcards).shares
        ],
        digest=lambda wildcards: job_of(wildcards).digest,
        made_of=lambda wildcards: runs_made_of(*key_of(wildcards)),
        confidence=project.config["confidence"],
        by_verdict=lambda wildcards: f"--by-verdict {wildcards.study}" if by_verdict(wildcards.study) else "",
    message:
        "Simulating {wildcards.study} by {wildcards.engine}, job {wildcards.job}"
    shell:
        "python -m tcpatlas simulate --engine {wildcards.engine} --engine-command {input.engine} --results results"
        " --confidence {params.confidence} {params.shares} --digest {params.digest} --made-of {params.made_of}"
        " {params.by_verdict} --out {output} 2> {log}"
