# A study's figures are drawn in one job and its tables made in another, because starting R and reading the results
# takes longer than most of them. Each study has its own rules, because a rule's outputs are fixed. They read the
# results of their study only, so that a change to one paper renders only that paper again.
for study in STUDIES:
    for kind, endings in ENDINGS.items():
        if titles := items(kind, study):

            rule:
                name:
                    f"{study}_{kind}s"
                input:
                    study_tables(study),
                    code=r_code("render", study),
                    command="workflow/figures/bin/render.R",
                output:
                    [
                        report(
                            f"results/{kind}s/{study}/{name}.{endings[0]}",
                            caption=f"../report/{kind}.rst",
                            category=verbatim(STUDIES[study].title),
                            subcategory=f"{kind.capitalize()}s",
                            labels={"item": name, "title": verbatim(title)},
                        )
                        for name, title in titles.items()
                    ],
                    expand(f"results/{kind}s/{study}/{{name}}.{{ending}}", name=titles, ending=endings[1:]),
                log:
                    f"results/logs/{kind}s/{study}.log",
                benchmark:
                    f"results/benchmarks/{kind}s/{study}.tsv"
                resources:
                    mem_mb=500,
                    runtime=10,
                params:
                    study=study,
                    kind=kind,
                    names=",".join(titles),
                message:
                    f"Rendering the {kind}s of {study}"
                shell:
                    "Rscript {input.command} --study {params.study} --items {params.names}"
                    " --kind {params.kind} --out results/{params.kind}s/{params.study} > {log} 2>&1"


rule scorecard:
    input:
        expand("results/{table}.csv", table=["studies", "claims", "statements", "equivalence", "causes"]),
        code=r_code("scorecard"),
        command="workflow/figures/bin/scorecard.R",
    output:
        report(
            "results/report/scorecard.html",
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"item": "numbers, statements, engine equivalence, deviations"},
        ),
        report(
            "results/report/scorecard.svg",
            caption="../report/scorecard.rst",
            category="Scorecard",
            labels={"item": "every printed number"},
        ),
        multiext("results/report/scorecard", ".tex", ".pdf", "-papers.pdf", "-rest.pdf"),
        multiext("results/report/distances", ".svg", ".pdf", ".png"),
        "results/scorecard.png",
    log:
        "results/logs/scorecard.log",
    benchmark:
        "results/benchmarks/scorecard.tsv"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Summing up all verdicts"
    shell:
        "Rscript {input.command} --out results/report/scorecard.tex > {log} 2>&1"


# User scenarios have no published numbers.
SCORECARD = rules.scorecard.output if PAPERS else []
