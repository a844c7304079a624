# The speed of the simulators, from bench.csv:
#
#   Rscript workflow/figures/speed.R --results results --out results/report/speed.tex
#
# Writes --out (a piece of LaTeX), the same as .html, and the figure as .pdf, .svg and .png beside it.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- dirname(gsub("~+~", " ", script, fixed = TRUE))
source(file.path(figures, "lib", "load.R"))
load_library(figures)
load_graphics()

options <- list(
  optparse::make_option("--results", default = "results", help = "folder of bench.csv [%default]"),
  optparse::make_option("--out", default = "results/report/speed.tex", help = "the piece of LaTeX [%default]")
)

main <- function() {
  asked <- parse_options(options, "Shows what the benchmark measured.")
  bench <- read_result(asked$results, "bench")
  save_piece(
    asked$out, plot_growth(bench), tex_speed(bench), "Speed", function(picture) html_speed(bench, picture)
  )
}

run_command(main)
