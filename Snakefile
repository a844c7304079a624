# Everything is in workflow/; this file lets plain `snakemake --cores N` start it from here.
include: "workflow/Snakefile"


# All that the rules make, not only the reports: where a job failed, its output is gone, and Snakemake would not miss a
# file in the middle as long as the reports of an earlier run are there.
rule all:
    input:
        ENGINES,
        RUNS,
        PREDICTIONS,
        rules.report_html.input,
        rules.report_html.output,
        rules.crate.output,
        rules.explore.output,
        LAB,
        NOW,
    message:
        "Done: results/report.pdf, results/report.html and results/explore.html"
