rule report_text:
    input:
        TABLES,
        provenance="results/provenance.json",
        published=files("config/papers/**/*"),
        paper=files("paper/**/*"),
        bench=BENCH,
        code=FIGURE_CODE,
    output:
        expand(
            "results/report/generated/{name}.tex",
            name=["numbers", "body", "appendix", *STUDIES],
        ),
    log:
        "results/logs/report_text.log",
    benchmark:
        "results/benchmarks/report_text.tsv"
    params:
        speed="--speed" if BENCH else "",
    message:
        "Writing the generated pieces of the report"
    shell:
        "Rscript workflow/figures/bin/report.R --out results/report/generated {params.speed} > {log} 2>&1"


rule report_pdf:
    input:
        rules.scorecard.output,
        rules.report_text.output,
        SPEED,
        rendered("figure", "pdf"),
        rendered("table", "tex"),
        paper=files("paper/**/*"),
    output:
        report(
            "results/report.pdf", caption="../report/report.rst", category="Report", labels={"item": "PDF"}
        ),
    log:
        "results/logs/report_pdf.log",
    benchmark:
        "results/benchmarks/report_pdf.tsv"
    message:
        "Typesetting the report"
    shell:
        "TEXINPUTS=paper:results: latexmk -pdf -interaction=nonstopmode -halt-on-error -file-line-error"
        " -outdir=results/report/latex paper/report.tex > {log} 2>&1"
        " && cp results/report/latex/report.pdf {output}"


# Snakemake writes its report of the jobs that are done, with the same configuration; the lock is held by this run.
rule report_html:
    input:
        TABLES,
        rules.scorecard.output,
        SPEED,
        rules.report_pdf.output,
        rendered("figure"),
        rendered("table"),
        config="results/config.json",
    output:
        "results/report.html",
    log:
        "results/logs/report_html.log",
    benchmark:
        "results/benchmarks/report_html.tsv"
    message:
        "Writing the HTML report"
    shell:
        "python -m snakemake --nolock --configfile {input.config} --report {output} {input} > {log} 2>&1"
