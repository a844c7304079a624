# Programs are compiled one at a time, since they share one folder with set-up.
BUILDING = "mkdir -p .atlas && (flock 9 && {}) 9> .atlas/setup.lock > {{log}} 2>&1"


rule build_module:
    input:
        code_of_engine(Path("workflow/engines"), "wasm"),
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
        builds=1,
    params:
        version=VERSION,
    message:
        "Compiling packetsim for a browser"
    shell:
        BUILDING.format(
            "cmake -S workflow/engines/wasm -B build/wasm -G Ninja"
            " && cmake --build build/wasm --parallel {threads}"
        )


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
        builds=1,
    params:
        version=VERSION,
    message:
        "Building {wildcards.engine}"
    shell:
        BUILDING.format(
            "cmake -S workflow/engines --preset release"
            " && cmake --build build/release --parallel {threads} --target {wildcards.engine}"
        )
