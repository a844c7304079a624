# Every simulated set of the papers by both engines: a row per set.

# The means over the sampled points of a set: the set, how many of its points, and a column per metric.
table_of_sets <- function(rows, notes, data) {
  sets <- unique(rows[, .(set, sampled_set)])
  counts <- data$equivalence[nzchar(point), .(points = uniqueN(point)), by = .(set, sampled_set)]
  first <- list(
    list(heading = "Study", cells = words(sub("^.*/all-", "", sets$set))),
    list(heading = "Set", cells = sub("^.*/", "", sets$sampled_set)),
    list(heading = "Points", cells = as.character(counts[sets, on = c("set", "sampled_set")]$points))
  )
  measured <- lapply(unique(rows$metric), function(one) {
    mine <- rows[metric == one][sets, on = c("set", "sampled_set"), mult = "first"]
    list(heading = with_unit(capitalised(metric_symbol(one, data$labels)), "%"), cells = mine$cell)
  })
  columns_to_table(c(first, measured), groups = 1, notes = notes_of(measured, notes))
}

# Two tables: of the sets with several metrics, and of those with one connection, judged by its largest difference.
table_every_set <- function(data) {
  rows <- data$equivalence[statistic == "mean"]
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  notes <- claim_notes(rows)
  rows[, cell := claim_cells(rows, notes)]
  isolated <- rows$metric == "largest_difference"
  parts <- Filter(nrow, list(rows[!isolated], rows[isolated]))
  lapply(parts, table_of_sets, notes, data)
}

# A line per set, a panel per metric. Sets of several studies go by the names of both.
plot_figure_every_set <- function(data) {
  shown <- data$equivalence[statistic == "mean" & metric != "largest_difference"]
  if (nrow(shown) == 0) {
    return(empty_plot(nothing_made(data)))
  }
  panels <- unique(shown$metric)
  names <- sub("^.*/", "", shown$sampled_set)
  if (uniqueN(shown$set) > 1) {
    names <- paste(words(sub("^.*/all-", "", shown$set)), names)
  }
  shown[, `:=`(
    panel = factor(metric, panels, plot_label(vapply(panels, metric_symbol, "", data$labels))),
    line = factor(names, rev(unique(names)))
  )]
  plot <- ggplot(shown, aes(value, line)) +
    differences_with_intervals() +
    facet_wrap(vars(panel), nrow = 1, scales = "free_x", labeller = label_parsed) +
    labs(x = "ns-3 over packetsim, minus one (%)", y = NULL) +
    theme_atlas()
  sized(plot, 6.6, 6.2)
}
