# The speed of the simulators, from bench.csv:
#
#   Rscript workflow/figures/bin/speed.R --results results --out results/report/speed.tex
#
# Writes --out (a piece of LaTeX), and the same as .html beside it.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$speed_command, figures)
