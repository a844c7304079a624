rule build:
    input:
        lambda wildcards: code_of_engine(Path("workflow/engines"), wildcards.engine),
    output:
        "build/release/{engine}/{engine}",
    log:
        "results/logs/build/{engine}.log",
    benchmark:
        "results/benchmarks/build/{engine}.tsv"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=30,
    message:
        "Building {wildcards.engine}"
    shell:
        "{{ cmake -S workflow/engines --preset release"
        " && cmake --build build/release --parallel {threads} --target {wildcards.engine}; }} > {log} 2>&1"
