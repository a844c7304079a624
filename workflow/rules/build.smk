rule build:
    input:
        lambda wildcards: files(
            "workflow/engines/CMake*",
            # A live engine is made of the same files as the one that it is beside.
            f"workflow/engines/{wildcards.engine.removesuffix('_live')}/CMakeLists.txt",
            f"workflow/engines/{wildcards.engine.removesuffix('_live')}/src/**/*",
            f"workflow/engines/{wildcards.engine.removesuffix('_live')}/uml/*",  # what the engine linux runs
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
