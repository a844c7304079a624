# Renders items of one study: figures as .pdf, .svg, .png, .csv (what they show) and .json (curves for the browser),
# or tables as .tex, .html and .csv.
#
#   Rscript workflow/figures/bin/render.R --study engset --items figure-03,figure-12 --kind figure \
#     --results results --out results/figures/engset

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$render_command, figures)
