# Writes the pieces of the report that are not prose into a folder, for paper/report.tex:
#
#   Rscript workflow/figures/bin/report.R --results results --published config/papers --paper paper \
#     --out results/report/generated
#
# numbers.tex (every number that the text may use, and the verdicts' colours), body.tex (the sections), <study>.tex (the
# items of a study) and appendix.tex (tolerances, claims, provenance).

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$report_command, figures)
