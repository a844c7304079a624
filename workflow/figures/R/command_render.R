# The command bin/render.R.

render_options <- list(
  optparse::make_option("--study", help = "the study that the items are of"),
  optparse::make_option("--items", help = "their names, with commas"),
  optparse::make_option("--kind", help = "figure or table"),
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--out", help = "folder of the outputs, which are named by item")
)

render <- function(data, module, kind, stem) {
  if (kind == "figure") {
    plot <- item_plot(data, module)
    save_figure(plot, stem, size_of(plot))
    save_drawn(plot, stem)
    save_curves(plot, stem, size_of(plot))
  } else {
    save_tables(item_tables(data, module), stem, item_title(data))
  }
}

render_command <- function(figures) {
  asked <- parse_options(render_options, "Renders items of a study as figures or as tables.")
  if (!asked$kind %in% c("figure", "table")) {
    abort_with("--kind %s: unknown; allowed are figure, table", asked$kind)
  }
  if (asked$kind == "figure") {
    load_graphics()
  }
  results <- read_study(asked$results, asked$study)
  labels <- labels_of(results)
  module <- load_study(figures, code_of(results$studies))
  for (item in strsplit(asked$items, ",", fixed = TRUE)[[1]]) {
    data <- item_data(results, item, labels)
    tryCatch(
      render(data, module, asked$kind, file.path(asked$out, item)),
      plain_error = stop,
      error = function(error) abort_with("%s/%s: %s", asked$study, item, one_line(error))
    )
  }
}
