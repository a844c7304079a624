# The command bin/scorecard.R.

scorecard_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--published", default = "config/papers", help = "folder of the papers' numbers [%default]"),
  optparse::make_option("--out", default = "results/report/scorecard.tex", help = "the piece of LaTeX [%default]")
)

scorecard_command <- function(figures) {
  load_graphics()
  asked <- parse_options(scorecard_options, "Sums up all claims.")
  claims <- read_claims(asked$results, asked$published)
  labels <- labels_for(figures, unique(claims$paper), claims$engine)
  stem <- save_piece(
    asked$out, plot_scorecard(claims), tex_scorecard(claims, labels), "Scorecard",
    function(picture) html_scorecard(claims, labels, picture)
  )
  write_atomically(file.path(asked$results, "scorecard.png"), function(path) file.copy(paste0(stem, ".png"), path))
}
