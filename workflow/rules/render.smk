FIGURE_CODE = files(
    "workflow/figures/*.R",
    "workflow/figures/lib/*.R",
    *[f"workflow/figures/{study}/*.R" for study in STUDIES],
)


rule render_figure:
    input:
        TABLES,
        published=lambda wildcards: files(f"config/published/{wildcards.study}/*"),
        code=FIGURE_CODE,
    output:
        report(
            "results/figures/{study}/{item}.svg",
            caption="../report/figure.rst",
            category=lambda wildcards: STUDIES[wildcards.study].title,
            subcategory="Figures",
            labels={"item": "{item}"},
        ),
        multiext("results/figures/{study}/{item}", ".pdf", ".png"),
    log:
        "results/logs/figures/{study}/{item}.log",
    benchmark:
        "results/benchmarks/figures/{study}/{item}.tsv"
    params:
        title=title,
    message:
        "Drawing {wildcards.study}/{wildcards.item}"
    shell:
        "Rscript workflow/figures/render.R --item {wildcards.study}/{wildcards.item} --kind figure"
        " --out results/figures/{wildcards.study}/{wildcards.item} > {log} 2>&1"


rule render_table:
    input:
        TABLES,
        published=lambda wildcards: files(f"config/published/{wildcards.study}/*"),
        code=FIGURE_CODE,
    output:
        report(
            "results/tables/{study}/{item}.html",
            caption="../report/table.rst",
            category=lambda wildcards: STUDIES[wildcards.study].title,
            subcategory="Tables",
            labels={"item": "{item}"},
        ),
        multiext("results/tables/{study}/{item}", ".tex", ".csv"),
    log:
        "results/logs/tables/{study}/{item}.log",
    benchmark:
        "results/benchmarks/tables/{study}/{item}.tsv"
    params:
        title=title,
    message:
        "Writing {wildcards.study}/{wildcards.item}"
    shell:
        "Rscript workflow/figures/render.R --item {wildcards.study}/{wildcards.item} --kind table"
        " --out results/tables/{wildcards.study}/{wildcards.item} > {log} 2>&1"


rule scorecard:
    input:
        TABLES,
        code=FIGURE_CODE,
    output:
        report(
            "results/report/scorecard.html",
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"item": "what deviates"},
        ),
        report(
            "results/report/scorecard.svg",
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"item": "every claim"},
        ),
        multiext("results/report/scorecard", ".tex", ".pdf"),
        "results/scorecard.png",
    log:
        "results/logs/scorecard.log",
    benchmark:
        "results/benchmarks/scorecard.tsv"
    message:
        "Summing up all claims"
    shell:
        "Rscript workflow/figures/scorecard.R --out results/report/scorecard.tex > {log} 2>&1"
