# The command bin/speed.R.

speed_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of bench.csv [%default]"),
  optparse::make_option("--out", default = "results/report/speed.tex", help = "the piece of LaTeX [%default]")
)

speed_command <- function(figures) {
  load_graphics()
  asked <- parse_options(speed_options, "Shows what the benchmark measured.")
  bench <- read_result(asked$results, "bench")
  save_piece(
    asked$out, plot_growth(bench), tex_speed(bench), "Speed", function(picture) html_speed(bench, picture)
  )
}
