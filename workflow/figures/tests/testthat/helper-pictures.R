# Items drawn to be compared with what they looked like.

# The first item of each function of a study: of each plot_*() and table_*() of its module, and of the general ones.
# Gives items.csv's rows.
pictured_items <- function(results) {
  module <- load_study(figures, code_of(results$studies))
  functions <- Map(function(kind, name) {
    own <- own_function(module, if (kind == "figure") "plot" else "table", name)
    if (is.null(own)) kind else own
  }, results$items$kind, results$items$item)
  results$items[!duplicated(functions)]
}

# Draws an item as <stem>.svg, or sets it as <stem>.tex. Gives the file. Of few points some lie beyond an axis, of which
# ggplot2 warns.
pictured <- function(results, item, stem) {
  module <- load_study(figures, code_of(results$studies))
  data <- item_data(results, item$item, labels_of(results))
  if (item$kind == "table") {
    write_lines(tex_tables(item_tables(data, module)), paste0(stem, ".tex"))
    return(paste0(stem, ".tex"))
  }
  suppressWarnings(save_svg(item_plot(data, module), stem))
}

# Coordinates have one digit after the point, which the eye cannot tell from two.
save_svg <- function(plot, stem) {
  size <- size_of(plot)
  path <- paste0(stem, ".svg")
  open_svg(path, size[["width"]], size[["height"]])
  tryCatch(print(plot), finally = grDevices::dev.off())
  lines <- gsub("(\\d\\.\\d)\\d+", "\\1", readLines(path, encoding = "UTF-8"), perl = TRUE)
  writeLines(lines, path, useBytes = TRUE)
  path
}

# What the figure of then and now shows, invented.
now_figure_rows <- function() {
  row <- function(then, tcp, engine, x, value) {
    data.table::data.table(
      panel = "rates", question = "Is it as fast?", parameter = "links.bottleneck.rate", x_title = "", x = x,
      x_unit = "bit/s", metric = "utilisation", unit = "1", then, tcp, engine, value, ci_low = value - 0.01,
      ci_high = value + 0.01
    )
  }
  rbind(
    row("", "BBR", "linux", 2e6, 0.9), row("", "CUBIC", "packetsim", c(1e6, 2e6), c(0.8, 0.7)),
    row("", "", "model:compound", 1e6, 0.5), row("true", "Compound", "packetsim", 1e6, 0.6)
  )
}
