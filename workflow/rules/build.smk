rule build:
    input:
        lambda wildcards: files(
            "workflow/engines/CMake*",
            f"workflow/engines/{wildcards.engine}/CMakeLists.txt",
            f"workflow/engines/{wildcards.engine}/src/**/*",
            # The reader of points and the writer of runs, for every engine.
            "workflow/engines/packetsim/src/**/*",
        ),
    output:
        "build/release/{engine}/{engine}",
    log:
        "results/logs/build/{engine}.log",
    benchmark:
        "results/benchmarks/build/{engine}.tsv"
    threads: 8
    message:
        "Building {wildcards.engine}"
    shell:
        "{{ cmake -S workflow/engines --preset release"
        " && cmake --build build/release --parallel {threads} --target {wildcards.engine}; }} > {log} 2>&1"
