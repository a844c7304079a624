# The papers' TCP beside today's, in pictures.
#
#   Rscript workflow/figures/bin/now.R --results results --out results/report/now
#
# Reads <results>/now_figure.csv; writes <out>.pdf, .svg and .png.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$now_command, figures)
