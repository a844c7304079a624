# The command bin/speed.R.

speed_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of bench.csv [%default]"),
  optparse::make_option("--out", default = "results/report/speed.tex", help = "the piece of LaTeX [%default]")
)

speed_command <- function(figures) {
  asked <- parse_options(speed_options, "Shows what the benchmark measured.")
  bench <- read_result(asked$results, "bench")
  write_lines(tex_speed(bench), asked$out)
  write_lines(html_page("Speed", html_speed(bench)), sub("\\.tex$", ".html", asked$out))
}
