rule build_module:
    input:
        files(
            "workflow/engines/wasm/*",
            "workflow/engines/kit/**/*.[ch]pp",
            "workflow/engines/packetsim/src/**/*.[ch]pp",
        ),
    output:
        MODULE,
    log:
        "results/logs/build/wasm.log",
    benchmark:
        "results/benchmarks/build/wasm.tsv"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=30,
    message:
        "Compiling packetsim for a browser"
    shell:
        "{{ cmake -S workflow/engines/wasm -B build/wasm -G Ninja"
        " && cmake --build build/wasm --parallel {threads}; }} > {log} 2>&1"


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
