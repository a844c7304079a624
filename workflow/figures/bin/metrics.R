# Writes docs/metrics.md from workflow/metrics.yaml:
#
#   Rscript workflow/figures/bin/metrics.R

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
workflow <- dirname(figures)
tcpatlas$write_lines(tcpatlas$metrics_page(workflow), file.path(dirname(workflow), "docs", "metrics.md"))
