# The command bin/scorecard.R.

scorecard_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--out", default = "results/report/scorecard.tex", help = "the piece of LaTeX [%default]")
)

scorecard_command <- function(figures) {
  load_graphics()
  asked <- parse_options(scorecard_options, "Sums up all verdicts.")
  names <- c(claims = "claims", statements = "statements", equivalence = "equivalence", causes = "causes")
  results <- lapply(names, function(name) read_result(asked$results, name))
  stem <- save_piece(
    asked$out, plot_scorecard(results$claims), tex_scorecard(results), "Scorecard",
    function(picture) html_scorecard(results, picture)
  )
  write_atomically(file.path(asked$results, "scorecard.png"), function(path) file.copy(paste0(stem, ".png"), path))
}
