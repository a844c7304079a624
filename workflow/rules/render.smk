FIGURE_CODE = files(
    "workflow/figures/bin/*.R",
    "workflow/figures/R/*.R",
    *[f"workflow/figures/papers/{study}{ending}" for ending in (".R", "/*.R") for study in STUDIES],
)


# A study's figures are drawn in one job, and its tables made in another: to start R and read the results takes longer than
# most of them. They are rules of their own, because a rule's outputs are fixed.
for study in STUDIES:
    for kind, endings in ENDINGS.items():
        if titles := items(kind, study):

            rule:
                name:
                    f"{study}_{kind}s"
                input:
                    TABLES,
                    published=files(f"config/papers/{study}/*"),
                    code=FIGURE_CODE,
                output:
                    [
                        report(
                            f"results/{kind}s/{study}/{name}.{endings[0]}",
                            caption=f"../report/{kind}.rst",
                            category=STUDIES[study].title,
                            subcategory=f"{kind.capitalize()}s",
                            labels={"item": name, "title": title},
                        )
                        for name, title in titles.items()
                    ],
                    expand(f"results/{kind}s/{study}/{{name}}.{{ending}}", name=titles, ending=endings[1:]),
                log:
                    f"results/logs/{kind}s/{study}.log",
                benchmark:
                    f"results/benchmarks/{kind}s/{study}.tsv"
                params:
                    study=study,
                    kind=kind,
                    names=",".join(titles),
                message:
                    f"Rendering the {kind}s of {study}"
                shell:
                    "Rscript workflow/figures/bin/render.R --study {params.study} --items {params.names}"
                    " --kind {params.kind} --out results/{params.kind}s/{params.study} > {log} 2>&1"


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
        "Rscript workflow/figures/bin/scorecard.R --out results/report/scorecard.tex > {log} 2>&1"
