# Writes results/explore.html: every printed number beside ours, every figure and table, to search, filter and click:
#
#   Rscript workflow/figures/bin/explore.R --results results --out results/explore.html
#
# It puts in what bin/render.R made.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$explore_command, figures)
