# The command bin/scorecard.R.

scorecard_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--out", default = "results/report/scorecard.tex", help = "the piece of LaTeX [%default]")
)

scorecard_command <- function(figures) {
  load_graphics()
  asked <- parse_options(scorecard_options, "Sums up all verdicts.")
  names <- c("claims", "statements", "equivalence", "causes", "studies")
  results <- lapply(stats::setNames(nm = names), function(name) read_result(asked$results, name))
  studies <- results$studies
  rows <- scorecard_rows(results, studies)
  stem <- save_piece(
    asked$out, plot_scorecard(rows), tex_scorecard(results), "Scorecard",
    function(picture) html_scorecard(results, picture)
  )
  # The first page has the papers' numbers, the second all else.
  parts <- list(papers = rows[section == scorecard_papers], rest = rows[section != scorecard_papers])
  for (part in names(parts)) {
    plot <- plot_scorecard(parts[[part]])
    save_figure(plot, paste0(stem, "-", part), size_of(plot))
  }
  papers <- paste0(stem, "-papers.png")
  write_atomically(file.path(asked$results, "scorecard.png"), function(path) file.copy(papers, path))
  distances <- plot_distances(results$claims, studies)
  save_figure(distances, file.path(dirname(stem), "distances"), size_of(distances))
}
