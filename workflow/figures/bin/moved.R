# Draws figures that moved against the accepted ones, accepted points beside those of now.
#
#   Rscript workflow/figures/bin/moved.R --points results/moved

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(gsub("~+~", " ", script, fixed = TRUE)), "load.R"))
tcpatlas$run_command(tcpatlas$moved_command, figures)
