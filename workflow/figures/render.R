# Renders one item: a figure as .pdf, .svg and .png, or a table as .tex, .html and .csv.
#
#   Rscript workflow/figures/render.R --item engset/figure-12 --kind figure \
#     --results results --published config/published --out results/figures/engset/figure-12

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- dirname(gsub("~+~", " ", script, fixed = TRUE))
source(file.path(figures, "lib", "load.R"))
load_library(figures)

options <- list(
  optparse::make_option("--item", help = "<study>/<item>, or <study>/<set> where nothing is published"),
  optparse::make_option("--kind", help = "figure or table"),
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--published", default = "config/published", help = "folder of the papers' numbers [%default]"),
  optparse::make_option("--out", help = "path of the outputs, without ending")
)

main <- function() {
  asked <- parse_options(options, "Renders one item of a study as a figure or a table.")
  if (!asked$kind %in% c("figure", "table")) {
    stop_plainly("--kind %s: unknown; allowed are figure, table", asked$kind)
  }
  item <- split_item(asked$item)
  results <- read_results(asked$results, asked$published, item$study)
  labels <- labels_for(figures, item$study, results$observations$engine)
  data <- item_data(results, asked$published, item$study, item$name, labels)
  module <- load_study(figures, item$study)
  if (asked$kind == "figure") {
    plot <- item_plot(data, module)
    save_figure(plot, asked$out, size_of(plot))
  } else {
    save_tables(item_tables(data, module), asked$out, item_title(data))
  }
}

run_command(main)
