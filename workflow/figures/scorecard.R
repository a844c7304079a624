# The scorecard: how many claims were reproduced, which deviate and why.
#
#   Rscript workflow/figures/scorecard.R --results results --out results/report/scorecard.tex
#
# Writes --out (a piece of LaTeX), the same as .html, the picture of all claims as .pdf and .svg beside it, and
# <results>/scorecard.png.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- dirname(gsub("~+~", " ", script, fixed = TRUE))
source(file.path(figures, "lib", "load.R"))
load_library(figures)
load_graphics()

options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--published", default = "config/papers", help = "folder of the papers' numbers [%default]"),
  optparse::make_option("--out", default = "results/report/scorecard.tex", help = "the piece of LaTeX [%default]")
)

main <- function() {
  asked <- parse_options(options, "Sums up all claims.")
  claims <- read_claims(asked$results, asked$published)
  labels <- labels_for(figures, unique(claims$paper), claims$engine)
  stem <- save_piece(
    asked$out, plot_scorecard(claims), tex_scorecard(claims, labels), "Scorecard",
    function(picture) html_scorecard(claims, labels, picture)
  )
  write_atomically(file.path(asked$results, "scorecard.png"), function(path) file.copy(paste0(stem, ".png"), path))
}

run_command(main)
