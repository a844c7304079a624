# The picture of an answer of `./atlas ask --plot`.
#
#   Rscript workflow/figures/bin/ask.R --rows rows.csv --out answer.svg --title "50 Mbit/s, 20 ms"
#
# rows.csv: panel, label, source, value, low, high, in the order of panels and labels.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$ask_command, figures)
