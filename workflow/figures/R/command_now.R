# The command bin/now.R.

now_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--out", default = "results/report/now", help = "the figure, without an ending [%default]")
)

now_command <- function(figures) {
  load_graphics()
  asked <- parse_options(now_options, "Draws what still holds.")
  plot <- plot_now(read_now_figure(asked$results), common_labels)
  save_figure(plot, asked$out, size_of(plot))
}
