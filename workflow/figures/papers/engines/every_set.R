# Every simulated set of the papers by both engines: a row per set.

sampled_papers <- c(
  "engines/all-engset" = "on-off", "engines/all-compound" = "Compound", "engines/all-shared-bottleneck" = "Tahoe"
)

# The claims on sampled sets as a table: the set, how many of its points, and a column per metric.
columns_of_sets <- function(claims, papers, notes, data) {
  rows <- unique(claims, by = c("set", "sampled_set"))
  counts <- data$points[, .N, by = .(set, sampled_set)]
  first <- list(
    if (papers) list(heading = "Paper", cells = sampled_papers[rows$set]),
    list(heading = "Set", cells = rows$sampled_set),
    list(heading = "Points", cells = as.character(counts[rows, on = c("set", "sampled_set")]$N))
  )
  measured <- lapply(unique(claims$metric), function(one) {
    mine <- claims[metric == one][rows, on = c("set", "sampled_set"), mult = "first"]
    list(heading = with_unit(capitalised(metric_symbol(one, data$labels)), "%"), cells = mine$cell)
  })
  columns_to_table(
    c(Filter(Negate(is.null), first), measured),
    groups = if (papers) 1 else 0, notes = notes_of(measured, notes)
  )
}

# Two tables: of the sets with many sources, and of those with a lone transfer.
table_every_set <- function(data) {
  if (nrow(data$claims) == 0) {
    return(table_no_ns3())
  }
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)
  claims[, `:=`(metric = sub("_error$", "", metric), cell = claim_cells(claims, notes))]
  lone <- claims$metric == "largest_difference"
  list(
    columns_of_sets(claims[!lone], papers = FALSE, notes, data),
    columns_of_sets(claims[lone], papers = TRUE, notes, data)
  )
}

# A line per set, a panel per metric.
plot_figure_every_set <- function(data) {
  shown <- data$study_claims[item == "every-set" & endsWith(metric, "_error")]
  if (nrow(shown) == 0) {
    return(empty_plot(no_ns3))
  }
  shown <- join_in_order(shown, data$points, "point")
  shown[, metric := sub("_error$", "", metric)]
  panels <- unique(shown$metric)
  shown[, `:=`(
    panel = factor(metric, panels, vapply(panels, metric_symbol, "", data$labels)),
    line = factor(sampled_set, rev(unique(sampled_set)))
  )]
  plot <- ggplot(shown, aes(value, line)) +
    differences_with_intervals() +
    facet_wrap(vars(panel), nrow = 1, scales = "free_x", labeller = as_labeller(plot_label, label_parsed)) +
    labs(x = "ns-3 over packetsim, minus one (%)", y = NULL) +
    theme_atlas()
  sized(plot, 6.6, 6.2)
}
