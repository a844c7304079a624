# Writes the pieces of the report that are not prose into a folder, for paper/report.tex:
#
#   Rscript workflow/figures/bin/report.R --study engset --results results --out results/report/generated
#   Rscript workflow/figures/bin/report.R --results results --paper paper --out results/report/generated
#
# Of a study: <study>-numbers.tex (every number of it that prose may use), <study>.tex (its items), <study>-extra.tex
# (those that are an appendix) and <study>-appendix.tex (tolerances, numbers, statements). Without a study: numbers.tex,
# body.tex (the sections) and appendix.tex, which put these in.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$report_command, figures)
