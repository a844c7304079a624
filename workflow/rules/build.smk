rule build:
    input:
        lambda wildcards: files(
            "workflow/engines/CMake*",
            f"workflow/engines/{wildcards.engine}/CMakeLists.txt",
            f"workflow/engines/{wildcards.engine}/src/**/*",
            f"workflow/engines/{wildcards.engine}/uml/*",  # what the engine linux runs
            "workflow/engines/kit/CMakeLists.txt",
            "workflow/engines/kit/[!t]*/*",  # all but its tests
        ),
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
