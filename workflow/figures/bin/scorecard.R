# The scorecard: how many printed numbers are reproduced, how many statements hold, how often the engines agree.
#
#   Rscript workflow/figures/bin/scorecard.R --results results --out results/report/scorecard.tex
#
# Writes --out (a piece of LaTeX), the same as .html, the picture of all numbers as .pdf and .svg beside it, and
# <results>/scorecard.png.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$scorecard_command, figures)
