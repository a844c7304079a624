# Everything is in workflow/; this file lets plain `snakemake --cores N` start it from here.
include: "workflow/Snakefile"


rule all:
    input:
        rules.report_pdf.output,
        rules.report_html.output,
