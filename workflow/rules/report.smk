rule report_study:
    input:
        lambda wildcards: study_tables(wildcards.study),
        code=lambda wildcards: r_code("report", wildcards.study),
        command="workflow/figures/bin/report.R",
    output:
        expand("results/report/generated/{{study}}{part}.tex", part=["", "-numbers", "-extra"]),
    log:
        "results/logs/report_study/{study}.log",
    benchmark:
        "results/benchmarks/report_study/{study}.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    message:
        "Writing the report's pieces on {wildcards.study}"
    shell:
        "Rscript {input.command} --study {wildcards.study} --out results/report/generated > {log} 2>&1"


rule report_frame:
    input:
        expand("results/{table}.csv", table=["studies", "claims", "statements", "equivalence", "causes"]),
        provenance="results/provenance.json",
        sections=files("paper/sections/*", "paper/findings/*") + sections(),
        bench=BENCH,
        now=NOW,
        code=r_code("report"),
        command="workflow/figures/bin/report.R",
    output:
        expand(
            "results/report/generated/{name}.tex",
            name=[
                "numbers",
                "front",
                "papers",
                "findings",
                "causes",
                "now-told",
                "now-front",
                "body",
                "appendix",
            ],
        ),
    log:
        "results/logs/report_frame.log",
    benchmark:
        "results/benchmarks/report_frame.tsv"
    resources:
        mem_mb=300,
        runtime=5,
    params:
        speed="--speed" if BENCH else "",
        now="--now" if NOW else "",
    message:
        "Writing what holds the report's pieces together"
    shell:
        "Rscript {input.command} --out results/report/generated {params.speed} {params.now} > {log} 2>&1"


rule report_pdf:
    input:
        SCORECARD,
        rules.report_frame.output,
        expand(rules.report_study.output, study=STUDIES),
        SPEED,
        NOW,
        rendered("figure", "pdf"),
        rendered("table", "tex"),
        paper=files("paper/**/*") + sections(),
    output:
        report(
            "results/report.pdf", caption="../report/report.rst", category="Report", labels={"item": "PDF"}
        ),
    log:
        "results/logs/report_pdf.log",
    benchmark:
        "results/benchmarks/report_pdf.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    message:
        "Typesetting the report"
    # A kill may truncate LaTeX's auxiliary files, and then no pass would ever end.
    shell:
        "rm -rf results/report/latex && TEXINPUTS=paper:results: latexmk -norc -pdf -interaction=nonstopmode -halt-on-error -file-line-error"
        " -outdir=results/report/latex paper/report.tex > {log} 2>&1"
        " && cp results/report/latex/report.pdf {output}"


# The research object (inputs, runs and results), for catalogues and archives (docs/sharing-results.md).
rule crate:
    input:
        TABLES,
        rules.report_pdf.output,
        rendered("figure"),
        rendered("table"),
        provenance="results/provenance.json",
        config="results/config.json",
        read=sorted(input_files(project).values()),
        code=code("tcpatlas.metadata.crate"),
    output:
        "results/ro-crate-metadata.json",
    log:
        "results/logs/crate.log",
    benchmark:
        "results/benchmarks/crate.tsv"
    resources:
        mem_mb=300,
        runtime=5,
    message:
        "Describing the results as a Workflow Run Crate"
    shell:
        "python -m tcpatlas crate --results results 2> {log}"


# It contains the rendered items, and the points as read by engines and models, whose digests are in studies.csv.
rule explore:
    input:
        expand("results/studies/{study}/{table}.csv", study=STUDIES, table=TABLE_NAMES),
        "results/studies.csv",
        rendered("figure", "json"),
        rendered("table", "html"),
        provenance="results/provenance.json",
        assets=files("workflow/pages/*.*", "workflow/pages/explore/*"),
        lab=LAB,
        now=NOW,
        code=r_code("explore"),
        command="workflow/figures/bin/explore.R",
    output:
        "results/explore.html",
    log:
        "results/logs/explore.log",
    benchmark:
        "results/benchmarks/explore.tsv"
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        lab="--lab" if LAB else "",
        now="--now" if NOW else "",
    message:
        "Writing the page to explore all results"
    shell:
        "Rscript {input.command} --out {output} {params.lab} {params.now} > {log} 2>&1"


rule lab:
    input:
        module=MODULE,
        code=code("tcpatlas.pages.laboratory"),
    output:
        "results/lab.html",
    log:
        "results/logs/lab.log",
    benchmark:
        "results/benchmarks/lab.tsv"
    resources:
        mem_mb=300,
        runtime=5,
    message:
        "Writing the laboratory"
    shell:
        "python -m tcpatlas lab --module {input.module} --out {output} 2> {log}"


# Snakemake reports on finished jobs, with the same configuration; this run holds the lock.
rule report_html:
    input:
        shown=[
            TABLES,
            SCORECARD,
            SPEED,
            rules.report_pdf.output,
            rendered("figure"),
            rendered("table"),
        ],
        captions=files("workflow/report/*"),
    output:
        "results/report.html",
    log:
        "results/logs/report_html.log",
    benchmark:
        "results/benchmarks/report_html.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Writing the HTML report"
    shell:
        "python -m snakemake --nolock --configfile results/config.json --report {output} {input.shown} > {log} 2>&1"
